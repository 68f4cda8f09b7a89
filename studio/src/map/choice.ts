// Which painter draws the map: sigma.js where the machine draws WebGL in hardware, else a plain canvas.
import { canvasPainter, MOST_SHAPES } from "./canvas";
import type { Painter } from "./painter";

const EMULATED = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Whether this renderer of WebGL is a graphics card, not a program that imitates one. */
export const isHardware = (renderer: string) => renderer !== "" && !EMULATED.test(renderer);

/** What draws WebGL here; empty where nothing does. */
export function glRenderer(): string {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return "";
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return name;
}

/** The address may say ?painter=sigma or ?painter=canvas, to compare them. */
export async function chosenPainter(parent: HTMLElement, count: number): Promise<Painter> {
  const wish = new URLSearchParams(location.search).get("painter");
  const sigma = count <= MOST_SHAPES && (wish ? wish === "sigma" : isHardware(glRenderer()));
  if (!sigma) return canvasPainter(parent, count);
  try {
    return (await import("./sigma")).sigmaPainter(parent, count);
  } catch {
    parent.replaceChildren(); // no context was given after all, or the script did not come
    return canvasPainter(parent, count);
  }
}
