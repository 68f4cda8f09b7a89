// Without a session: those that exist, files to begin with, and an example.
import { useEffect, useState } from "preact/hooks";
import { api } from "../api";
import type { GraphInfo, Port, SessionInfo } from "../port";
import { wishOf } from "../goals";
import { texts } from "../texts";
import { Logo } from "./Bar";
import { Signing } from "./Signing";

export function Start({ port }: { port: Port }) {
  const calls = api(port);
  const [sessions, list] = useState<SessionInfo[] | null>(null);
  const [graph, read] = useState<GraphInfo | null>(null);
  const [problem, wrong] = useState("");
  const [busy, work] = useState(false);
  const [unsigned, ask] = useState(false);
  useEffect(() => void calls.sessions().then(list, (why) => (list([]), ask(why.status === 401), wrong(why.message))), []);
  const trying = async (task: () => Promise<void>) => {
    work(true);
    wrong("");
    try {
      await task();
    } catch (why) {
      wrong((why as Error).message);
    }
    work(false);
  };
  const example = () => trying(async () => {
    const made = await calls.digits();
    const session = (await calls.createSession({ name: "digits", graph: made.graph, classes: [..."0123456789"] })).session;
    port.open(session);
  });
  return (
    <div class="start">
      <header class="bar"><span class="brand"><Logo /> {texts.name}</span></header>
      <main>
        <h1>{texts.start.title}</h1>
        <p class="lead">{texts.start.lead}</p>
        {problem && <div class="notice red" role="alert"><p>{texts.card.picked(problem)}</p></div>}
        {unsigned ? <Signing port={port} /> : graph ? (
          <Begin graph={graph} busy={busy} back={() => read(null)}
            begin={(wish) => trying(async () => port.open((await calls.createSession({ graph: graph.graph, ...((graph as any).labels ? { labels: (graph as any).labels } : {}), ...wish })).session))} />
        ) : (
          <>
            <Files busy={busy} give={(form) => trying(async () => read(await calls.createGraph(form)))} />
            <button class="button example" disabled={busy} onClick={example}>{texts.start.example}</button>
            <section class="sessions">
              <h2>{texts.start.sessions}</h2>
              {sessions?.length === 0 && <p class="hint">{texts.start.noSessions}</p>}
              <ul>
                {sessions?.map((each) => (
                  <li key={each.session}>
                    <a href={`?session=${encodeURIComponent(each.session)}`}>
                      <b>{each.name}</b>
                      <span>{each.created ? texts.start.since(new Date(each.created)) : ""}</span>
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          </>
        )}
      </main>
    </div>
  );
}

/** Sorts dropped files: the node table is the one that says so in its name. */
export function sorted(files: File[]): { edges?: File; nodes?: File; labels?: File } {
  const named = (word: RegExp) => files.find((file) => word.test(file.name));
  const labels = named(/label/i);
  const nodes = named(/node|vert|attr|meta/i);
  return { labels, nodes: nodes === labels ? undefined : nodes, edges: files.find((file) => file !== nodes && file !== labels) ?? files[0] };
}

function Files({ busy, give }: { busy: boolean; give: (form: FormData) => void }) {
  const [over, hover] = useState(false);
  const [files, hold] = useState<File[]>([]);
  const found = sorted(files);
  const send = (event: Event) => {
    event.preventDefault();
    if (!found.edges) return;
    const form = new FormData();
    form.append("edges", found.edges);
    if (found.nodes) form.append("nodes", found.nodes);
    if (found.labels) form.append("labels", found.labels);
    form.append("name", found.edges.name.replace(/\..*$/, ""));
    give(form);
  };
  return (
    <form class={`drop ${over ? "over" : ""}`} onSubmit={send}
      onDragOver={(event) => (event.preventDefault(), hover(true))} onDragLeave={() => hover(false)}
      onDrop={(event) => (event.preventDefault(), hover(false), hold([...files, ...(event.dataTransfer?.files ?? [])]))}>
      <p><b>{texts.start.drop}</b></p>
      <p class="hint">{texts.start.kinds}</p>
      <label class="button">{texts.start.choose}<input class="away" type="file" multiple onChange={(event) => hold([...(event.currentTarget.files ?? [])])} /></label>
      {found.edges && (
        <>
          <ul>
            <li>{texts.start.edges}: <b>{found.edges.name}</b></li>
            {found.nodes && <li>{texts.start.nodes}: <b>{found.nodes.name}</b></li>}
            {found.labels && <li>{texts.map.modes.labels}: <b>{found.labels.name}</b></li>}
          </ul>
          <button class="button yes" disabled={busy}>{busy ? texts.start.reading : texts.start.read}</button>
        </>
      )}
    </form>
  );
}

function Begin({ graph, busy, begin, back }: { graph: GraphInfo; busy: boolean; begin: (wish: Record<string, unknown>) => void; back: () => void }) {
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    begin(wishOf(new FormData(event.currentTarget as HTMLFormElement), graph.name));
  };
  return (
    <form class="begin" onSubmit={send}>
      <h2>{texts.start.wasRead}</h2>
      <p><b>{graph.name}</b>: {texts.size(graph.nodes, graph.edges)}</p>
      {graph.columns.length > 0 && <p class="hint">{graph.columns.map(({ name, kind }) => `${name} (${kind})`).join(", ")}</p>}
      {graph.notes.map((note) => <p key={note} class="hint">{note}</p>)}
      <label>{texts.start.called}<input name="name" type="text" defaultValue={graph.name} /></label>
      <label>{texts.start.classes}<input name="classes" type="text" autofocus /></label>
      <p class="hint">{texts.start.classesHint}</p>
      <label>{texts.start.goal}<select name="goal" defaultValue="10">{[20, 10, 5, 2].map((share) => <option key={share} value={share} selected={share === 10}>{share}%</option>)}</select></label>
      <label class="check"><input name="looks" type="checkbox" />{texts.start.looks}</label>
      <p class="hint">{texts.start.looksHint}</p>
      {graph.columns.some(({ kind }) => kind === "number") && (
        <label>{texts.start.cost}<select name="cost" defaultValue=""><option value="">{texts.start.costAlike}</option>{graph.columns.filter(({ kind }) => kind === "number").map(({ name }) => <option key={name} value={name}>{name}</option>)}</select></label>
      )}
      <details>
        <summary>{texts.start.find}</summary>
        <label>{texts.start.positive}<input name="positive" type="text" /></label>
        <p class="hint">{texts.start.positiveHint}</p>
        <label>{texts.start.recall}<select name="recall" defaultValue="90">{[50, 75, 90, 95].map((share) => <option key={share} value={share} selected={share === 90}>{share}%</option>)}</select></label>
      </details>
      <div class="row">
        <button class="button yes" disabled={busy}>{texts.start.begin}</button>
        <button class="button" type="button" onClick={back}>{texts.start.back}</button>
      </div>
    </form>
  );
}
