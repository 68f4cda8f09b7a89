// The map by sigma.js, where the machine draws WebGL in hardware. Loaded only there.
import Graph from "graphology";
import Sigma from "sigma";
import { ShapeProgram } from "./shapes";
import { radius, type Camera, type Painter, type Style } from "./painter";

const THIN = 1;

export function sigmaPainter(parent: HTMLElement, count: number): Painter {
  const box = document.createElement("div");
  box.className = "layer";
  box.setAttribute("aria-hidden", "true");
  parent.append(box);
  const graph = new Graph({ multi: true, type: "undirected" });
  let [width, height] = [1, 1];
  let size = 1;
  let styles: Style[] = [];
  let of = new Uint16Array();
  let stale = false;

  const sigma = new Sigma(graph, box, {
    renderLabels: false,
    stagePadding: 0,
    allowInvalidContainer: true,
    minEdgeThickness: THIN,
    // Every node has size 1: what the zoom makes of it is the radius, for all at once.
    zoomToSizeRatioFunction: () => 1 / size,
    defaultNodeType: "shape",
    nodeProgramClasses: { shape: ShapeProgram },
    nodeReducer: (node, { x, y }) => {
      const style = styles[of[Number(node)]];
      return { x, y, size: 1, color: style?.colour ?? "#bbbbbb", shape: style?.shape ?? "circle" };
    },
  });
  // The page moves the camera; sigma's own hands stay off.
  sigma.getMouseCaptor().enabled = false;
  sigma.getTouchCaptor().enabled = false;
  // Places keep their scale whatever the nodes' own extent is.
  sigma.setCustomBBox({ x: [-1, 1], y: [-1, 1] });

  return {
    kind: "sigma",
    nodes(places) {
      graph.clear();
      // The page's y grows downwards, sigma's upwards.
      for (let i = 0; i < places.length / 2; i++) graph.addNode(String(i), { x: places[2 * i], y: -places[2 * i + 1] });
      stale = true;
    },
    edges(pairs, colour) {
      graph.clearEdges();
      for (let e = 0; e < pairs.length; e += 2) graph.addEdge(String(pairs[e]), String(pairs[e + 1]), { color: colour, size: 0.01 });
      stale = true;
    },
    colour(next, each) {
      styles = next;
      of = each as Uint16Array<ArrayBuffer>;
      if (!stale) sigma.refresh({ skipIndexation: true, partialGraph: { nodes: graph.nodes() }, schedule: true });
    },
    resize(w, h) {
      [width, height] = [w, h];
      sigma.resize();
    },
    draw(camera: Camera) {
      size = radius(count, camera, width, height);
      // At ratio 1 sigma shows the box of two units in the smaller side of the picture.
      sigma.getCamera().setState({ x: 0.5 + camera.x / 2, y: 0.5 - camera.y / 2, ratio: Math.min(width, height) / (2 * camera.scale), angle: 0 });
      sigma.refresh(stale ? {} : { skipIndexation: true, partialGraph: {} });
      stale = false;
    },
    close() {
      sigma.kill();
      box.remove();
    },
  };
}
