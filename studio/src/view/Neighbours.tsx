// The neighbours of the node in question; on a spot check only what people answered.
import { classColour } from "../colours";
import type { Question } from "../port";
import type { Studio } from "../studio";
import { percent, texts } from "../texts";
import { nodeTitle, picture } from "./NodeFace";

const MOST = 7;

export function Neighbours({ studio, question }: { studio: Studio; question: Question }) {
  const columns = studio.graph.value?.columns ?? [];
  const near = question.neighbors;
  if (question.question === null && near.length === 0) return null;
  if (near.length === 0) return <p class="hint">{texts.card.noNeighbours}</p>;
  const face = (index: number) => studio.faces.value[index] ?? {};
  const pictured = near.some((each) => picture(face(each.index), columns));
  const map = studio.map.value;
  return (
    <section class="neighbours">
      <h2><span>{texts.card.neighbours}</span><span>{texts.card.bold}</span></h2>
      <ul class={pictured ? "pictured" : "named"}>
        {near.slice(0, MOST).map((each) => {
          const hidden = question.blind && !each.answered;
          const label = hidden ? null : each.label;
          const place = label === null ? -1 : studio.classes.value.indexOf(label);
          const image = picture(face(each.index), columns);
          const sure = label !== null && !each.answered && map ? ` ${percent(map.confidence[each.index] / 255)}` : "";
          return (
            <li key={each.node}>
              <button onClick={() => void studio.askAbout(each.node)} title={nodeTitle(each.node, face(each.index))}
                style={{ "--own": place >= 0 ? classColour(place) : "var(--line)" }}>
                {image ? <span class="ink-frame"><img class="ink" src={image} alt={each.node} /></span> : <span class="node">{nodeTitle(each.node, face(each.index))}</span>}
                <span class={each.answered ? "label said" : "label"}>{label === null ? "?" : label}{sure}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
