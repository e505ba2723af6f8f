/**
 * Reads and writes the index of a folder of journals: a hidden file with a line for each row of a run. Of
 * several lines for one journal the last counts. The commands that list a folder append to it. It is a cache:
 * if it is damaged or gone, the journals are read again.
 */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import * as shapes from "../../core/kernel/shapes.js";
import { ROW } from "../../runtime/for-adapters.js";
import type { RunRow } from "../../runtime/index.js";

/** A row, and the journal that it was made of, as it was then. */
export interface IndexedRow {
  /** The journal's path in the folder. */
  readonly journal: string;
  /** Bytes, and the time of the last change in milliseconds. */
  readonly size: number;
  readonly time: number;
  /** Its last bytes, with the hash of its last line. */
  readonly end: string;
  /** The journals that it shares lines with, by their paths from the folder, and the bytes that they had. */
  readonly beside: readonly (readonly [path: string, size: number])[];
  /** The fingerprint of the configuration that the run began with. */
  readonly fingerprint: string;
  readonly row: RunRow & { readonly torn?: number };
}

/** Hidden, and without the ending of a journal. */
const NAME = ".reckoner-rows";
/** The one draft of all that is written anew: the next replaces what a killed process left of it. */
const DRAFT = ".reckoner-rows.tmp";
/** The version of a line: to be raised where the same journal gives another row. */
const VERSION = 2;
/** Characters of a line: a row that is longer is made of its journal each time. */
const MAX_LINE = 256 * 1024;
/** A longer file is not read, and written anew. */
const MAX_BYTES = 256 * 1024 * 1024;
/** So many lines that do not count may stand beside as many as count. */
const SPARE = 64;
/** Its owner's alone: it holds what was said. */
const OWNER_ONLY = 0o600;
/** Without waiting, should there be a pipe, and to no file that a link leads to; not every platform has the flags. */
const NO_WAIT = constants.O_NONBLOCK ?? 0;
const READ = constants.O_RDONLY | NO_WAIT;
const APPEND =
  constants.O_WRONLY |
  constants.O_CREAT |
  constants.O_APPEND |
  NO_WAIT |
  (constants.O_NOFOLLOW ?? 0);

const BESIDE: shapes.Shape = [
  (value) => Array.isArray(value) && typeof value[0] === "string" && Number.isSafeInteger(value[1]),
  "a path and a size",
];
const PARTS = {
  version: [(value: unknown) => value === VERSION, `${VERSION}`] as shapes.Shape,
  journal: shapes.TEXT,
  size: shapes.WHOLE,
  time: shapes.NUMBER,
  end: shapes.TEXT,
  beside: shapes.listOf(BESIDE),
  fingerprint: shapes.TEXT,
  row: ROW,
};
const LINE = shapes.open(PARTS, ...Object.keys(PARTS));

/** The rows that a folder keeps. */
export class RowsFile {
  readonly #folder: string;
  /** Lines in the file, also those that do not count. */
  #lines = 0;
  /** False where the file cannot be gone on with. */
  #isWhole = true;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Reads the rows that count, by their journals. */
  read(): Map<string, IndexedRow> {
    const rows = new Map<string, IndexedRow>();
    for (const line of this.#text().split("\n")) {
      if (line === "") continue;
      this.#lines += 1;
      const row = rowIn(line);
      if (row !== undefined) rows.set(row.journal, row);
    }
    return rows;
  }

  /** Keeps rows that were made. @param all that count, these included */
  write(made: readonly IndexedRow[], all: ReadonlyMap<string, IndexedRow>): void {
    if (made.length === 0 && this.#lines <= 2 * all.size + SPARE) return;
    try {
      const isStale = this.#lines + made.length > 2 * all.size + SPARE;
      if (isStale || !this.#isWhole || !this.#append(made)) this.#replace(all.values());
    } catch {
      // A folder that nobody may write into is listed without it.
    }
  }

  #text(): string {
    try {
      const file = openSync(join(this.#folder, NAME), READ);
      try {
        const stats = fstatSync(file);
        this.#isWhole = stats.isFile() && stats.size <= MAX_BYTES;
        return this.#isWhole ? readFileSync(file, "utf8") : "";
      } finally {
        closeSync(file);
      }
    } catch (thrown) {
      this.#isWhole = (thrown as NodeJS.ErrnoException).code === "ENOENT";
      return "";
    }
  }

  /** Returns false where that cannot be done, or would be done to another file. */
  #append(made: readonly IndexedRow[]): boolean {
    const lines = linesOf(made);
    // A line end comes first: what a crash has torn before it is a line by itself.
    const bytes = Buffer.from(`\n${lines.join("")}`);
    try {
      const file = openSync(join(this.#folder, NAME), APPEND, OWNER_ONLY);
      try {
        if (fstatSync(file).nlink > 1) return false;
        for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      } finally {
        closeSync(file);
      }
    } catch {
      return false;
    }
    this.#lines += lines.length;
    return true;
  }

  /** Writes the file anew. Rows that another process appends meanwhile are made again. */
  #replace(all: Iterable<IndexedRow>): void {
    const lines = linesOf(all);
    const draft = join(this.#folder, DRAFT);
    // Made anew: to write to a pipe or a link that is there is to write to something else.
    rmSync(draft, { force: true });
    writeFileSync(draft, lines.join(""), { flag: "wx", mode: OWNER_ONLY });
    renameSync(draft, join(this.#folder, NAME));
    this.#lines = lines.length;
    this.#isWhole = true;
  }
}

function linesOf(rows: Iterable<IndexedRow>): readonly string[] {
  return [...rows]
    .map((row) => `${JSON.stringify({ version: VERSION, ...row })}\n`)
    .filter(({ length }) => length <= MAX_LINE);
}

function rowIn(line: string): IndexedRow | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return shapes.misfit(value, LINE) === undefined ? (value as IndexedRow) : undefined;
  } catch {
    return undefined;
  }
}
