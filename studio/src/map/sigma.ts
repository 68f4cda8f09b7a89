// The map by sigma.js, where the machine draws WebGL in hardware. Loaded only then.
import Graph from "graphology";
import Sigma from "sigma";
import { radius, type Camera, type Painter, type Style } from "./painter";

const MOST_EDGES = 20_000;

export function sigmaPainter(parent: HTMLElement, count: number): Painter {
  const box = document.createElement("div");
  box.className = "layer";
  box.setAttribute("aria-hidden", "true");
  parent.append(box);
  const graph = new Graph({ multi: true, type: "undirected" });
  let sigma: Sigma | null = null;
  let [width, height] = [1, 1];
  let styles: Style[] = [];
  let of = new Uint16Array();
  let size = 3;

  const engine = (): Sigma => {
    sigma ??= new Sigma(graph, box, {
      renderLabels: false,
      enableCameraPanning: false,
      enableCameraZooming: false,
      enableCameraRotation: false,
      stagePadding: 0,
      allowInvalidContainer: true,
      itemSizesReference: "screen",
      zoomToSizeRatioFunction: () => 1,
      nodeReducer: (node) => ({
        x: graph.getNodeAttribute(node, "x"),
        y: graph.getNodeAttribute(node, "y"),
        size,
        color: styles[of[Number(node)]]?.colour ?? "#bbb",
      }),
    });
    sigma.setCustomBBox({ x: [-1, 1], y: [-1, 1] });
    return sigma;
  };

  return {
    kind: "sigma",
    nodes(places) {
      graph.clear();
      // The page's y grows downwards, sigma's upwards.
      for (let i = 0; i < places.length / 2; i++) graph.addNode(String(i), { x: places[2 * i], y: -places[2 * i + 1] });
    },
    edges(pairs, colour) {
      graph.clearEdges();
      if (pairs.length / 2 > MOST_EDGES) return;
      for (let e = 0; e < pairs.length; e += 2)
        graph.addEdge(String(pairs[e]), String(pairs[e + 1]), { color: colour, size: 0.6 });
    },
    colour(next, each) {
      styles = next;
      of = each as Uint16Array<ArrayBuffer>;
      sigma?.refresh({ skipIndexation: true });
    },
    resize(w, h) {
      [width, height] = [w, h];
      sigma?.resize();
    },
    draw(camera: Camera) {
      const wanted = radius(count, camera, width, height);
      const drawn = engine();
      if (wanted !== size) {
        size = wanted;
        drawn.refresh({ skipIndexation: true });
      }
      // Sigma shows its unit box in the smaller side of the picture at ratio 1.
      drawn.getCamera().setState({ x: 0.5 + camera.x / 2, y: 0.5 - camera.y / 2, ratio: Math.min(width, height) / (2 * camera.scale), angle: 0 });
    },
    close() {
      sigma?.kill();
      box.remove();
    },
  };
}
