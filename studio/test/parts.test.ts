import { expect, test } from "vitest";
import { clusterNames } from "../src/clusters";
import { LEVELS, mixed, UNKNOWN } from "../src/colours";
import { eventOf, named } from "../src/fetch_port";
import { progressOf, wishOf } from "../src/goals";
import { classKeys, command, MOST_KEYS } from "../src/keys";
import { inside } from "../src/lasso";
import { isHardware } from "../src/map/choice";
import { Nearest } from "../src/map/nearest";
import { nodeStyles } from "../src/map/styles";
import type { Status } from "../src/port";
import { leastSure } from "../src/reserve";
import { known } from "../src/studio";
import { sorted } from "../src/view/Start";

const press = (key: string, more = {}) => ({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, target: null, ...more });

test("digits keep their own key, others get digits, then letters that no command uses", () => {
  expect(classKeys(["0", "1", "7"])).toEqual(["0", "1", "7"]);
  const many = classKeys(Array.from({ length: 40 }, (_, k) => `class ${k}`));
  expect(many.slice(0, 11)).toEqual([..."1234567890", "a"]);
  expect(new Set(many.filter(Boolean)).size).toBe(MOST_KEYS);
  for (const key of "flnsuy") expect(many).not.toContain(key);
});

test("no key acts in a text field, with a modifier, or when held down", () => {
  const field = { tagName: "INPUT", type: "text" } as unknown as EventTarget;
  expect(command(press("1", { target: field }), ["1"], false)).toBeNull();
  expect(command(press("Escape", { target: field }), ["1"], false)).toEqual({ do: "escape" });
  expect(command(press("1", { altKey: true }), ["1"], false)).toBeNull();
  expect(command(press("s", { ctrlKey: true }), ["1"], false)).toBeNull();
  expect(command(press("1", { repeat: true }), ["1"], false)).toBeNull();
  const button = { tagName: "BUTTON" } as unknown as EventTarget;
  expect(command(press("Enter", { target: button }), ["1"], false)).toBeNull();
});

test("keys mean what the buttons say", () => {
  expect(command(press("2"), ["spam", "ham"], false)).toEqual({ do: "label", label: "ham" });
  expect(command(press("n"), ["a"], false)).toEqual({ do: "unsure" });
  expect(command(press("n"), ["a"], true)).toEqual({ do: "no" });
  expect(command(press("U", { shiftKey: true }), ["a"], false)).toEqual({ do: "redo" });
  expect(command(press("z", { ctrlKey: true }), ["a"], false)).toEqual({ do: "undo" });
});

test("a class is named where it is densest", () => {
  const places = new Float32Array([-0.9, -0.9, -0.88, -0.9, -0.9, -0.88, 0.9, 0.9, 0.5, 0.5]);
  const [name] = clusterNames(places, new Uint16Array([0, 0, 0, 0, UNKNOWN]));
  expect(name.x).toBeCloseTo(-0.893, 2);
});

test("every large piece of a class is named, a stray node is not, and largest pieces come first", () => {
  const places: number[] = [];
  const add = (x: number, y: number, count: number) => {
    for (let i = 0; i < count; i++) places.push(x + 0.004 * (i % 5), y + 0.004 * Math.floor(i / 5));
  };
  add(-0.9, -0.9, 30);
  add(0.75, 0.75, 12);
  add(0.0, 0.0, 1);
  const classes = new Uint16Array(43);
  const names = clusterNames(new Float32Array(places), classes);
  expect(names.map((name) => [Math.round(10 * name.x), name.size])).toEqual([[-9, 43], [8, 12]]);
});

test("the node of a spot check has no colour in any colouring, and nothing is told of it", () => {
  const map = { classes: new Uint16Array([1, 1]), confidence: new Uint8Array([255, 255]), flags: new Uint8Array([0, 0]), event: 0 };
  const facts = { classes: 2, blind: 0, person: new Map(), disagreed: new Set<number>(), truth: new Uint16Array([1, 1]) };
  const theme = { paper: "#ffffff", grey: "#bbbbbb", green: "#0f6b62" };
  for (const mode of ["prediction", "confidence", "labels", "person", "disagreement", "truth"] as const)
    expect(nodeStyles(map, mode, facts, theme).of[0]).toBe(0);
  expect(nodeStyles(map, "prediction", facts, theme).of[1]).toBe(1 + 2 * LEVELS - 1);
  expect(nodeStyles(map, "truth", facts, theme).of[1]).toBe(2);
  expect(known(map, 0, 0).kind).toBe(UNKNOWN);
  expect(known(map, 1, 0).kind).toBe(1);
});

test("the lasso, the pointer and the reserve find the right nodes", () => {
  const places = new Float32Array([0, 0, 0.5, 0.5, -0.5, 0.5]);
  expect(inside(places, [[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]])).toEqual([0]);
  expect(new Nearest(places).at(0.49, 0.5, 0.05)).toBe(1);
  expect(new Nearest(places).at(0.2, 0.2, 0.05)).toBe(-1);
  expect(leastSure(new Uint8Array([200, 10, 90]), new Uint8Array([0, 0, 1]), new Uint16Array(3), 2)).toEqual([1, 0]);
});

test("sigma draws where a graphics card does, the canvas elsewhere", () => {
  expect(isHardware("ANGLE (NVIDIA, NVIDIA GeForce RTX 3060, OpenGL 4.6)")).toBe(true);
  expect(isHardware("ANGLE (Google, Vulkan 1.3.0 (SwiftShader Device (Subzero)), SwiftShader driver)")).toBe(false);
  expect(isHardware("llvmpipe (LLVM 15.0.6, 256 bits)")).toBe(false);
  expect(isHardware("")).toBe(false);
});

test("events, files and colours are read as they are written", () => {
  expect(eventOf("id: 7\nevent: labels\ndata: {\"node\": \"a\"}")).toEqual({ id: 7, kind: "labels", data: { node: "a" } });
  expect(eventOf(": still here")).toBeNull();
  expect(named("/sessions/s/predictions?format=parquet")).toBe("predictions.parquet");
  expect(named("/sessions/s/export")).toBe("log.jsonl");
  const files = [new File([], "nodes.csv"), new File([], "friends.csv")];
  expect(sorted(files)).toMatchObject({ nodes: files[0], edges: files[1] });
  expect(mixed("#000000", "#ffffff", 0.5)).toBe("#808080");
});

const status = (more: Partial<Status> = {}): Status => ({
  answers: 40, classes: ["fraud", "fine"], counts: {}, audits: 12, audit_errors: 1, error: 0.1, bound: 0.3, confidence: 0.95,
  target_error: 0.1, advice: { stop: false, words: "" }, answers_left: 20, curve: [], people: [], agreement: null,
  disagreements: [], event: 1, ...more,
});
const recall = { found: 131, total: 143.2, fewest: 131, most: 208, audits: 60, confidence: 0.95, estimate: 0.91, lower: 0.63, upper: 1, positive: ["fraud"], words: "" };

test("the foot shows the error, or the share that was found where a class is to be found", () => {
  expect(progressOf(status())).toMatchObject({ value: "at most 30%", target: 0.1, share: 0.3, left: "about 20 answers to go" });
  expect(progressOf(status({ audits: 0 }))).toMatchObject({ value: "not known yet", known: false });
  expect(progressOf(status({ labels: 3, nodes: 3 }))).toMatchObject({ value: "nothing", detail: "every node has an answer", share: 0 });
  const found = progressOf(status({ recall, target_recall: 0.9 }));
  expect(found).toMatchObject({ caption: "Found of all fraud", value: "at least 63%", detail: "131 of about 143", target: 0.9, left: "about 12 hidden" });
  expect(progressOf(status({ recall: { ...recall, audits: 0 } }))).toMatchObject({ value: "131", known: false, target: null, goal: "" });
  const done = progressOf(status({ recall, target_recall: 0.5, advice: { stop: true, words: "" } }));
  expect(done.left).toBe("goal reached");
  const certified = { what: "recall of fraud", estimate: 0.8, bound: 0.62, at_most: false, target: 0.9, audits: 40, words: "" };
  expect(progressOf(status({ certified }))).toMatchObject({ caption: "Recall of fraud", value: "at least 62%", detail: "about 80% by 40 spot checks", target: 0.9, goal: "goal: 90%" });
  expect(progressOf(status({ certified: { ...certified, audits: 0 } }))).toMatchObject({ value: "not known yet", known: false });
});

test("a session to find a class is begun by naming it", () => {
  const form = new FormData();
  form.set("classes", "fine, spam");
  form.set("goal", "5");
  form.set("recall", "90");
  expect(wishOf(form, "pages")).toEqual({ name: "pages", classes: ["fine", "spam"], target_error: 0.05 });
  form.set("looks", "on");
  form.set("cost", "hours");
  expect(wishOf(form, "pages")).toMatchObject({ second_looks: true, cost_column: "hours" });
  form.delete("looks");
  form.set("cost", "");
  form.set("positive", " spam ,");
  expect(wishOf(form, "pages")).toEqual({ name: "pages", classes: ["fine", "spam"], goal: "find", positive: ["spam"], target_recall: 0.9 });
});
