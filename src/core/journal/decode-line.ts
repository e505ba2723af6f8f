/** Reading one line: its bytes, its place in the chain, its shape. Whatever is wrong is refused. */
import {
  isReckonerError,
  type JsonObject,
  MAX_OWN_DEPTH,
  ReckonerError,
  sealJson,
  sha256,
} from "../kernel/index.js";
import { type Line, MAX_LINE_LENGTH } from "./line.js";
import { lineFault } from "./line-fault.js";

const HASH_TAIL = /^(.*),"hash":"([\w-]{43})"\}$/s;

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
    // Directives may hold Lists, and be as deep as a machine's own values; a line adds a few levels.
    value = sealJson(JSON.parse(text), "$", MAX_OWN_DEPTH + 8) as JsonObject;
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
