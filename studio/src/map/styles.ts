// The style of each node for the chosen colouring.
import { classColour, classShape, DISAGREED, fullness, level, LEVELS, mixed, UNKNOWN } from "../colours";
import { ANSWERED, type MapState, type Mode } from "../studio";
import type { Style } from "./painter";

export interface Theme {
  paper: string;
  grey: string;
  green: string;
}
export interface Facts {
  classes: number;
  /** The node whose guess must stay hidden, or -1. */
  blind: number;
  /** The person who answered a node, as a number; for the colouring by person. */
  person: Map<number, number>;
  disagreed: Set<number>;
  truth: Uint16Array | null;
}

/** The colours and the style of each node, as a number into them. */
export function nodeStyles(map: MapState, mode: Mode, facts: Facts, theme: Theme): { styles: Style[]; of: Uint16Array } {
  const n = map.classes.length;
  const of = new Uint16Array(n);
  const styles: Style[] = [{ colour: theme.grey, shape: "circle" }];
  const first = styles.length;
  if (mode === "prediction") {
    for (let k = 0; k < facts.classes; k++)
      for (let step = 0; step < LEVELS; step++)
        styles.push({ colour: mixed(classColour(k), theme.paper, fullness(step)), shape: classShape(k) });
    for (let i = 0; i < n; i++) {
      const kind = map.classes[i];
      if (kind === UNKNOWN || kind >= facts.classes) continue;
      const step = map.flags[i] & ANSWERED ? LEVELS - 1 : level(map.confidence[i]);
      of[i] = first + kind * LEVELS + step;
    }
  } else if (mode === "confidence") {
    for (let step = 0; step < LEVELS; step++)
      styles.push({ colour: mixed(theme.green, theme.paper, 0.15 + (0.85 * step) / (LEVELS - 1)), shape: "circle" });
    for (let i = 0; i < n; i++) if (map.classes[i] !== UNKNOWN) of[i] = first + level(map.confidence[i]);
  } else if (mode === "labels") {
    for (let k = 0; k < facts.classes; k++) styles.push({ colour: classColour(k), shape: classShape(k) });
    for (let i = 0; i < n; i++)
      if (map.flags[i] & ANSWERED && map.classes[i] < facts.classes) of[i] = first + map.classes[i];
  } else if (mode === "person") {
    for (let k = 0; k < 10; k++) styles.push({ colour: classColour(k), shape: "circle" });
    for (const [i, by] of facts.person) if (i >= 0 && i < n) of[i] = first + (by % 10);
  } else if (mode === "truth") {
    for (let k = 0; k < facts.classes; k++) styles.push({ colour: classColour(k), shape: classShape(k) });
    const truth = facts.truth;
    if (truth) for (let i = 0; i < Math.min(n, truth.length); i++) if (truth[i] < facts.classes) of[i] = first + truth[i];
  } else {
    styles.push({ colour: mixed(theme.green, theme.paper, 0.6), shape: "circle" }, { colour: DISAGREED, shape: "square" });
    for (let i = 0; i < n; i++) if (map.flags[i] & ANSWERED) of[i] = first;
    for (const i of facts.disagreed) if (i >= 0 && i < n) of[i] = first + 1;
  }
  if (facts.blind >= 0 && facts.blind < n && !(map.flags[facts.blind] & ANSWERED)) of[facts.blind] = 0;
  return { styles, of };
}
