// When snapshots are left, and which of them are kept.
import { expect, it } from "vitest";
import { noMemory, type Snapshot } from "../../../../src/core/journal/index.js";
import { emptyList, emptyTable } from "../../../../src/core/kernel/index.js";
import { SnapshotKeeper } from "../../../../src/runtime/journals/snapshot-keeper.js";
import type { SnapshotStore, StoredSnapshot } from "../../../../src/runtime/ports.js";

const KIB = 1024;

function at(seq: number, bytes: number): Snapshot {
  const listed = { lines: 0, bytes: 0 };
  const state = { seq, issued: emptyList(), outstanding: emptyTable() };
  return {
    place: { seq, lines: seq, bytes, hash: "", listed },
    memory: noMemory,
    state: state as never,
  };
}

/** A keeper of snapshots that all are so large. */
function keeper(size: number, kept: readonly StoredSnapshot[] = [], unfit: readonly number[] = []) {
  const stored = new Set([...kept.map(({ seq }) => seq), ...unfit]);
  const store: SnapshotStore = {
    list: async () => [],
    read: async () => undefined,
    async write(seq) {
      stored.add(seq);
      return size;
    },
    async remove(seq) {
      stored.delete(seq);
    },
  };
  const keeps = new SnapshotKeeper(store, kept, unfit);
  /** Offers one at each of these bytes. @returns what is kept */
  const offer = async (...bytes: readonly number[]) => {
    for (const each of bytes) {
      keeps.offer(at(each, each));
      await keeps.settled();
    }
    return [...stored].sort((a, b) => a - b);
  };
  return { keeps, offer, stored };
}

it("one is left when the lines since the last have outgrown it, and not before", async () => {
  const { offer } = keeper(100 * KIB);
  expect(await offer(64 * KIB)).toEqual([]);
  expect(await offer(64 * KIB + 1)).toEqual([64 * KIB + 1]);
  expect(await offer(100 * KIB, 164 * KIB + 1)).toEqual([64 * KIB + 1]);
  expect(await offer(164 * KIB + 2)).toHaveLength(2);
  expect(await offer(165 * KIB, 264 * KIB + 2)).toHaveLength(2);
  expect(await offer(264 * KIB + 3)).toHaveLength(3);
});

it("a run that goes on counts from where it does", async () => {
  const { offer } = keeper(1, [{ seq: 1, size: 200 * KIB }]);
  expect(await offer(900 * KIB, 1_100 * KIB)).toEqual([1]);
  expect(await offer(1_100 * KIB + 1)).toHaveLength(2);
});

it("sixteen are kept at most, over the whole of the run, and the newest always", async () => {
  const { offer } = keeper(1);
  const all = Array.from({ length: 200 }, (_, i) => (i + 1) * 65 * KIB);
  for (const [i, bytes] of all.entries()) {
    const kept = await offer(bytes);
    expect(kept).toHaveLength(Math.min(i + 1, 16));
    expect(kept.at(-1)).toBe(bytes);
    const gaps = kept.map((each, j) => each - (kept[j - 1] ?? 0));
    // Evenly: no stretch is much longer than it would be if they stood side by side.
    expect(Math.max(...gaps) / (bytes / kept.length)).toBeLessThan(4);
  }
});

it("the older ones together are no larger than the journal", async () => {
  const { offer } = keeper(300 * KIB, [
    { seq: 1, size: 900 * KIB },
    { seq: 2, size: 900 * KIB },
  ]);
  await offer(1);
  expect(await offer(900 * KIB + 2)).toHaveLength(2);
  const { keeps, stored } = keeper(1, [{ seq: 1, size: 900 * KIB }]);
  keeps.leave(at(2, 900 * KIB));
  await keeps.settled();
  expect([...stored]).toEqual([1, 2]);
});

it("what is none is removed with the next write, and what stands behind the newest event", async () => {
  const { keeps, stored } = keeper(
    1,
    [
      { seq: 3, size: 1 },
      { seq: 90, size: 1 },
    ],
    [5, 7],
  );
  keeps.leave(at(7, 10));
  await keeps.settled();
  expect([...stored].sort()).toEqual([3, 7]);
});

it("none is left of a state that has one, in whichever order they are listed", async () => {
  const listed = [
    { seq: 9, size: 1 },
    { seq: 3, size: 1 },
  ];
  const mixed = keeper(1, listed);
  mixed.stored.clear();
  mixed.keeps.leave(at(9, 10));
  await mixed.keeps.settled();
  expect([...mixed.stored]).toEqual([]);
  const { keeps, stored } = keeper(1, [{ seq: 3, size: 1 }]);
  stored.clear();
  keeps.leave(at(3, 10));
  await keeps.settled();
  expect([...stored]).toEqual([]);
});

it("what stood behind the newest event counts among none of those that are kept", async () => {
  const { keeps, offer, stored } = keeper(1, [
    { seq: 1, size: 1 },
    { seq: 900_000_000, size: 1 },
  ]);
  keeps.leave(at(2, 10));
  await keeps.settled();
  expect([...stored]).toEqual([1, 2]);
  const kept = await offer(...Array.from({ length: 14 }, (_, i) => (i + 1) * 65 * KIB));
  expect(kept).toHaveLength(16);
});
