/**
 * A journal port over a text, for tests that begin with a damaged journal, such as one whose last line was
 * cut off.
 */
import { textOfLines } from "../core/journal/index.js";
import { ReckonerError } from "../core/kernel/values/index.js";
import type { JournalPort } from "../runtime/index.js";

/** A journal over a text. */
export interface TextJournal extends JournalPort {
  /** The text as it is now. */
  readonly text: string;
}

/** A journal that holds a text already, whole or not. */
export function textJournal(initial: string): TextJournal {
  let text = initial;
  return {
    name: "text",
    get text() {
      return text;
    },
    async *read(from = 0) {
      yield new TextEncoder().encode(text).subarray(from);
    },
    async open() {
      return {
        async append(lines, expected) {
          const kept = text.slice(0, text.lastIndexOf("\n") + 1);
          if (kept.split("\n").length - 1 !== expected.lines) {
            throw new ReckonerError("journal.conflict", "The text ends elsewhere.");
          }
          text = kept + textOfLines(lines);
        },
        async close() {},
      };
    },
  };
}

/** A journal's text as lines, and what stands after the last newline. */
export function splitJournal(text: string): {
  readonly lines: readonly string[];
  readonly torn: string;
} {
  const lines = text.split("\n");
  const torn = lines.pop() ?? "";
  return { lines, torn };
}
