// What is drawn above the nodes: the question's halo and edges, rings, names of classes, the lasso.
import type { ClusterName } from "../clusters";
import { radius, type Camera } from "./painter";

const MANY_NAMES = 14;
/** A disc so many radii wide hides a node of any shape. */
const COVER = 1.3;
const HALO = 21;

export interface Overlay {
  places: Float32Array;
  rings: { index: number; colour: string }[];
  question: number;
  around: [number, number][];
  names: (ClusterName & { text: string })[];
  hover: number;
  held: number[];
  lasso: [number, number][];
  ink: string;
  paper: string;
  green: string;
}

export function drawOverlay(canvas: HTMLCanvasElement, scene: Overlay, camera: Camera, width: number, height: number, ratio: number): void {
  const context = canvas.getContext("2d")!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  const x = (i: number) => (scene.places[2 * i] - camera.x) * camera.scale + width / 2;
  const y = (i: number) => (scene.places[2 * i + 1] - camera.y) * camera.scale + height / 2;
  const shown = (i: number) => i >= 0 && 2 * i < scene.places.length;
  const size = radius(scene.places.length / 2, camera, width, height);
  const ring = Math.max(4.2, size + 1.2);

  if (scene.around.length) {
    context.strokeStyle = scene.green;
    context.globalAlpha = 0.55;
    context.lineWidth = 1.2;
    context.beginPath();
    for (const [i, j] of scene.around) {
      if (!shown(i) || !shown(j)) continue;
      context.moveTo(x(i), y(i));
      context.lineTo(x(j), y(j));
    }
    context.stroke();
    context.globalAlpha = 1;
  }
  const circle = (i: number, r: number) => {
    context.beginPath();
    context.arc(x(i), y(i), r, 0, 6.2832);
  };
  context.lineWidth = 1.8;
  context.strokeStyle = scene.ink;
  for (const { index, colour } of scene.rings) {
    if (!shown(index)) continue;
    circle(index, ring);
    context.fillStyle = colour;
    context.fill();
    context.stroke();
  }
  context.setLineDash([3, 3]);
  for (const i of scene.held) {
    if (!shown(i)) continue;
    circle(i, ring + 4);
    context.stroke();
  }
  context.setLineDash([]);
  const asked = shown(scene.question) ? [x(scene.question), y(scene.question)] as const : null;
  if (asked) halo(context, ...asked, Math.max(5.5, COVER * size), scene);
  const kinds = new Set(scene.names.map(({ place }) => place)).size;
  writeNames(context, scene, camera, width, height, width < 500 || kinds > MANY_NAMES ? 12.5 : 17, asked);
  if (shown(scene.hover)) {
    circle(scene.hover, ring + 2);
    context.strokeStyle = scene.green;
    context.lineWidth = 2;
    context.stroke();
  }
  if (scene.lasso.length > 1) drawLasso(context, scene, camera, width, height);
}

/** The halo and a disc that hides the node's own colour, which a spot check must not show. */
function halo(context: CanvasRenderingContext2D, x: number, y: number, disc: number, scene: Overlay): void {
  context.beginPath();
  context.arc(x, y, HALO, 0, 6.2832);
  context.fillStyle = scene.green;
  context.globalAlpha = 0.16;
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = scene.paper; // a light edge, so that it is seen on nodes of its own colour
  context.lineWidth = 4.5;
  context.stroke();
  context.strokeStyle = scene.green;
  context.lineWidth = 1.8;
  context.stroke();
  context.beginPath();
  context.arc(x, y, disc + 2.5, 0, 6.2832);
  context.fillStyle = scene.paper;
  context.fill();
  context.beginPath();
  context.arc(x, y, disc, 0, 6.2832);
  context.fillStyle = scene.paper;
  context.fill();
  context.lineWidth = 3.2;
  context.stroke();
}

function writeNames(context: CanvasRenderingContext2D, scene: Overlay, camera: Camera, width: number, height: number, size: number, asked: readonly [number, number] | null): void {
  context.font = `650 ${size}px ${getComputedStyle(document.documentElement).getPropertyValue("--face") || "system-ui"}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  const taken: [number, number, number][] = asked ? [[...asked, size / 2]] : []; // no name hides the question
  for (const name of scene.names) {
    const text = name.text.length > 26 ? `${name.text.slice(0, 25)}…` : name.text;
    const half = context.measureText(text).width / 2 + 4;
    const cx = Math.max(half + 4, Math.min(width - half - 4, (name.x - camera.x) * camera.scale + width / 2));
    const cy = (name.y - camera.y) * camera.scale + height / 2;
    if (cy < 10 || cy > height - 10) continue;
    // A name that would cover another moves down or up a line; where there is no room it is left out.
    const free = [0, 1, -1, 2, -2].map((k) => cy + k * (size + 5)).find((y) => taken.every(([tx, ty, th]) => Math.abs(tx - cx) > th + half || Math.abs(ty - y) > size + 3));
    if (free === undefined) continue;
    taken.push([cx, free, half]);
    context.lineWidth = 4.5;
    context.strokeStyle = scene.paper;
    context.strokeText(text, cx, free);
    context.fillStyle = scene.ink;
    context.fillText(text, cx, free);
  }
}

function drawLasso(context: CanvasRenderingContext2D, scene: Overlay, camera: Camera, width: number, height: number): void {
  context.beginPath();
  scene.lasso.forEach(([px, py], k) => {
    const [lx, ly] = [(px - camera.x) * camera.scale + width / 2, (py - camera.y) * camera.scale + height / 2];
    if (k) context.lineTo(lx, ly);
    else context.moveTo(lx, ly);
  });
  context.closePath();
  context.fillStyle = scene.green;
  context.globalAlpha = 0.12;
  context.fill();
  context.globalAlpha = 1;
  context.strokeStyle = scene.green;
  context.lineWidth = 1.5;
  context.setLineDash([6, 4]);
  context.stroke();
  context.setLineDash([]);
}
