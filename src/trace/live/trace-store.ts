/** The interface of a trace store: over journals, an index, or a database. */
import {
  isReckonerError,
  maskCredentials,
  messageOf,
  ReckonerError,
} from "../../core/kernel/index.js";
import type { TraceEvent, TraceFilter } from "../pure/index.js";

/** A run that a store knows of. */
export interface TracedRunInfo {
  readonly runId: string;
  /** Id of the reasoner. */
  readonly agentId: string;
  readonly session: string;
  /** Run id of the run that started it. */
  readonly parent?: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly events: number;
  readonly ended: boolean;
  /** Where its journal lies, for people. */
  readonly journal?: string;
}

/** Something that a store cannot read, while it can read the rest. */
export interface Unread {
  /** What it is: a journal's name. */
  readonly name: string;
  readonly error: ReckonerError;
}

/** The answer of a store. */
export interface TraceContents {
  readonly events: readonly TraceEvent[];
  readonly runs: readonly TracedRunInfo[];
  /** The part that could not be read. */
  readonly unread: readonly Unread[];
}

/** The arguments of a store beside the question. */
export interface TraceCall {
  readonly signal?: AbortSignal | undefined;
}

/**
 * A store of traces. If it cannot be reached it must throw, and not return an empty answer. It may
 * ignore the filter, but must not return less than what matches.
 */
export interface TraceStore {
  /** For people: a path, an address. */
  readonly name: string;
  /** All runs, of their events those that fit a filter, and what could not be read. */
  read(filter: TraceFilter, call: TraceCall): Promise<TraceContents>;
}

/** Returns true for the answer of a store, as far as it is put together. */
function isContents(given: unknown): given is TraceContents {
  const { events, runs, unread } = (given ?? {}) as { readonly [part: string]: unknown };
  const isEvent = (each: Partial<TraceEvent> | null | undefined) =>
    [each?.id, each?.type, each?.runId].every((part) => typeof part === "string");
  return [events, runs, unread].every(Array.isArray) && (events as []).every(isEvent);
}

/** Asks a store. @throws ReckonerError `trace.unreachable`, or the store's own */
export async function askTraces(
  store: TraceStore,
  filter: TraceFilter,
  call: TraceCall,
): Promise<TraceContents> {
  try {
    const contents = await store.read(filter, call);
    if (!isContents(contents)) throw new Error("what it gave is not what a store of traces gives");
    return contents;
  } catch (thrown) {
    if (isReckonerError(thrown)) throw thrown;
    throw new ReckonerError(
      "trace.unreachable",
      `The traces in ${store.name} cannot be read: ${maskCredentials(messageOf(thrown))}. Nothing is known of them, not even whether there are any.`,
      { place: store.name, cause: thrown },
    );
  }
}
