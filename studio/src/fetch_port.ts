// The page's port: fetch and server-sent events.
import type { Port, Reply, ServerEvent } from "./port";

const KINDS = ["labels", "skip", "withdraw", "class", "grow", "lease", "asked", "status"];
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
      const sent = new Headers(headers);
      if (port.person) sent.set("X-Lapwing-Person", port.person);
      const token = remembered(TOKEN);
      if (token) sent.set("Authorization", `Bearer ${token}`);
      const form = body instanceof FormData;
      if (body !== undefined && !form) sent.set("Content-Type", "application/json");
      const reply = await fetch(base + path, {
        method,
        headers: sent,
        body: body === undefined ? undefined : form ? body : JSON.stringify(body),
      });
      return {
        status: reply.status,
        headers: reply.headers,
        json: () => reply.json(),
        text: () => reply.text(),
        bytes: () => reply.arrayBuffer(),
      };
    },
    listen(path, hear, live) {
      const token = remembered(TOKEN);
      const asked = new URLSearchParams();
      if (port.person) asked.set("person", port.person);
      if (token) asked.set("token", token);
      const source = new EventSource(`${base}${path}${asked.size ? `?${asked}` : ""}`);
      source.onopen = () => live(true);
      source.onerror = () => live(false);
      const heard = (event: MessageEvent) =>
        hear({ id: Number(event.lastEventId), kind: event.type, data: parsed(event.data) } satisfies ServerEvent);
      for (const kind of KINDS) source.addEventListener(kind, heard);
      return () => source.close();
    },
    download(path) {
      const link = document.createElement("a");
      link.href = base + path;
      link.download = "";
      link.click();
    },
  };
  return port;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
