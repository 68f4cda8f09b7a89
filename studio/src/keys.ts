// One key per class: digits first, then letters that no command uses.
const DIGITS = [..."1234567890"];
const LETTERS = [..."abcdeghijkmopqrtvwxz"]; // without f l n s u y: commands
export const MOST_KEYS = DIGITS.length + LETTERS.length;

/** The key of each class, in order; classes named by one digit keep their own. Beyond the keys: "". */
export function classKeys(classes: string[]): string[] {
  const own = classes.map((name) => (/^[0-9]$/.test(name) ? name : ""));
  const free = [...DIGITS, ...LETTERS].filter((key) => !own.includes(key));
  return own.map((key) => key || free.shift() || "");
}

/** Whether typing goes into this element. */
export function takesText(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  if (!element || !element.tagName) return false;
  const tag = element.tagName;
  if (tag === "TEXTAREA" || tag === "SELECT" || element.isContentEditable) return true;
  if (tag !== "INPUT") return false;
  return !["button", "checkbox", "radio", "range", "submit", "file"].includes((element as HTMLInputElement).type);
}

export type Command =
  | { do: "label"; label: string }
  | { do: "accept" | "skip" | "unsure" | "undo" | "redo" | "yes" | "no" }
  | { do: "search" | "lasso" | "keys" | "filter" | "zoomIn" | "zoomOut" | "fit" | "escape" };

export interface Pressed {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  repeat?: boolean;
  target: EventTarget | null;
}

/** What a key means; null: nothing here. A key held down means nothing after the first time. */
export function command(press: Pressed, classes: string[], yesNo: boolean): Command | null {
  if (press.key === "Escape") return { do: "escape" };
  if (takesText(press.target) || press.altKey || press.repeat) return null;
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  if (press.ctrlKey || press.metaKey) {
    if (key === "z") return { do: press.shiftKey ? "redo" : "undo" };
    if (key === "y") return { do: "redo" };
    return null;
  }
  if (key === "Enter") {
    const tag = (press.target as HTMLElement | null)?.tagName;
    return tag === "BUTTON" || tag === "A" || tag === "SUMMARY" || tag === "INPUT" ? null : { do: "accept" };
  }
  if (yesNo && key === "y") return { do: "yes" };
  if (yesNo && key === "n") return { do: "no" };
  const place = press.shiftKey ? -1 : classKeys(classes).indexOf(key);
  if (place >= 0 && key) return { do: "label", label: classes[place] };
  const fixed: Record<string, Command["do"]> = {
    s: "skip",
    n: "unsure",
    u: press.shiftKey ? "redo" : "undo",
    l: "lasso",
    f: "filter",
    "/": "search",
    "?": "keys",
    "+": "zoomIn",
    "-": "zoomOut",
    "=": "fit",
  };
  return key in fixed ? ({ do: fixed[key] } as Command) : null;
}
