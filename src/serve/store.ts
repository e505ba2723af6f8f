/**
 * `HostStore`: the port to whatever keeps many runs. It knows nothing of what a run does: it keeps lines,
 * rows and what was said, tells who owns a run and until when, and lets nobody else append.
 *
 * A run is due by what stands in the store, never by a word that somebody was to give: something that was
 * said waits, a moment has come, or its owner's time is over. So no wake can be lost.
 */
import type { Json } from "../core/kernel/index.js";
import type { JournalPort, JournalPosition, RunRow } from "../runtime/for-hosts.js";
import type { Answer } from "./run-host.js";

/** The place of a run. */
export interface RunPlace {
  /** "" for none. */
  readonly tenant: string;
  readonly id: string;
}

/** Something that was said to a run, and that no driver has taken yet. */
export interface Mail {
  /** The sender's name for it, of this run alone. */
  readonly key: string;
  readonly word: Json;
}

/** The standing of something that was said. */
export type Posted =
  | { readonly type: "waits" }
  | { readonly type: "answered"; readonly answer: Answer }
  /** There is no such run, or nothing is known of the key. */
  | { readonly type: "missing" }
  | { readonly type: "parked"; readonly fault: Fault };

/** The reason why a run does not go on. */
export interface Fault {
  readonly code: string;
  readonly message: string;
}

/** A run that a host owns. */
export interface Held {
  readonly place: RunPlace;
  /** Each owner has a higher one than those before. */
  readonly epoch: number;
  /** The owners before this one, since it last made progress, that failed or were gone. */
  readonly tries: number;
  /** Why the last one failed, where it said so. */
  readonly fault?: Fault | undefined;
}

/** Lines for a journal of the run. */
export interface Appended {
  /** One that `journal` of the store gave, or that such a one leads to. */
  readonly journal: JournalPort;
  readonly lines: readonly string[];
  /** The end that is expected. */
  readonly at: JournalPosition;
}

/** Everything that an owner changes at once. */
export interface Change {
  /** Of this change alone: a change that is asked for again is done once. */
  readonly token: string;
  readonly append?: Appended | undefined;
  /** The run's row behind the lines. */
  readonly row?: RunRow | undefined;
  /** Answers to what was taken or refused: it waits no more. */
  readonly answers?: readonly Answer[] | undefined;
  /** An attempt has come to something: the tries are counted anew. */
  readonly progress?: boolean | undefined;
  /** The owner lets go of the run. */
  readonly release?: Release | undefined;
  /** Money that was spent since the last change, and on which day (UTC, as `2026-01-31`). */
  readonly spent?: { readonly day: string; readonly amount: number } | undefined;
}

/** How a run is let go of. */
export interface Release {
  /** Milliseconds after which it is due again; absent where it waits for what is said. */
  readonly wakeIn?: number | undefined;
  /** It failed. */
  readonly fault?: Fault | undefined;
  /** It is not tried again, until `unpark`. */
  readonly park?: boolean | undefined;
}

/** Something that others may want to know of at once. Any may be lost, doubled or late. */
export type Hint =
  | { readonly type: "mail" | "lines"; readonly place: RunPlace }
  | { readonly type: "delta"; readonly place: RunPlace; readonly delta: Json };

/** The store of a host. Times in it are by its own clock; hosts only give durations. */
export interface HostStore {
  /** For people: "memory". */
  readonly name: string;
  /**
   * Makes it ready, and proves that of two owners one is excluded.
   * @throws ReckonerError `host.exclusion`, `store.version`
   */
  open(): Promise<void>;
  /** The run's first journal, for reading, snapshots, links and rewinds. */
  journal(place: RunPlace): JournalPort;
  /**
   * Keeps something that was said. The same key is kept once.
   * @param begins it makes the run, where there is none
   */
  post(place: RunPlace, mail: Mail, begins: boolean): Promise<Posted>;
  /** Tells what became of something that was said; an answer is kept for an hour. */
  answer(place: RunPlace, key: string): Promise<Posted>;
  /**
   * Makes a host the owner of runs that are due and owned by nobody, or by one whose time is over.
   * @param owner the host, by a name that no other has or had
   * @param most so many runs
   */
  claim(owner: string, leaseMs: number, most: number): Promise<readonly Held[]>;
  /** Prolongs a host's time on all that it owns. @returns what that is */
  renew(owner: string, leaseMs: number): Promise<readonly Held[]>;
  /** What waits at the runs that a host owns, in the order in which it came; of each at most 64. */
  mail(
    owner: string,
  ): Promise<readonly { readonly place: RunPlace; readonly mail: readonly Mail[] }[]>;
  /**
   * Changes a run, all of it or nothing.
   * @returns false where somebody else owns it: nothing is changed then
   * @throws ReckonerError `journal.conflict` where its journal ends elsewhere; what the store throws, and then
   * nobody knows if it was done
   */
  commit(owner: string, held: Pick<Held, "place" | "epoch">, change: Change): Promise<boolean>;
  /** The row of a run at the end of its journal, as the last change with one left it. */
  row(place: RunPlace): Promise<HostedState | undefined>;
  /** Lines of a run's journal from a number on: some of them, and none only where there are none. */
  lines(journal: JournalPort, from: number): Promise<readonly string[]>;
  /** The runs of a tenant. */
  list(tenant: string, options: ListOptions): Promise<ListPage>;
  /** A parked run may be tried again. @returns false where there is no such run */
  unpark(place: RunPlace): Promise<boolean>;
  /** The money that a tenant has spent on a day. */
  spent(tenant: string, day: string): Promise<number>;
  /** Forgets answers whose hour is over. */
  sweep(): Promise<void>;
  /** Tells all hosts. Never throws. */
  tell(hint: Hint): void;
  /** Hears what is told. @returns stops hearing */
  listen(hear: (hint: Hint) => void): () => void;
}

/** A run as the store has it. */
export interface HostedState {
  /** Absent where it has no lines yet. */
  readonly row?: RunRow | undefined;
  readonly fault?: Fault | undefined;
  readonly parked: boolean;
}

/** The runs that are wanted. */
export interface ListOptions {
  readonly status?: RunRow["status"] | readonly RunRow["status"][] | undefined;
  readonly reasoner?: string | undefined;
  readonly person?: string | undefined;
  readonly tag?: string | undefined;
  /** A text that stands in the title, the last words, a tag or the public data, in letters of either case. */
  readonly search?: string | undefined;
  /** Default 100, at most 1 000. */
  readonly limit?: number | undefined;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
}

/** A page of a list. */
export interface ListPage {
  /** The newest last event first. */
  readonly runs: readonly (RunRow & { readonly id: string })[];
  readonly next?: string | undefined;
}

/** Milliseconds for which answers are kept. */
export const ANSWER_MS = 3_600_000;
/** Things said that are handed to an owner at once, of one run. */
export const MAIL_AT_ONCE = 64;
