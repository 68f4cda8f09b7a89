// The page's port: fetch and server-sent events.
import { checked } from "./api";
import type { Port, Reply, ServerEvent } from "./port";

const PAUSE = 1000;
const PERSON = "lapwing:person";
const TOKEN = "lapwing:token";

function remembered(key: string): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

export function fetchPort(base = "/v1"): Port {
  const where = new URL(location.href);
  const given = where.searchParams.get("person");
  if (given !== null) localStorage.setItem(PERSON, given);
  const secret = new URLSearchParams(where.hash.slice(1)).get("token");
  if (secret) {
    localStorage.setItem(TOKEN, secret);
    history.replaceState(null, "", where.pathname + where.search);
  }
  const port: Port = {
    session: where.searchParams.get("session") ?? "",
    person: given ?? remembered(PERSON),
    place: location.origin,
    open(session) {
      location.href = session ? `?session=${encodeURIComponent(session)}` : location.pathname;
    },
    async call(method, path, body, headers = {}): Promise<Reply> {
      const form = body instanceof FormData;
      const kind: Record<string, string> = body === undefined || form ? {} : { "Content-Type": "application/json" };
      const reply = await fetch(base + path, {
        method,
        headers: { ...signed(port), ...kind, ...headers },
        body: body === undefined ? undefined : form ? body : JSON.stringify(body),
      });
      return told(reply);
    },
    listen(path, hear, live) {
      const end = new AbortController();
      void listened(base + path, () => signed(port), hear, live, end.signal);
      return () => end.abort();
    },
    async download(path) {
      const link = document.createElement("a");
      link.download = "";
      link.href = base + path;
      if (remembered(TOKEN)) {
        // A link carries no token: the file is fetched and offered from here.
        const reply = await fetch(base + path, { headers: signed(port) });
        await checked(told(reply));
        link.download = reply.headers.get("Content-Disposition")?.match(/filename="([^"]+)"/)?.[1] ?? named(path);
        link.href = URL.createObjectURL(await reply.blob());
      }
      link.click();
      if (link.href.startsWith("blob:")) setTimeout(() => URL.revokeObjectURL(link.href), PAUSE);
    },
    sign(token) {
      localStorage.setItem(TOKEN, token);
      location.reload();
    },
  };
  return port;
}

const told = (reply: Response): Reply => ({
  status: reply.status,
  headers: reply.headers,
  json: () => reply.json(),
  text: () => reply.text(),
  bytes: () => reply.arrayBuffer(),
});

/** The name of a file from its address: labels?format=csv is labels.csv, export is log.jsonl. */
export function named(path: string): string {
  const [address, asked = ""] = path.split("?");
  const format = new URLSearchParams(asked).get("format");
  return format ? `${address.split("/").pop()}.${format}` : "log.jsonl";
}

function signed(port: Port): Record<string, string> {
  const token = remembered(TOKEN);
  return { ...(port.person ? { "X-Lapwing-Person": port.person } : {}), ...(token ? { Authorization: `Bearer ${token}` } : {}) };
}

/** Server-sent events by fetch, which can carry a token where EventSource cannot; resumes by itself. */
async function listened(
  address: string,
  headers: () => Record<string, string>,
  hear: (event: ServerEvent) => void,
  live: (open: boolean) => void,
  ended: AbortSignal,
): Promise<void> {
  let last = "";
  while (!ended.aborted) {
    try {
      const resume: Record<string, string> = last ? { "Last-Event-ID": last } : {};
      const reply = await fetch(address, { headers: { ...headers(), ...resume, Accept: "text/event-stream" }, signal: ended });
      if (!reply.ok || !reply.body) throw new Error(String(reply.status));
      live(true);
      const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        const parts = (rest + value).split("\n\n");
        rest = parts.pop()!;
        for (const part of parts) {
          const event = eventOf(part);
          if (!event) continue;
          last = String(event.id);
          hear(event);
        }
      }
    } catch {
      /* tried again below */
    }
    if (ended.aborted) return;
    live(false);
    await new Promise((later) => setTimeout(later, PAUSE));
  }
}

/** One event of the stream; null for a comment. */
export function eventOf(text: string): ServerEvent | null {
  const fields: Record<string, string> = {};
  for (const line of text.split("\n")) {
    const at = line.indexOf(":");
    if (at > 0) fields[line.slice(0, at)] = (fields[line.slice(0, at)] ?? "") + line.slice(at + 1).replace(/^ /, "");
  }
  if (fields.data === undefined) return null;
  return { id: Number(fields.id ?? 0), kind: fields.event ?? "message", data: JSON.parse(fields.data) };
}
