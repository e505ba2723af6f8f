/**
 * A journal port over a text that a test may damage at will, an unterminated last line included; and
 * over the texts of its child runs.
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
  readonly halted: boolean;
  /** Whoever was asked before an append has not answered yet. */
  readonly asking: boolean;
  /** From now on every append fails, as on a full disk. */
  halt(): void;
  child(id: string): TextJournal;
}

/** What goes wrong with an append: so much of it is written, and nothing more ever is. */
export interface AppendFault {
  readonly written: string;
  /** What the writer is told. */
  readonly error: Error;
}

/** Asked before each append, with its number and the texts as they are; it may change them. */
export type OnAppend = (
  number: number,
  text: string,
  texts: Map<string, string>,
) => AppendFault | undefined | Promise<AppendFault | undefined>;

/**
 * A journal that holds a text already, whole or not; or texts of its child runs as well.
 * @param onAppend what goes wrong with its appends, numbered from 0 through the whole tree
 */
export function textJournal(
  initial: string | ReadonlyMap<string, string>,
  onAppend?: OnAppend,
): TextJournal {
  const texts = new Map(typeof initial === "string" ? [["", initial]] : initial);
  return journalIn({ texts, halted: false, appends: 0, asking: false, onAppend }, "");
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

interface Shared {
  readonly texts: Map<string, string>;
  halted: boolean;
  appends: number;
  asking: boolean;
  readonly onAppend: OnAppend | undefined;
}

function journalIn(shared: Shared, path: string): TextJournal {
  const { texts } = shared;
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
    get halted() {
      return shared.halted;
    },
    get asking() {
      return shared.asking;
    },
    halt() {
      shared.halted = true;
    },
    child: (id) => journalIn(shared, path === "" ? id : `${path} ${id}`),
    async *read(from = 0) {
      yield new TextEncoder().encode(text()).subarray(from);
    },
    async open() {
      return {
        async append(lines, expected) {
          if (shared.halted) throw new Error("The journal was halted.");
          const added = lines.map((line) => `${line}\n`).join("");
          shared.asking = true;
          const fault = await shared.onAppend?.(shared.appends++, added, texts);
          shared.asking = false;
          const kept = text().slice(0, text().lastIndexOf("\n") + 1);
          if (kept.split("\n").length - 1 !== expected.lines) {
            throw new ReckonerError("journal.conflict", "The text ends elsewhere.");
          }
          texts.set(path, kept + (fault === undefined ? added : fault.written));
          if (fault === undefined) return;
          shared.halted = true;
          throw fault.error;
        },
        async close() {},
      };
    },
  };
}
