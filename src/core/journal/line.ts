/**
 * The journal's line format: JSON Lines, a header and then events and start marks, in one hash
 * chain. Each line carries the hash of the line before it and, at its very end, its own, over its
 * raw bytes up to there.
 */
import {
  type Directive,
  type Ignored,
  type Json,
  type JsonObject,
  ReckonerError,
  type RunEvent,
  type RunFault,
  type RunStatus,
  type StateValue,
  sha256,
} from "../kernel/index.js";

/** The format that this version writes. */
export const FORMAT = "reckoner-journal/1";
/** The formats that this version reads. */
export const readableFormats: readonly string[] = [FORMAT];
/** Longer lines are refused (J6); in UTF-16 units, so never more than 16 MiB of ASCII. */
export const MAX_LINE_LENGTH: number = 16 * 1024 * 1024;

/** Which run another one goes on from: its journal, and the event after which its context is taken. */
export interface RunLink {
  /** Where the journal lies, as the port of the journal that refers to it knows it. */
  readonly journal: string;
  readonly runId: string;
  readonly seq: number;
  /** Hash of that event's line. */
  readonly hash: string;
}

/** The first line: what the run is, and all that its start depends on. */
export interface HeaderLine {
  readonly type: "header";
  readonly format: string;
  readonly runId: string;
  readonly reasoner: { readonly id: string; readonly version: number };
  /** Hash of the reasoner's configuration (prompts, tool schemas). */
  readonly fingerprint: string;
  /** Where the configuration lay; a hint, never followed out of the working folder. */
  readonly config?: string;
  readonly at: number;
  readonly seed?: string;
  readonly input: Json;
  /** The run that started this one, or that it goes on from. */
  readonly parent?: JsonObject;
  /** The run whose last context this one begins with; referred to, not copied. */
  readonly from?: RunLink;
}

/** A part of a directive that is a List: its head and size, and what came since the last one. */
export interface ListPart {
  readonly list: string;
  readonly size: number;
  /** How many items it shares with the last List recorded for this part. */
  readonly from: number;
  /** Hashes of the items after those. */
  readonly items: readonly string[];
}

/** A part that is shorter than its hash would be. */
export interface InlinePart {
  readonly is: Json;
}

/** A part of a directive as recorded: its hash, or itself where that is shorter, or a List's head. */
export type PartRecord = string | InlinePart | ListPart;

/** A directive as recorded: its id and type, and one record for each of its parts. */
export interface DirectiveRecord {
  readonly type: Directive["type"];
  readonly id?: string;
  readonly parts: { readonly [part: string]: PartRecord };
}

/** How a run ended; `output` is a hash. */
export interface EndRecord {
  readonly status: Exclude<RunStatus, "active">;
  readonly output?: string;
  readonly fault?: RunFault;
}

/** A start of a tool's attempt, durable before the attempt begins (J7). */
export interface StartMark {
  readonly id: string;
  readonly attempt: number;
}

/** What the recording of a step consists of, beside the event. */
export interface StepRecord {
  /** The statechart's value after the step. */
  readonly value: StateValue;
  readonly directives?: readonly DirectiveRecord[];
  readonly ignored?: Ignored;
  readonly end?: EndRecord;
}

/** One event and what the machine made of it. */
export interface EventLine extends StepRecord {
  readonly type: "event";
  readonly seq: number;
  readonly event: RunEvent;
  /**
   * Values by hash, each at its first sight, that no event holds. What an event does hold stands in
   * them as `{"@hash": …}`.
   */
  readonly values?: { readonly [hash: string]: Json };
  /** Tools that start at once: their marks ride here. */
  readonly starts?: readonly StartMark[];
}

/** A start mark that could not ride in an event line. */
export interface MarkLine extends StartMark {
  readonly type: "mark";
}

/** A line of the journal. */
export type Line = HeaderLine | EventLine | MarkLine;

/** A line as text, with its hash, which the next line carries. */
export interface EncodedLine {
  readonly text: string;
  readonly hash: string;
}

/**
 * A line's text, without the newline.
 * @throws ReckonerError `journal.write` where no reader would take it
 */
export function encodeLine(line: Line, previous: string): EncodedLine {
  const open = JSON.stringify({ ...line, prev: previous }).slice(0, -1);
  const hash = sha256(open);
  const text = `${open},"hash":"${hash}"}`;
  if (text.length <= MAX_LINE_LENGTH) return { text, hash };
  throw new ReckonerError(
    "journal.write",
    `A ${line.type} line would be longer than 16 MiB, and nobody could read it; pass references to large data, not the data.`,
  );
}
