// Search, export, keys, people, columns, and why the bound is wide.
import { useEffect, useRef, useState } from "preact/hooks";
import { chooseColumns, picturesSwapped, shownColumns, swapPictures } from "../columns";
import type { Studio } from "../studio";
import { texts } from "../texts";
import { Dialog } from "./Dialog";
import { guessWords } from "./MapView";
import { People } from "./People";

export function Dialogs({ studio }: { studio: Studio }) {
  const shown = studio.dialog.value;
  // The browser says a little later that a dialog was closed; by then another may be open.
  const close = () => {
    if (studio.dialog.value === shown) studio.dialog.value = "";
  };
  switch (shown) {
    case "search":
      return <Dialog key={shown} title={texts.search.title} close={close}><Search studio={studio} close={close} /></Dialog>;
    case "export":
      return <Dialog key={shown} title={texts.export.title} close={close}><Export studio={studio} /></Dialog>;
    case "keys":
      return (
        <Dialog key={shown} title={texts.keys.title} close={close}>
          <table class="keys"><tbody>{texts.keys.rows.map(([key, words]) => <tr key={key}><th scope="row"><kbd>{key}</kbd></th><td>{words}</td></tr>)}</tbody></table>
        </Dialog>
      );
    case "people":
      return <Dialog key={shown} title={texts.people.title} close={close}><People studio={studio} close={close} /></Dialog>;
    case "columns":
      return <Dialog key={shown} title={texts.card.columnsShown} close={close}><Columns studio={studio} /></Dialog>;
    case "why":
      return (
        <Dialog key={shown} title={texts.foot.whyTitle} close={close}>
          {texts.foot.whyText.map((words) => <p key={words}>{words}</p>)}
          {studio.status.value && <p>{texts.foot.confidence(studio.status.value.confidence)}</p>}
        </Dialog>
      );
    default:
      return null;
  }
}

interface Hit {
  node: string;
  index: number;
  title?: string;
}

function Search({ studio, close }: { studio: Studio; close: () => void }) {
  const [words, type] = useState("");
  const [results, show] = useState<{ words: string; nodes: Hit[] } | null>(null);
  const [place, move] = useState(0);
  // Results belong to the words they were asked for: Enter pressed before they come waits for them.
  // What is in the field counts, since the page may be drawn later than the keys come.
  const field = useRef<HTMLInputElement>(null);
  const wanted = useRef("");
  const found = results?.words === words.trim() ? results.nodes : null;
  useEffect(() => {
    move(0);
    const asked = words.trim();
    if (!asked) return;
    let here = true;
    const came = (nodes: Hit[]) => {
      if (!here) return;
      if (wanted.current === asked && nodes.length) choose(nodes[0].node);
      else show({ words: asked, nodes: nodes.slice(0, 12) });
    };
    const timer = setTimeout(() => studio.api.search(studio.graph.value!.graph, asked).then(came, () => came([])), 120);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [words]);
  const choose = (node?: string) => {
    if (!node) return;
    close();
    void studio.askAbout(node);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const asked = field.current?.value.trim() ?? "";
    if (results?.words === asked) choose(results.nodes[place]?.node);
    else wanted.current = asked;
  };
  return (
    <form class="search" onSubmit={submit}>
      <input type="search" autofocus ref={field} value={words} placeholder={texts.search.hint} aria-label={texts.search.hint} aria-controls="found"
        onInput={(event) => ((wanted.current = ""), type(event.currentTarget.value))}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") move(Math.min(place + 1, (found?.length ?? 1) - 1));
          else if (event.key === "ArrowUp") move(Math.max(place - 1, 0));
          else return;
          event.preventDefault();
        }} />
      <ul id="found">
        {found?.map((each, k) => (
          <li key={each.index}>
            <button type="button" class={k === place ? "here" : ""} onClick={() => choose(each.node)}>
              <b>{each.title || each.node}</b><span>{guessWords(studio, each.index)}</span>
            </button>
          </li>
        ))}
      </ul>
      {found && <p class="hint">{found.length ? texts.search.ask : texts.search.none(words)}</p>}
    </form>
  );
}

function Export({ studio }: { studio: Studio }) {
  const base = studio.api.sessionPath();
  const formats = Object.entries(texts.export.formats);
  return (
    <div class="export">
      <p>{texts.export.predictions}</p>
      <div>{formats.map(([format, name]) => <button key={format} class="button" onClick={() => void studio.download(`${base}/predictions?format=${format}`)}>{name}</button>)}</div>
      <p>{texts.export.labels}</p>
      <div><button class="button" onClick={() => void studio.download(`${base}/labels?format=csv`)}>CSV</button></div>
      <p>{texts.export.graph}</p>
      <div><button class="button" onClick={() => void studio.download(`${base}/export?format=graphml`)}>GraphML</button></div>
      <p>{texts.export.log}</p>
      <div><button class="button" onClick={() => void studio.download(`${base}/export`)}>JSONL</button></div>
    </div>
  );
}

function Columns({ studio }: { studio: Studio }) {
  const graph = studio.graph.value!;
  const shown = shownColumns(graph).map(({ name }) => name);
  return (
    <ul class="columns">
      {graph.columns.map(({ name, kind }) => (
        <li key={name}>
          <label>
            <input type="checkbox" checked={shown.includes(name)}
              onChange={(event) => chooseColumns(graph, event.currentTarget.checked ? [...shown, name] : shown.filter((each) => each !== name))} />
            {name} <span>{kind}</span>
          </label>
        </li>
      ))}
      {graph.columns.some(({ kind }) => kind === "image") && (
        <li>
          <label>
            <input type="checkbox" checked={picturesSwapped(graph)} onChange={(event) => swapPictures(graph, event.currentTarget.checked)} />
            {texts.card.invert}
          </label>
        </li>
      )}
    </ul>
  );
}
