// Everything on the map, as a table: for screen readers, keyboards and whoever likes lists.
import { useEffect, useMemo, useState } from "preact/hooks";
import { ANSWERED, known, type Studio } from "../studio";
import { percent, texts } from "../texts";

const PAGE = 100;
type Order = keyof typeof texts.list.orders;

export function List({ studio }: { studio: Studio }) {
  const [from, turn] = useState(0);
  const [order, sort] = useState<Order>("file");
  const [names, learn] = useState<Record<number, string>>({});
  const map = studio.map.value;
  const graph = studio.graph.value;
  const audited = studio.blind.value;
  const count = graph?.nodes ?? 0;
  const ranked = useMemo(() => {
    const all = Uint32Array.from({ length: count }, (_, i) => i);
    if (!map || order === "file") return all;
    // A node under a spot check keeps its place in the middle: its rank would tell how sure the guess is.
    const sure = (i: number) => (i === audited ? 128 : map.confidence[i]);
    const answered = (i: number) => map.flags[i] & ANSWERED;
    return order === "unsure" ? all.sort((a, b) => sure(a) - sure(b) || a - b) : all.sort((a, b) => answered(b) - answered(a) || a - b);
  }, [order, map, count, audited]);
  const shown = [...ranked.slice(from, from + PAGE)];
  useEffect(() => {
    const missing = shown.filter((i) => names[i] === undefined);
    if (missing.length && graph) studio.api.nodes(graph.graph, missing).then((found) => learn((old) => ({ ...old, ...Object.fromEntries(found.map((each) => [each.index, each.node])) })), () => {});
  }, [from, ranked]);
  return (
    <section class="list" aria-label={texts.list.caption}>
      <div class="list-tools">
        <button class="button" onClick={() => (studio.listed.value = false)}>{texts.map.map}</button>
        <label>{texts.list.sort}{" "}
          <select value={order} onChange={(event) => (sort(event.currentTarget.value as Order), turn(0))}>
            {Object.entries(texts.list.orders).map(([key, words]) => <option key={key} value={key}>{words}</option>)}
          </select>
        </label>
        <span class="gap" />
        <button class="button" disabled={from === 0} onClick={() => turn(Math.max(0, from - PAGE))}>{texts.list.earlier}</button>
        <span>{texts.list.shown(Math.min(from + 1, count), Math.min(from + PAGE, count), count)}</span>
        <button class="button" disabled={from + PAGE >= count} onClick={() => turn(from + PAGE)}>{texts.list.later}</button>
      </div>
      <div class="rows" tabIndex={0}>
        <table>
          <caption>{texts.list.caption}</caption>
          <thead><tr><th scope="col">{texts.list.node}</th><th scope="col">{texts.list.label}</th><th scope="col">{texts.list.sure}</th><th scope="col">{texts.list.by}</th><td /></tr></thead>
          <tbody>
            {shown.map((i) => {
              const { kind, sure, answered } = known(map, i, audited);
              const label = studio.classes.value[kind];
              const name = names[i] ?? "";
              return (
                <tr key={i}>
                  <th scope="row">{name}</th>
                  <td class={answered ? "said" : ""}>{label ?? (i === audited ? texts.map.hidden : "")}</td>
                  <td>{label && !answered ? percent(sure) : ""}</td>
                  <td>{answered ? texts.list.person : label ? texts.list.guess : ""}</td>
                  <td><button class="plain" disabled={!name} aria-label={texts.list.askAbout(name)} onClick={() => void studio.askAbout(name)}>{texts.list.ask}</button></td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}
