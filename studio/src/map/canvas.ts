// The map on a plain 2D canvas: every style is one path. Large graphs are points, written pixel by pixel.
import { rgb, type Shape } from "../colours";
import { radius, type Camera, type Painter, type Style } from "./painter";

export const MOST_SHAPES = 50_000;

export function canvasPainter(parent: HTMLElement, count: number): Painter {
  const canvas = document.createElement("canvas");
  canvas.className = "layer";
  canvas.setAttribute("aria-hidden", "true");
  parent.append(canvas);
  const context = canvas.getContext("2d")!;
  const points = count > MOST_SHAPES;
  let [width, height, ratio] = [1, 1, 1];
  let places = new Float32Array();
  let pairs = new Uint32Array();
  let line = "#ddd";
  let styles: Style[] = [];
  let of = new Uint16Array();
  let byStyle: Uint32Array[] = [];

  function edgePath(camera: Camera): void {
    if (!pairs.length) return;
    context.strokeStyle = line;
    context.lineWidth = 0.7;
    context.beginPath();
    const [ox, oy] = [width / 2 - camera.x * camera.scale, height / 2 - camera.y * camera.scale];
    for (let e = 0; e < pairs.length; e += 2) {
      const [i, j] = [2 * pairs[e], 2 * pairs[e + 1]];
      context.moveTo(places[i] * camera.scale + ox, places[i + 1] * camera.scale + oy);
      context.lineTo(places[j] * camera.scale + ox, places[j + 1] * camera.scale + oy);
    }
    context.stroke();
  }

  function shapes(camera: Camera): void {
    const size = radius(count, camera, width, height);
    const [ox, oy] = [width / 2 - camera.x * camera.scale, height / 2 - camera.y * camera.scale];
    byStyle.forEach((members, number) => {
      if (!members.length) return;
      context.fillStyle = styles[number].colour;
      context.beginPath();
      for (const i of members) {
        const x = places[2 * i] * camera.scale + ox;
        const y = places[2 * i + 1] * camera.scale + oy;
        if (x < -9 || y < -9 || x > width + 9 || y > height + 9) continue;
        outline(context, styles[number].shape, x, y, size);
      }
      context.fill();
    });
  }

  function pixels(camera: Camera): void {
    const [w, h] = [canvas.width, canvas.height];
    const picture = context.createImageData(w, h);
    const ink = new Uint32Array(picture.data.buffer);
    const inks = styles.map((style) => {
      const [r, g, b] = rgb(style.colour);
      return (0xff000000 | (b << 16) | (g << 8) | r) >>> 0;
    });
    const scale = camera.scale * ratio;
    const [ox, oy] = [w / 2 - camera.x * scale, h / 2 - camera.y * scale];
    const side = Math.max(1, Math.round(2 * radius(count, camera, width, height) * ratio * 0.6));
    for (let i = 0; i < of.length; i++) {
      const x = (places[2 * i] * scale + ox) | 0;
      const y = (places[2 * i + 1] * scale + oy) | 0;
      if (x < 0 || y < 0 || x + side > w || y + side > h) continue;
      for (let dy = 0; dy < side; dy++) ink.fill(inks[of[i]], (y + dy) * w + x, (y + dy) * w + x + side);
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.putImageData(picture, 0, 0);
  }

  return {
    kind: points ? "points" : "canvas",
    nodes: (next) => (places = next as Float32Array<ArrayBuffer>),
    edges(next, colour) {
      pairs = next as Uint32Array<ArrayBuffer>;
      line = colour;
    },
    colour(nextStyles, next) {
      styles = nextStyles;
      of = next as Uint16Array<ArrayBuffer>;
      if (points) return;
      const sizes = new Uint32Array(styles.length);
      for (const style of of) sizes[style]++;
      byStyle = Array.from(sizes, (size) => new Uint32Array(size));
      sizes.fill(0);
      for (let i = 0; i < of.length; i++) byStyle[of[i]][sizes[of[i]]++] = i;
    },
    resize(w, h, r) {
      [width, height, ratio] = [w, h, points ? 1 : r];
      canvas.width = Math.round(w * ratio);
      canvas.height = Math.round(h * ratio);
    },
    draw(camera) {
      if (points) return pixels(camera);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.clearRect(0, 0, width, height);
      edgePath(camera);
      shapes(camera);
    },
    close: () => canvas.remove(),
  };
}

export function outline(context: CanvasRenderingContext2D, shape: Shape, x: number, y: number, r: number): void {
  if (shape === "circle") {
    context.moveTo(x + r, y);
    context.arc(x, y, r, 0, 6.2832);
  } else if (shape === "square") {
    context.rect(x - 0.88 * r, y - 0.88 * r, 1.76 * r, 1.76 * r);
  } else {
    const corners = shape === "diamond" ? [[0, -1.25], [1.25, 0], [0, 1.25], [-1.25, 0]] : [[0, -1.2], [1.1, 0.8], [-1.1, 0.8]];
    corners.forEach(([dx, dy], k) => (k ? context.lineTo(x + dx * r, y + dy * r) : context.moveTo(x + dx * r, y + dy * r)));
    context.closePath();
  }
}
