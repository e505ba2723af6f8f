/**
 * Lists the runs of a folder by their rows (`rows-file.ts`), and reads only the journals whose file has
 * changed since their row was made, by its size, its time and its last line. A change that leaves size and
 * time as they were goes unnoticed in lists; a command that continues a run reads its journal.
 */
import { type Stats, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { type ErrorCode, isReckonerError } from "../../core/kernel/values/index.js";
import { storedRow } from "../../runtime/for-adapters.js";
import { headerOf, type JournalPort, summaryOf } from "../../runtime/index.js";
import { type IndexedRow, RowsFile } from "./rows-file.js";

/** A journal that was found; one that cannot be looked at has no stats. */
export interface FoundJournal {
  readonly name: string;
  readonly stats: Pick<Stats, "size" | "mtimeMs"> | undefined;
}

/** The runs of a folder. */
export interface FolderListing {
  readonly rows: readonly IndexedRow[];
  readonly unreadable: readonly { readonly name: string; readonly error: unknown }[];
  /** Journals that are read by the next lists. */
  readonly pending: number;
}

/** A fault of a journal's bytes: it need not be found again as long as they are the same. */
interface KeptFault extends Pick<IndexedRow, "size" | "time"> {
  readonly error: unknown;
}

/** The codes of such faults. */
const OF_BYTES: ReadonlySet<ErrorCode> = new Set([
  "journal.chain",
  "journal.format",
  "journal.hostile",
]);
/** `<hash>"}` and the newline of a journal's last line. */
const END = 35;
/** Rows that are made before they are kept: a list that was broken off goes on behind them. */
const BATCH = 500;

/** Lists a folder, as often as it is asked to. */
export class RunFolder {
  readonly #folder: string;
  readonly #portOf: (name: string) => JournalPort;
  readonly #file: RowsFile | undefined;
  readonly #faults = new Map<string, KeptFault>();
  #rows: Map<string, IndexedRow> | undefined;

  /**
   * @param portOf opens a journal by its path in the folder
   * @param isIndexed false where rows are kept by this process alone
   */
  constructor(folder: string, portOf: (name: string) => JournalPort, isIndexed: boolean = true) {
    this.#folder = folder;
    this.#portOf = portOf;
    this.#file = isIndexed ? new RowsFile(folder) : undefined;
  }

  /** @param most journals that are opened for it */
  async list(
    found: readonly FoundJournal[],
    most: number = Number.POSITIVE_INFINITY,
  ): Promise<FolderListing> {
    this.#rows ??= this.#file?.read() ?? new Map();
    const byName = this.#rows;
    const rows: IndexedRow[] = [];
    const unreadable: { readonly name: string; readonly error: unknown }[] = [];
    const made: IndexedRow[] = [];
    let [opened, pending] = [0, 0];
    for (const { name, stats } of found) {
      const row = byName.get(name);
      const fault = this.#faults.get(name);
      if (row !== undefined && isAsItWas(row, stats) && this.#isBeside(row)) rows.push(row);
      else if (fault !== undefined && isAsItWas(fault, stats)) unreadable.push({ name, ...fault });
      else if (opened >= most) pending += 1;
      else {
        opened += 1;
        try {
          const next = await this.#rowOf(name, stats, row);
          rows.push(next);
          byName.set(name, next);
          if (made.push(next) % BATCH === 0) this.#file?.write(made.splice(0), byName);
        } catch (error) {
          unreadable.push({ name, error });
          byName.delete(name);
          this.#keepFault(name, stats, error);
        }
      }
    }
    // A journal that is gone leaves a line that counts no more.
    if (byName.size > rows.length + pending) {
      const names = new Set(found.map(({ name }) => name));
      for (const name of byName.keys()) if (!names.has(name)) byName.delete(name);
    }
    this.#file?.write(made, byName);
    return { rows, unreadable, pending };
  }

  #keepFault(name: string, stats: FoundJournal["stats"], error: unknown): void {
    const isOfBytes = isReckonerError(error) && OF_BYTES.has(error.code);
    if (stats === undefined || !isOfBytes) this.#faults.delete(name);
    else this.#faults.set(name, { size: stats.size, time: stats.mtimeMs, error });
  }

  /** Returns true if the journals that a fork shares lines with are there, and no shorter. */
  #isBeside({ beside }: IndexedRow): boolean {
    return beside.every(([path, size]) => this.#sizeOf(path) >= size);
  }

  #sizeOf(path: string): number {
    try {
      return statSync(resolve(this.#folder, path)).size;
    } catch {
      return -1;
    }
  }

  async #rowOf(
    name: string,
    stats: FoundJournal["stats"],
    before: IndexedRow | undefined,
  ): Promise<IndexedRow> {
    const port = this.#portOf(name);
    const time = stats?.mtimeMs ?? 0;
    let read = { size: 0, end: "" };
    const noted = (from = 0) =>
      noting(port.read(from), from, (ended) => {
        read = ended;
      });
    if (before !== undefined && before.size === stats?.size && this.#isBeside(before)) {
      for await (const _ of noted(Math.max(0, before.size - END)));
      if (read.size === before.size && read.end === before.end) return { ...before, time };
    }
    const shared = new Set<string>();
    const whole = { ...sharing(port, shared), read: noted };
    const { fingerprint } = await headerOf(whole);
    const { journal: _journal, ...row } = await summaryOf(whole);
    const beside = [...shared].map((path) => [
      relative(this.#folder, path),
      this.#sizeOf(path),
    ]) as IndexedRow["beside"];
    return { journal: name, ...read, time, beside, fingerprint, row: storedRow(row) };
  }
}

function isAsItWas(
  { size, time }: Pick<IndexedRow, "size" | "time">,
  stats: FoundJournal["stats"],
): boolean {
  return stats?.size === size && stats.mtimeMs === time;
}

/** Passes pieces on; behind the last it tells where they ended, and how. */
async function* noting(
  pieces: AsyncIterable<Uint8Array>,
  from: number,
  ended: (read: Pick<IndexedRow, "size" | "end">) => void,
): AsyncGenerator<Uint8Array> {
  let [size, end] = [from, ""];
  for await (const bytes of pieces) {
    size += bytes.length;
    end = (end + Buffer.from(bytes.subarray(-END)).toString("latin1")).slice(-END);
    yield bytes;
  }
  ended({ size, end });
}

/** A port that notes which journals are read that it leads to. */
function sharing(port: JournalPort, shared: Set<string>): JournalPort {
  return {
    ...port,
    read(from) {
      shared.add(port.name);
      return port.read(from);
    },
    follow(link) {
      const to = port.follow?.(link);
      return to && sharing(to, shared);
    },
  };
}
