// The whole page of one session.
import { useEffect, useRef, useState } from "preact/hooks";
import { picturesSwapped } from "../columns";
import { command } from "../keys";
import type { Studio } from "../studio";
import { texts } from "../texts";
import { Bar } from "./Bar";
import { Card } from "./Card";
import { Dialogs } from "./Dialogs";
import { Foot } from "./Foot";
import { LassoPanel } from "./LassoPanel";
import { List } from "./List";
import { MapView, type MapScreen } from "./MapView";
import { Signing } from "./Signing";
import { sorted } from "./Start";

export function App({ studio }: { studio: Studio }) {
  const map = useRef<MapScreen | null>(null);
  const root = useRef<HTMLDivElement>(null);
  const [over, hover] = useState(false);
  useEffect(() => {
    const page = root.current!.getRootNode() as Document | ShadowRoot;
    const pressed = (event: Event) => act(studio, event as KeyboardEvent, map.current, root.current!);
    const target: EventTarget = page instanceof Document && root.current!.parentElement?.id === "studio" ? document : root.current!;
    target.addEventListener("keydown", pressed);
    return () => target.removeEventListener("keydown", pressed);
  }, [studio]);
  const dropped = (event: DragEvent) => {
    event.preventDefault();
    hover(false);
    const { edges, nodes } = sorted([...(event.dataTransfer?.files ?? [])]);
    if (!edges) return;
    const form = new FormData();
    form.append("edges", edges);
    if (nodes && nodes !== edges) form.append("nodes", nodes);
    void studio.grow(form, edges.name);
  };
  if (studio.problem.value && !studio.graph.value) return <Broken studio={studio} />;
  return (
    <div ref={root} class={`app ${picturesSwapped(studio.graph.value) ? "inked" : ""}`} tabIndex={-1} onDragOver={(event) => (event.preventDefault(), hover(true))}
      onDragLeave={(event) => event.target === root.current && hover(false)} onDrop={dropped}>
      <Bar studio={studio} />
      {studio.listed.value ? <List studio={studio} /> : <MapView studio={studio} share={(screen) => (map.current = screen)} />}
      {studio.firstVisit.value && studio.graph.value && !studio.listed.value && <First studio={studio} />}
      <LassoPanel studio={studio} />
      <Card studio={studio} />
      <Foot studio={studio} />
      <Dialogs studio={studio} />
      {over && <div class="over-all" onDragLeave={() => hover(false)}>{texts.grow.drop}</div>}
    </div>
  );
}

function act(studio: Studio, event: KeyboardEvent, map: MapScreen | null, root: HTMLElement): void {
  const question = studio.question.value;
  const asksYesNo = studio.yesNo.value && !!question?.guess && !question.blind && !studio.saidNo.value;
  const found = command(event, studio.classes.value, asksYesNo);
  if (!found) return;
  if (found.do === "escape") {
    studio.lassoing.value = false;
    studio.selected.value = [];
    if (studio.dialog.value) studio.dialog.value = "";
    else (document.activeElement as HTMLElement | null)?.blur?.();
    return;
  }
  if (studio.dialog.value) return;
  event.preventDefault();
  if (studio.firstVisit.value && (found.do === "accept" || found.do === "label")) studio.begin();
  const deeds: Record<string, () => void> = {
    label: () => found.do === "label" && void studio.answer(found.label),
    accept: () => studio.accept(),
    yes: () => studio.accept(),
    no: () => (studio.saidNo.value = true),
    skip: () => void studio.skip(false),
    unsure: () => void studio.skip(true),
    undo: () => void studio.undo(),
    redo: () => void studio.redo(),
    search: () => (studio.dialog.value = "search"),
    keys: () => (studio.dialog.value = "keys"),
    lasso: () => (studio.lassoing.value = !studio.lassoing.value),
    filter: () => {
      studio.naming.value = true;
      root.querySelector<HTMLInputElement>("#class-filter")?.focus();
    },
    zoomIn: () => map?.zoom(1.5),
    zoomOut: () => map?.zoom(1 / 1.5),
    fit: () => map?.fit(),
  };
  deeds[found.do]?.();
}

function First({ studio }: { studio: Studio }) {
  const nodes = studio.graph.value!.nodes;
  const sought = studio.status.value?.recall?.positive;
  const title = sought ? texts.first.find(sought, nodes) : texts.first.title(nodes);
  return (
    <div class="first" role="dialog" aria-label={title}>
      <h2>{title}</h2>
      <ol>{texts.first.steps(sought !== undefined).map((step, k) => <li key={step}><i aria-hidden="true">{k + 1}</i>{step}</li>)}</ol>
      <button class="button yes" autofocus onClick={() => studio.begin()}>{texts.first.begin}</button>
    </div>
  );
}

function Broken({ studio }: { studio: Studio }) {
  return (
    <div class="app broken">
      <Bar studio={studio} />
      <main>
        <h1>{texts.error.title}</h1>
        <p role="alert">{texts.card.picked(studio.problem.value)}</p>
        {studio.unsigned.value && <Signing port={studio.port} />}
        <div class="row">
          <button class={`button ${studio.offline.value ? "yes" : ""}`} onClick={() => location.reload()}>{texts.notice.again}</button>
          <button class={`button ${studio.offline.value ? "" : "yes"}`} onClick={() => studio.port.open("")}>{texts.error.toStart}</button>
        </div>
      </main>
    </div>
  );
}
