/**
 * `Io`: the parts of its process that a command may use, such as three streams, a working folder, an
 * environment; and functions that print to them. Commands get it as an argument, so that tests can call them;
 * they must not use `process` directly.
 */
import picocolors from "picocolors";
import { isList, ReckonerError, toArray, visibleJson } from "../../core/kernel/values/index.js";
import type { OpenStores } from "../store/opened-stores.js";
import { inStyle, shown } from "./visible.js";

/** A stream that is read from. */
export type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean };
/** A stream that is written to. */
export type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
};

/** A command's world. */
export interface Io {
  readonly stdin: Input;
  /** Results. */
  readonly stdout: Output;
  /** Everything else. */
  readonly stderr: Output;
  /** The working folder. */
  readonly cwd: string;
  readonly env: { readonly [name: string]: string | undefined };
  /** Calls back at each Ctrl-C until the returned function is called. */
  onInterrupt(listener: () => void): () => void;
  /** Calls back whenever the process is asked to end (SIGTERM), until the returned function is called. */
  onTerminate(listener: () => void): () => void;
  /** Calls back at each key that is pressed while nothing is asked, until the returned function is called. */
  onKey(listener: (key: string) => void): () => void;
  /**
   * Ends the process with a last line where its thread is busy for so many milliseconds, unless the
   * returned function is called before.
   */
  startWatchdog(line: string, ms: number): () => void;
  /**
   * Calls a function if user code ends the process, until the returned function is called. It must
   * write synchronously; `true` means that the result was printed completely.
   */
  onExit(listener: () => boolean): () => void;
  /** The stores that the words of the command name; they are closed when it is over. */
  readonly stores?: OpenStores;
  /** Ends the process at once. */
  exit(code: number): void;
}

/** Returns true when a person sits there: somebody reads what we say and can answer. */
export function isInteractive(io: Io): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true;
}

const STYLES = ["bold", "dim", "red", "green"] as const;
type Style = (typeof STYLES)[number];

/** Styles of a text; they are written when it is printed, and only where the stream shows them. */
export const styles: { readonly [style in Style]: (text: string) => string } = {
  bold: (text) => inStyle("bold", text),
  dim: (text) => inStyle("dim", text),
  red: (text) => inStyle("red", text),
  green: (text) => inStyle("green", text),
};

/** A text as a stream shows it: nothing in it is hidden, and colours only where its user wants them. */
function onStream(io: Io, stream: Output, text: string): string {
  const { NO_COLOR, TERM } = io.env;
  const wanted = (NO_COLOR === undefined || NO_COLOR === "") && TERM !== "dumb";
  const colours = picocolors.createColors(stream.isTTY === true && wanted);
  return shown(text, (style, inner) =>
    STYLES.includes(style as Style) ? colours[style as Style](inner) : inner,
  );
}

/** Writes lines of a result for a person. */
export function print(io: Io, text: string): void {
  io.stdout.write(`${onStream(io, io.stdout, text)}\n`);
}

/** Writes a result that may be meant for a program: as it is, where no terminal shows it. */
export function printRaw(io: Io, text: string): void {
  if (io.stdout.isTTY === true) print(io, text);
  else io.stdout.write(`${text}\n`);
}

/** @throws ReckonerError `journal.hostile`: no value that a run records has so long a text */
function jsonText(value: unknown): string {
  try {
    // Lists are shown as arrays, whatever they are made of.
    return JSON.stringify(value, (_key, each: unknown) => (isList(each) ? toArray(each) : each), 2);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const message =
      "A value has more text than can be held; the journal was made to exhaust its reader.";
    throw new ReckonerError("journal.hostile", message, { cause });
  }
}

/** Writes one JSON document. */
export function printJson(io: Io, value: unknown): void {
  io.stdout.write(`${visibleJson(jsonText(value))}\n`);
}

/** Characters that are written at once: a write for each item of a long list takes longer than the items do. */
const PIECE = 64 * 1024;

/** The text around a list that is an object's only part, whose name is empty. */
const [OPEN, CLOSE] = ['{\n  "": [', "\n  ]\n}"];

/**
 * Writes one JSON document whose last field is a list, piece by piece as they come.
 * @param pieces of the list, none of them empty
 * @param textOf writes a value; JSON's own is quicker for values that hold no Lists
 */
export async function printJsonList(
  io: Io,
  head: { readonly [name: string]: unknown },
  name: string,
  pieces: AsyncIterable<readonly unknown[]> | Iterable<readonly unknown[]>,
  textOf: (value: unknown) => string = jsonText,
): Promise<void> {
  let text = visibleJson(textOf({ ...head, [name]: [] })).slice(0, -"]\n}".length);
  let any = false;
  for await (const items of pieces) {
    const inner = visibleJson(textOf({ "": items })).slice(OPEN.length, -CLOSE.length);
    text += `${any ? "," : ""}${inner}`;
    any = true;
    if (text.length < PIECE) continue;
    io.stdout.write(text);
    text = "";
  }
  io.stdout.write(`${text}${any ? "\n  " : ""}]\n}\n`);
}

/** Says something to the person, apart from the result. */
export function say(io: Io, text: string): void {
  io.stderr.write(`${onStream(io, io.stderr, text)}\n`);
}
