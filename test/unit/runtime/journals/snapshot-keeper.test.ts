// Which snapshots are kept, and which rows.
import { expect, it } from "vitest";
import { digestOf } from "../../../../src/core/kernel/values/index.js";
import { SnapshotKeeper } from "../../../../src/runtime/journals/snapshot-keeper.js";
import type { SnapshotStore, StoredSnapshot } from "../../../../src/runtime/ports/ports.js";

const KIB = 1024;

/** A keeper of snapshots that all are so large. */
function keeper(
  size: number,
  kept: readonly StoredSnapshot[] = [],
  unfit: readonly number[] = [],
  isNew = false,
) {
  const stored = new Set([...kept.map(({ seq }) => seq), ...unfit]);
  const rows = new Map<string, string>();
  const written: string[] = [];
  const store: SnapshotStore = {
    list: async () => [],
    read: async () => undefined,
    async write(seq, _text, more) {
      for (const [name, row] of more) rows.set(name, row);
      written.push(...more.values());
      stored.add(seq);
      return size;
    },
    async remove(seq) {
      stored.delete(seq);
    },
    rows: async () => rows,
    async keepRows(names) {
      for (const name of [...rows.keys()]) if (!names.has(name)) rows.delete(name);
    },
  };
  const keeps = new SnapshotKeeper(store, isNew ? undefined : { snapshots: kept, unfit });
  /** Stores one at each of these bytes. @returns what is kept */
  const put = async (seqs: readonly number[], texts: readonly string[] = [], bytes?: number) => {
    for (const seq of seqs) {
      const named = new Map(texts.map((text) => [digestOf(text), () => text]));
      keeps.store({ seq, text: "", behind: bytes ?? seq, rows: named });
      await keeps.settled();
    }
    return [...stored].sort((a, b) => a - b);
  };
  return { put, rows, written };
}

it("sixteen are kept at most, over the whole of the run, and the newest always", async () => {
  const { put } = keeper(1);
  const all = Array.from({ length: 200 }, (_, i) => (i + 1) * 65 * KIB);
  for (const [i, bytes] of all.entries()) {
    const kept = await put([bytes]);
    expect(kept).toHaveLength(Math.min(i + 1, 16));
    expect(kept.at(-1)).toBe(bytes);
    const gaps = kept.map((each, j) => each - (kept[j - 1] ?? 0));
    // Evenly: no stretch is much longer than it would be if they stood side by side.
    expect(Math.max(...gaps) / (bytes / kept.length)).toBeLessThan(4);
  }
});

it("the older ones together are 32 KiB, or a sixteenth of the journal", async () => {
  const { put } = keeper(20 * KIB);
  expect(await put([1, 2, 3])).toEqual([2, 3]);
  expect(await put([4], [], 16 * 39 * KIB)).toHaveLength(2);
  expect(await put([5], [], 16 * 40 * KIB)).toHaveLength(3);
  expect(await keeper(1, [{ seq: 1, size: 33 * KIB }]).put([2])).toEqual([1, 2]);
});

it("what is none is removed with the next write, and what stands behind the newest event", async () => {
  const kept = [
    { seq: 3, size: 1 },
    { seq: 90, size: 1 },
  ];
  expect(await keeper(1, kept, [5, 7]).put([7], [], 10)).toEqual([3, 7]);
});

it("a row is written once, also where another process wrote it; half a row is written again", async () => {
  const { put, rows, written } = keeper(1);
  rows.set(digestOf("one"), "one").set(digestOf("two"), "tw");
  await put([1], ["one", "two"]);
  await put([2], ["one", "two", "three"]);
  expect(written).toEqual(["two", "three"]);
  const fresh = keeper(1, [], [], true);
  await fresh.put([1], ["one"]);
  await fresh.put([2], ["one", "two"]);
  expect(fresh.written).toEqual(["one", "two"]);
});

it("rows of Lists that are no more are swept, and snapshots with them that may need them", async () => {
  const { put, rows } = keeper(1);
  const long = (letter: string) => letter.repeat(200 * KIB);
  await put([1], [long("a"), long("b")]);
  expect(await put([2], [long("a")])).toEqual([1, 2]);
  expect(rows.size).toBe(2);
  expect(await put([3], ["c"])).toEqual([3]);
  expect([...rows.values()]).toEqual(["c"]);
});
