// Why this guess: the answers, words, columns and neighbours that it rests on. Fetched when it is opened.
import { useState } from "preact/hooks";
import { classColour } from "../colours";
import type { Explanation, Question } from "../port";
import type { Studio } from "../studio";
import { percent, texts } from "../texts";
import { Swatch } from "./Legend";
import { nodeTitle } from "./NodeFace";

const MOST = 5;

export function Why({ studio, question }: { studio: Studio; question: Question }) {
  const [found, learn] = useState<Explanation | null>(null);
  const [problem, fail] = useState("");
  const opened = (event: Event) => {
    if (!(event.currentTarget as HTMLDetailsElement).open || found) return;
    studio.api.explain(question.node).then(
      (told) => (learn(told), void studio.look(told.labels.map((each) => each.index))),
      (why: Error) => fail(why.message),
    );
  };
  return (
    <details class="explained" onToggle={opened}>
      <summary>{texts.card.why}</summary>
      {found ? <Evidence studio={studio} found={found} /> : <p class="hint" role="status">{problem || texts.card.whyWait}</p>}
    </details>
  );
}

function Evidence({ studio, found }: { studio: Studio; found: Explanation }) {
  const listed = (parts: Explanation["parts"]) => parts.map(({ name, share }) => `${name} (${percent(Math.abs(share))})`).join(", ");
  const parts = found.parts.filter(({ share }) => share > 0);
  const against = found.parts.filter(({ share }) => share < 0);
  const words = found.features.filter(({ effect }) => effect > 0).slice(0, 2 * MOST);
  const wordsAgainst = found.features.filter(({ effect }) => effect < 0).slice(0, MOST);
  if (!parts.length && !found.labels.length && !words.length) return <p class="hint">{found.note || texts.card.whyNothing}</p>;
  return (
    <div>
      {parts.length > 0 && <p>{texts.card.whyParts(listed(parts))}</p>}
      {against.length > 0 && <p>{texts.card.whyAgainst(listed(against))}</p>}
      {found.labels.length > 0 && (
        <>
          <h3>{texts.card.whyLabels}</h3>
          <ul>
            {found.labels.slice(0, MOST).map((each) => (
              <li key={each.node}>
                <Swatch colour={classColour(Math.max(0, studio.classes.value.indexOf(each.label)))} />
                <span class="node">{nodeTitle(each.node, studio.faces.value[each.index] ?? {})}</span>
                <b>{each.label}</b><span>{percent(each.share)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {words.length > 0 && (
        <p>
          {texts.card.whyFeatures}: {words.map(({ name }) => name).join(", ")}
          {wordsAgainst.length > 0 && <> {texts.card.whyFeaturesAgainst}: {wordsAgainst.map(({ name }) => name).join(", ")}</>}.
        </p>
      )}
      {found.note && <p class="hint">{found.note}</p>}
    </div>
  );
}
