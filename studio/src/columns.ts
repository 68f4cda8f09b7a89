// Which columns the card shows: chosen on the page, remembered in this browser.
import { signal } from "@preact/signals";
import type { Column, GraphInfo } from "./port";

const MOST = 6;
const chosen = signal<Record<string, string[]>>({});
const key = (graph: GraphInfo) => `lapwing:columns:${graph.name}`;

function remembered(graph: GraphInfo): string[] | null {
  try {
    return JSON.parse(localStorage.getItem(key(graph)) ?? "null");
  } catch {
    return null;
  }
}

/** The columns to show; without a choice, the first few. */
export function shownColumns(graph: GraphInfo | null): Column[] {
  if (!graph) return [];
  const names = chosen.value[graph.name] ?? remembered(graph);
  return names ? graph.columns.filter(({ name }) => names.includes(name)) : graph.columns.slice(0, MOST);
}

export function chooseColumns(graph: GraphInfo, names: string[]): void {
  chosen.value = { ...chosen.value, [graph.name]: names };
  try {
    localStorage.setItem(key(graph), JSON.stringify(names));
  } catch {
    /* it holds for this visit */
  }
}

const swapped = signal<Record<string, boolean>>({});
const swapKey = (graph: GraphInfo) => `lapwing:swap:${graph.name}`;

/** Whether dark and light are swapped in pictures: ink on paper, for scans that come white on black. */
export function picturesSwapped(graph: GraphInfo | null): boolean {
  if (!graph) return false;
  const said = swapped.value[graph.name];
  if (said !== undefined) return said;
  try {
    const kept = localStorage.getItem(swapKey(graph));
    if (kept !== null) return kept === "1";
  } catch {
    /* as it looks */
  }
  return scanned.value[graph.name] ?? false;
}

const scanned = signal<Record<string, boolean>>({});
const SMALL = 64;
const DARK = 60;

/** Looks at a graph's first picture: small ones with a dark rim are scans, shown as ink on paper unless somebody chose. */
export function lookAtPicture(graph: GraphInfo, image: HTMLImageElement): void {
  const { naturalWidth: width, naturalHeight: height } = image;
  if (graph.name in scanned.value || !width || width > SMALL || height > SMALL) return;
  const context = Object.assign(document.createElement("canvas"), { width, height }).getContext("2d")!;
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  let [sum, count] = [0, 0];
  for (let y = 0; y < height; y++)
    for (const x of [0, width - 1]) {
      sum += data[4 * (y * width + x)];
      count++;
    }
  scanned.value = { ...scanned.value, [graph.name]: sum / count < DARK };
}

export function swapPictures(graph: GraphInfo, on: boolean): void {
  swapped.value = { ...swapped.value, [graph.name]: on };
  try {
    localStorage.setItem(swapKey(graph), on ? "1" : "0");
  } catch {
    /* it holds for this visit */
  }
}
