/** Parses a flag that takes JSON: inline, or from a file with `@`. */
import { resolve } from "node:path";
import { type Json, messageOf } from "../../core/kernel/values/index.js";
import { usageError } from "../terminal/failure.js";
import type { Io } from "../terminal/io.js";
import { readText } from "./read-text.js";

/**
 * The value of a flag `JSON|@FILE`.
 * @throws ReckonerError `cli.usage`, with the position where the text is not JSON
 */
export function readJsonFlag(io: Io, flag: string, value: string): Json {
  if (!value.startsWith("@")) return parseJsonFlag(flag, value);
  const path = value.slice(1);
  let text: string;
  try {
    text = readText(resolve(io.cwd, path));
  } catch (thrown) {
    throw usageError(`${flag} names the file ${path}, which cannot be read: ${messageOf(thrown)}.`);
  }
  return parseJsonFlag(`${flag} ${value}`, text);
}

/** A text that has to be JSON. */
export function parseJsonFlag(what: string, text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (thrown) {
    const message = messageOf(thrown);
    throw usageError(
      `${what} is not JSON ${placeOf(message, text)}: ${message.replace(/ (?:in JSON )?at position.*$/s, "")}.`,
    );
  }
}

/** Where the engine stopped, counted as editors do. */
function placeOf(message: string, text: string): string {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  const before = text.slice(0, position === undefined ? text.length : Number(position)).split("\n");
  return `at line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
