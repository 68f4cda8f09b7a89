// Answers that look wrong, offered for a second look from 150 answers on.
import { useEffect, useState } from "preact/hooks";
import type { OddAnswer } from "../port";
import type { Studio } from "../studio";
import { texts } from "../texts";

const FEWEST = 150;
const EVERY = 25;

export function OddAnswers({ studio }: { studio: Studio }) {
  const [odd, setOdd] = useState<OddAnswer[]>([]);
  const answers = studio.status.value?.answers ?? 0;
  const turn = answers < FEWEST ? null : Math.floor(answers / EVERY);
  useEffect(() => {
    if (turn === null || studio.offline.value) return;
    let gone = false;
    studio.api.odd().then(
      (found) => gone || setOdd(found.filter((each) => each.by.some((by) => studio.mine(by)))),
      () => undefined, // it is looked for again after the next answers
    );
    return () => {
      gone = true;
    };
  }, [turn]);
  if (odd.length === 0) return null;
  const look = (chosen: OddAnswer) => {
    setOdd(odd.filter((each) => each !== chosen));
    void studio.askAbout(chosen.node, true);
  };
  return (
    <div class="notice amber" role="status">
      <b>{texts.notice.oddTitle(odd.length)}</b>
      <p>{texts.notice.odd(odd.length)}</p>
      <div>
        <button class="button" onClick={() => look(odd[0])}>{texts.notice.oddLook(odd[0].node, odd[0].label)}</button>
        <button class="button" onClick={() => setOdd([])}>{texts.notice.oddLater}</button>
      </div>
      {odd.length > 1 && (
        <details class="review">
          <summary>{texts.notice.oddList}</summary>
          <ul>{odd.map((each) => <li key={each.node}><button class="plain" onClick={() => look(each)}>{texts.notice.oddEntry(each.node, each.label, each.wrong)}</button></li>)}</ul>
        </details>
      )}
    </div>
  );
}
