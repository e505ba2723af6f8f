/**
 * Reads a journal's lines as a stream, in bounded memory. Each line's place in the hash chain is
 * verified on its raw bytes, and only requested lines are decoded. It must not know what a line
 * means.
 */
import {
  broken,
  FORMAT,
  HEADER_START,
  MAX_LINE_LENGTH,
  offChain,
} from "../../core/journal/index.js";
import { digestOf, isReckonerError, ReckonerError } from "../../core/kernel/values/index.js";
import type { JournalPort } from "../ports/ports.js";
import { type EndNote, readEndNote, shortJournal } from "./end-note.js";
import { readBytes } from "./port-calls.js";

const NEWLINE = 10;
const RETURN = 13;
/** As bytes. */
const BYTE_ORDER_MARK = "\xEF\xBB\xBF";
/** `,"hash":"` and 32 characters and `"}`. */
const HASH_KEY = new TextEncoder().encode(',"hash":"');
const HASH_LENGTH = 32;
const END_LENGTH = 2;
const TAIL_LENGTH = HASH_KEY.length + HASH_LENGTH + END_LENGTH;
/** The hash of a line, what stands behind it, and its newline. */
const LINK_LENGTH = HASH_LENGTH + END_LENGTH + 1;
/** A line of so many UTF-16 units has at most three times as many bytes. */
const MAX_LINE_BYTES = 3 * MAX_LINE_LENGTH;
/** A whole line without its newline is looked for at so many places, so far before the end. */
const MAX_TAILS = 8;
const MAX_BEHIND = 4_096;

/** What editors and checkouts do to text files. */
const TURNED =
  "ends in CRLF where it ended in LF, as an editor or a checkout makes it (in .gitattributes, write *.jsonl -text)";
const MARKED = "begins with a byte order mark, which an editor put there";

/** A line whose place in the chain was verified. */
export interface RawLine {
  /** Counted from 1. */
  readonly number: number;
  /** The byte at which it begins, and the one behind its newline. */
  readonly start: number;
  readonly end: number;
  readonly hash: string;
  /** Whether it begins with an ASCII text. */
  startsWith(prefix: string): boolean;
  /** @throws ReckonerError `journal.format` where it is not UTF-8 */
  text(): string;
}

/** A place behind a whole line. */
export interface ReadPosition {
  readonly lines: number;
  readonly bytes: number;
  /** Hash of that line; where it is not known, the line after it alone tells whether it is there. */
  readonly hash?: string;
}

/** Options for a journal that has a fault. */
export interface FaultyReading {
  /** True where a journal is read as it is that is shorter than the note of its end says. */
  readonly acceptLoss?: boolean | undefined;
  /** Returns true when all that is wanted was read: then a fault behind it ends the lines, and is kept. */
  readonly isEnough?: (() => boolean) | undefined;
}

/** The lines of one journal. It is read once. */
export class LineStream {
  readonly #port: JournalPort;
  readonly #behind: ReadPosition | undefined;
  readonly #how: FaultyReading;
  /** The end that is noted, where it is of this journal. */
  #noted: EndNote | undefined;
  #fault: ReckonerError | undefined;
  #isShort = false;
  /** What was read and is not a whole line yet; it begins with the hash of the line before. */
  #buffer: Uint8Array<ArrayBufferLike> = new Uint8Array(0);
  /** Where the next line begins in the buffer, and in the journal. */
  #at = 0;
  #position = 0;
  #number = 0;

  /** @param behind the line behind which reading begins; it must still be there */
  constructor(port: JournalPort, behind?: ReadPosition, how: FaultyReading = {}) {
    this.#port = port;
    this.#how = how;
    this.#behind = behind;
    if (behind === undefined || behind.lines === 0) return;
    this.#at = LINK_LENGTH;
    this.#position = behind.bytes;
    this.#number = behind.lines;
  }

  /** How many lines were read, and where the last one ends. */
  get position(): { readonly lines: number; readonly bytes: number } {
    return { lines: this.#number, bytes: this.#position };
  }

  /** Bytes behind the last newline: a write that was cut off. Known when all lines were read. */
  get torn(): number {
    return this.#fault === undefined ? this.#buffer.length - this.#at : 0;
  }

  /** The fault behind all that was wanted, once all lines were read. */
  get fault(): ReckonerError | undefined {
    return this.#fault;
  }

  /** Returns true where the journal ends before, or elsewhere than, the note of its end says, and that is accepted. */
  get isShort(): boolean {
    return this.#isShort;
  }

  /**
   * The lines, as many at once as were read together; those before a fault come before it is thrown.
   * @throws ReckonerError `journal.format`, `journal.chain`, `journal.hostile` with the line, `journal.short`
   */
  async *batches(): AsyncGenerator<readonly RawLine[]> {
    try {
      yield* this.#batches();
    } catch (thrown) {
      if (!isReckonerError(thrown) || this.#how.isEnough?.() !== true) throw thrown;
      this.#fault = thrown;
    }
  }

  async *#batches(): AsyncGenerator<readonly RawLine[]> {
    const behind = this.#number === 0 ? undefined : this.#behind;
    // It is read first: what is appended meanwhile may be noted before it is read.
    this.#noted = behind === undefined ? await readEndNote(this.#port) : undefined;
    let linked = behind === undefined;
    for await (const chunk of readBytes(this.#port, behind && behind.bytes - LINK_LENGTH)) {
      this.#buffer = joined(this.#buffer, chunk);
      if (!linked) {
        if (this.#buffer.length < LINK_LENGTH) continue;
        this.#checkLink(behind as ReadPosition);
        linked = true;
      }
      const { lines, thrown } = this.#lines();
      if (lines.length > 0) yield lines;
      if (thrown !== undefined) throw thrown;
      if (this.torn > MAX_LINE_BYTES) {
        throw broken("journal.hostile", this.#number + 1, "is longer than 16 MiB");
      }
    }
    if (!linked) throw offChain((behind as ReadPosition).lines);
    if (this.#endsInMore()) {
      throw broken("journal.format", this.#number + 1, "ends in bytes that are not its newline");
    }
    if (this.#number === 0 && !this.#beginsAsHeader()) {
      throw broken("journal.format", 1, "does not begin as a journal does");
    }
    if (this.#number < (this.#noted?.lines ?? 0))
      this.#refuseLoss(`ends behind line ${this.#number}`);
  }

  /** Compares a line with the end that is noted. */
  #compare({ number, hash, end }: RawLine): void {
    const noted = this.#noted;
    if (noted === undefined) return;
    // A note that an earlier run left in this place says nothing of this one.
    if (number === 1 && hash !== noted.header) this.#noted = undefined;
    else if (number === noted.lines && (hash !== noted.hash || end !== noted.bytes)) {
      this.#refuseLoss(`has another line ${number}`);
    }
  }

  /** @throws ReckonerError `journal.short`, unless the loss is accepted */
  #refuseLoss(how: string): void {
    const { lines = 0 } = this.#noted ?? {};
    this.#noted = undefined;
    this.#isShort = true;
    if (this.#how.acceptLoss === true) return;
    throw shortJournal(
      this.#port,
      `${how}, and the note of its end says that it had ${lines} lines`,
    );
  }

  /** @throws ReckonerError `journal.chain` where the line behind which reading begins is another */
  #checkLink({ hash, lines }: ReadPosition): void {
    const buffer = this.#buffer;
    const isSame = hash === undefined || standsAt(hash, buffer, 0);
    const isThere = isSame && buffer[LINK_LENGTH - 1] === NEWLINE;
    if (!isThere) throw offChain(lines);
  }

  /**
   * Whether a whole line is there with something behind it that is no newline: no write that was cut
   * off leaves that. What only looks like a line's end, in a tool's output say, gives another hash.
   */
  #endsInMore(): boolean {
    const buffer = this.#buffer;
    let end = buffer.length - 1;
    for (let tries = 0; tries < MAX_TAILS; end--) {
      if (end - this.#at < TAIL_LENGTH || buffer.length - end > MAX_BEHIND) return false;
      if (!isTail(buffer, end)) continue;
      tries += 1;
      const hashAt = end - END_LENGTH - HASH_LENGTH;
      if (standsAt(digestOf(buffer.subarray(0, hashAt)), buffer, hashAt)) return true;
    }
    return false;
  }

  /**
   * Whether what is there can be the beginning of a header. Anything else is somebody's file, and
   * must not be taken for the journal of a run that never began, which may be removed. A power
   * failure may leave zeros in place of bytes.
   */
  #beginsAsHeader(): boolean {
    const first = this.#buffer.subarray(this.#at, this.#at + HEADER_START.length);
    return first.every((byte, i) => byte === 0 || byte === HEADER_START.charCodeAt(i));
  }

  /** The whole lines that were read, up to the first that is refused. */
  #lines(): { readonly lines: readonly RawLine[]; readonly thrown?: unknown } {
    const buffer = this.#buffer;
    const lines: RawLine[] = [];
    // Where what the next line's hash covers begins.
    let from = 0;
    try {
      for (;;) {
        const newline = buffer.indexOf(NEWLINE, this.#at);
        if (newline < 0) break;
        const line = this.#line(buffer, from, newline);
        this.#compare(line);
        lines.push(line);
        from = newline - END_LENGTH - HASH_LENGTH;
        this.#at = newline + 1;
      }
    } catch (thrown) {
      return { lines, thrown };
    }
    if (lines.length > 0) {
      this.#buffer = buffer.slice(from);
      this.#at -= from;
    }
    return { lines };
  }

  #line(buffer: Uint8Array, from: number, newline: number): RawLine {
    this.#number += 1;
    const number = this.#number;
    const begin = this.#at;
    const start = this.#position;
    const end = start + (newline + 1 - begin);
    const hashAt = newline - END_LENGTH - HASH_LENGTH;
    if (number === 1) checkFormat(this.#port, buffer.subarray(begin, newline));
    if (newline - begin < TAIL_LENGTH || !isTail(buffer, newline)) {
      const wasTurned = buffer[newline - 1] === RETURN && isTail(buffer, newline - 1);
      throw broken("journal.format", number, wasTurned ? TURNED : "does not end in its hash");
    }
    const hash = digestOf(buffer.subarray(from, hashAt));
    if (!standsAt(hash, buffer, hashAt)) {
      const isMarked = number === 1 && standsAt(BYTE_ORDER_MARK, buffer, begin);
      throw isMarked ? broken("journal.format", number, MARKED) : offChain(number);
    }
    this.#position = end;
    return {
      number,
      start,
      end,
      hash,
      startsWith: (prefix) => standsAt(prefix, buffer, begin),
      text: () => decoded(buffer.subarray(begin, newline), number),
    };
  }
}

/** The name of the format, at the beginning of a journal of any version. */
const ANY_FORMAT = /^\{"type":"header","format":"(reckoner-journal\/\d{1,9})"/;
const MAX_FORMAT = 64;

/**
 * Says so where a journal is of another version's format. Nothing else of it can be judged, its hashes neither.
 * @throws ReckonerError `journal.format`
 */
function checkFormat({ name }: JournalPort, line: Uint8Array): void {
  const begin = String.fromCharCode(...line.subarray(0, MAX_FORMAT));
  const format = ANY_FORMAT.exec(begin)?.[1];
  if (format === undefined || format === FORMAT) return;
  throw new ReckonerError(
    "journal.format",
    `The journal ${name} is of the format ${format}, and this version reads ${FORMAT}: it is not broken; use the version that wrote it.`,
    { place: "line 1" },
  );
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decoded(bytes: Uint8Array, number: number): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw broken("journal.format", number, "is not UTF-8");
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  // A copy even of the first: a port may read its next piece into the same buffer.
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** Whether a text of ASCII stands at a place. */
function standsAt(text: string, bytes: Uint8Array, at: number): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text.charCodeAt(i)) return false;
  return true;
}

/** Whether a line ends in `,"hash":"…"}`. */
function isTail(bytes: Uint8Array, end: number): boolean {
  if (bytes[end - 1] !== 125 || bytes[end - 2] !== 34) return false;
  const key = end - TAIL_LENGTH;
  return HASH_KEY.every((byte, i) => bytes[key + i] === byte);
}
