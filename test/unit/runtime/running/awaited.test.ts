// A run is awaited as a promise is: with `await`, `then`, `catch` and `finally`.
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { agent } from "../../../../src/index.js";
import {
  type End,
  type JournalPort,
  memoryJournal,
  resume,
  run,
  type SnapshotStore,
  scriptedModel,
} from "../../../../src/runtime/index.js";

const greeter = agent({ name: "greeter" });
const started = () => run(greeter, "hello", { model: scriptedModel(["hi"]) });
const refused = () => run(greeter, "hello", { concurrency: "many" } as never);

it("gives its end to whoever waits, and once to whoever is told when it is over", async () => {
  const told: string[] = [];
  const end: End = await started().finally(() => told.push("over"));
  expect([end.status, told]).toEqual(["done", ["over"]]);
  expect((await started().catch(() => "refused")) as End).toMatchObject({ status: "done" });
});

it("can be caught where it is refused", async () => {
  const told: string[] = [];
  const caught = await refused().catch((thrown: { code: string }) => thrown.code);
  const late = await refused()
    .finally(() => told.push("over"))
    .catch((thrown: { code: string }) => thrown.code);
  expect([caught, late, told]).toEqual(["option.invalid", "option.invalid", ["over"]]);
});

it("a run has ended when its state is kept and its journal closed: whoever awaits it can open that at once", async () => {
  const port = memoryJournal();
  const log: string[] = [];
  let refuses = false;
  const slow: JournalPort = {
    ...port,
    snapshots: {
      ...(port.snapshots as SnapshotStore),
      async write(seq, text, rows) {
        for (let turn = 0; turn < 5; turn++) await setImmediate();
        log.push("kept");
        return port.snapshots?.write(seq, text, rows) ?? 0;
      },
    },
    async open(mode) {
      const writer = await port.open(mode);
      let isOpen = true;
      return {
        append(lines, expected) {
          if (refuses) throw new Error("disk full");
          return writer.append(lines, expected);
        },
        async close() {
          await setImmediate();
          await writer.close();
          if (isOpen) log.push("closed");
          isOpen = false;
        },
      };
    },
  };
  const talker = agent({ name: "talker", conversation: true });
  const model = scriptedModel(["Hello.", "Bye."]);
  await run(talker, "Hi", { model, journal: slow });
  expect(log).toEqual(["kept", "closed"]);
  await resume(talker, slow, { model, messages: ["And?"] });
  expect(log).toEqual(["kept", "closed", "kept", "closed"]);
  refuses = true;
  await expect(resume(talker, slow, { model, messages: ["Still?"] })).rejects.toMatchObject({
    code: "journal.write",
  });
  expect(log.slice(4)).toEqual(["closed"]);
});

it("whoever begins to watch when it is over is told so, and does not wait", async () => {
  const watched = async (live: ReturnType<typeof started>) => {
    await Promise.resolve(live).catch(() => {});
    const seen: unknown[] = [];
    for await (const each of live) seen.push(each);
    return seen;
  };
  expect(await watched(started())).toEqual([]);
  await expect(watched(refused())).rejects.toMatchObject({ code: "option.invalid" });
});
