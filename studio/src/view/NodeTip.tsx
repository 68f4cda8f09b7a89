// What is known of the node under the pointer.
import { useEffect, useState } from "preact/hooks";
import type { NodeInfo } from "../api";
import type { Studio } from "../studio";
import { texts } from "../texts";
import { guessWords } from "./MapView";
import { nodeTitle, picture } from "./NodeFace";

export function NodeTip({ studio, index, place }: { studio: Studio; index: number; place: { x: number; y: number } }) {
  const [info, learned] = useState<NodeInfo | null>(null);
  useEffect(() => {
    learned(null);
    let here = true;
    const timer = setTimeout(() => {
      studio.api.nodes(studio.graph.value!.graph, [index]).then(
        ([found]) => here && learned(found ?? null),
        () => {},
      );
    }, 80);
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [index]);
  const image = info && picture(info.attributes, studio.graph.value!.columns);
  return (
    <div class="tip" style={{ left: `${place.x}px`, top: `${place.y}px` }} role="status">
      {image && <img class="ink" src={image} alt="" />}
      <div>
        <b>{info ? nodeTitle(info.node, info.attributes) : " "}</b>
        <span>{guessWords(studio, index)}</span>
        <small>{texts.map.clickToAsk}</small>
      </div>
    </div>
  );
}
