/**
 * A journal port over a text that a test may damage, an unterminated last line included, and over
 * the texts of its child runs.
 */
import { ReckonerError } from "../core/kernel/index.js";
import type { JournalPort } from "../runtime/index.js";

/** A journal over a text. */
export interface TextJournal extends JournalPort {
  /** The text as it is now. */
  readonly text: string;
  /**
   * The texts of this journal and of its child runs' that hold something, by the ids of the `run`
   * directives that lead there, with a space between them; its own is under "".
   */
  readonly texts: ReadonlyMap<string, string>;
  child(id: string): TextJournal;
}

/** A journal that holds a text already, whole or not; or texts of its child runs as well. */
export function textJournal(initial: string | ReadonlyMap<string, string>): TextJournal {
  return journalIn(new Map(typeof initial === "string" ? [["", initial]] : initial), "");
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

function journalIn(texts: Map<string, string>, path: string): TextJournal {
  const text = () => texts.get(path) ?? "";
  return {
    name: path === "" ? "text" : `text ${path}`,
    get text() {
      return text();
    },
    get texts() {
      const within = [...texts].filter(
        ([each, held]) => held !== "" && (path === "" || `${each} `.startsWith(`${path} `)),
      );
      return new Map(within.map(([each, held]) => [each.slice(path.length).trim(), held]));
    },
    child: (id) => journalIn(texts, path === "" ? id : `${path} ${id}`),
    async *read(from = 0) {
      yield new TextEncoder().encode(text()).subarray(from);
    },
    async open() {
      return {
        async append(lines, expected) {
          const kept = text().slice(0, text().lastIndexOf("\n") + 1);
          if (kept.split("\n").length - 1 !== expected.lines) {
            throw new ReckonerError("journal.conflict", "The text ends elsewhere.");
          }
          texts.set(path, kept + lines.map((line) => `${line}\n`).join(""));
        },
        async close() {},
      };
    },
  };
}
