// A lone writer waits for quick syncs where it is; slow ones and those of several writers go through
// the thread pool.
import { setImmediate } from "node:timers/promises";
import { afterEach, expect, it, vi } from "vitest";
import { nodeCalls } from "../../../../src/adapters/file-journal/file-calls.js";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { Syncs } from "../../../../src/adapters/file-journal/sync.js";
import { endOf, place, START } from "./place.js";

afterEach(() => void vi.restoreAllMocks());

/** Syncs on a disk that takes so many milliseconds for each, and how each was done. */
function onDisk(ms: (at: number) => number) {
  let now = 0;
  let synced = 0;
  const done: string[] = [];
  const calls = {
    ...nodeCalls,
    fdatasync: async () => void done.push("pool"),
    fdatasyncSync: () => {
      now += ms(synced++);
      done.push("blocking");
    },
  };
  return { syncs: new Syncs(() => now), calls, done };
}

it("a lone writer on a quick disk waits where it is", async () => {
  const { syncs, calls, done } = onDisk(() => 0.4);
  syncs.enter();
  for (let i = 0; i < 3; i++) expect(syncs.sync(1, calls)).toBeUndefined();
  expect(done).toEqual(["blocking", "blocking", "blocking"]);
});

it("several writers share the pool, and the last one is alone again", async () => {
  const { syncs, calls, done } = onDisk(() => 0.4);
  syncs.enter();
  syncs.enter();
  await syncs.sync(1, calls);
  syncs.leave();
  expect(syncs.sync(1, calls)).toBeUndefined();
  expect(done).toEqual(["pool", "blocking"]);
});

it("a slow disk is tried again now and then, and blocks for that one sync", async () => {
  const { syncs, calls, done } = onDisk(() => 3);
  syncs.enter();
  for (let i = 0; i < 132; i++) await syncs.sync(1, calls);
  const blocking = done.flatMap((how, at) => (how === "blocking" ? [at] : []));
  expect(blocking).toEqual([0, 1, 66, 131]);
});

it("a quick disk that is slow now and then is still one to wait for", async () => {
  const { syncs, calls, done } = onDisk((at) => (at % 5 === 0 ? 3 : 0.4));
  syncs.enter();
  for (let i = 0; i < 100; i++) await syncs.sync(1, calls);
  expect(done.filter((how) => how === "pool")).toEqual([]);
});

it("calls that cannot block go through the pool", async () => {
  const { syncs, calls, done } = onDisk(() => 0.4);
  syncs.enter();
  await syncs.sync(1, { ...calls, fdatasyncSync: undefined });
  expect(done).toEqual(["pool"]);
});

/** Whatever the disk was like before: from here on the process knows it as quick. */
async function quick(path: string): Promise<void> {
  const writer = await fileJournal(path).open("create");
  for (let text = ""; text.length < 2 * 130; text += "a\n") await writer.append(["a"], endOf(text));
  await writer.close();
}

it("whoever brings a sync of its own is not synced past it", async () => {
  vi.spyOn(performance, "now").mockReturnValue(0);
  const path = await place();
  await quick(`${path}.before`);
  let synced = 0;
  const calls = {
    async fdatasync() {
      synced += 1;
    },
  };
  const writer = await fileJournal(path, { calls }).open("create");
  await writer.append(["a"], START);
  await writer.close();
  expect(synced).toBe(1);
});

it("a journal's writer is alone as long as no other has something to write", async () => {
  // However slow the disk of this machine is.
  vi.spyOn(performance, "now").mockReturnValue(0);
  const path = await place();
  const how: string[] = [];
  const calls = {
    async fdatasync() {
      how.push("pool");
    },
    fdatasyncSync() {
      how.push("blocking");
    },
  };
  const [one, two] = await Promise.all(
    ["one", "two"].map((name) => fileJournal(`${path}.${name}`, { calls }).open("create")),
  );
  await quick(`${path}.before`);
  await one?.append(["a"], START);
  await one?.append(["b"], endOf("a\n"));
  await setImmediate();
  await two?.append(["a"], START);
  expect(how).toEqual(["blocking", "blocking", "blocking"]);
  how.length = 0;
  await setImmediate();
  await Promise.all([one?.append(["c"], endOf("a\nb\n")), two?.append(["b"], endOf("a\n"))]);
  expect(how).toEqual(["pool", "pool"]);
  how.length = 0;
  await setImmediate();
  await two?.append(["c"], endOf("a\nb\n"));
  expect(how).toEqual(["blocking"]);
  await Promise.all([one?.close(), two?.close()]);
});

it("a sync that fails says so", async () => {
  await expect(nodeCalls.fdatasync(2 ** 20)).rejects.toMatchObject({ code: "EBADF" });
  await expect(nodeCalls.syncPath("/nowhere/at/all")).rejects.toMatchObject({ code: "ENOENT" });
});
