/**
 * Decides when snapshots are taken and which are kept. One is taken when the lines since the last
 * one are larger than it, so that their cost is a fixed share of the work, and whenever the run
 * waits or ends. At most sixteen are kept, evenly thinned, together no larger than the journal,
 * except for the newest.
 */
import { encodeSnapshot, type Snapshot } from "../../core/journal/live.js";
import type { SnapshotStore, StoredSnapshot } from "../ports.js";

/** Below this many bytes of lines no snapshot on the way is worth its write. */
const FLOOR = 64 * 1024;
const MAX_SNAPSHOTS = 16;

/** The snapshots of one journal that is being written. */
export class SnapshotKeeper {
  readonly #store: SnapshotStore | undefined;
  #kept: readonly StoredSnapshot[];
  /** What is none, and goes with the next write. */
  #unfit: readonly number[];
  /** Where the last one stands, in bytes of the journal, and how large it is. */
  #last: number | undefined;
  #size: number;
  #pending: Promise<void> = Promise.resolve();
  #writing = false;

  constructor(
    store: SnapshotStore | undefined,
    kept: readonly StoredSnapshot[],
    unfit: readonly number[],
  ) {
    this.#store = store;
    this.#unfit = unfit;
    this.#kept = [...kept].sort((a, b) => a.seq - b.seq);
    this.#size = Math.max(FLOOR, this.#kept.at(-1)?.size ?? 0);
  }

  /** Leaves a snapshot where the lines since the last have outgrown it. */
  offer(snapshot: Snapshot): void {
    this.#last ??= this.#kept.length === 0 ? 0 : snapshot.place.bytes;
    if (this.#writing || snapshot.place.bytes - this.#last <= this.#size) return;
    this.#write(snapshot);
  }

  /** Leaves a snapshot, unless there is one of this state. */
  leave(snapshot: Snapshot): void {
    if (this.#kept.at(-1)?.seq !== snapshot.place.seq) this.#write(snapshot);
  }

  /** Resolves when nothing is being written any more. */
  settled(): Promise<void> {
    return this.#pending;
  }

  #write(snapshot: Snapshot): void {
    const store = this.#store;
    if (store === undefined) return;
    this.#last = snapshot.place.bytes;
    this.#writing = true;
    // A snapshot that cannot be written costs time at the next resume, and nothing else.
    this.#pending = this.#pending
      .then(async () => {
        const { seq } = snapshot.place;
        let length = 0;
        const bytes = await store.write(seq, () => {
          const text = encodeSnapshot(snapshot);
          length = text.length;
          return text;
        });
        const size = Number.isSafeInteger(bytes) ? bytes : length;
        this.#size = Math.max(FLOOR, size);
        // What stands behind the newest event is of no run of this journal.
        const beyond = this.#kept.filter((each) => each.seq > seq).map((each) => each.seq);
        const gone = [...this.#unfit, ...beyond].filter((each) => each !== seq);
        this.#unfit = [];
        this.#kept = [...this.#kept.filter((each) => each.seq < seq), { seq, size }];
        for (const each of gone) await store.remove(each);
        await this.#thin(store, snapshot.place.bytes);
      })
      .catch(() => {})
      .finally(() => {
        this.#writing = false;
      });
  }

  async #thin(store: SnapshotStore, journalBytes: number): Promise<void> {
    for (;;) {
      const older = this.#kept.slice(0, -1);
      const bytes = older.reduce((sum, each) => sum + each.size, 0);
      if (older.length < MAX_SNAPSHOTS && bytes <= journalBytes) return;
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
