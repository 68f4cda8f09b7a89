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
    return localStorage.getItem(swapKey(graph)) === "1";
  } catch {
    return false;
  }
}

export function swapPictures(graph: GraphInfo, on: boolean): void {
  swapped.value = { ...swapped.value, [graph.name]: on };
  try {
    localStorage.setItem(swapKey(graph), on ? "1" : "0");
  } catch {
    /* it holds for this visit */
  }
}
