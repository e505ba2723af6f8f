/** Reading a journal: its text into verified lines. Whatever is broken is refused with its line. */
import { ReckonerError } from "../kernel/index.js";
import { broken, type DecodedLine, decodeLine } from "./decode-line.js";
import type { HeaderLine } from "./line.js";
import { Recorder } from "./record.js";

/** A journal's text as lines, and what stands after the last newline. */
export interface JournalText {
  readonly lines: readonly string[];
  /** An unterminated last line: a write that was cut off. Dropped with a notice. */
  readonly torn: string;
}

/** Splits a journal's text. */
export function splitJournal(text: string): JournalText {
  const lines = text.split("\n");
  const torn = lines.pop() ?? "";
  return { lines, torn };
}

const COMPLETE_AND_MORE = /"hash":"[\w-]{43}"\}.+$/s;

/**
 * Verified lines, one after the other.
 * @throws ReckonerError where a line is broken, also an unterminated one that no cut-off write can leave
 */
export function* decodeLines(
  text: JournalText,
  after: { readonly lines: number; readonly previous: string } = { lines: 0, previous: "" },
): Generator<DecodedLine> {
  let { lines: number, previous } = after;
  for (const raw of text.lines) {
    number += 1;
    const decoded = decodeLine(raw, number, previous);
    previous = decoded.hash;
    yield decoded;
  }
  if (COMPLETE_AND_MORE.test(text.torn)) {
    throw broken("journal.format", number + 1, "ends in bytes that are not its newline");
  }
}

/** A journal, read and verified: its header, its lines, and a recorder that can go on from it. */
export interface ReadJournal {
  readonly header: HeaderLine;
  readonly lines: readonly DecodedLine[];
  readonly torn: string;
  readonly recorder: Recorder;
}

/**
 * Reads a whole journal.
 * @throws ReckonerError `journal.empty` where it has no header, and what {@link decodeLines} throws
 */
export function readJournal(text: JournalText): ReadJournal {
  const recorder = new Recorder();
  const lines: DecodedLine[] = [];
  for (const decoded of decodeLines(text)) {
    recorder.observe(decoded.line, decoded.hash);
    lines.push(decoded);
  }
  const header = lines[0]?.line;
  if (header?.type !== "header") {
    throw new ReckonerError(
      "journal.empty",
      "The journal holds no header: the run never began. Remove the file and run again.",
    );
  }
  return { header, lines, torn: text.torn, recorder };
}
