/**
 * Reports an error of a command to its user as one line: the message, the place, how to fix it, and the code.
 */
import {
  type ErrorCode,
  inOneLine,
  isReckonerError,
  messageOf,
  ReckonerError,
} from "../../core/kernel/values/index.js";
import { type Io, say } from "./io.js";

/** A command called with wrong words. */
export function usageError(message: string): ReckonerError {
  return new ReckonerError("cli.usage", message);
}

/** A config or a tool called `process.exit`: nothing can go on behind that. */
export function endedByCode(): ReckonerError {
  return new ReckonerError(
    "config.invalid",
    "Code of the config or of a tool ended the process before the command did; take its process.exit() out.",
  );
}

/** Text in one line. */
export function oneLine(text: string): string {
  return inOneLine(text.trim());
}

/** Returns the message of an error, with its code if it has one. */
export function describe(thrown: unknown): string {
  const message = oneLine(messageOf(thrown));
  if (isReckonerError(thrown)) return `${message} [${thrown.code}]`;
  return `${message} (unexpected; set RECKONER_DEBUG=1 to see where)`;
}

/** Reports what was thrown: one line, and where it came from if somebody debugs. */
export function report(io: Io, thrown: unknown, about?: string): void {
  const words = describe(thrown);
  const named = about === undefined ? "" : oneLine(about);
  const prefix = named === "" || words.startsWith(named) ? "" : `${named}: `;
  say(io, `reckoner: ${prefix}${words}`);
  const { RECKONER_DEBUG } = io.env;
  if (RECKONER_DEBUG && thrown instanceof Error) say(io, stacksOf(thrown));
}

function stacksOf(error: Error): string {
  const { stack = "", cause } = error;
  return cause instanceof Error ? `${stack}\nCaused by ${stacksOf(cause)}` : stack;
}

/** Tells of the fault before which a journal was read. */
export function sayFault(io: Io, journal: string, fault: ReckonerError): void {
  report(io, about(journal, fault));
  say(io, `reckoner: ${oneLine(journal)} was read up to there`);
}

/** Returns an error as data for a program. */
export function errorOf(thrown: unknown): { readonly code: string; readonly message: string } {
  const code = isReckonerError(thrown) ? thrown.code : "unexpected";
  return { code, message: oneLine(messageOf(thrown)) };
}

/** The same error, saying which file it is about. */
export function about(path: string, thrown: unknown): unknown {
  if (!isReckonerError(thrown) || thrown.message.includes(path)) return thrown;
  const { code, message, place } = thrown;
  return new ReckonerError(code as ErrorCode, `${path}: ${message}`, {
    ...(place === undefined ? {} : { place }),
    cause: thrown,
  });
}
