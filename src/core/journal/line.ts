/**
 * The journal's line format: JSON Lines in a hash chain; a header, then events, marks and upgrades.
 * A line ends in its hash, which covers the file's bytes since the previous hash, so that nothing
 * is stored twice. The limit of a line's length is here.
 */

import type {
  Ignored,
  Reasoner,
  RunChart,
  RunFault,
  RunStatus,
  StateValue,
} from "../kernel/machine/index.js";
import { digestOf, type Json, ReckonerError } from "../kernel/values/index.js";
import type {
  Budget,
  Description,
  RunEvent,
  Settlement,
  Usage,
} from "../kernel/vocabulary/index.js";

/** The format that this version writes and reads. */
export const FORMAT = "reckoner-journal/3";

/** With what every journal begins. */
export const HEADER_START = '{"type":"header",';
/** Longer lines are refused (J6); in UTF-16 units, so never more than 16 MiB of ASCII. */
export const MAX_LINE_LENGTH: number = 16 * 1024 * 1024;
/**
 * Values and directives beyond this length are written in lines of their own before the event's.
 */
export const SPILL_LENGTH: number = 4 * 1024 * 1024;

/** Which run another one goes on from or was forked from: its journal, and up to which event. */
export interface RunLink {
  /** The journal, as named by the port of the journal that refers to it. */
  readonly journal: string;
  readonly runId: string;
  readonly seq: number;
  /** Hash of that event's line, or of an upgrade's behind it. */
  readonly hash: string;
}

/** The configuration of a reasoner: its fingerprint, and its parts for messages. */
export interface Configuration {
  readonly version: number;
  /** Hash of the reasoner's configuration (prompts, tool schemas). */
  readonly fingerprint: string;
  /** Its parts, each with a few letters of its hash. They prove nothing. */
  readonly configuration?: { readonly [part: string]: string };
  /** Fingerprints that the run has left for this one: no upgrade leads back to them. */
  readonly left?: readonly string[];
}

/** The configuration of a reasoner, as a header or an upgrade has it. */
export function configurationOf({
  version,
  fingerprint,
  configuration,
}: Pick<Reasoner, "version" | "fingerprint" | "configuration">): Configuration {
  return { version, fingerprint, configuration };
}

/** The labels of a run, by which it is found in an index. */
export interface Labels {
  /** Whose database it is, where several share one. It never changes. */
  readonly tenant?: string;
  /** For whom it runs. It never changes. */
  readonly person?: string;
  /** An event `run.tagged` replaces them. */
  readonly tags?: readonly string[];
}

/** The chart of a reasoner, as a line has it. */
export function chartOf({ chart }: Pick<Reasoner, "chart">): { readonly chart?: RunChart } {
  return chart === undefined ? {} : { chart };
}

/** The first line: what the run is, and all that its start depends on. */
export interface HeaderLine {
  readonly type: "header";
  readonly format: string;
  readonly runId: string;
  readonly reasoner: { readonly id: string; readonly version: number };
  readonly fingerprint: Configuration["fingerprint"];
  readonly configuration?: Configuration["configuration"];
  /** The chart of its machine. */
  readonly chart?: RunChart;
  /** Path of the config file; a hint, never followed out of the working folder. */
  readonly config?: string;
  readonly at: number;
  readonly seed?: string;
  /** The id of the key with which texts of the run are sealed (`sealed:…`). */
  readonly keyId?: string;
  /** The prepared input (with what the definition adds), redacted. */
  readonly input: Json;
  /** The part of its parent's budget that a child run may spend. */
  readonly budget?: Budget;
  /** The tenant and the person that the run belongs to, and the tags that it began with. */
  readonly labels?: Labels;
  /** The run whose last context this one begins with; referred to, not copied. */
  readonly from?: RunLink;
  /** The run whose beginning this one shares; referred to, not copied. */
  readonly fork?: RunLink;
  /** Of a fork: answers that it is given in place of those that were. */
  readonly set?: readonly SetAnswer[];
}

/** An answer that a fork is given, and the run of the directive that it settles. */
export interface SetAnswer {
  /** As an event's line has it. */
  readonly run?: string;
  readonly event: Settlement;
}

/** A value as written in a line: long nested values are references, `"#digest"`. */
export type Node = Json;

/** New items of a List that no event contains, with the List that they continue. */
export interface ItemsRecord {
  /** The List as it is now: `@size#head`. */
  readonly list: string;
  /** The List that the items continue; if absent, they are all its items. */
  readonly after?: string;
  readonly add: readonly Node[];
}

/** New values that no event contains. */
export interface Stored {
  readonly values?: { readonly [reference: string]: Node };
  readonly items?: readonly ItemsRecord[];
}

/** A directive as recorded: only the parts that differ from the last one of its type. */
export interface DirectiveRecord {
  readonly type: string;
  readonly id?: string;
  /** Names of parts that the last one had and this one has not. */
  readonly "-"?: readonly string[];
  readonly [part: string]: Node | undefined;
}

/** The end of a run; `output` is a ref. */
export interface EndRecord {
  readonly status: Exclude<RunStatus, "active">;
  readonly output?: Node;
  readonly fault?: RunFault;
}

/** What a line records of a step: directives, changes, and the digest of the whole state. */
export interface StepProof {
  /** The statechart's value after the step. */
  readonly value: StateValue;
  /** In the line itself `"#digest"` of their text where they stand in lines before it. */
  readonly do?: readonly DirectiveRecord[];
  readonly ignored?: Ignored["reason"];
  readonly end?: EndRecord;
  /** The description of the run, where it changed: `describe` of the state after the step. */
  readonly says?: Description;
  /**
   * The context's changed paths, as in RFC 6901 without the first `/`: the value where it is short, a
   * tag to find it by where it is long, `"#"` where it is gone; `"*"` where too much has changed.
   */
  readonly set?: { readonly [path: string]: Node } | "*";
  /** Digest of the whole state, and of the parts of the last directives. */
  readonly state: string;
}

/** The beginning of a child run: all that its start depends on, beside its parent's `run` directive. */
export interface BeginRecord
  extends Pick<HeaderLine, "reasoner" | "fingerprint" | "configuration" | "input" | "budget"> {
  /** The chart of its machine; a long one as `"#digest"`, since the journal holds it once. */
  readonly chart?: RunChart;
}

/** One event and what the machine made of it. */
export interface EventLine extends Stored, StepProof {
  /** The run whose event it is: the ids of `run` directives from the root, escaped, joined by `:`. Absent for the root. */
  readonly run?: string;
  /** Stands in the line of a child's start. */
  readonly begin?: BeginRecord;
  /** The place among the events of the whole tree. */
  readonly seq: number;
  readonly event: RunEvent;
  /** Tools that start at once, by their places among the step's directives: their first start marks. */
  readonly starts?: readonly number[];
}

/** The start of a tool's attempt, durable before it begins (J7). */
export interface StartMark {
  readonly id: string;
  readonly attempt: number;
}

/**
 * A port wants this back of an attempt after a crash: the id of a task, an engine's nonce. Durable before the port
 * goes on; the attempt is then handed out again with it, and is never unknown (J7).
 */
export interface HandleMark {
  readonly id: string;
  readonly attempt: number;
  readonly handle: Json;
  /** The moment at which there is something to look for, in milliseconds since 1970; at once where it is absent. */
  readonly due?: number;
}

/** An attempt that came to nothing and that another follows, with its cost (J7). Needs no sync of its own. */
export interface FailedMark {
  readonly id: string;
  /** The number of attempts that have failed so far. */
  readonly failed: number;
  /** When the next one may begin, in milliseconds since 1970; at once where it is absent. */
  readonly until?: number | undefined;
  /** The cost of this one. */
  readonly usage?: Partial<Usage>;
  /** The model that was asked, where the call may ask several. */
  readonly model?: string;
  /** The first error of the present round of models that passes, while the round goes on. */
  readonly passing?: PassingError;
  /** The model is down: it was asked as often as calls are repeated, and the run waits for it. */
  readonly down?: DownError;
}

/** The error of a model that may answer when it is asked again. */
export interface PassingError {
  readonly code: string;
  readonly message: string;
}

/** The error of a model that is down. */
export interface DownError extends PassingError {
  /** When it was found to be down, in milliseconds since 1970. */
  readonly since: number;
}

/** An interrupt that was asked for: nothing begins any more, and what runs may settle until then. */
export interface InterruptMark {
  readonly interrupt: AskedInterrupt;
}

/** Until when effects may settle, in milliseconds since 1970 (without end where it is absent), and why. */
export interface AskedInterrupt {
  readonly until?: number | undefined;
  readonly reason?: string;
}

/** A snapshot of the tree behind this line: one is believed only where its mark stands in the journal. */
export interface SnapshotMark {
  /** Digest of its text. */
  readonly snapshot: string;
  /** Characters of its text, without the rows that it shares with others. */
  readonly size: number;
}

/** The marks of a run between events. */
export type RunMark = StartMark | HandleMark | FailedMark | InterruptMark;
/** The marks between events. */
export type Mark = RunMark | SnapshotMark;

/** A mark that is not part of an event line. */
export interface MarkLine {
  /** As an event's line has it. */
  readonly run?: string;
  readonly mark: Mark;
}

/**
 * Values, directives, or parts of an upgrade, that would make the next line too long; and the upgrade of a
 * child, which holds with its root's.
 */
export interface MoreLine extends Stored, Partial<UpgradeLine> {
  readonly more: true;
  /** The child run whose upgrade it is a part of. */
  readonly run?: string;
  readonly do?: readonly DirectiveRecord[];
}

/**
 * From here on another configuration of the reasoners of the tree, and the state as it was migrated: whole, so
 * that nobody needs the code of before to go on from here. The root's line ends it; those of children stand
 * before it, with `more`.
 */
export interface UpgradeLine {
  readonly upgrade: {
    readonly at: number;
    readonly from: Configuration;
    readonly to: Configuration;
    /** The chart of its machine from here on. */
    readonly chart?: RunChart;
  };
  /**
   * The state by its content, a field each (`context/messages`), and what the journal remembers
   * (`memory/usage`). Absent where the run had not begun.
   */
  readonly parts?: { readonly [path: string]: Json };
  /** Digest of the whole state, and of the parts of the last directives. */
  readonly state?: string;
}

/** A line of the journal. */
export type Line = HeaderLine | EventLine | MarkLine | MoreLine | UpgradeLine;

/** Returns true if a line is the header. */
export function isHeaderLine(line: Line): line is HeaderLine {
  return "type" in line;
}
/** Returns true if a line is an event's. */
export function isEventLine(line: Line): line is EventLine {
  return "event" in line;
}

/** Ids of the directives that begin with an event's line. */
export function startedIn({ do: issued = [], starts = [] }: EventLine): readonly string[] {
  return starts.flatMap((place) => issued[place]?.id ?? []);
}

/** The mark of a snapshot that a line is, or `undefined`. */
export function snapshotMarkIn(line: object): SnapshotMark | undefined {
  const { mark } = line as { readonly mark?: Mark };
  return mark !== undefined && "snapshot" in mark ? mark : undefined;
}

/** Returns true if a line says that another configuration holds from here on. */
export function isUpgradeLine(line: Line): line is UpgradeLine {
  return "upgrade" in line && !("more" in line);
}

/** A line as text, without its newline, and its hash. */
export interface EncodedLine {
  readonly text: string;
  readonly hash: string;
}

/** The text around directives in a line of their own. */
export const BEFORE_ISSUED = '{"do":[';
export const BEHIND_ISSUED = '],"more":true';

/** The text between the last part of a line and its hash. */
export const HASH_KEY = ',"hash":"';

/**
 * The hash of a line.
 * @param previous hash of the line before it, or "" for the first
 * @param open the line's text up to its hash
 */
export function lineHash(previous: string, open: string): string {
  return digestOf(covered(previous, open));
}

function covered(previous: string, open: string): string {
  return previous === "" ? `${open}${HASH_KEY}` : `${previous}"}\n${open}${HASH_KEY}`;
}

/**
 * Completes a line with its hash.
 * @throws ReckonerError `journal.write` where no reader would take it
 */
export function encodeLine(open: string, previous: string): EncodedLine {
  const bytes = covered(previous, open);
  const hash = digestOf(bytes);
  // The text that was hashed is in one piece, where `open` is still in many.
  const text = `${bytes.slice(bytes.length - open.length - HASH_KEY.length)}${hash}"}`;
  if (text.length <= MAX_LINE_LENGTH) return { text, hash };
  throw new ReckonerError(
    "journal.write",
    "A line would be longer than 16 MiB, and could not be read back; pass references to large data, not the data.",
  );
}

/** Returns lines as the text of a journal. */
export function textOfLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
