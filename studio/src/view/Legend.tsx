// What the colours mean, in words beside them.
import { classColour, classShape, DISAGREED, type Shape } from "../colours";
import type { Studio } from "../studio";
import { texts } from "../texts";

const MOST = 12;

export function Swatch({ colour, shape = "circle" }: { colour: string; shape?: Shape }) {
  return <i class={`swatch ${shape}`} style={{ background: colour }} aria-hidden="true" />;
}

export function Legend({ studio, limits }: { studio: Studio; limits: string }) {
  const { mode, classes, status } = studio;
  const named = mode.value === "prediction" || mode.value === "labels" || mode.value === "truth" ? classes.value : [];
  const people = mode.value === "person" ? (status.value?.people ?? []) : [];
  return (
    <div class="legend">
      {named.slice(0, MOST).map((name, k) => (
        <span key={name}><Swatch colour={classColour(k)} shape={classShape(k)} />{name}</span>
      ))}
      {named.length > MOST && <span>{texts.map.more(named.length - MOST)}</span>}
      {people.map((each, k) => <span key={each.by}><Swatch colour={classColour(k)} />{each.by}</span>)}
      {mode.value === "confidence" && <span class="ramp">{texts.map.least}<i aria-hidden="true" />{texts.map.most}</span>}
      {mode.value === "disagreement" && <span><Swatch colour={DISAGREED} />{texts.map.disagreed}</span>}
      <span><i class="swatch ring" aria-hidden="true" />{texts.map.answered}</span>
      {mode.value === "prediction" && <span>{texts.map.paler}</span>}
      {limits && <span class="limits">{limits}</span>}
    </div>
  );
}
