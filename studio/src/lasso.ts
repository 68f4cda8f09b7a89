// Which nodes lie inside a line drawn by hand.

export function inside(places: Float32Array, outline: [number, number][]): number[] {
  const found: number[] = [];
  const [xs, ys] = [outline.map((each) => each[0]), outline.map((each) => each[1])];
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  for (let i = 0; i < places.length / 2; i++) {
    const [x, y] = [places[2 * i], places[2 * i + 1]];
    if (x < left || x > right || y < low || y > high) continue;
    let within = false;
    for (let a = 0, b = outline.length - 1; a < outline.length; b = a++) {
      const crosses = ys[a] > y !== ys[b] > y && x < ((xs[b] - xs[a]) * (y - ys[a])) / (ys[b] - ys[a]) + xs[a];
      if (crosses) within = !within;
    }
    if (within) found.push(i);
  }
  return found;
}
