// The notebook's port: requests and events travel as messages of the widget's model.
import { checked } from "./api";
import { named } from "./fetch_port";
import type { Port, Reply, ServerEvent } from "./port";

export interface Model {
  get(name: string): any;
  send(content: any, callbacks?: unknown, buffers?: ArrayBuffer[]): void;
  on(event: string, hear: (content: any, buffers: DataView[]) => void): void;
  off(event: string, hear: (content: any, buffers: DataView[]) => void): void;
}

const PATIENCE = 30_000;

export function modelPort(model: Model): { port: Port; close: () => void } {
  const waiting = new Map<number, { done: (reply: Reply) => void; failed: (why: Error) => void }>();
  const ears = new Set<(event: ServerEvent) => void>();
  let count = 0;
  const hear = (content: any, buffers: DataView[]) => {
    if (content.event) {
      for (const ear of ears) ear(content.event);
      return;
    }
    const asked = waiting.get(content.id);
    waiting.delete(content.id);
    const body = buffers[0] ?? new DataView(new ArrayBuffer(0));
    const bytes = body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength) as ArrayBuffer;
    const text = () => new TextDecoder().decode(bytes);
    const headers = new Map(Object.entries(content.headers ?? {}).map(([key, value]) => [key.toLowerCase(), String(value)]));
    asked?.done({
      status: content.status,
      headers: { get: (name) => headers.get(name.toLowerCase()) ?? null },
      json: async () => JSON.parse(text()),
      text: async () => text(),
      bytes: async () => bytes,
    });
  };
  model.on("msg:custom", hear);
  const call: Port["call"] = (method, path, body, headers = {}) =>
    new Promise((done, failed) => {
      const id = ++count;
      waiting.set(id, { done, failed });
      setTimeout(() => waiting.delete(id) && failed(new Error("the kernel does not answer")), PATIENCE);
      model.send({ id, method, path, body: body ?? null, headers });
    });
  const port: Port = {
    call,
    session: model.get("session"),
    person: model.get("person") ?? "",
    place: `notebook:${model.get("place")}`,
    open: () => {},
    listen(_path, heard, live) {
      ears.add(heard);
      live(true);
      return () => ears.delete(heard);
    },
    async download(path) {
      const reply = await checked(await call("GET", path));
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([await reply.bytes()]));
      link.download = named(path);
      link.click();
      URL.revokeObjectURL(link.href);
    },
  };
  return { port, close: () => model.off("msg:custom", hear) };
}
