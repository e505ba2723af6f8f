/**
 * The ports: the interfaces through which the interpreter reaches models, stores, journals and the
 * clock. Adapters implement them, tests script them.
 */

import * as shapes from "../../core/kernel/shapes.js";
import type { Json } from "../../core/kernel/values/index.js";
import type {
  AssistantPart,
  EffectError,
  FinishReason,
  LlmDirective,
  Message,
  ProviderOptions,
  ToolContext,
  Usage,
} from "../../core/kernel/vocabulary/index.js";
import type { RunRow } from "./run-row.js";

/** Time. Tests use a virtual clock. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Wakes after a time; the function that it returns takes that back. */
  setTimer(ms: number, wake: () => void): () => void;
  /** Resolves after a time, or rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Opens a sealed text.
 * @param sealed with its prefix, `sealed:`
 */
export type Unseal = (sealed: string) => string | Promise<string>;

/** A model request as a directive holds it, its List flattened. */
export type ModelRequest = Omit<LlmDirective, "type" | "id" | "messages"> & {
  readonly messages: readonly Message[];
};

/** A piece of an answer that is still being written. For observers; never journalled. */
export interface Delta {
  readonly type: "text" | "reasoning" | "tool-input";
  readonly text: string;
  /** Of a tool's input: the call that is being written, by the provider's id, and its tool. */
  readonly toolCallId?: string;
  readonly toolName?: string;
}

/** The circumstances of a model call, beside its request. */
export interface ModelCall {
  readonly runId: string;
  /** Of the directive. */
  readonly id: string;
  /** Counted from 1. */
  readonly attempt: number;
  /** Of the run and the directive: the same for each attempt, before and after a crash. */
  readonly idempotencyKey: string;
  /** The handle that a process kept of this attempt which is gone: it goes on where that was. */
  readonly handle?: Json | undefined;
  /** Keeps what a later process needs to go on with this attempt, as a tool's context does. */
  readonly keep?: ToolContext["keep"] | undefined;
  readonly signal: AbortSignal;
  /** Tells observers what has streamed in; never waits and never throws. */
  onDelta(delta: Delta): void;
  /**
   * Tells observers, once in a run for each text, what of a request the model does not read as it was
   * said: a notice `request.mended`. Never waits and never throws.
   */
  readonly onNotice?: ((message: string) => void) | undefined;
}

/** A model's answer. */
export interface ModelResponse {
  readonly content: readonly AssistantPart[];
  readonly finishReason: FinishReason;
  /** `requests` may be left out; it counts as 1. */
  readonly usage: shapes.Options<Partial<Usage>>;
  readonly model?: string | undefined;
  readonly responseId?: string | undefined;
  /** The provider's metadata of the whole answer, recorded with it. */
  readonly providerMetadata?: ProviderOptions | undefined;
  readonly warnings?: readonly Json[] | undefined;
}

/** A port that can say that it cannot be called. */
export interface Readiness {
  /**
   * Returns what is missing (a key, a package), if anything is. Called by `run` and `resume` before they
   * take an event or write one: they reject with `port.notReady`, and no decision is used up.
   */
  readonly ready?: (() => string | undefined | Promise<string | undefined>) | undefined;
}

/** A model. An error fails the call; a {@link ModelError} says if it is worth trying again. */
export interface ModelPort extends Readiness {
  /** For people: "openai:gpt-4o-mini", "scripted". */
  readonly name: string;
  /**
   * Calls the model once. If it throws, only a {@link ModelError} that is `transient` is retried.
   */
  generate(request: ModelRequest, call: ModelCall): Promise<ModelResponse>;
}

/** The reason why a model call failed, as data; the interpreter retries one that is `transient`. */
export class ModelError extends Error {
  readonly error: EffectError;
  constructor(error: shapes.Options<EffectError>, options?: ErrorOptions) {
    super(error.message, options);
    this.name = "ModelError";
    this.error = shapes.defined(error);
  }
}

/** The circumstances of a read from a store, beside its query. */
export interface StoreRead {
  readonly signal: AbortSignal;
}

/** The circumstances of a write to a store, beside its operations. */
export interface StoreWrite {
  readonly signal: AbortSignal;
  /**
   * The same key with the same operations has no second effect and gives the first result; with
   * other operations it is refused as `store.key`. A store remembers it in the same transaction.
   */
  readonly idempotencyKey: string;
}

/**
 * A store: a decision graph, a memory, a notebook. It defines its own queries, operations and
 * values; all are JSON. `storeLaws` of `reckoner/testing` tests a decision store.
 */
export interface StorePort extends Readiness {
  /** For people: "memory", the path of a file. */
  readonly name: string;
  /** Answers a query. A store that fails must throw, and not return an empty answer. */
  read(query: Json, call: StoreRead): Promise<Json>;
  /** Carries out operations: all take effect or none does. */
  write(operations: readonly Json[], call: StoreWrite): Promise<Json>;
  /**
   * The number of times that a call is repeated which threw, or took too long; default 0. A refusal of
   * the store with a stable code (a `ReckonerError` other than `port.failed`) is not.
   */
  readonly retries?: number | undefined;
  /** The time that a call may take, in milliseconds; default 30 000. */
  readonly timeoutMs?: number | undefined;
  /**
   * True when it remembers idempotency keys; default true. A run repeats a write that had begun and not
   * settled at a crash, under the same key. With false it begins once: an attempt that a crash or a
   * timeout leaves settles as `write.failed` with `store.unknown`.
   */
  readonly idempotent?: boolean | undefined;
}

/** A place in a journal: how many lines, and how many bytes, come before it. */
export interface JournalPosition {
  readonly lines: number;
  readonly bytes: number;
}

/** A journal somewhere: in memory, in a file, in a database. */
export interface JournalPort {
  /** For people: the path, or "memory". */
  readonly name: string;
  /** False where the journal goes with the process: nobody can resume it, so that nothing is worth waiting for. */
  readonly lasts?: boolean | undefined;
  /** The tenant whose journal it is, where its database has tenants: "" for none. */
  readonly tenant?: string | undefined;
  /**
   * Opens the journal for writing; there is only one writer (J3).
   * @throws ReckonerError `journal.locked`, `journal.exists` (create), `journal.missing` (append)
   */
  open(mode: "create" | "append"): Promise<JournalWriter>;
  /**
   * The bytes from a position on, as they are when it is called, whether or not the journal is
   * being written.
   * @throws ReckonerError `journal.missing`, `journal.unreadable`, when the first bytes are asked
   * for
   */
  read(from?: number): AsyncIterable<Uint8Array>;
  /** A text by which this journal refers to another, for a run that continues it. */
  link?(to: JournalPort): string;
  /** The journal to which such a text refers. */
  follow?(link: string): JournalPort | undefined;
  /** Snapshots, where the port keeps them; any of them may be lost at any time. */
  readonly snapshots?: SnapshotStore;
  /** The journal of a fork, by its name, if the caller gives none. */
  fork?(name: string): JournalPort;
  /** Notes beside the journal, where the port keeps them: its head, its checkpoints, its forks. */
  readonly notes?: JournalNotes;
  /**
   * A note of where the journal ended once, where the port keeps one: for a port whose lines can be lost behind its
   * back. A journal that is shorter is refused (`journal.short`).
   */
  readonly endNote?: JournalEndNote;
}

/** One short text beside a journal, for its end. */
export interface JournalEndNote {
  /** @returns `undefined` where there is none */
  read(): Promise<string | undefined>;
  /** Replaces it. Called when the lines that it is about are durable; it need not be durable itself. */
  write(text: string): Promise<void>;
}

/** The kinds of notes beside a journal. */
export type NoteKind = "head" | "checkpoints" | "forks";

/**
 * Small texts beside a journal, which change nothing in it. They are listed without a lock; whoever
 * replaces one holds the journal open for writing.
 */
export interface JournalNotes {
  /** All notes of a kind, in no order; what is there and cannot be read is an empty text. */
  list(kind: NoteKind): Promise<readonly string[]>;
  /**
   * Keeps a note, whole or not at all; it is durable when this resolves.
   * @param before the text that it replaces; absent where there must be none of that name
   * @returns false where something else is there: nothing is changed then
   */
  write(kind: NoteKind, name: string, text: string, before: string | undefined): Promise<boolean>;
  /** Removes one; none there is no error. */
  remove(kind: NoteKind, name: string): Promise<void>;
}

/** The one writer of a journal. */
export interface JournalWriter {
  /**
   * Appends lines (without their newlines). They are durable when this resolves: all of them, in
   * order, or an unterminated rest of them that a reader drops.
   * @param expected where the writer believes that the journal ends; a torn rest behind it is cut
   * @param row of the run behind these lines, for a writer that has `row`: kept with them or not at all
   * @throws ReckonerError `journal.conflict` where it ends elsewhere, `journal.write`
   */
  append(lines: readonly string[], expected: JournalPosition, row?: RunRow): Promise<void> | void;
  /**
   * Of a port that keeps an index of runs: the run's row as it is at the journal's end, or `null` where
   * the index has none of this end. Then each append is given the row that it leads to.
   */
  readonly row?: RunRow | null;
  /** Closes the journal; called once. A run that has ended has ended, whatever this throws. */
  close(): Promise<void>;
}

/** A snapshot that is kept: of which event, and how large it is. */
export interface StoredSnapshot {
  readonly seq: number;
  /** Bytes. */
  readonly size: number;
}

/** The snapshots of a journal, by the sequence number of their last event, and the rows that they share. */
export interface SnapshotStore {
  /** Lists the kept snapshots, by sequence number. */
  list(): Promise<readonly StoredSnapshot[]>;
  /** @returns `undefined` where there is none */
  read(seq: number): Promise<string | undefined>;
  /**
   * Keeps a text, and before it rows that are not kept yet, by their names (letters, digits, `-` and `_`).
   * @returns the size of the text in bytes
   */
  write(seq: number, text: string, rows: ReadonlyMap<string, string>): Promise<number>;
  /** Removes one; none there is no error. */
  remove(seq: number): Promise<void>;
  /** The rows that are kept, by their names. */
  rows(): Promise<ReadonlyMap<string, string>>;
  /** Removes all rows but these. */
  keepRows(names: ReadonlySet<string>): Promise<void>;
}
