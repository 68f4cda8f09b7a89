// What a painter of the map must do. Halo, rings, names and the lasso are drawn above it, once for all painters.
import type { Shape } from "../colours";

export interface Camera {
  /** The place in the middle of the picture, and pixels per unit. */
  x: number;
  y: number;
  scale: number;
}

/** Nodes are coloured by style: one style per class and level of confidence, few in all. */
export interface Style {
  colour: string;
  shape: Shape;
}

export interface Painter {
  readonly kind: "sigma" | "canvas" | "points";
  nodes(places: Float32Array): void;
  edges(pairs: Uint32Array, colour: string): void;
  /** The style of each node, as a number into `styles`. */
  colour(styles: Style[], of: Uint16Array): void;
  resize(width: number, height: number, ratio: number): void;
  draw(camera: Camera): void;
  close(): void;
}

/** Pixels of a node's radius at this zoom. */
export function radius(nodes: number, camera: Camera, width: number, height: number): number {
  const whole = Math.min(width, height) / 2;
  const zoom = Math.max(1, camera.scale / whole);
  const base = Math.max(0.8, Math.min(7, 150 / Math.sqrt(Math.max(nodes, 1))));
  return Math.min(9, base * Math.sqrt(zoom));
}

export function fitted(width: number, height: number, places: Float32Array | null): Camera {
  let [left, right, low, high] = [-1, 1, -1, 1];
  if (places && places.length) {
    [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let i = 0; i < places.length; i += 2) {
      left = Math.min(left, places[i]);
      right = Math.max(right, places[i]);
      low = Math.min(low, places[i + 1]);
      high = Math.max(high, places[i + 1]);
    }
  }
  const roomy = width > 500 ? { x: 90, y: 150 } : { x: 50, y: 120 };
  const scale = Math.min((width - roomy.x) / Math.max(right - left, 1e-6), (height - roomy.y) / Math.max(high - low, 1e-6));
  return { x: (left + right) / 2, y: (low + high) / 2, scale: Math.max(scale, 10) };
}
