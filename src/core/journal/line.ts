/**
 * The journal's line format: JSON Lines, a header and then events and start marks, in one hash
 * chain. Each line carries the hash of the line before it and, at its very end, its own, over its
 * raw bytes up to there.
 */
import {
  type Directive,
  type Ignored,
  isReckonerError,
  type Json,
  type JsonObject,
  MAX_DEPTH,
  ReckonerError,
  type RunEvent,
  type RunFault,
  type RunStatus,
  type StateValue,
  sha256,
  toJson,
} from "../kernel/index.js";

/** The format that this version writes. */
export const FORMAT = "reckoner-journal/1";
/** The formats that this version reads. */
export const readableFormats: readonly string[] = [FORMAT];
/** Longer lines are refused (J6); in UTF-16 units, so never more than 16 MiB of ASCII. */
export const MAX_LINE_LENGTH: number = 16 * 1024 * 1024;

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

const HASH_TAIL = /^(.*),"hash":"([\w-]{43})"\}$/s;

/** A line's text, without the newline. */
export function encodeLine(line: Line, previous: string): EncodedLine {
  const open = JSON.stringify({ ...line, prev: previous }).slice(0, -1);
  const hash = sha256(open);
  return { text: `${open},"hash":"${hash}"}`, hash };
}

/** A decoded line and its hash. */
export interface DecodedLine {
  readonly line: Line;
  readonly hash: string;
}

/**
 * A line from its text.
 * @param number counted from 1, for messages
 * @throws ReckonerError `journal.format`, `journal.chain` or `journal.hostile`, with `line N` as place
 */
export function decodeLine(text: string, number: number, previous: string): DecodedLine {
  if (text.length > MAX_LINE_LENGTH) {
    throw broken("journal.hostile", number, "is longer than 16 MiB");
  }
  const tail = HASH_TAIL.exec(text);
  if (tail === null) throw broken("journal.format", number, "does not end in its hash");
  const hash = tail[2] as string;
  if (sha256(tail[1] as string) !== hash) {
    throw broken("journal.chain", number, "was changed: its bytes do not give its hash");
  }
  let value: JsonObject;
  try {
    // An event may be MAX_DEPTH deep; the line around it adds a few levels.
    value = toJson(JSON.parse(text), "$", MAX_DEPTH + 8) as JsonObject;
  } catch (thrown) {
    if (isReckonerError(thrown)) throw broken("journal.hostile", number, thrown.message);
    throw broken("journal.format", number, "is not JSON");
  }
  if (value.prev !== previous) {
    throw broken("journal.chain", number, "does not follow the line before it");
  }
  const line = value as unknown as Line;
  const fault = lineFault(line, number);
  if (fault !== undefined) throw broken("journal.format", number, fault);
  return { line, hash };
}

function lineFault(line: Line, number: number): string | undefined {
  if ((line.type === "header") !== (number === 1)) return "is out of place: the header comes first";
  switch (line.type) {
    case "header":
      if (!readableFormats.includes(line.format)) {
        return `has format ${JSON.stringify(line.format)}; this version reads ${readableFormats.join(", ")}`;
      }
      if (typeof line.runId !== "string" || typeof line.at !== "number") return "lacks runId or at";
      if (typeof line.reasoner?.id !== "string") return "lacks the reasoner";
      return undefined;
    case "event":
      if (!Number.isSafeInteger(line.seq)) return "has no sequence number";
      return typeof line.event?.type === "string" ? undefined : "has no event";
    case "mark":
      return typeof line.id === "string" && Number.isSafeInteger(line.attempt)
        ? undefined
        : "is a mark without id and attempt";
    default:
      return `has an unknown type ${JSON.stringify((line satisfies never as Line).type)}`;
  }
}

/** @internal */
export function broken(
  code: "journal.format" | "journal.chain" | "journal.hostile",
  number: number,
  what: string,
): ReckonerError {
  return new ReckonerError(
    code,
    `Line ${number} ${what}. The journal is left as it is; restore it from a copy.`,
    { place: `line ${number}` },
  );
}
