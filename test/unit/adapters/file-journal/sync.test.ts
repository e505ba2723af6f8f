// A lone writer waits for quick syncs where it is; slow ones and those of several writers go through
// the thread pool.
import { expect, it } from "vitest";
import { nodeCalls } from "../../../../src/adapters/file-journal/file-calls.js";
import { Syncs } from "../../../../src/adapters/file-journal/sync.js";

/** Syncs on a disk that takes so long for each, and how each was done. */
function onDisk(ms: number) {
  let now = 0;
  const done: string[] = [];
  const calls = {
    ...nodeCalls,
    fdatasync: async () => void done.push("pool"),
    fdatasyncSync: () => {
      now += ms;
      done.push("blocking");
    },
  };
  return { syncs: new Syncs(() => now), calls, done };
}

it("a lone writer on a quick disk waits where it is", async () => {
  const { syncs, calls, done } = onDisk(0.4);
  syncs.enter();
  for (let i = 0; i < 3; i++) expect(syncs.sync(1, calls)).toBeUndefined();
  expect(done).toEqual(["blocking", "blocking", "blocking"]);
});

it("several writers share the pool, and the last one is alone again", async () => {
  const { syncs, calls, done } = onDisk(0.4);
  syncs.enter();
  syncs.enter();
  await syncs.sync(1, calls);
  syncs.leave();
  expect(syncs.sync(1, calls)).toBeUndefined();
  expect(done).toEqual(["pool", "blocking"]);
});

it("a slow disk is tried again now and then, and blocks for that one sync", async () => {
  const { syncs, calls, done } = onDisk(3);
  syncs.enter();
  for (let i = 0; i < 131; i++) await syncs.sync(1, calls);
  expect(done.filter((how) => how === "blocking")).toHaveLength(3);
  expect([done[0], done[1], done[65], done[130]]).toEqual([
    "blocking",
    "pool",
    "blocking",
    "blocking",
  ]);
});

it("calls that cannot block go through the pool", async () => {
  const { syncs, calls, done } = onDisk(0.4);
  syncs.enter();
  await syncs.sync(1, { ...calls, fdatasyncSync: undefined });
  expect(done).toEqual(["pool"]);
});
