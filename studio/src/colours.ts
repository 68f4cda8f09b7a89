// Colours of classes: after Paul Tol's bright and muted schemes; beyond ten, shapes tell classes apart too.
export const PALETTE = [
  "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee",
  "#aa3377", "#e07b39", "#8073ac", "#2aa198", "#8c6d46",
];
export const SHAPES = ["circle", "square", "diamond", "triangle"] as const;
export type Shape = (typeof SHAPES)[number];
export const UNKNOWN = 65535;
/** Nodes on which people disagree. */
export const DISAGREED = "#d9480f";
export const LEVELS = 6;

export const classColour = (place: number) => PALETTE[place % PALETTE.length];
export const classShape = (place: number): Shape => SHAPES[Math.floor(place / PALETTE.length) % SHAPES.length];

export function rgb(hex: string): [number, number, number] {
  const value = parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** A colour between paper (0) and full (1). */
export function mixed(colour: string, paper: string, share: number): string {
  const [a, b] = [rgb(colour), rgb(paper)];
  const part = a.map((value, k) => Math.round(value * share + b[k] * (1 - share)));
  return `#${part.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** How full the colour of a confidence (0-255) is, as a level from 0 to LEVELS - 1. */
export function level(confidence: number): number {
  return Math.min(LEVELS - 1, Math.floor((confidence / 256) * LEVELS));
}
export const fullness = (step: number) => 0.3 + (0.7 * step) / (LEVELS - 1);
