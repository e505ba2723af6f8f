/**
 * Checks the values of all flags of the command line: none is empty, and none is given twice unless it may be.
 */
import type { Command } from "commander";
import { usageError } from "./failure.js";

/** Collects the values of a flag that may be given again. */
export const each = (word: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  word,
];

/** Flags whose text is for people or models, and may be empty. */
const TEXTS: ReadonlySet<string> = new Set(["--prompt", "--reason", "--message"]);

/**
 * Checks every flag with a value: an empty one (as from an unset shell variable) is refused, and so
 * is one that is given twice, unless it is repeatable.
 */
export function checkFlags(command: Command): void {
  for (const option of command.options) {
    const { long, parseArg } = option;
    if (option.isBoolean() || typeof long !== "string") continue;
    option.argParser((value: string, before: unknown) => {
      if (value.trim() === "" && !TEXTS.has(long))
        throw usageError(`${long} is empty; write a word.`);
      if (before !== undefined && parseArg !== each) {
        throw usageError(`${long} is given twice; give it once.`);
      }
      return parseArg === undefined ? value : parseArg<unknown>(value, before);
    });
  }
  command.commands.forEach(checkFlags);
}
