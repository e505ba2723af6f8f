/**
 * Sends hints of a host (mail came, lines were written, text streams) to other processes by Postgres's
 * NOTIFY, several in one statement, and receives those of others. A hint may be lost (behind a pooler LISTEN
 * breaks, unnoticed), so processes that wait for one also look into the store.
 */
import { digestOf } from "../../core/kernel/values/index.js";
import type { Hint } from "../../serve/for-stores.js";
import type { PostgresClient } from "./client.js";

/** The part of a pool that gives a connection of its own for listening. */
interface Pool extends PostgresClient {
  readonly options?: { readonly max?: number };
  readonly totalCount?: number;
}

interface Listener extends PostgresClient {
  on(event: string, listener: (note: { readonly payload?: string }) => void): unknown;
  release(destroy?: boolean): void;
}

/** Milliseconds for which hints are gathered. */
const GATHER_MS = 10;
/** Letters of a notification, of at most three bytes each; the server takes less than 8 000 bytes. */
const MOST = 2_400;
/** Hints that wait to be told; what comes behind them is lost. */
const MAX_WAITING = 2_000;
/** Texts of others that have come in part. */
const MAX_PARTS = 64;
/** Milliseconds before a listener that was lost is replaced. */
const AGAIN_MS = 5_000;
/** A proof of exclusion takes two connections of a pool: one that has no more listens to nobody. */
const LEAST = 3;

/** A part of what a process tells. */
interface Part {
  readonly from: string;
  readonly text: number;
  readonly part: number;
  readonly parts: number;
  readonly piece: string;
}

/** Tells hints to other processes, and hears theirs. */
export class Hints {
  readonly #client: Pool;
  readonly #channel: string;
  /** By which a process knows its own words again. */
  readonly #self: string = globalThis.crypto.randomUUID();
  #hints: string[] = [];
  #texts = 0;
  readonly #parts = new Map<string, (string | undefined)[]>();
  #isGathering = false;
  readonly #hearing = new Set<(hint: Hint) => void>();
  #listener: Listener | undefined;
  #again: ReturnType<typeof setTimeout> | undefined;
  #isOpening = false;

  constructor(client: PostgresClient, schema: string) {
    this.#client = client;
    this.#channel = `reckoner_${digestOf(schema)}`;
  }

  /** Tells all other processes, perhaps. */
  tell(hint: Hint): void {
    const text = JSON.stringify(hint);
    // One that is told already says nothing new.
    if (this.#hints.length >= MAX_WAITING || this.#hints.includes(text)) return;
    this.#hints.push(text);
    if (this.#isGathering) return;
    this.#isGathering = true;
    setTimeout(() => void this.#send(), GATHER_MS).unref();
  }

  async #send(): Promise<void> {
    while (this.#hints.length > 0) {
      const text = `[${this.#hints.splice(0).join(",")}]`;
      const parts = Math.ceil(text.length / MOST);
      this.#texts += 1;
      for (let part = 0; part < parts; part++) {
        const piece = text.slice(part * MOST, (part + 1) * MOST);
        const note: Part = { from: this.#self, text: this.#texts, part, parts, piece };
        const payload = JSON.stringify(note);
        const sent = this.#client.query("SELECT pg_notify($1, $2)", [this.#channel, payload]);
        // It is lost where it cannot be told.
        await sent.catch(() => undefined);
      }
    }
    this.#isGathering = false;
  }

  /** Hears what others tell. @returns stops hearing */
  listen(hear: (hint: Hint) => void): () => void {
    this.#hearing.add(hear);
    void this.#open();
    return () => {
      this.#hearing.delete(hear);
      if (this.#hearing.size === 0) this.#close();
    };
  }

  async #open(): Promise<void> {
    const { options } = this.#client;
    const isPool = "totalCount" in this.#client && (options?.max ?? LEAST) >= LEAST;
    if (!isPool || this.#isOpening || this.#listener !== undefined) return;
    this.#isOpening = true;
    let taken: Listener | undefined;
    try {
      const own = (await this.#client.connect?.()) as Listener;
      taken = own;
      own.on("notification", ({ payload }) => this.#heard(payload));
      own.on("error", () => this.#lost(own));
      own.on("end", () => this.#lost(own));
      await own.query(`LISTEN "${this.#channel}"`);
      this.#listener = own;
    } catch {
      taken?.release(true);
      this.#later();
    }
    this.#isOpening = false;
    if (this.#hearing.size === 0) this.#close();
  }

  #lost(listener: Listener): void {
    if (this.#listener !== listener) return;
    this.#listener = undefined;
    listener.release(true);
    this.#later();
  }

  #later(): void {
    clearTimeout(this.#again);
    this.#again = setTimeout(() => {
      if (this.#hearing.size > 0) void this.#open();
    }, AGAIN_MS).unref();
  }

  #close(): void {
    clearTimeout(this.#again);
    const listener = this.#listener;
    this.#listener = undefined;
    // It listens to the end: nobody else is to have it.
    listener?.release(true);
  }

  #heard(payload: string | undefined): void {
    let hints: readonly Hint[];
    try {
      const text = this.#whole(JSON.parse(payload ?? "") as Part);
      if (text === undefined) return;
      hints = JSON.parse(text) as readonly Hint[];
    } catch {
      return;
    }
    for (const hint of hints) for (const hear of [...this.#hearing]) hear(hint);
  }

  /** @returns a text all parts of which have come, of another process */
  #whole({ from, text, part, parts, piece }: Part): string | undefined {
    if (from === this.#self) return undefined;
    if (parts === 1) return piece;
    const key = `${from} ${text}`;
    const found = this.#parts.get(key) ?? new Array<string | undefined>(parts).fill(undefined);
    found[part] = piece;
    this.#parts.set(key, found);
    if (!found.includes(undefined)) {
      this.#parts.delete(key);
      return found.join("");
    }
    const [oldest] = this.#parts.keys();
    if (this.#parts.size > MAX_PARTS && oldest !== undefined) this.#parts.delete(oldest);
    return undefined;
  }
}
