// How the studio talks to its session: the page by fetch and events, a notebook by its widget's model.

export interface Reply {
  status: number;
  headers: { get(name: string): string | null };
  json(): Promise<any>;
  text(): Promise<string>;
  bytes(): Promise<ArrayBuffer>;
}

export interface ServerEvent {
  id: number;
  kind: string;
  data: any;
}

export interface Port {
  /** Sends one request; rejects only when there was no answer at all. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Hears the session's events; `live` says whether the line is open. Returns a function that ends it. */
  listen(path: string, hear: (event: ServerEvent) => void, live: (open: boolean) => void): () => void;
  /** Offers a file for download; rejects where it may not be had. */
  download(path: string): void | Promise<void>;
  /** Shows a token from now on, where tokens are known. */
  sign?(token: string): void;
  /** The session to show; empty: show the start page. */
  session: string;
  /** Opens another session, where that is possible. */
  open(session: string): void;
  /** The name under which this browser answers; empty: as the server knows me. */
  person: string;
  /** Names what is kept in this browser, so that two servers do not share an outbox. */
  place: string;
}

/** The server answered that something is wrong. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export interface Column {
  name: string;
  kind: "text" | "number" | "category" | "link" | "image";
}
export interface GraphInfo {
  graph: string;
  name: string;
  nodes: number;
  edges: number;
  components: number;
  columns: Column[];
  notes: string[];
  /** The true classes are known and can be shown on the map. */
  truth?: boolean;
}
export interface Neighbor {
  node: string;
  index: number;
  label: string | null;
  answered: boolean;
  weight: number;
  confidence?: number | null;
  attributes?: Record<string, unknown>;
}
export interface Question {
  question: string | number | null;
  number: number;
  node: string;
  index: number;
  audit: boolean;
  /** The guess is hidden until it is answered: a spot check, or a second look. */
  blind: boolean;
  reason: string;
  guess: string | null;
  confidence: number | null;
  top: { label: string; probability: number }[];
  attributes: Record<string, unknown>;
  neighbors: Neighbor[];
  lease?: { by: string; until: number | string } | null;
}
export interface Held {
  node: string;
  by: string;
  until: number | string;
}
export interface Recall {
  found: number;
  total: number;
  fewest: number;
  most: number;
  audits: number;
  confidence: number;
  estimate: number;
  lower: number;
  upper: number;
  positive: string[];
  words: string;
}
export interface Status {
  answers: number;
  /** Nodes with a label, and nodes in all. */
  labels?: number;
  nodes?: number;
  classes: string[];
  counts: Record<string, number>;
  audits: number;
  audit_errors: number;
  error: number | null;
  bound: number | null;
  confidence: number;
  target_error: number;
  recall?: Recall | null;
  target_recall?: number | null;
  /** What the session is to certify instead of the error. */
  certified?: { what: string; estimate: number; bound: number; at_most: boolean; target: number; audits: number; words: string } | null;
  advice: { stop: boolean; words: string };
  answers_left: number | null;
  curve: [number, number][];
  people: { by: string; answers: number }[];
  agreement: { kappa: number; pairs: number } | null;
  disagreements: any[];
  event: number;
}
export interface Answer {
  node: string;
  index?: number;
  label: string;
  by: string;
  at?: string | number;
}
/** An answer that the others speak against. */
export interface OddAnswer {
  node: string;
  label: string;
  likelier: string;
  wrong: number;
  by: string[];
}
/** What a guess rests on. */
export interface Explanation {
  node: string;
  label: string | null;
  runner_up: string | null;
  parts: { name: string; share: number }[];
  labels: { node: string; index: number; label: string; share: number }[];
  features: { name: string; effect: number }[];
  neighbors: { node: string; label: string | null; answered: boolean }[];
  note: string;
}
export interface SessionInfo {
  session: string;
  name: string;
  graph: string;
  created?: string;
}
