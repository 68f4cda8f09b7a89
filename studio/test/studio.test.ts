import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Studio } from "../src/studio";
import { fakePort, type Fake } from "./fake_port";

vi.stubGlobal("document", { hidden: false, addEventListener: () => {}, removeEventListener: () => {} });
vi.stubGlobal("addEventListener", () => {});
vi.stubGlobal("removeEventListener", () => {});

let port: Fake;
let studio: Studio;
let count = 0;
beforeEach(async () => {
  port = fakePort(`s${count++}`);
  studio = new Studio(port);
  await studio.start();
});
afterEach(() => studio.close());
const settled = () => vi.waitFor(() => expect(studio.waiting.value).toBe(0), 5000);

test("an answer is saved and the next question is there at once", async () => {
  expect(studio.question.value?.node).toBe("n0");
  void studio.answer("b");
  expect(studio.question.value?.node).toBe("n1");
  await settled();
  expect(port.labels.get("n0")).toBe("b");
  await vi.waitFor(() => expect(studio.queue.value.length).toBe(3));
});

test("offline, answers wait in order and more questions than were fetched can be answered", async () => {
  await vi.waitFor(() => expect(studio.map.value).not.toBeNull());
  await new Promise((later) => setTimeout(later, 50));
  port.away = true;
  for (let k = 0; k < 10; k++) {
    await studio.answer(k % 2 ? "a" : "b");
    await vi.waitFor(() => expect(studio.offline.value).toBe(true));
    if (!studio.question.value) await new Promise((later) => setTimeout(later, 20));
  }
  expect(studio.waiting.value).toBe(10);
  expect(port.events).toEqual([]);
  port.away = false;
  await settled();
  expect(port.labels.size).toBe(10);
  expect(new Set(port.events).size).toBe(10);
  expect(studio.offline.value).toBe(false);
});

test("what an earlier visit left is sent by the next, once", async () => {
  port.away = true;
  await studio.answer("a");
  studio.close();
  port.away = false;
  studio = new Studio(port);
  await studio.start();
  await settled();
  expect(port.events).toEqual(["n0=a"]);
});

test("a reply that is lost doubles nothing", async () => {
  port.loses = 2;
  await studio.answer("a");
  await settled();
  expect(port.events).toEqual(["n0=a"]);
});

test("undo takes back the last answer and asks again; redo gives it again", async () => {
  await studio.answer("a");
  await studio.answer("b");
  await studio.undo();
  expect(studio.question.value?.node).toBe("n1");
  await settled();
  expect([...port.labels]).toEqual([["n0", "a"]]);
  await studio.redo();
  await settled();
  expect(port.labels.get("n1")).toBe("b");
  expect(studio.question.value?.node).not.toBe("n1");
});

test("a lasso labels many in one request and one undo takes all back", async () => {
  await studio.answerMany([5, 6, 7], "b");
  await settled();
  expect(port.labels.size).toBe(3);
  await studio.undo();
  await settled();
  expect(port.labels.size).toBe(0);
});

test("a refused answer is said, not lost in silence", async () => {
  await studio.answer("refused");
  await settled();
  expect(studio.refused.value).toEqual(["no such class"]);
  await vi.waitFor(() => expect(studio.queue.value.some((each) => each.node === "n0")).toBe(true));
});

test("what an answer changed is told, even if the server's own news of it comes in between", async () => {
  await vi.waitFor(() => expect(studio.map.value).not.toBeNull());
  (studio as unknown as { drawing: number }).drawing = 150; // the map is drawn slowly
  await studio.answer("b");
  await settled();
  port.hear({ id: 1, kind: "label", data: {} });
  await vi.waitFor(() => expect(studio.notice.value?.words).toContain("changed colour"), 3000);
});

test("a node answered while questions are on their way is not asked again", async () => {
  let arrive = () => {};
  port.slow = new Promise((done) => (arrive = done));
  void studio.fill(); // the server reads n0 as open
  await new Promise((later) => setTimeout(later, 5));
  await studio.answer("a");
  await settled();
  expect(port.labels.get("n0")).toBe("a");
  arrive();
  await vi.waitFor(() => expect(studio.queue.value.length).toBe(3));
  expect(studio.queue.value.map((each) => each.node)).toEqual(["n1", "n2", "n3"]);
});

test("a node whose answer overtakes a list of questions is not asked again", async () => {
  let hear = () => {};
  port.deaf = new Promise((done) => (hear = done));
  void studio.answer("a");
  let arrive = () => {};
  port.slow = new Promise((done) => (arrive = done));
  void studio.fill(); // the server has not read the answer: n0 is still open
  await new Promise((later) => setTimeout(later, 5));
  hear();
  await settled();
  expect(port.labels.get("n0")).toBe("a");
  arrive();
  await vi.waitFor(() => expect(studio.queue.value.map((each) => each.node)).toEqual(["n1", "n2", "n3"]));
  expect(studio.exhausted.value).toBe(false);
});

test("a spot check has no guess to accept", async () => {
  port.audit = true;
  studio.queue.value = [];
  await studio.fill();
  studio.accept();
  await settled();
  expect(port.events).toEqual([]);
});
