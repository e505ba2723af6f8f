/**
 * Decodes one line of a journal: checks its bytes, its place in the hash chain, and its shape. Anything wrong
 * is refused.
 */
import { digestOf, isReckonerError, MAX_OWN_DEPTH, parseSealed } from "../kernel/values/index.js";
import {
  BEFORE_ISSUED,
  BEHIND_ISSUED,
  type DirectiveRecord,
  type EventLine,
  HASH_KEY,
  type HeaderLine,
  isHeaderLine,
  type Line,
  lineHash,
  MAX_LINE_LENGTH,
} from "./line.js";
import { broken, glanceFault, lineFault, offChain, outOfPlace } from "./line-fault.js";
import { skimmed } from "./skim-line.js";

/** A line's hash with what stands around it: `,"hash":"…"}`. */
const TAIL_LENGTH: number = HASH_KEY.length + 32 + 2;
const TAIL = /^,"hash":"[\w-]{32}"\}$/;
/** A line may hold what is as deep as a machine's own values, and adds a few levels. */
const MAX_DEPTH: number = MAX_OWN_DEPTH + 8;

/** The beginnings of an event's line that stores nothing, and what stands behind its event. */
const BEFORE_EVENT = '{"seq":';
const BEFORE_CHILD = '{"run":';
const BEHIND_EVENT = ',"value":';
/** An event may have a key `value` itself: then the whole line is read after so many places. */
const MAX_PLACES = 8;

/** A line whose place in the chain was verified. */
export interface ChainedLine {
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
  readonly hash: string;
}

/** The parts of an event's line that a step needs. */
export type Glance = Pick<EventLine, "run" | "seq" | "event" | "starts">;

/** A line that was read. */
export interface DecodedLine extends ChainedLine {
  readonly line: Line;
  /**
   * What a step needs, where it was read without the rest: who compares the rest as a string need not
   * ask for `line`, which then is read, and may be refused, when it is asked for.
   */
  readonly glance: Glance | undefined;
}

/** The part of a line before its hash. */
export function openOf(text: string): string {
  return text.slice(0, -TAIL_LENGTH);
}

/** The hash that a line carries. @throws ReckonerError `journal.format` */
export function hashIn(text: string, number: number): string {
  if (TAIL.test(text.slice(-TAIL_LENGTH))) return text.slice(-34, -2);
  const perhaps = number === 1 ? "; this may not be a journal of reckoner's" : "";
  throw broken("journal.format", number, `does not end in its hash${perhaps}`);
}

/**
 * Verifies a line's place in the chain.
 * @param previous hash of the line before it, or ""
 * @throws ReckonerError `journal.format`, `journal.chain`, `journal.hostile`
 */
export function chainLine(text: string, number: number, previous: string): ChainedLine {
  checkLength(text, number);
  const hash = hashIn(text, number);
  if (lineHash(previous, openOf(text)) !== hash) throw offChain(number);
  return { text, number, hash };
}

function checkLength({ length }: string, number: number): void {
  if (length > MAX_LINE_LENGTH) throw broken("journal.hostile", number, "is longer than 16 MiB");
}

/**
 * Reads a line that is in its place.
 * @throws ReckonerError `journal.format`, `journal.hostile`, with `line N` as place
 */
export function decodeLine(chained: ChainedLine): DecodedLine {
  const { text, number, hash } = chained;
  checkLength(text, number);
  let value: unknown;
  try {
    value = parseSealed(text, "$", MAX_DEPTH);
  } catch (thrown) {
    if (isReckonerError(thrown)) throw broken("journal.hostile", number, thrown.message);
    throw broken("journal.format", number, "is not JSON");
  }
  const line = value as Line;
  const fault = lineFault(line, number);
  if (fault !== undefined) throw broken("journal.format", number, fault);
  return { text, number, hash, line, glance: undefined };
}

/** The header, where a line is one; no line is read whole to know that. */
export function headerIn(decoded: DecodedLine): HeaderLine | undefined {
  if (decoded.glance !== undefined) return undefined;
  const { line } = decoded;
  return isHeaderLine(line) ? line : undefined;
}

/** An event's line of which the event was read. */
class GlancedLine implements DecodedLine {
  readonly text: string;
  readonly number: number;
  readonly hash: string;
  readonly glance: Glance;
  #line: Line | undefined;

  constructor({ text, number, hash }: ChainedLine, glance: Glance) {
    this.text = text;
    this.number = number;
    this.hash = hash;
    this.glance = glance;
  }

  get line(): Line {
    this.#line ??= new LineDecoder().whole(this).line;
    return this.#line;
  }
}

/** The event of a line that begins with it. Whatever is odd about it is left to who reads the whole. */
function glanceAt(text: string): Glance | undefined {
  const begins = text.startsWith(BEFORE_EVENT) || text.startsWith(BEFORE_CHILD);
  const end = begins ? endOfGlance(text) : -1;
  if (end < 0) return undefined;
  try {
    const glance = parseSealed<Glance>(`${text.slice(0, end)}}`, "$", MAX_DEPTH);
    return glanceFault(glance) === undefined ? glance : undefined;
  } catch {
    return undefined;
  }
}

/** Where a glance ends: what stands before has to be JSON all the same. */
export function endOfGlance(text: string): number {
  let at = text.indexOf(BEHIND_EVENT);
  for (let places = 0; at >= 0 && places < MAX_PLACES; places++) {
    if (/[}\]]/.test(text.charAt(at - 1))) return at;
    at = text.indexOf(BEHIND_EVENT, at + 1);
  }
  return -1;
}

/** A line of directives: as a string, and what it says. */
interface Spilled {
  readonly text: string;
  readonly issued: readonly DirectiveRecord[];
}

/** The extent to which an event's line is read: as a step needs it, whole, or only as it tells what is owed. */
export type Extent = "step" | "whole" | "owed";

/**
 * Reads lines in their order: directives that stand in lines before their event's come back in that
 * event's line.
 */
export class LineDecoder {
  readonly #extent: Extent;
  /** The lines of directives whose event has not come yet. */
  #spilled: Spilled[] = [];
  /** The number of the next event in the tree; not known where lines were skipped. */
  #next: number | undefined;

  constructor(extent: Extent = "step") {
    this.#extent = extent;
  }

  /**
   * The next line.
   * @throws ReckonerError as {@link decodeLine}, and `journal.format` where events are missing before it: a chain that
   * somebody has hashed anew does not show that
   */
  decode(chained: ChainedLine): DecodedLine {
    const decoded = this.#decode(chained);
    this.#count(decoded);
    return decoded;
  }

  #count(decoded: DecodedLine): void {
    const line = decoded.glance ?? decoded.line;
    if ("type" in line && isHeaderLine(line)) {
      this.#next = line.fork === undefined ? 0 : line.fork.seq + 1;
    }
    if (!("event" in line)) return;
    const { seq } = line;
    if (this.#next !== undefined && seq !== this.#next) {
      throw outOfPlace(decoded.number, seq, this.#next);
    }
    this.#next = seq + 1;
  }

  #decode(chained: ChainedLine): DecodedLine {
    checkLength(chained.text, chained.number);
    // If directives come before the event, the whole line is read, which tells which of them are
    // its own.
    if (this.#extent === "whole" || this.#spilled.length > 0) return this.whole(chained);
    if (this.#extent === "owed") {
      const { text, number, hash } = chained;
      const line = skimmed(text);
      return line === undefined
        ? this.whole(chained)
        : { text, number, hash, line, glance: undefined };
    }
    const glance = glanceAt(chained.text);
    if (glance === undefined) return this.whole(chained);
    return new GlancedLine(chained, glance);
  }

  /** The next line whole. @throws ReckonerError as {@link decodeLine} */
  whole(chained: ChainedLine): DecodedLine {
    const decoded = decodeLine(chained);
    const { line, number } = decoded;
    if ("more" in line) {
      if (line.do !== undefined) this.#keep(line.do, decoded);
      return decoded;
    }
    const spilled = this.#spilled;
    this.#spilled = [];
    if (!("event" in line) || typeof line.do !== "string") return decoded;
    const issued = issuedIn(spilled, line.do);
    if (issued !== undefined) return { ...decoded, line: { ...line, do: issued } };
    throw broken("journal.format", number, "does not find its directives in the lines before it");
  }

  /** A line that nobody reads: what was kept is of its event. */
  skip(): void {
    this.#spilled = [];
    this.#next = undefined;
  }

  #keep(issued: readonly DirectiveRecord[], { text, number }: DecodedLine): void {
    const open = openOf(text);
    if (!open.startsWith(BEFORE_ISSUED) || !open.endsWith(BEHIND_ISSUED)) {
      throw broken("journal.format", number, "has invalid directives");
    }
    this.#spilled.push({ text: open.slice(BEFORE_ISSUED.length, -BEHIND_ISSUED.length), issued });
  }
}

/** The number of lines of directives that may be of events that never came: each costs a digest of all. */
const MAX_CUT_OFF = 64;

/**
 * The directives that a digest is of. A write that was cut off may have left some before them, of an
 * event that never came.
 */
function issuedIn(
  spilled: readonly Spilled[],
  digest: string,
): readonly DirectiveRecord[] | undefined {
  for (let from = 0; from < spilled.length && from <= MAX_CUT_OFF; from++) {
    const own = spilled.slice(from);
    if (`#${digestOf(own.map(({ text }) => text).join(","))}` !== digest) continue;
    return own.flatMap(({ issued }) => issued);
  }
  return undefined;
}
