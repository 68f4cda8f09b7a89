// The nodes inside the lasso: what they are, and, after a question back, one label for all.
import { useState } from "preact/hooks";
import { classColour, UNKNOWN } from "../colours";
import { ANSWERED, type Studio } from "../studio";
import { texts } from "../texts";
import { Swatch } from "./Legend";

export function LassoPanel({ studio }: { studio: Studio }) {
  const [label, choose] = useState("");
  const all = studio.selected.value;
  const map = studio.map.value;
  if (!all.length || !map) return null;
    const blind = studio.blind.value;
  const free = all.filter((i) => !(map.flags[i] & ANSWERED));
  const tally = new Map<number, number>();
  for (const i of all) {
    const kind = i === blind ? UNKNOWN : map.classes[i];
    tally.set(kind, (tally.get(kind) ?? 0) + 1);
  }
  const sorted = [...tally].sort((a, b) => b[1] - a[1]);
  const cancel = () => {
    choose("");
    studio.selected.value = [];
  };
  return (
    <div class="panel" role="dialog" aria-label={texts.lasso.title(all.length)}>
      <h2>{texts.lasso.title(all.length)}</h2>
      <ul>
        {sorted.slice(0, 8).map(([kind, count]) => (
          <li key={kind}><Swatch colour={kind === UNKNOWN ? "var(--unknown)" : classColour(kind)} />{studio.classes.value[kind] ?? texts.map.unknown}<b>{texts.number(count)}</b></li>
        ))}
      </ul>
      {free.length < all.length && <p class="hint">{texts.lasso.answered(all.length - free.length)}</p>}
      {label ? (
        <>
          <p>{texts.lasso.confirm(free.length, label)}</p>
          <div class="row">
            <button class="button yes" autofocus onClick={() => { choose(""); void studio.answerMany(free, label); }}>{texts.lasso.sure}</button>
            <button class="button" onClick={cancel}>{texts.lasso.cancel}</button>
          </div>
        </>
      ) : (
        <>
          <label>{texts.lasso.choose}{" "}
            <select disabled={!free.length} onChange={(event) => choose(event.currentTarget.value)}>
              <option value="">…</option>
              {studio.classes.value.map((name) => <option key={name}>{name}</option>)}
            </select>
          </label>
          <div class="row"><button class="button" onClick={cancel}>{texts.lasso.cancel}</button></div>
        </>
      )}
    </div>
  );
}
