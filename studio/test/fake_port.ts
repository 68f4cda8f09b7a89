// A port without a server: keeps what it is told, and can be sent away.
import type { Port, Reply, ServerEvent } from "../src/port";

export function reply(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  const bytes = body instanceof ArrayBuffer ? body : new TextEncoder().encode(JSON.stringify(body)).buffer as ArrayBuffer;
  return {
    status,
    headers: { get: (name) => headers[name] ?? null },
    json: async () => JSON.parse(new TextDecoder().decode(bytes)),
    text: async () => new TextDecoder().decode(bytes),
    bytes: async () => bytes,
  };
}

export interface Fake extends Port {
  away: boolean;
  /** Takes in the next so many requests but loses their replies, as a killed server does. */
  loses: number;
  labels: Map<string, string>;
  events: string[];
  audit: boolean;
  /** Replies with questions once this is done. */
  slow: Promise<void>;
  /** Reads answers once this is done. */
  deaf: Promise<void>;
  /** Says that something happened in the session. */
  hear: (event: ServerEvent) => void;
}

const NODES = 40;

export function fakePort(session = "digits"): Fake {
  const seen = new Map<string, unknown>();
  const fake: Fake = {
    away: false,
    loses: 0,
    labels: new Map(),
    events: [],
    audit: false,
    slow: Promise.resolve(),
    deaf: Promise.resolve(),
    hear: () => {},
    session,
    person: "ada",
    place: "fake",
    open: () => {},
    download: () => {},
    listen(_path, hear, live) {
      fake.hear = hear;
      live(true);
      return () => {};
    },
    async call(method, path, body: any, headers = {}) {
      if (fake.away) throw new TypeError("Failed to fetch");
      const key = headers["Idempotency-Key"];
      if (key) await fake.deaf;
      let found = key ? seen.get(key) : undefined;
      if (found === undefined) {
        found = answered(method, path.split("?")[0], body, path);
        if (key) seen.set(key, found);
      }
      if (method === "POST" && fake.loses > 0) {
        fake.loses--;
        throw new TypeError("Failed to fetch");
      }
      if (path.split("?")[0].endsWith("/next")) await fake.slow;
      if (found instanceof ArrayBuffer) return reply(200, found, { "X-Lapwing-Event": String(fake.events.length) });
      const [status, content] = found as [number, unknown];
      return reply(status, content);
    },
  };
  const status = () => ({
    answers: fake.labels.size, classes: ["a", "b"], counts: {}, audits: 0, audit_errors: 0, error: null, bound: 1,
    confidence: 0.95, target_error: 0.1, advice: { stop: false, words: "" }, answers_left: null, curve: [],
    people: [], agreement: { kappa: null, pairs: 0 }, disagreements: [], event: fake.events.length,
  });
  const question = (index: number) => ({
    question: String(index), number: index, node: `n${index}`, index, audit: fake.audit, blind: fake.audit, reason: "ranked first",
    guess: fake.audit ? null : "a", confidence: fake.audit ? null : 0.8, top: [], attributes: {}, neighbors: [],
  });
  function answered(method: string, path: string, body: any, whole: string): unknown {
    const last = path.split("/").pop();
    if (last === "labels" && method === "POST") {
      for (const { node, label } of body.answers) {
        if (label === "refused") return [422, { error: { code: "invalid", message: "no such class" } }];
        fake.labels.set(node, label);
        fake.events.push(`${node}=${label}`);
      }
      return [200, { saved: body.answers, was: null, status: status() }];
    }
    if (last === "withdraw") {
      for (const node of body.nodes) {
        fake.labels.delete(node);
        fake.events.push(`${node}-`);
      }
      return [200, { nodes: body.nodes, status: status() }];
    }
    if (last === "skip") return (fake.events.push(`${body.node}?`), [200, {}]);
    if (last === "next") {
      const open = Array.from({ length: NODES }, (_, i) => i).filter((i) => !fake.labels.has(`n${i}`) && !fake.events.includes(`n${i}?`));
      return [200, { questions: open.slice(0, Number(new URLSearchParams(whole.split("?")[1]).get("k"))).map(question), held: [] }];
    }
    if (last === "ask") return [200, question(Number(body.node.slice(1)))];
    if (last === "status") return [200, status()];
    if (last === "answers") return [200, { answers: [...fake.labels].map(([node, label]) => ({ node, label, by: "ada" })) }];
    if (last === "map") return new ArrayBuffer(4 * NODES);
    if (last === "layout") return new Float32Array(2 * NODES).buffer;
    if (last === "edges") return new Uint32Array(2).buffer;
    if (last === "nodes") {
      const wanted = new URLSearchParams(whole.split("?")[1]).get("index")!.split(",").map(Number);
      return [200, { nodes: wanted.map((index) => ({ node: `n${index}`, index, attributes: {} })) }];
    }
    if (path === "/graphs/g") return [200, { graph: "g", name: "g", nodes: NODES, edges: 1, components: 1, columns: [], notes: [] }];
    return [200, { session: fake.session, name: "digits", graph: "g" }];
  }
  return fake;
}
