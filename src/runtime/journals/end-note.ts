/**
 * Reads and writes the note of a journal's end: its length and last hash, kept beside it, by which a journal
 * that has lost its last lines is refused. It is written when the lines are durable, so that it may lag behind
 * the journal and never leads. It is untrusted: a malformed note says nothing.
 */
import { utf8Length } from "../../core/driver/for-live-runs.js";
import { isJsonObject, ReckonerError } from "../../core/kernel/values/index.js";
import type { JournalPort, JournalPosition } from "../ports/ports.js";

/** The place at which a journal ended. */
export interface EndNote extends JournalPosition {
  /** Hash of the header's line: whose journal it is. */
  readonly header: string;
  /** Hash of the last line. */
  readonly hash: string;
}

/** So many appends are made before the end is noted again. */
const APPENDS = 64;
/** `<hash>"}` at the end of a line. */
const HASH_LENGTH = 32;
const BEHIND_HASH = 2;

/** Reads the note of a journal's end; absent where the port keeps none, or none that can be read. */
export async function readEndNote(port: JournalPort): Promise<EndNote | undefined> {
  try {
    const text = await port.endNote?.read();
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    return isEndNote(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEndNote(value: unknown): value is EndNote {
  if (!isJsonObject(value as never)) return false;
  const { header, hash, lines, bytes } = value as { readonly [field: string]: unknown };
  const isPlace = [lines, bytes].every((each) => Number.isSafeInteger(each) && Number(each) > 0);
  return isPlace && typeof header === "string" && typeof hash === "string";
}

/** Notes the end of a journal that is being written. */
export class EndKeeper {
  readonly #port: JournalPort;
  #header: string | undefined;
  /** The appends that are made before the next note. */
  #due: number;
  /** The last append whose lines are durable, where its end is not noted yet. */
  #last: { readonly lines: readonly string[]; readonly at: JournalPosition } | undefined;
  #pending: Promise<void> = Promise.resolve();

  /**
   * @param header hash of the header's line; absent for a journal that begins
   * @param isShort what is noted led, and that is accepted: the first append corrects it
   */
  constructor(port: JournalPort, header?: string, isShort = false) {
    this.#port = port;
    this.#header = header;
    this.#due = isShort ? 1 : APPENDS;
  }

  /** Takes in an append whose lines are durable. */
  appended(lines: readonly string[], at: JournalPosition): void {
    if (this.#port.endNote === undefined) return;
    this.#header ??= hashIn(lines[0] as string);
    this.#last = { lines, at };
    this.#due -= 1;
    if (this.#due <= 0) this.#note();
  }

  /** Notes the end, where it is not noted yet. Resolves when nothing is being written any more. */
  settled(): Promise<void> {
    this.#note();
    return this.#pending;
  }

  #note(): void {
    const { endNote } = this.#port;
    const last = this.#last;
    if (endNote === undefined || last === undefined) return;
    this.#last = undefined;
    this.#due = APPENDS;
    const { lines, at } = last;
    const note: EndNote = {
      header: this.#header as string,
      lines: at.lines + lines.length,
      bytes: lines.reduce((sum, line) => sum + utf8Length(line) + 1, at.bytes),
      hash: hashIn(lines.at(-1) as string),
    };
    // A note that cannot be written lags, and nothing else.
    const write = () => endNote.write(`${JSON.stringify(note)}\n`);
    this.#pending = this.#pending.then(write).catch(() => {});
  }
}

const hashIn = (line: string) => line.slice(-BEHIND_HASH - HASH_LENGTH, -BEHIND_HASH);

/** Returns the error of a journal that is shorter than something proves that it was. @param proof in words */
export function shortJournal({ name }: JournalPort, proof: string): ReckonerError {
  return new ReckonerError(
    "journal.short",
    `The journal ${name} ${proof}: it was longer once, and what ran behind its end would run again. Restore it from a copy, or resume with acceptLoss (--accept-loss): then what may have begun since is unknown.`,
    { place: name },
  );
}
