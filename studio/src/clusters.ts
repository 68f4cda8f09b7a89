// Where the names of classes are written: on every large piece of a class, where it is densest.
import { UNKNOWN } from "./colours";

export interface ClusterName {
  place: number;
  x: number;
  y: number;
  size: number;
}
const GRID = 28;
/** A piece of a class is named if it has this share of its nodes, besides the largest; at most so many. */
const PIECE = 0.1;
const MOST_PIECES = 3;
/** Cells with fewer nodes than this share of the fullest are between pieces. */
const SPARSE = 0.12;

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
  const [main, further]: [ClusterName[], ClusterName[]] = [[], []];
  for (const [place, tally] of tallies) {
    let size = 0;
    for (let at = 0; at < tally.length; at += 3) size += tally[at];
    if (size < least && count >= 50) continue;
    const [largest, ...others] = pieces(tally).map((piece) => ({ place, ...densest(tally, piece) }));
    main.push({ ...largest, size });
    further.push(...others.slice(0, MOST_PIECES - 1).filter((each) => each.size >= Math.max(least, PIECE * size)));
  }
  const bySize = (a: ClusterName, b: ClusterName) => b.size - a.size;
  return [...main.sort(bySize), ...further.sort(bySize)];
}

const around = (cell: number): number[] => {
  const [row, column] = [Math.floor(cell / GRID), cell % GRID];
  const found: number[] = [];
  for (let r = Math.max(0, row - 1); r <= Math.min(GRID - 1, row + 1); r++)
    for (let c = Math.max(0, column - 1); c <= Math.min(GRID - 1, column + 1); c++) found.push(r * GRID + c);
  return found;
};

/** The cells of a class in pieces that touch, the one with most nodes first. */
function pieces(tally: Float64Array): number[][] {
  let fullest = 0;
  for (let at = 0; at < tally.length; at += 3) fullest = Math.max(fullest, tally[at]);
  const free = new Set<number>();
  for (let cell = 0; cell < GRID * GRID; cell++) if (tally[3 * cell] > SPARSE * fullest) free.add(cell);
  const found: number[][] = [];
  for (const cell of free) {
    const piece = [cell];
    free.delete(cell);
    for (let k = 0; k < piece.length; k++)
      for (const next of around(piece[k])) if (free.delete(next)) piece.push(next);
    found.push(piece);
  }
  const size = (piece: number[]) => piece.reduce((sum, cell) => sum + tally[3 * cell], 0);
  return found.sort((a, b) => size(b) - size(a));
}

/** The middle of a piece's densest neighbourhood, and how many nodes the piece has. */
function densest(tally: Float64Array, piece: number[]): { x: number; y: number; size: number } {
  const own = new Set(piece);
  const found = { x: 0, y: 0, size: 0 };
  let best = 0;
  for (const cell of piece) {
    let [weight, x, y] = [0, 0, 0];
    for (const near of around(cell)) {
      if (!own.has(near)) continue;
      weight += tally[3 * near];
      x += tally[3 * near + 1];
      y += tally[3 * near + 2];
    }
    found.size += tally[3 * cell];
    if (weight > best) [best, found.x, found.y] = [weight, x / weight, y / weight];
  }
  return found;
}
