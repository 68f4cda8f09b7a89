// The question: why it was asked, what the node is, the guess, and a key for every answer.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { classColour, classShape } from "../colours";
import { lookAtPicture, shownColumns } from "../columns";
import { classKeys, MOST_KEYS } from "../keys";
import type { Question } from "../port";
import type { Studio } from "../studio";
import { percent, texts } from "../texts";
import { LastAnswers } from "./LastAnswers";
import { Swatch } from "./Legend";
import { Neighbours } from "./Neighbours";
import { NodeFace, nodeTitle, picture } from "./NodeFace";
import { Notices, SavedNotice } from "./Notices";
import { Why } from "./Why";

const WIDE_NAME = 9;
/** Longer names are left out of the button that accepts the guess: they stand above it. */
const SHORT_NAME = 5;
/** A word so long needs smaller letters to fit its button. */
const LONG_WORD = 11;

export function Card({ studio }: { studio: Studio }) {
  const question = studio.question.value;
  return (
    <aside class="card" aria-label={texts.card.label} data-node={question?.node ?? ""} data-audit={String(question?.audit ?? false)}>
      <div class="scroll" tabIndex={-1}>
        <Notices studio={studio} />
        {question ? <Asked studio={studio} question={question} /> : <Nothing studio={studio} />}
      </div>
      <LastAnswers studio={studio} />
    </aside>
  );
}

function Nothing({ studio }: { studio: Studio }) {
  const words = studio.graph.value?.nodes === 0 ? texts.error.empty : studio.exhausted.value ? texts.card.done : studio.offline.value ? texts.card.away : texts.card.waiting;
  return (
    <>
      <p class="nothing" role="status">{words}</p>
      <SavedNotice studio={studio} />
      <div class="actions"><UndoButton studio={studio} /></div>
    </>
  );
}

function Asked({ studio, question }: { studio: Studio; question: Question }) {
  const all = studio.graph.value?.columns ?? [];
  const columns = shownColumns(studio.graph.value);
  const title = nodeTitle(question.node, question.attributes);
  const image = picture(question.attributes, columns);
  const number = (studio.status.value?.answers ?? 0) + studio.waiting.value + 1;
  const guessed = question.guess !== null && !question.blind;
  const asksYesNo = studio.yesNo.value && guessed && !studio.saidNo.value;
  return (
    <>
      <div class="why">
        <span>{texts.card.question} <b>{texts.number(number)}</b></span>
        <span class="reason">{texts.card.picked(question.reason)}</span>
      </div>
      <h1 class={title.length > 60 ? "long" : ""}>{title === question.node ? texts.card.which(question.node) : title}</h1>
      <div class={image ? "what pictured" : "what"}>
        {image && <div class="picture"><img class="ink" src={image} alt={title} onLoad={(event) => lookAtPicture(studio.graph.value!, event.currentTarget)} /></div>}
        <Guess studio={studio} question={question} />
      </div>
      <NodeFace attributes={question.attributes} columns={columns} />
      {all.length === 0 && <p class="hint">{texts.card.noColumns}</p>}
      {asksYesNo ? <h2 class="isit">{texts.card.is(question.guess!)}</h2> : <Classes studio={studio} question={question} />}
      <Actions studio={studio} question={question} asksYesNo={asksYesNo} />
      <SavedNotice studio={studio} />
      <Neighbours studio={studio} question={question} />
      {guessed && question.question !== null && <Why key={question.node} studio={studio} question={question} />}
      <div class="options">
        <label><input type="checkbox" checked={studio.yesNo.value} onChange={(event) => (studio.yesNo.value = event.currentTarget.checked)} /> {texts.card.yesNo}</label>
        {!studio.naming.value && studio.classes.value.length > 0 && studio.classes.value.length <= MOST_KEYS && <button class="plain" onClick={() => (studio.naming.value = true)}>{texts.card.addClass}</button>}
        {all.length > 0 && <button class="plain" onClick={() => (studio.dialog.value = "columns")}>{texts.card.columns}</button>}
      </div>
    </>
  );
}

function Guess({ studio, question }: { studio: Studio; question: Question }) {
  if (question.blind)
    return (
      <div class="guess blind">
        <p class="caption">{question.audit ? texts.card.spot : texts.card.second}</p>
        <p class="hidden">{texts.card.hidden}</p>
        <p>{question.audit ? texts.card.hiddenWhy : texts.card.secondWhy}</p>
      </div>
    );
  if (question.guess === null)
    return (
      <div class="guess blind">
        <p class="hidden">{texts.card.none}</p>
        {question.question !== null && <p>{texts.card.noneWhy}</p>}
      </div>
    );
  const top = question.top.slice(0, 3);
  return (
    <div class="guess">
      <p class="caption">{texts.card.guess}</p>
      <p class={question.guess.length > WIDE_NAME ? "big wide" : "big"}>
        <strong>{question.guess}</strong>
        {question.confidence !== null && <span>{texts.card.sure(question.confidence)}</span>}
      </p>
      <ul class="bars">
        {top.map(({ label, probability }) => {
          const place = studio.classes.value.indexOf(label);
          return (
            <li key={label}>
              <b title={label}>{label}</b>
              <i aria-hidden="true"><i style={{ width: `${100 * probability}%`, background: classColour(Math.max(place, 0)) }} /></i>
              <span>{percent(probability)}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Classes({ studio, question }: { studio: Studio; question: Question }) {
  const classes = studio.classes.value;
  const keys = classKeys(classes);
  const many = classes.length > MOST_KEYS;
  const words = studio.filter.value.trim().toLowerCase();
  const shown = classes.map((name, place) => ({ name, place })).filter(({ name }) => !words || name.toLowerCase().includes(words));
  const short = classes.every((name) => name.length <= 3);
  const tight = classes.some((name) => name.split(/[\s_/.-]/).some((word) => word.length > LONG_WORD));
  const last = studio.done.value.at(-1);
  const exact = classes.some((name) => name.toLowerCase() === words);
  return (
    <div class="classes-box">
      <div class={`classes ${short ? "short" : ""} ${many ? "many" : ""} ${tight ? "tight" : ""}`} role="group" aria-label={texts.card.label}>
        {shown.map(({ name, place }) => (
          <button key={name} onClick={() => void studio.answer(name)}
            class={`class ${question.guess === name && !question.blind ? "guessed" : ""} ${last?.label === name && studio.notice.value?.node === last.nodes[0] ? "given" : ""}`}
            style={{ "--own": classColour(place) }}>
            <span><Swatch colour={classColour(place)} shape={classShape(place)} />{breakable(name)}</span>
            {keys[place] && keys[place] !== name && <kbd>{keys[place].toUpperCase()}</kbd>}
          </button>
        ))}
      </div>
      {(many || classes.length === 0 || studio.naming.value) && <Filter studio={studio} first={shown[0]?.name} fresh={words && !exact ? studio.filter.value.trim() : ""} many={many} />}
    </div>
  );
}

/** The name with places to break at: names such as Genetic_Algorithms are wider than a button. */
const breakable = (name: string) => name.replace(/[_/.-]/g, "$&\u200b");

/** A field that filters the classes and names new ones; keys do nothing while it has the focus. */
function Filter({ studio, first, fresh, many }: { studio: Studio; first?: string; fresh: string; many: boolean }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (field.current && !studio.filter.value) field.current.value = "";
  });
  useLayoutEffect(() => {
    if (studio.naming.value) field.current?.focus();
  }, []);
  const none = studio.classes.value.length === 0;
  return (
    <form class="filter" onSubmit={(event) => {
      event.preventDefault();
      const chosen = first && studio.filter.value ? first : fresh;
      if (!chosen) return;
      field.current!.blur();
      void studio.answer(chosen);
    }}>
      {none && <p class="hint">{texts.error.noClasses}</p>}
      <input id="class-filter" ref={field} type="text" autocomplete="off" placeholder={many ? texts.card.filter : texts.card.addClass}
        aria-label={many ? texts.card.filter : texts.card.addClass}
        onInput={(event) => (studio.filter.value = event.currentTarget.value)} />
      {fresh && !first && <button class="button" type="submit">{texts.card.newClass(fresh)}</button>}
      {fresh && first && <button class="button" type="button" onClick={() => void studio.answer(fresh)}>{texts.card.newClass(fresh)}</button>}
    </form>
  );
}

function Actions({ studio, question, asksYesNo }: { studio: Studio; question: Question; asksYesNo: boolean }) {
  const guess = question.blind ? null : question.guess;
  return (
    <div class="actions">
      <button class="button yes" disabled={!guess} onClick={() => studio.accept()}>
        {guess ? <><span>{guess.length > SHORT_NAME ? texts.card.yesOnly : texts.card.yes(guess)}</span> <kbd>{asksYesNo ? "Y" : "Enter"}</kbd></> : studio.classes.value.length ? texts.card.press : texts.card.nameFirst}
      </button>
      {asksYesNo && <button class="button" onClick={() => (studio.saidNo.value = true)}>{texts.card.no} <kbd>N</kbd></button>}
      <button class="button" onClick={() => void studio.skip(false)}>{texts.card.skip} <kbd>S</kbd></button>
      {!asksYesNo && <button class="button" onClick={() => void studio.skip(true)}>{texts.card.unsure} <kbd>N</kbd></button>}
      <UndoButton studio={studio} />
    </div>
  );
}

function UndoButton({ studio }: { studio: Studio }) {
  const can = studio.done.value.length > 0 || studio.answers.value.some((each) => studio.mine(each.by));
  return <button class="button" disabled={!can} onClick={() => void studio.undo()}>{texts.card.undo} <kbd>U</kbd></button>;
}
