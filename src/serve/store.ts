/**
 * `HostStore`: the port to whatever keeps many runs. It knows nothing of what a run does: it keeps lines,
 * rows and what was said, tells who owns a run and until when, and lets nobody else append.
 *
 * A run is due by what stands in the store, never by a word that somebody was to give: something that was
 * said waits, a moment has come, or its owner's time is over. So no wake can be lost.
 */
import type { Json } from "../core/kernel/values/index.js";
import type { BlobPort, JournalPort, JournalPosition, RunRow } from "../runtime/for-hosts.js";
import type { HostRow } from "./host-row.js";
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

/** Something that is said to a run. */
export interface NewMail extends Mail {
  /**
   * A digest of what is said and who says it. It is kept as long as the key is known: whoever comes with the same
   * key and another mark says something else.
   */
  readonly mark: string;
}

/** The standing of something that was said. */
export type Posted =
  | { readonly type: "waits" }
  | { readonly type: "answered"; readonly answer: Answer }
  /** There is no such run, or nothing is known of the key. A start: others share lines of a run that was removed. */
  | { readonly type: "missing" }
  /** Something else was said under the key. */
  | { readonly type: "other" }
  | { readonly type: "parked"; readonly fault: Fault };

/** Returns true if a mark is not the one that is kept. @param kept undefined or "" where none is: it was said before there were marks */
export function isOther(kept: string | undefined, mark: string | undefined): boolean {
  return kept !== undefined && kept !== "" && mark !== undefined && kept !== mark;
}

/** The reason why a run does not go on. */
export interface Fault {
  readonly code: string;
  readonly message: string;
}

/** Characters of the lines that a store gives at once, unless one alone has more. */
export const LINES_LENGTH: number = 256 * 1024;

/** Returns as many lines, from a number on, as are given at once. */
export function linesFrom(all: readonly string[], from: number): readonly string[] {
  let [until, length] = [from, 0];
  while (until < all.length && (until === from || length < LINES_LENGTH)) {
    length += (all[until] as string).length;
    until += 1;
  }
  return all.slice(from, until);
}

/** The reason of a parked run of which no owner said one. */
export const NO_REASON: Fault = {
  code: "run.parked",
  message: "Its processes ended again and again.",
};

/** A run that a host owns. */
export interface Held {
  readonly place: RunPlace;
  /** Each owner has a higher one than those before. */
  readonly epoch: number;
  /** The owners before this one, since it last made progress, that failed or were gone. */
  readonly tries: number;
  /** The reason of the last failure, where it is known. */
  readonly fault?: Fault | undefined;
  /**
   * The token of the run's last change, where nobody has written to its journal beside its owners, and its head was
   * never moved. The owner that made that change has the run as it is.
   */
  readonly unchanged?: string | undefined;
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
  /** The run goes on elsewhere from here on: the note of its head, and the one that it replaces. */
  readonly head?: MovedHead | undefined;
  /** The run's row behind the lines. */
  readonly row?: HostRow | undefined;
  /** Answers to what was taken or refused: it waits no more. */
  readonly answers?: readonly Answer[] | undefined;
  /** An attempt has come to something: the tries are counted anew. */
  readonly progress?: boolean | undefined;
  /** The owner lets go of the run. */
  readonly release?: Release | undefined;
  /** Money that was spent since the last change, and on which day (UTC, as `2026-01-31`). */
  readonly spent?: { readonly day: string; readonly amount: number } | undefined;
}

/** The head of a run, as it is noted beside its first journal. */
export interface MovedHead {
  readonly text: string;
  /** Absent where there is none. */
  readonly before?: string | undefined;
}

/** How a run is let go of. */
export interface Release {
  /** Milliseconds after which it is due again; absent where it waits for what is said. */
  readonly wakeIn?: number | undefined;
  /** It failed. */
  readonly fault?: Fault | undefined;
  /** It is not tried again, until `unpark`. */
  readonly park?: boolean | undefined;
  /** It never began: it is no run, and is forgotten with its answers, unless it is started before. */
  readonly gone?: boolean | undefined;
}

/** Something that others may want to know of at once. Any may be lost, doubled or late. */
export type Hint =
  /** `wanted`: somebody looks at what streams in, and has not all of it. */
  | { readonly type: "mail" | "lines" | "wanted"; readonly place: RunPlace }
  | { readonly type: "delta"; readonly place: RunPlace; readonly delta: Json };

/** The store of a host. Times in it are by its own clock; hosts only give durations. */
export interface HostStore {
  /** For people: "memory". */
  readonly name: string;
  /** The store of its runs' files, for the option `blobs` of a host. */
  readonly blobs?: BlobPort | undefined;
  /**
   * Makes it ready, and proves that of two owners one is excluded.
   * @throws ReckonerError `host.exclusion`, `store.version`
   */
  open(): Promise<void>;
  /** The run's first journal, for reading, snapshots, links and rewinds. */
  journal(place: RunPlace): JournalPort;
  /**
   * Keeps something that was said. The same key is kept once; with another mark it is `other`.
   * @param begins it makes the run, where there is none
   */
  post(place: RunPlace, mail: NewMail, begins: boolean): Promise<Posted>;
  /**
   * Tells what became of something that was said; an answer is kept for an hour.
   * @param mark of what is asked for; another one under the key is `other`. Default: whatever has the key
   */
  answer(place: RunPlace, key: string, mark?: string): Promise<Posted>;
  /**
   * Makes a host the owner of runs that are due and owned by nobody, or by one whose time is over.
   * @param owner the host, by a name that no other has or had
   * @param most so many runs
   * @param without tenants whose runs are left alone. Default: none
   */
  claim(
    owner: string,
    leaseMs: number,
    most: number,
    without?: readonly string[],
  ): Promise<readonly Held[]>;
  /** Prolongs a host's time on all that it owns. @returns what that is */
  renew(owner: string, leaseMs: number): Promise<readonly Held[]>;
  /**
   * Returns the mail that waits at the runs that a host owns, of each in the order in which it came and at most 64,
   * and in all only as long as what was taken before is less than 16 MiB. The first of each run stands before the
   * second of any, and small before large: a run at which much waits is in no other's way.
   */
  mail(
    owner: string,
  ): Promise<readonly { readonly place: RunPlace; readonly mail: readonly Mail[] }[]>;
  /**
   * Changes a run, all of it or nothing.
   * @returns false where somebody else owns it: nothing is changed then
   * @throws ReckonerError `journal.conflict` where its journal ends elsewhere, or its head was moved; what the store throws, and then
   * nobody knows if it was done
   */
  commit(owner: string, held: Pick<Held, "place" | "epoch">, change: Change): Promise<boolean>;
  /** The row of a run at the end of its journal, as the last change with one left it. */
  row(place: RunPlace): Promise<HostedState | undefined>;
  /**
   * Lines of a run's journal from a number on: the first, and further ones as far as all of them have some
   * `LINES_LENGTH` characters; none only where there are none.
   */
  lines(journal: JournalPort, from: number): Promise<readonly string[]>;
  /** The runs of a tenant. */
  list(tenant: string, options: ListOptions): Promise<ListPage>;
  /** A parked run may be tried again. @returns false where there is no such run */
  unpark(place: RunPlace): Promise<boolean>;
  /** The money that a tenant has spent on a day. */
  spent(tenant: string, day: string): Promise<number>;
  /** Forgets answers whose hour is over, and runs that never began with the last of theirs. */
  sweep(): Promise<void>;
  /** Tells all hosts. Never throws. */
  tell(hint: Hint): void;
  /** Hears what is told. @returns stops hearing */
  listen(hear: (hint: Hint) => void): () => void;
}

/** A run as the store has it. */
export interface HostedState {
  /** Absent where it has no lines yet. */
  readonly row?: HostRow | undefined;
  readonly fault?: Fault | undefined;
  readonly parked: boolean;
}

/** The runs that are wanted. */
export interface ListOptions {
  readonly status?: RunRow["status"] | readonly RunRow["status"][] | undefined;
  /** The id of their reasoner. */
  readonly reasoner?: string | undefined;
  readonly person?: string | undefined;
  readonly tag?: string | undefined;
  /** A text that stands in the title, the last words, a tag or the public data, in letters of either case. */
  readonly search?: string | undefined;
  /** The number of runs on a page. Default 100, at most 1 000. */
  readonly limit?: number | undefined;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
}

/** A page of a list. */
export interface ListPage {
  /** The newest last event first. */
  readonly runs: readonly (HostRow & { readonly id: string })[];
  readonly next?: string | undefined;
}

/** Milliseconds for which answers are kept. */
export const ANSWER_KEPT_MS = 3_600_000;
/** Things said that are handed to an owner at once, of one run. */
export const MAIL_AT_ONCE = 64;
/** Bytes of what is read at once: of lines, or of what was said; the last of it may go beyond. */
export const BYTES_AT_ONCE: number = 16 * 1024 * 1024;
