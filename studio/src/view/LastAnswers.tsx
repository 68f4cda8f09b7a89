// My last answers; each can be opened again.
import { useEffect } from "preact/hooks";
import { classColour } from "../colours";
import type { Studio } from "../studio";
import { texts } from "../texts";
import { nodeTitle, picture } from "./NodeFace";

const MOST = 7;
const MOST_NAMED = 4;

export function LastAnswers({ studio }: { studio: Studio }) {
  const columns = studio.graph.value?.columns ?? [];
  const here = studio.done.value.filter((deed) => deed.nodes.length === 1);
  const before = studio.answers.value
    .filter((each) => studio.mine(each.by) && !here.some((deed) => deed.nodes[0] === each.node))
    .map((each) => ({ nodes: [each.node], indices: [each.index ?? -1], label: each.label, question: null }));
  const pictured = columns.some((each) => each.kind === "image");
  const last = [...before, ...here].slice(pictured ? -MOST : -MOST_NAMED).reverse();
  useEffect(() => {
    if (pictured) void studio.look(last.map((deed) => deed.indices[0]));
  }, [studio.done.value, studio.answers.value]);
  if (last.length === 0) return <div class="last empty">{texts.card.lastEmpty}</div>;
  return (
    <div class="last">
      <h2>{texts.card.last}</h2>
      <ul class={pictured ? "" : "few"}>
        {last.map((deed) => {
          const face = deed.question?.attributes ?? studio.faces.value[deed.indices[0]] ?? {};
          const image = picture(face, columns);
          const place = studio.classes.value.indexOf(deed.label);
          return (
            <li key={deed.nodes[0]}>
              <button aria-label={texts.card.change(deed.nodes[0], deed.label)} title={texts.card.change(nodeTitle(deed.nodes[0], face), deed.label)}
                onClick={() => void studio.askAbout(deed.nodes[0])} style={{ "--own": classColour(Math.max(place, 0)) }}>
                {image ? <span class="ink-frame"><img class="ink" src={image} alt="" /></span> : <span class="node">{deed.nodes[0]}</span>}
                <span class="label">{deed.label}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
