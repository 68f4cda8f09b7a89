// How far it is: the bound first, then the goal, what is left, the curve and the balance.
import { classColour } from "../colours";
import { progressOf, type Progress } from "../goals";
import type { Status } from "../port";
import type { Studio } from "../studio";
import { texts } from "../texts";

export function Foot({ studio }: { studio: Studio }) {
  const status = studio.status.value;
  const graph = studio.graph.value;
  if (!status || !graph) return <footer class="foot" aria-label={texts.foot.label} />;
  const progress = progressOf(status);
  return (
    <footer class="foot" aria-label={texts.foot.label}>
      <div class="figure">
        <p class="caption">{texts.foot.answers}</p>
        <p><b>{texts.number(status.answers)}</b> <span>{texts.foot.of(graph.nodes)}</span></p>
      </div>
      <div class="figure bound">
        <p class="caption">{progress.caption} <button class="plain why-button" onClick={() => (studio.dialog.value = "why")}>{texts.foot.why}</button></p>
        <p>
          <b>{progress.value}</b>{" "}
          <span>{progress.detail}</span>
        </p>
      </div>
      <Goal progress={progress} />
      {!status.recall && <Curve status={status} />}
      <Balance status={status} />
      <nav class="more" aria-label={texts.foot.more}>
        {(["search", "people", "export"] as const).map((name) => <button key={name} class="button" onClick={() => (studio.dialog.value = name)}>{texts.bar[name]}</button>)}
        <button class="button" onClick={() => { studio.listed.value = !studio.listed.value; scrollTo(0, 0); }}>{studio.listed.value ? texts.map.map : texts.map.list}</button>
      </nav>
    </footer>
  );
}

function Goal({ progress: { share, target, known, goal, left } }: { progress: Progress }) {
  return (
    <div class="goal">
      <div class="track" aria-hidden="true">
        {known && <i style={{ width: `${100 * Math.min(share, 1)}%` }} />}
        {target !== null && <b style={{ left: `${100 * target}%` }} />}
      </div>
      <p><span>{goal}</span><span>{left || texts.foot.all}</span></p>
    </div>
  );
}

const [WIDE, HIGH] = [150, 44];

function Curve({ status }: { status: Status }) {
  const points = status.curve;
  const last = Math.max(points.at(-1)?.[0] ?? 1, 1);
  const first = points[0]?.[0] ?? 0;
  const x = (answers: number) => ((answers - first) / Math.max(last - first, 1)) * WIDE;
  const y = (bound: number) => 2 + (1 - Math.min(bound, 1)) * (HIGH - 4);
  const path = points.map(([answers, bound], k) => `${k ? "L" : "M"}${x(answers).toFixed(1)} ${y(bound).toFixed(1)}`).join("");
  const goal = y(status.target_error);
  return (
    <svg class="curve" width={WIDE} height={HIGH} preserveAspectRatio="none" viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={texts.foot.curve}>
      <title>{texts.foot.curve}</title>
      {points.length > 1 && <path class="area" d={`${path}L${WIDE} ${HIGH - 2}L0 ${HIGH - 2}Z`} />}
      {points.length > 1 && <path class="line" d={path} />}
      <path class="target" d={`M0 ${goal}H${WIDE}`} />
    </svg>
  );
}

function Balance({ status }: { status: Status }) {
  const most = Math.max(1, ...Object.values(status.counts));
  const shown = status.classes.slice(0, 12);
  if (!shown.length || !status.answers) return null;
  return (
    <div class="balance" role="img" aria-label={`${texts.foot.balance}: ${shown.map((name) => `${name} ${status.counts[name] ?? 0}`).join(", ")}`}>
      {shown.map((name, k) => (
        <i key={name} title={`${name}: ${status.counts[name] ?? 0}`} style={{ height: `${4 + (32 * (status.counts[name] ?? 0)) / most}px`, background: classColour(k) }} />
      ))}
    </div>
  );
}
