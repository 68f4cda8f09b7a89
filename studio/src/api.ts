// The service's requests by name, over any port.
import { Refusal, type Explanation, type GraphInfo, type Held, type Port, type Question, type Reply, type Status, type Answer, type OddAnswer, type SessionInfo } from "./port";

export async function checked(reply: Reply): Promise<Reply> {
  if (reply.status < 400) return reply;
  let code = String(reply.status);
  let message = `The server answered ${reply.status}.`;
  try {
    const found = (await reply.json()).error;
    code = found?.code ?? code;
    message = found?.message ?? message;
  } catch {
    /* no JSON: the status says it */
  }
  throw new Refusal(reply.status, code, message);
}

export type NodeInfo = { node: string; index: number; attributes: Record<string, unknown> };
const at = (name: string) => encodeURIComponent(name);

export function api(port: Port) {
  const get = async (path: string) => checked(await port.call("GET", path));
  const json = async (path: string) => (await get(path)).json();
  const post = async (path: string, body?: unknown, key?: string) =>
    (await checked(await port.call("POST", path, body, key ? { "Idempotency-Key": key } : {}))).json();
  const session = () => `/sessions/${at(port.session)}`;
  return {
    post,
    sessionPath: session,
    graph: (graph: string): Promise<GraphInfo> => json(`/graphs/${at(graph)}`),
    session: (): Promise<SessionInfo> => json(session()),
    sessions: async (): Promise<SessionInfo[]> => listed(await json("/sessions"), "sessions"),
    /** The places of all nodes; `progress` hears how far a layout under way has come, with the places so far if they are new. */
    async layout(graph: string, progress: (share: number, places: Float32Array | null) => void): Promise<Float32Array> {
      let done = 0;
      for (;;) {
        const reply = await get(`/graphs/${at(graph)}/layout?after=${done}`);
        if (reply.status !== 202) return new Float32Array(await reply.bytes());
        const share = Number(reply.headers.get("X-Lapwing-Progress") ?? 0);
        const isNew = reply.headers.get("Content-Type")?.startsWith("application/octet-stream") ?? false;
        progress(share, isNew ? new Float32Array(await reply.bytes()) : null);
        done = Math.max(done, share);
        await new Promise((later) => setTimeout(later, 400));
      }
    },
    async edges(graph: string): Promise<Uint32Array> {
      return new Uint32Array(await (await get(`/graphs/${at(graph)}/edges`)).bytes());
    },
    async edgesAround(graph: string, node: string): Promise<[number, number][]> {
      return (await json(`/graphs/${at(graph)}/edges?around=${at(node)}`)).edges;
    },
    async nodes(graph: string, indices: number[]): Promise<NodeInfo[]> {
      return (await json(`/graphs/${at(graph)}/nodes?index=${indices.join(",")}`)).nodes;
    },
    async search(graph: string, words: string): Promise<{ node: string; index: number; title?: string }[]> {
      return (await json(`/graphs/${at(graph)}/search?q=${at(words)}`)).nodes;
    },
    async next(k: number): Promise<{ questions: Question[]; held: Held[] }> {
      const found = await json(`${session()}/next?k=${k}`);
      return { ...found, questions: found.questions.map(current) };
    },
    ask: async (node: string, blind = false): Promise<Question> => current(await post(`${session()}/ask`, { node, blind })),
    odd: async (): Promise<OddAnswer[]> => listed(await json(`${session()}/odd`), "odd"),
    status: (): Promise<Status> => json(`${session()}/status`),
    async map(): Promise<{ bytes: ArrayBuffer; event: number }> {
      const reply = await get(`${session()}/map`);
      return { bytes: await reply.bytes(), event: Number(reply.headers.get("X-Lapwing-Event") ?? 0) };
    },
    explain: (node: string): Promise<Explanation> => json(`${session()}/explain?node=${at(node)}`),
    async truth(): Promise<Uint16Array> {
      return new Uint16Array(await (await get(`${session()}/truth`)).bytes());
    },
    answers: async (): Promise<Answer[]> => listed(await json(`${session()}/answers`), "answers"),
    predictions: (nodes: string[]): Promise<any> => json(`${session()}/predictions?nodes=${nodes.map(at).join(",")}`),
    renew: (questions: unknown[]) => post(`${session()}/leases`, { questions }),
    target: (target_error: number) => post(`${session()}/target`, { target_error }),
    digits: (): Promise<GraphInfo> => post("/examples/digits"),
    createGraph: (form: FormData): Promise<GraphInfo> => post("/graphs", form),
    createSession: (wish: Record<string, unknown>): Promise<SessionInfo> => post("/sessions", wish),
    /** Adds what files hold: the server reads them as it reads any graph, then this one grows by that. */
    async grow(graph: string, form: FormData): Promise<GraphInfo> {
      const read: GraphInfo = await post("/graphs", form);
      return post(`/graphs/${at(graph)}/grow`, { added: read.graph }, crypto.randomUUID());
    },
  };
}
export type Api = ReturnType<typeof api>;

/** The guess as it is now: the one that was recorded with the question may be a few answers old. */
function current(question: Question): Question {
  const best = question.top[0];
  return best && !question.blind ? { ...question, guess: best.label, confidence: best.probability } : question;
}

function listed(found: any, key: string): any[] {
  return Array.isArray(found) ? found : (found[key] ?? []);
}
