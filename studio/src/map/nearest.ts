// The node under the pointer: nodes sorted into cells once, so that a look costs little.
const CELLS = 256;

export class Nearest {
  private starts: Uint32Array;
  private order: Uint32Array;

  constructor(private places: Float32Array) {
    const n = places.length / 2;
    const cell = new Uint32Array(n);
    this.starts = new Uint32Array(CELLS * CELLS + 1);
    for (let i = 0; i < n; i++) {
      cell[i] = this.row(places[2 * i + 1]) * CELLS + this.row(places[2 * i]);
      this.starts[cell[i] + 1]++;
    }
    for (let c = 0; c < CELLS * CELLS; c++) this.starts[c + 1] += this.starts[c];
    const next = this.starts.slice();
    this.order = new Uint32Array(n);
    for (let i = 0; i < n; i++) this.order[next[cell[i]]++] = i;
  }

  private row(value: number): number {
    return Math.max(0, Math.min(CELLS - 1, Math.floor(((value + 1) / 2) * CELLS)));
  }

  /** The nearest node within a distance, or -1. */
  at(x: number, y: number, within: number): number {
    let [best, square] = [-1, within * within];
    for (let r = this.row(y - within); r <= this.row(y + within); r++)
      for (let c = this.row(x - within); c <= this.row(x + within); c++)
        for (let k = this.starts[r * CELLS + c]; k < this.starts[r * CELLS + c + 1]; k++) {
          const i = this.order[k];
          const d = (this.places[2 * i] - x) ** 2 + (this.places[2 * i + 1] - y) ** 2;
          if (d < square) [best, square] = [i, d];
        }
    return best;
  }
}
