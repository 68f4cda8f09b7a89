// Answers wait here, on disk, until the server has acknowledged them; they leave in the order they came.
import { Refusal } from "./port";

export interface Letter {
  key: string;
  place: string;
  session: string;
  path: string;
  body: unknown;
  by: string;
  order?: number;
  /** When it is on disk. */
  kept?: Promise<unknown>;
}
export interface Sent {
  letter: Letter;
  reply: any;
}

const LETTERS = "letters";
const WAITS = [250, 500, 1000, 2000, 4000];

function opened(): Promise<IDBDatabase> {
  return new Promise((done, failed) => {
    const wish = indexedDB.open("lapwing", 1);
    wish.onupgradeneeded = () => wish.result.createObjectStore(LETTERS, { keyPath: "order", autoIncrement: true });
    wish.onsuccess = () => done(wish.result);
    wish.onerror = () => failed(wish.error);
  });
}

function finished(transaction: IDBTransaction): Promise<void> {
  return new Promise((done, failed) => {
    transaction.oncomplete = () => done();
    transaction.onabort = transaction.onerror = () => failed(transaction.error);
  });
}

export interface OutboxOptions {
  place: string;
  session: string;
  send(letter: Letter): Promise<any>;
  sent(news: Sent): void;
  refused(letter: Letter, why: Refusal): void;
  /** Hears how many letters wait, and whether the last try failed. */
  changed(waiting: number, offline: boolean): void;
}

export class Outbox {
  private letters: Letter[] = [];
  private database: IDBDatabase | null = null;
  private sending: Promise<void> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  private ended = false;
  offline = false;
  lastTry: number | null = null;

  constructor(private options: OutboxOptions) {}

  get waiting(): Letter[] {
    return this.letters;
  }

  /** Takes up what an earlier visit left, and begins to send. */
  async open(): Promise<void> {
    this.database = await opened();
    const found = await new Promise<Letter[]>((done, failed) => {
      const wish = this.database!.transaction(LETTERS).objectStore(LETTERS).getAll();
      wish.onsuccess = () => done(wish.result);
      wish.onerror = () => failed(wish.error);
    });
    const mine = found.filter((each) => each.place === this.options.place && each.session === this.options.session);
    this.letters = [...mine, ...this.letters.filter((each) => each.order === undefined)];
    this.tell();
    void this.pump();
  }

  /** Keeps a letter and sends it at the same time: its key makes a second sending harmless. Resolves when it is on disk. */
  async post(path: string, body: unknown, by: string): Promise<Letter> {
    const { place, session } = this.options;
    const letter: Letter = { key: crypto.randomUUID(), place, session, path, body, by };
    if (this.database) letter.kept = this.keep(this.database, { ...letter }).then((order) => (letter.order = order));
    this.letters.push(letter);
    this.tell();
    void this.pump();
    await letter.kept;
    return letter;
  }

  private async keep(database: IDBDatabase, letter: Letter): Promise<number> {
    const transaction = database.transaction(LETTERS, "readwrite", { durability: "strict" } as never);
    const wish = transaction.objectStore(LETTERS).add(letter);
    await finished(transaction);
    return wish.result as number;
  }

  /** Sends now what waits, for example when the browser says that it is online again. */
  hurry(): void {
    this.failures = 0;
    void this.pump();
  }

  close(): void {
    this.ended = true;
    clearTimeout(this.timer);
    this.database?.close();
  }

  private pump(): Promise<void> {
    this.sending ??= this.sendAll().finally(() => (this.sending = null));
    return this.sending;
  }

  private async sendAll(): Promise<void> {
    clearTimeout(this.timer);
    while (this.letters.length && !this.ended) {
      const letter = this.letters[0];
      this.lastTry = Date.now();
      let reply: any;
      try {
        reply = await this.options.send(letter);
      } catch (problem) {
        if (problem instanceof Refusal && problem.status < 500 && problem.status !== 429 && problem.status !== 408) {
          this.remove(letter);
          this.options.refused(letter, problem);
          continue;
        }
        this.offline = !(problem instanceof Refusal && problem.status === 429);
        this.tell();
        this.timer = setTimeout(() => void this.pump(), WAITS[Math.min(this.failures++, WAITS.length - 1)]);
        return;
      }
      this.failures = 0;
      this.offline = false;
      this.remove(letter);
      this.options.sent({ letter, reply });
    }
  }

  /** Forgets a letter that the server has; from the disk as soon as it is there. */
  private remove(letter: Letter): void {
    this.letters.shift();
    this.tell();
    void this.forget(letter);
  }

  private async forget(letter: Letter): Promise<void> {
    try {
      await letter.kept;
      if (!this.database || letter.order === undefined) return;
      const transaction = this.database.transaction(LETTERS, "readwrite");
      transaction.objectStore(LETTERS).delete(letter.order);
      await finished(transaction);
    } catch {
      /* it is sent once more at the next visit, which changes nothing */
    }
  }

  private tell(): void {
    this.options.changed(this.letters.length, this.offline);
  }
}
