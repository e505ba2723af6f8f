/**
 * Stores snapshots, and decides which are kept: at most sixteen, evenly thinned, together 32 KiB or a
 * sixteenth of the journal, except for the newest two. Rows that they share are written once.
 */
import type { DueSnapshot } from "../../core/driver/for-live-runs.js";
import { digestOf } from "../../core/kernel/values/index.js";
import type { SnapshotStore, StoredSnapshot } from "../ports/ports.js";
import type { LoadedRun } from "./loaded-run.js";

const MAX_SNAPSHOTS = 16;
/** So many bytes, and that share of the journal's, the older ones may have: they cost little beside it. */
const ALWAYS = 32 * 1024;
const SHARE = 1 / 16;
/** So many characters of rows that no snapshot needs are not worth sweeping. */
const MIN_WASTE = 256 * 1024;

/** The snapshots of one journal that is being written. */
export class SnapshotKeeper {
  readonly #store: SnapshotStore | undefined;
  #kept: readonly StoredSnapshot[];
  /** What is none, and goes with the next write. */
  #unfit: readonly number[];
  /** The lengths of the rows that are kept, by their names; absent where nobody has looked. */
  #rows: Map<string, number> | undefined;
  /** Characters of rows that were there before, and that no snapshot since has needed. */
  #others: number;
  #pending: Promise<void> = Promise.resolve();

  /** @param origin what was kept before; absent for a run that begins */
  constructor(
    store: SnapshotStore | undefined,
    origin?: Pick<LoadedRun<unknown>, "snapshots" | "unfit"> &
      Partial<Pick<LoadedRun<unknown>, "rows">>,
  ) {
    this.#store = store;
    this.#unfit = origin?.unfit ?? [];
    this.#kept = [...(origin?.snapshots ?? [])].sort((a, b) => a.seq - b.seq);
    if (origin === undefined) this.#rows = new Map();
    else if (origin.rows !== undefined) this.#rows = new Map(origin.rows.named);
    this.#others = origin?.rows?.others ?? 0;
  }

  /** Stores a snapshot. Call it when its lines are durable. */
  store(snapshot: DueSnapshot): void {
    const store = this.#store;
    if (store === undefined) return;
    // A snapshot that cannot be written costs time at the next resume, and nothing else.
    this.#pending = this.#pending.then(() => this.#write(store, snapshot)).catch(() => {});
  }

  /** Resolves when nothing is being written any more. */
  settled(): Promise<void> {
    return this.#pending;
  }

  async #write(store: SnapshotStore, { seq, text, behind, rows }: DueSnapshot): Promise<void> {
    const lengths = await this.#rowLengths(store, rows.size > 0);
    const more = new Map<string, string>();
    for (const [name, make] of rows) if (!lengths.has(name)) more.set(name, make());
    const bytes = await store.write(seq, text, more);
    for (const [name, { length }] of more) lengths.set(name, length);
    const size = Number.isSafeInteger(bytes) ? bytes : text.length;
    // What stands behind the newest event is of no run of this journal.
    const beyond = this.#kept.filter((each) => each.seq > seq).map((each) => each.seq);
    const gone = [...this.#unfit, ...beyond].filter((each) => each !== seq);
    this.#unfit = [];
    this.#kept = [...this.#kept.filter((each) => each.seq < seq), { seq, size }];
    for (const each of gone) await store.remove(each);
    await this.#thin(store, behind);
    await this.#sweep(store, lengths, rows);
  }

  async #rowLengths(store: SnapshotStore, isNeeded: boolean): Promise<Map<string, number>> {
    if (this.#rows !== undefined || !isNeeded) return this.#rows ?? new Map();
    const lengths = new Map<string, number>();
    // A crash may have left half a row.
    for (const [name, row] of await store.rows()) {
      if (digestOf(row) === name) lengths.set(name, row.length);
    }
    this.#rows = lengths;
    return lengths;
  }

  /** Lists that are no more leave their rows: where these are most, only those of the newest snapshot stay. */
  async #sweep(
    store: SnapshotStore,
    lengths: Map<string, number>,
    needed: DueSnapshot["rows"],
  ): Promise<void> {
    let waste = this.#others;
    let used = 0;
    for (const [name, length] of lengths) {
      if (needed.has(name)) used += length;
      else waste += length;
    }
    if (waste <= Math.max(MIN_WASTE, used)) return;
    // Earlier ones may need what goes.
    const [newest] = this.#kept.slice(-1);
    for (const { seq } of this.#kept.slice(0, -1)) await store.remove(seq);
    this.#kept = newest === undefined ? [] : [newest];
    await store.keepRows(new Set(needed.keys()));
    this.#others = 0;
    for (const name of lengths.keys()) if (!needed.has(name)) lengths.delete(name);
  }

  async #thin(store: SnapshotStore, journalBytes: number): Promise<void> {
    for (;;) {
      const older = this.#kept.slice(0, -1);
      const bytes = older.reduce((sum, each) => sum + each.size, 0);
      const fits = bytes <= Math.max(ALWAYS, SHARE * journalBytes);
      // Where the newest turns out to be none, the one before it is used.
      if (older.length < 2 || (older.length < MAX_SNAPSHOTS && fits)) return;
      const gone = leastMissed(this.#kept);
      this.#kept = this.#kept.filter((each) => each !== gone);
      await store.remove(gone.seq);
    }
  }
}

/** The one between whose neighbours the gap is the smallest; never the newest. */
function leastMissed(kept: readonly StoredSnapshot[]): StoredSnapshot {
  let best = 0;
  for (let i = 1; i < kept.length - 1; i++) if (gapAt(kept, i) < gapAt(kept, best)) best = i;
  return kept[best] as StoredSnapshot;
}

function gapAt(kept: readonly StoredSnapshot[], i: number): number {
  return (kept[i + 1]?.seq ?? 0) - (kept[i - 1]?.seq ?? 0);
}
