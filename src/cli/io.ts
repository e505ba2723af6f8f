/**
 * What a command knows of the process it runs in: three streams, a folder, an environment. Commands
 * take it as an argument, so that tests can call them; they must not touch `process` themselves.
 */
import picocolors from "picocolors";

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
  /** Ends the process at once. */
  exit(code: number): void;
}

/** Whether a person sits there: somebody reads what we say and can answer. */
export function isInteractive(io: Io): boolean {
  return io.stdin.isTTY === true && io.stderr.isTTY === true;
}

/** Colours for a stream: none where it is no terminal or its user wants none. */
export function coloursOf(io: Io, stream: Output): ReturnType<typeof picocolors.createColors> {
  const { NO_COLOR, TERM } = io.env;
  const wanted = (NO_COLOR === undefined || NO_COLOR === "") && TERM !== "dumb";
  return picocolors.createColors(stream.isTTY === true && wanted);
}

/** Writes lines of a result. */
export function print(io: Io, text: string): void {
  io.stdout.write(`${text}\n`);
}

/** Writes one JSON document. */
export function printJson(io: Io, value: unknown): void {
  print(io, JSON.stringify(value, null, 2));
}

/** Says something to the person, apart from the result. */
export function say(io: Io, text: string): void {
  io.stderr.write(`${text}\n`);
}
