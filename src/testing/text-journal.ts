/**
 * A journal port over a text that a test may damage, an unterminated last line included, and over
 * the texts of its child runs. Its calls fail on demand.
 */
import { ReckonerError } from "../core/kernel/index.js";
import type { JournalPort, SnapshotStore } from "../runtime/index.js";

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
  /** True while the question before an append has no answer yet. */
  readonly asking: boolean;
  /** From now on every append fails, as on a full disk. */
  halt(): void;
  child(id: string): TextJournal;
}

/** A fault of an append: so much of it is written, and nothing more ever is. */
export interface AppendFault {
  readonly written: string;
  /** The error that the writer gets. */
  readonly error: Error;
}

/** Asked before each append, with its number and the texts as they are; it may change them. */
export type OnAppend = (
  number: number,
  text: string,
  texts: Map<string, string>,
) => AppendFault | undefined | Promise<AppendFault | undefined>;

/** The part of a call that was done when it failed. */
export type Reached = "nothing" | "part" | "all";

/** A call that fails, having done so much of its work. */
export interface CallFailure {
  readonly reached: Reached;
  readonly error: Error;
}

/** The options of a text journal, beside its text. */
export interface TextJournalOptions {
  /** The faults of its appends, numbered from 0 through the whole tree. */
  readonly onAppend?: OnAppend | undefined;
  /** The faults of its other calls, `snapshot` for those that have to do with snapshots. */
  readonly onCall?: ((call: "open" | "read" | "snapshot") => CallFailure | undefined) | undefined;
  /** The place of its snapshots; without it none are kept. */
  readonly snapshots?: SnapshotTexts | undefined;
}

/** Texts of snapshots, by the path of their journal and their number. */
export type SnapshotTexts = Map<string, ReadonlyMap<number, string>>;

/** A journal that holds a text already, whole or not; or texts of its child runs as well. */
export function textJournal(
  initial: string | ReadonlyMap<string, string>,
  options: TextJournalOptions = {},
): TextJournal {
  const texts = new Map(typeof initial === "string" ? [["", initial]] : initial);
  return journalIn({ texts, halted: false, appends: 0, asking: 0, options }, "");
}

/** As much of a text as was reached. */
export function partOf(text: string, reached: Reached): string {
  if (reached === "nothing") return "";
  return reached === "all" ? text : text.slice(0, Math.floor(text.length / 2));
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
  /** The number of appends that wait for an answer. */
  asking: number;
  readonly options: TextJournalOptions;
}

function journalIn(shared: Shared, path: string): TextJournal {
  const { texts, options } = shared;
  const text = () => texts.get(path) ?? "";
  const failing = (call: "open" | "read") => options.onCall?.(call);
  return {
    ...(options.snapshots === undefined
      ? {}
      : { snapshots: snapshotsIn(shared, options.snapshots, path) }),
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
      return shared.asking > 0;
    },
    halt() {
      shared.halted = true;
    },
    child: (id) => journalIn(shared, path === "" ? id : `${path} ${id}`),
    async *read(from = 0) {
      const failure = failing("read");
      const bytes = new TextEncoder().encode(partOf(text(), failure?.reached ?? "all"));
      yield bytes.subarray(from);
      if (failure !== undefined) throw failure.error;
    },
    async open() {
      const failure = failing("open");
      if (failure !== undefined) throw failure.error;
      return {
        async append(lines, expected) {
          if (shared.halted) throw new Error("The journal was halted.");
          const added = lines.map((line) => `${line}\n`).join("");
          const fault = await faultOf(shared, added);
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

async function faultOf(shared: Shared, added: string): Promise<AppendFault | undefined> {
  const { onAppend } = shared.options;
  shared.asking += 1;
  try {
    return await onAppend?.(shared.appends++, added, shared.texts);
  } finally {
    shared.asking -= 1;
  }
}

/** Snapshots beside a journal; whoever is dead writes none. */
function snapshotsIn(shared: Shared, kept: SnapshotTexts, path: string): SnapshotStore {
  const of = () => kept.get(path) ?? new Map<number, string>();
  /** Does so much of the work as is reached, and says whether it failed. */
  const call = (work: (reached: Reached) => void = () => {}) => {
    if (shared.halted) throw new Error("The journal was halted.");
    const failure = shared.options.onCall?.("snapshot");
    work(failure?.reached ?? "all");
    if (failure !== undefined) throw failure.error;
  };
  return {
    async list() {
      call();
      return [...of()].map(([seq, { length }]) => ({ seq, size: length }));
    },
    async read(seq) {
      call();
      return of().get(seq);
    },
    async write(seq, make) {
      const text = make();
      call((reached) => {
        if (reached !== "nothing") kept.set(path, new Map(of()).set(seq, partOf(text, reached)));
      });
      return text.length;
    },
    async remove(seq) {
      call((reached) => {
        if (reached !== "nothing")
          kept.set(path, new Map([...of()].filter(([each]) => each !== seq)));
      });
    },
  };
}
