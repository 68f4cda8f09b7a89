// Where the name of a class is written: where its nodes are densest.
import { UNKNOWN } from "./colours";

export interface ClusterName {
  place: number;
  x: number;
  y: number;
  size: number;
}
const GRID = 28;

export function clusterNames(places: Float32Array, classes: Uint16Array, least = 3): ClusterName[] {
  const tallies = new Map<number, Float64Array>();
  const cell = (value: number) => Math.max(0, Math.min(GRID - 1, Math.floor(((value + 1) / 2) * GRID)));
  const count = classes.length;
  for (let i = 0; i < count; i++) {
    const kind = classes[i];
    if (kind === UNKNOWN) continue;
    let tally = tallies.get(kind);
    if (!tally) tallies.set(kind, (tally = new Float64Array(GRID * GRID * 3)));
    const at = 3 * (cell(places[2 * i + 1]) * GRID + cell(places[2 * i]));
    tally[at] += 1;
    tally[at + 1] += places[2 * i];
    tally[at + 2] += places[2 * i + 1];
  }
  const found: ClusterName[] = [];
  for (const [place, tally] of tallies) {
    let best = 0;
    let size = 0;
    let where = { x: 0, y: 0 };
    for (let row = 0; row < GRID; row++)
      for (let column = 0; column < GRID; column++) {
        let [weight, x, y] = [0, 0, 0];
        for (let r = Math.max(0, row - 1); r <= Math.min(GRID - 1, row + 1); r++)
          for (let c = Math.max(0, column - 1); c <= Math.min(GRID - 1, column + 1); c++) {
            const at = 3 * (r * GRID + c);
            weight += tally[at];
            x += tally[at + 1];
            y += tally[at + 2];
          }
        size += tally[3 * (row * GRID + column)];
        if (weight > best) {
          best = weight;
          where = { x: x / weight, y: y / weight };
        }
      }
    if (size >= least || count < 50) found.push({ place, ...where, size });
  }
  return found.sort((a, b) => b.size - a.size);
}
