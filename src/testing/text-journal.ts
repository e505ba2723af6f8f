/** A journal port over a text that a test may damage at will, an unterminated last line included. */
import { ReckonerError } from "../core/kernel/index.js";
import type { JournalPort } from "../runtime/index.js";

/** A journal over a text. */
export interface TextJournal extends JournalPort {
  /** The text as it is now. */
  readonly text: string;
  readonly halted: boolean;
  /** From now on every append fails, as on a full disk. */
  halt(): void;
}

/** A journal that holds a text already, whole or not. */
export function textJournal(initial: string): TextJournal {
  let text = initial;
  let halted = false;
  const complete = () => text.slice(0, text.lastIndexOf("\n") + 1);
  return {
    name: "text",
    get text() {
      return text;
    },
    get halted() {
      return halted;
    },
    halt() {
      halted = true;
    },
    async read(from) {
      if (from === undefined || from.lines === 0) return text;
      let start = 0;
      for (let i = 0; i < from.lines; i++) start = text.indexOf("\n", start) + 1;
      return text.slice(start);
    },
    async open() {
      return {
        async append(lines, expected) {
          if (halted) throw new Error("The journal was halted.");
          const kept = complete();
          if (kept.split("\n").length - 1 !== expected.lines) {
            throw new ReckonerError("journal.conflict", "The text ends elsewhere.");
          }
          text = kept + lines.map((line) => `${line}\n`).join("");
        },
        async close() {},
      };
    },
  };
}
