// The state of one session on the screen, and everything a person can do to it.
import { batch, computed, signal } from "@preact/signals";
import { api, type Api } from "./api";
import { UNKNOWN } from "./colours";
import { drawn, leisure } from "./frames";
import { Outbox, type Letter, type Sent } from "./outbox";
import { Refusal, type Answer, type GraphInfo, type Held, type Port, type Question, type ServerEvent, type Status } from "./port";
import { reserve, type Reserve } from "./reserve";
import { texts } from "./texts";

export const ANSWERED = 1;
export const MODES = ["prediction", "confidence", "labels", "person", "disagreement", "truth"] as const;
export type Mode = (typeof MODES)[number];
export type Dialog = "" | "search" | "export" | "keys" | "people" | "columns" | "why";
export interface MapState {
  classes: Uint16Array;
  confidence: Uint8Array;
  flags: Uint8Array;
  event: number;
}
/** One thing a person did, newest last; `nodes` has several after a lasso. */
export interface Deed {
  nodes: string[];
  indices: number[];
  label: string;
  question: Question | null;
  before: string | null;
}
export interface Notice {
  kind: "calm" | "amber" | "red";
  title: string;
  words: string;
  /** The answer that this speaks of, so that what it changed can be added when it is known. */
  node?: string;
}

const ALL_EDGES = 20_000;
const AHEAD = 3;
const HEARD = 150;
/** Milliseconds after an answer until the map is coloured: more where drawing takes long, so that typing stays quick. */
const SOON = 60;
const LATE = 1000;
const LOST = "lapwing:seen";

export class Studio {
  readonly api: Api;
  readonly graph = signal<GraphInfo | null>(null);
  readonly status = signal<Status | null>(null);
  readonly places = signal<Float32Array | null>(null);
  readonly arranging = signal<number | null>(null);
  readonly edges = signal<Uint32Array>(new Uint32Array());
  readonly around = signal<[number, number][]>([]);
  readonly map = signal<MapState | null>(null);
  readonly queue = signal<Question[]>([]);
  readonly held = signal<Held[]>([]);
  /** What is known of nodes beside the question, by number: fetched once. */
  readonly faces = signal<Record<number, Record<string, unknown>>>({});
  readonly answers = signal<Answer[]>([]);
  readonly done = signal<Deed[]>([]);
  readonly undone = signal<Deed[]>([]);
  readonly notice = signal<Notice | null>(null);
  readonly problem = signal<string>("");
  /** The server wants a token that is not here. */
  readonly unsigned = signal(false);
  readonly refused = signal<string[]>([]);
  readonly offline = signal(false);
  readonly live = signal(false);
  readonly waiting = signal(0);
  /** Questions kept for when the server is away. */
  readonly reserved = signal(0);
  readonly exhausted = signal(false);
  readonly dialog = signal<Dialog>("");
  readonly mode = signal<Mode>("prediction");
  readonly truth = signal<Uint16Array | null>(null);
  readonly yesNo = signal(false);
  readonly saidNo = signal(false);
  readonly begun = signal(false);
  readonly stopDismissed = signal<number | null>(null);
  readonly lassoing = signal(false);
  readonly selected = signal<number[]>([]);
  readonly listed = signal(false);
  readonly filter = signal("");
  /** A field for the name of a new class is open. */
  readonly naming = signal(false);
  readonly lookAt = signal(-1);
  readonly question = computed<Question | null>(() => this.queue.value[0] ?? null);
  readonly classes = computed(() => this.status.value?.classes ?? []);
  /** The node whose guess must stay hidden everywhere, or -1. */
  readonly blind = computed(() => (this.question.value?.blind ? this.question.value.index : -1));
  readonly firstVisit = computed(() => !this.begun.value && this.status.value?.answers === 0 && this.waiting.value === 0 && !!this.graph.value?.nodes);
  /** Answers saved and waiting: what the person has given so far. */
  readonly given = computed(() => this.status.value?.answers ?? 0);

  private outbox: Outbox;
  private reserve: Reserve;
  private silence: () => void = () => {};
  private mapTimer: ReturnType<typeof setTimeout> | undefined;
  private fetching = false;
  /** Questions were wanted while others were on their way. */
  private again = false;
  /** Nodes whose answer or skip the server may not have had when it was last asked for questions: the reply may still have them. */
  private passed = new Set<string>();
  private ended = false;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private seen = 0;
  /** The answered node whose notice will say how many nodes changed colour, once that is known. */
  private toTell = "";
  /** Milliseconds that the map's last drawing took. */
  private drawing = 0;

  constructor(readonly port: Port) {
    this.api = api(port);
    this.reserve = reserve(this.api);
    this.outbox = new Outbox({
      place: port.place,
      session: port.session,
      send: (letter) => this.send(letter),
      sent: (news) => this.sent(news),
      refused: (letter, why) => this.wasRefused(letter, why),
      changed: (waiting, offline) => {
        this.waiting.value = waiting;
        if (offline) this.away(); // back again: an answer got through, or the line is open
      },
    });
  }

  get lastTry(): number | null {
    return this.outbox.lastTry;
  }

  /** Fetches everything and begins to listen; tries again by itself while the server is away. */
  async start(): Promise<void> {
    try {
      await this.outbox.open();
    } catch {
      this.problem.value = ""; // no IndexedDB (a private window): answers wait in memory
    }
    await this.load();
    addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
  }

  close(): void {
    this.ended = true;
    this.silence();
    this.outbox.close();
    clearTimeout(this.retry);
    removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
  }

  private hurry = () => {
    if (!document.hidden) this.outbox.hurry();
  };

  private async load(): Promise<void> {
    try {
      const session = await this.api.session();
      const [graph, status] = await Promise.all([this.api.graph(session.graph), this.api.status()]);
      batch(() => {
        this.graph.value = graph;
        this.status.value = status;
        this.problem.value = "";
        this.offline.value = false;
        this.begun.value = this.begun.value || status.answers > 0 || this.remembered(LOST) !== null;
      });
      this.seen = status.event;
      this.silence = this.port.listen(`${this.api.sessionPath()}/events?after=${status.event}`, this.hear, (open) => this.line(open));
      await Promise.all([this.fill(), this.draw(), this.recount()]);
      void this.stock(graph.graph);
    } catch (problem) {
      if (this.ended) return;
      if (problem instanceof Refusal && problem.status < 500) {
        this.unsigned.value = problem.status === 401;
        this.problem.value = problem.message;
        return;
      }
      this.offline.value = true;
      this.problem.value = texts.notice.retry(texts.notice.broken);
      this.retry = setTimeout(() => void this.load(), 1000);
    }
  }

  private remembered(key: string): string | null {
    try {
      return localStorage.getItem(`${key}:${this.port.session}`);
    } catch {
      return null;
    }
  }

  begin(): void {
    this.begun.value = true;
    try {
      localStorage.setItem(`${LOST}:${this.port.session}`, "1");
    } catch {
      /* it is shown again next time */
    }
  }

  private async draw(): Promise<void> {
    const graph = this.graph.value!;
    const [places] = await Promise.all([
      this.api.layout(graph.graph, (share, soFar) => {
        this.arranging.value = share;
        if (soFar) this.places.value = soFar;
      }),
      this.recolour(),
    ]);
    batch(() => {
      this.places.value = places;
      this.arranging.value = null;
    });
    if (graph.edges <= ALL_EDGES) this.edges.value = await this.api.edges(graph.graph);
  }

  /** Fetches predictions for the whole map; returns how many nodes changed colour. With `idle`, keys come first. */
  async recolour(idle = false): Promise<number> {
    const { bytes, event } = await this.api.map();
    if (idle) await leisure();
    const n = bytes.byteLength / 4;
    const next: MapState = {
      classes: new Uint16Array(bytes, 0, n),
      confidence: new Uint8Array(bytes, 2 * n, n),
      flags: new Uint8Array(bytes, 3 * n, n),
      event,
    };
    const before = this.map.value;
    let changed = 0;
    if (before && before.classes.length === n)
      for (let i = 0; i < n; i++) if (before.classes[i] !== next.classes[i]) changed++;
    const began = performance.now();
    this.map.value = next;
    void drawn().then(() => (this.drawing = performance.now() - began));
    return changed;
  }

  /** Colours the map by something else; the truth is fetched when it is asked for. */
  async colourBy(mode: Mode): Promise<void> {
    this.mode.value = mode;
    if (mode !== "truth") return;
    try {
      this.truth.value = await this.api.truth();
    } catch (problem) {
      this.notice.value = { kind: "amber", title: (problem as Error).message, words: "" };
    }
  }

  /** Colours the map a moment from now; `node` was answered, and its notice tells what that changed. */
  private recolourSoon(node?: string): void {
    clearTimeout(this.mapTimer);
    if (node) this.toTell = node;
    this.mapTimer = setTimeout(async () => {
      try {
        const changed = await this.recolour(true);
        const [node, notice] = [this.toTell, this.notice.value];
        this.toTell = "";
        if (node && notice?.node === node && notice.kind === "calm")
          this.notice.value = { ...notice, words: `${texts.notice.changed(changed)} ${notice.words}` };
        const graph = this.graph.value;
        if (graph) void this.stock(graph.graph);
      } catch {
        /* the next answer or event colours it */
      }
    }, Math.min(Math.max(SOON, 2 * this.drawing), LATE));
  }

  /** Fetches questions until a few are ahead; open ones come back first. */
  async fill(): Promise<void> {
    this.again = this.fetching;
    if (this.fetching) return;
    this.fetching = true;
    this.passed = new Set(this.nodesWaiting());
    try {
      const found = await this.api.next(AHEAD);
      batch(() => {
        this.held.value = found.held ?? [];
        const waiting = new Set([...this.nodesWaiting(), ...this.passed]);
        const fresh = found.questions.filter((each) => !waiting.has(each.node));
        const now = this.queue.value[0];
        const kept = now && !waiting.has(now.node) ? [fresh.find((each) => each.node === now.node) ?? now] : [];
        const rest = fresh.filter((each) => each.node !== kept[0]?.node);
        const was = this.queue.value[0]?.node;
        this.queue.value = [...kept, ...rest];
        this.exhausted.value = this.queue.value.length === 0 && found.questions.length === 0;
        if (this.queue.value[0] && this.queue.value[0].node !== was) this.shown();
      });
      void this.look(this.queue.value.flatMap((each) => each.neighbors.map((near) => near.index)));
    } catch (problem) {
      if (problem instanceof Refusal && problem.status < 500) this.problem.value = problem.message;
      else this.away();
      this.again = false;
    } finally {
      this.fetching = false;
    }
    if (this.again) void this.fill();
  }

  /** Fetches what is known of nodes, those that are not here yet. */
  async look(indices: number[]): Promise<void> {
    const graph = this.graph.value;
    const missing = [...new Set(indices)].filter((index) => index >= 0 && !(index in this.faces.value));
    if (!graph || !graph.columns.length || !missing.length) return;
    try {
      const found = await this.api.nodes(graph.graph, missing.slice(0, 200));
      this.faces.value = { ...this.faces.value, ...Object.fromEntries(found.map((each) => [each.index, each.attributes])) };
    } catch {
      /* names stand where pictures would */
    }
  }

  /** Nodes whose answers or skips are on their way; an answer taken back again is not. */
  private nodesWaiting(): string[] {
    const found = new Set<string>();
    for (const letter of this.outbox.waiting) {
      const body = letter.body as { answers?: { node: string }[]; node?: string; nodes?: string[] };
      for (const each of body.answers ?? []) found.add(each.node);
      if (body.node) found.add(body.node);
      for (const node of body.nodes ?? []) found.delete(node);
    }
    return [...found];
  }

  private shown(): void {
    this.saidNo.value = false;
    this.naming.value = false;
    this.filter.value = "";
    const graph = this.graph.value;
    const question = this.question.value;
    this.around.value = question ? question.neighbors.map((each) => [question.index, each.index]) : [];
    if (!question || !graph || graph.edges <= ALL_EDGES) return;
    this.api.edgesAround(graph.graph, question.node).then(
      (edges) => {
        if (this.question.value?.node === question.node) this.around.value = edges;
      },
      () => {},
    );
  }

  private advance(): void {
    batch(() => {
      const [gone, ...rest] = this.queue.value;
      if (gone) this.passed.add(gone.node);
      this.queue.value = rest;
      this.shown();
      this.restock();
    });
  }

  /** Fetches questions for when the server is away. */
  private async stock(graph: string): Promise<void> {
    await this.reserve.fill(graph, this.map.value);
    this.reserved.value = this.reserve.size;
  }

  /** Offline and out of questions: one from the reserve. */
  private restock(): void {
    if (this.queue.value.length > 0 || !this.offline.value || this.exhausted.value) return;
    const taken = new Set([...this.done.value.flatMap((deed) => deed.nodes), ...this.nodesWaiting()]);
    const local = this.reserve.take(taken);
    if (!local) return;
    const { kind, sure } = known(this.map.value, local.index, -1);
    const label = this.classes.value[kind];
    this.queue.value = [label ? { ...local, guess: label, confidence: sure, top: [{ label, probability: sure }] } : local];
    this.shown();
  }

  private away(): void {
    this.offline.value = true;
    this.restock();
  }

  /** Answers the question on the card. */
  async answer(label: string): Promise<void> {
    const question = this.question.value;
    if (!question || !label) return;
    this.begin();
    const deed: Deed = { nodes: [question.node], indices: [question.index], label, question, before: this.standing(question.node) };
    const kept = this.outbox.post(
      "labels",
      { answers: [{ node: question.node, label, ...(question.question === null ? {} : { question: question.question }) }] },
      this.port.person,
    );
    batch(() => {
      this.did(deed);
      this.undone.value = [];
      this.notice.value = {
        kind: "calm",
        title: this.offline.value ? texts.notice.kept(label) : texts.notice.saved(label),
        words: texts.notice.takeBack,
        node: question.node,
      };
      this.advance();
    });
    await kept;
  }

  /** Labels many nodes at once; they teach but are no spot checks. */
  async answerMany(indices: number[], label: string): Promise<void> {
    const graph = this.graph.value!;
    const names: string[] = [];
    for (let from = 0; from < indices.length; from += 200)
      names.push(...(await this.api.nodes(graph.graph, indices.slice(from, from + 200))).map((each) => each.node));
    const deed: Deed = { nodes: names, indices, label, question: null, before: null };
    await this.outbox.post("labels", { answers: names.map((node) => ({ node, label })), known: true }, this.port.person);
    batch(() => {
      this.did(deed);
      this.undone.value = [];
      this.selected.value = [];
      this.queue.value = this.queue.value.filter((each) => !names.includes(each.node));
      this.notice.value = { kind: "calm", title: texts.notice.saved(label), words: texts.notice.takeBack, node: names[0] };
    });
    void this.fill();
  }

  private did(deed: Deed): void {
    this.done.value = [...this.done.value.slice(-199), deed];
  }

  private standing(node: string): string | null {
    return this.answers.value.findLast((each) => each.node === node && this.mine(each.by))?.label ?? null;
  }

  mine(by: string): boolean {
    return by === (this.port.person || "me");
  }

  accept(): void {
    const question = this.question.value;
    if (question?.guess && !question.blind) void this.answer(question.guess);
  }

  async skip(unsure: boolean): Promise<void> {
    const question = this.question.value;
    if (!question) return;
    const kept = this.outbox.post("skip", { node: question.node, unsure }, this.port.person);
    this.notice.value = { kind: "calm", title: texts.notice.skipped(question.node), words: "" };
    this.advance();
    await kept;
  }

  /** Takes back the last thing done here, and asks about it again. */
  async undo(): Promise<void> {
    const deed = this.done.value.at(-1) ?? this.earlier();
    if (!deed) return;
    const kept = this.outbox.post("withdraw", { nodes: deed.nodes }, this.port.person);
    batch(() => {
      this.done.value = this.done.value.slice(0, -1);
      this.answers.value = this.answers.value.filter((each) => !(deed.nodes.includes(each.node) && this.mine(each.by)));
      this.undone.value = [...this.undone.value, deed];
      this.notice.value = { kind: "calm", title: texts.notice.undone(shownNodes(deed)), words: "" };
      for (const node of deed.nodes) this.passed.delete(node);
      if (deed.question) {
        this.queue.value = [deed.question, ...this.queue.value.filter((each) => each.node !== deed.nodes[0])];
        this.shown();
      }
    });
    await kept;
    if (!deed.question && deed.nodes.length === 1) await this.askAbout(deed.nodes[0]);
  }

  /** My latest answer from before this page was opened. */
  private earlier(): Deed | null {
    const last = this.answers.value.findLast((each) => this.mine(each.by));
    return last ? { nodes: [last.node], indices: [last.index ?? -1], label: last.label, question: null, before: null } : null;
  }

  async redo(): Promise<void> {
    const deed = this.undone.value.at(-1);
    if (!deed) return;
    const known = deed.nodes.length > 1;
    const kept = this.outbox.post(
      "labels",
      { answers: deed.nodes.map((node) => ({ node, label: deed.label })), ...(known ? { known } : {}) },
      this.port.person,
    );
    batch(() => {
      this.undone.value = this.undone.value.slice(0, -1);
      this.did(deed);
      this.notice.value = { kind: "calm", title: texts.notice.redone(shownNodes(deed), deed.label), words: "" };
      if (this.question.value?.node === deed.nodes[0]) this.advance();
    });
    await kept;
  }

  /** Puts one node on the card. */
  async askAbout(node: string, blind = false): Promise<void> {
    try {
      const question = await this.api.ask(node, blind);
      batch(() => {
        this.begin();
        this.queue.value = [question, ...this.queue.value.filter((each) => each.node !== node)];
        this.lookAt.value = question.index;
        this.notice.value = null;
        this.shown();
      });
      void this.look(question.neighbors.map((near) => near.index));
    } catch (problem) {
      this.notice.value = { kind: "amber", title: (problem as Error).message, words: "" };
    }
  }

  /** Offers a file; says why where it may not be had. */
  async download(path: string): Promise<void> {
    try {
      await this.port.download(path);
    } catch (problem) {
      this.dialog.value = "";
      this.notice.value = { kind: "amber", title: (problem as Error).message, words: "" };
    }
  }

  async goOn(target: number): Promise<void> {
    this.stopDismissed.value = this.status.value?.target_error ?? null;
    try {
      await this.api.target(target);
      this.status.value = await this.api.status();
    } catch (problem) {
      this.notice.value = { kind: "amber", title: (problem as Error).message, words: "" };
    }
  }

  /** Adds the nodes and edges of a file that was dropped on the page. */
  async grow(form: FormData, name: string): Promise<void> {
    const before = this.graph.value!;
    this.notice.value = { kind: "calm", title: texts.grow.reading(name), words: "" };
    try {
      const after = await this.api.grow(before.graph, form);
      this.notice.value = { kind: "calm", title: texts.grow.done(after.nodes - before.nodes, after.edges - before.edges), words: "" };
      await this.reload();
    } catch (problem) {
      this.notice.value = { kind: "red", title: (problem as Error).message, words: "" };
    }
  }

  private async reload(): Promise<void> {
    const graph = await this.api.graph((await this.api.session()).graph);
    this.graph.value = graph;
    this.faces.value = {};
    this.status.value = await this.api.status();
    await this.draw();
    await this.fill();
  }

  private async send(letter: Letter): Promise<any> {
    const path = `${this.api.sessionPath()}/${letter.path}`;
    return this.api.post(path, letter.body, letter.key);
  }

  private sent({ letter, reply }: Sent): void {
    if (this.offline.value) this.offline.value = false;
    const body = letter.body as { answers?: { node: string; label: string }[] };
    const node = body.answers?.[0]?.node;
    const was = reply?.was;
    const notice = this.notice.value;
    if (node && notice?.node === node && was?.audit && was.guess) {
      const said = was.guess === body.answers![0].label ? texts.notice.wasRight : texts.notice.wasWrong;
      this.notice.value = { ...notice, words: `${said(was.guess, was.confidence ?? 0)} ${notice.words}` };
    }
    if (body.answers) this.told(body.answers);
    if (this.outbox.waiting.length > 1) return;
    void this.fill();
    this.recolourSoon(node);
    void this.recount(!body.answers);
  }

  private told(answers: { node: string; label: string }[]): void {
    const by = this.port.person || "me";
    const nodes = new Set(answers.map((each) => each.node));
    const others = this.answers.value.filter((each) => !(nodes.has(each.node) && each.by === by));
    const again = this.answers.value.length - others.length;
    const status = this.status.value;
    batch(() => {
      this.answers.value = [...others, ...answers.map((each) => ({ ...each, by }))];
      // The number is known here; the bound comes with the next status.
      if (status) this.status.value = { ...status, answers: status.answers + nodes.size - again };
    });
  }

  private wasRefused(letter: Letter, why: Refusal): void {
    this.refused.value = [...this.refused.value, why.message];
    const body = letter.body as { answers?: { node: string }[] };
    const nodes = new Set(body.answers?.map((each) => each.node));
    this.done.value = this.done.value.filter((deed) => !deed.nodes.some((node) => nodes.has(node)));
    void this.fill();
  }

  private line(open: boolean): void {
    this.live.value = open;
    if (open) {
      this.offline.value = false;
      this.outbox.hurry();
      if (this.queue.value.length < AHEAD) void this.fill();
    } else if (this.graph.value) {
      this.away();
    }
  }

  private heardTimer: ReturnType<typeof setTimeout> | undefined;
  private hear = (event: ServerEvent): void => {
    if (event.id && event.id <= this.seen) return;
    if (event.id) this.seen = event.id;
    if (event.kind === "grow") {
      void this.reload();
      return;
    }
    clearTimeout(this.heardTimer);
    this.heardTimer = setTimeout(() => {
      if (this.waiting.value > 0) return; // my own answers refresh the page when they are in
      void this.recount();
      this.recolourSoon();
      if (event.kind === "lease") void this.fill();
    }, HEARD);
  };

  /** Fetches the numbers of the foot and, unless only mine are new, everybody's answers. */
  async recount(everybody = true): Promise<void> {
    try {
      const [status, answers] = await Promise.all([this.api.status(), everybody ? this.api.answers() : null]);
      batch(() => {
        if (this.waiting.value === 0 || everybody) this.status.value = status;
        if (answers) this.answers.value = answers;
      });
    } catch {
      /* the numbers stay as they were; the chip says that the server is away */
    }
  }
}

export function shownNodes(deed: Deed): string {
  return deed.nodes.length === 1 ? deed.nodes[0] : `${texts.number(deed.nodes.length)} nodes`;
}

/** What the map knows of one node, for a reader who must not see a guess during a spot check. */
export function known(map: MapState | null, index: number, audited: number): { kind: number; sure: number; answered: boolean } {
  if (!map || index >= map.classes.length || index < 0) return { kind: UNKNOWN, sure: 0, answered: false };
  const answered = (map.flags[index] & ANSWERED) !== 0;
  if (index === audited && !answered) return { kind: UNKNOWN, sure: 0, answered };
  return { kind: map.classes[index], sure: map.confidence[index] / 255, answered };
}
