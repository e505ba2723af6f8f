// What a durable run of one turn asks of the file system, counted: syncs are what a person waits for. Whoever
// must raise a count does so here, and says so in docs/internals.md.
import { describe, expect, it } from "vitest";
import { type FileCalls, nodeCalls } from "../../../../src/adapters/file-journal/file-calls.js";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { agent, resume, run, scriptedModel } from "../../../../src/index.js";
import { place } from "./place.js";

/** Node's calls, with the names of those that were made; a heartbeat's is none. */
function watched() {
  const log: string[] = [];
  const named = Object.entries(nodeCalls).map(([name, call]) => [
    name,
    (...given: readonly never[]) => {
      const said = (call as (...given: readonly never[]) => unknown)(...given);
      // A sync counts when it is done.
      if (said instanceof Promise) said.then(() => log.push(name)).catch(() => log.push(name));
      else if (name !== "every") log.push(name);
      return said;
    },
  ]);
  return { log, calls: Object.fromEntries(named) as FileCalls };
}

const count = (log: readonly string[]) => {
  const syncs = log.filter((name) => /sync/.test(name)).length;
  return { syncs, others: log.length - syncs };
};

/** A model that answers a little later, and notes what had been called when it was asked. */
function laterModel(log: readonly string[]) {
  const model = scriptedModel(() => "hi");
  const asked: { syncs: number; others: number }[] = [];
  const generate: typeof model.generate = async (...given) => {
    asked.push(count(log));
    await new Promise((resolve) => setImmediate(resolve));
    return model.generate(...given);
  };
  return { model: { ...model, generate }, asked };
}

describe("a durable run of one turn", () => {
  it("syncs once before its model is asked, and three times in all", async () => {
    const { log, calls } = watched();
    const { model, asked } = laterModel(log);
    const journal = fileJournal(await place(), { calls });
    await run(agent({ name: "a" }), "x", { model, journal });
    expect(asked).toEqual([{ syncs: 1, others: 3 }]);
    expect(count(log)).toEqual({ syncs: 3, others: 16 });
  });

  it("shows the first piece of a streamed answer after two syncs", async () => {
    const { log, calls } = watched();
    const { model } = laterModel(log);
    const journal = fileJournal(await place(), { calls });
    let first: number | undefined;
    const seen = ({ type }: { readonly type: string }) => {
      if (type === "delta") first ??= count(log).syncs;
    };
    await run(agent({ name: "a" }), "x", { model, journal, observers: [seen] });
    expect(first).toBe(2);
  });

  it("of a conversation that goes on syncs twice", async () => {
    const { log, calls } = watched();
    const { model, asked } = laterModel(log);
    const chat = agent({ name: "a", conversation: true });
    const path = await place();
    await run(chat, "x", { model, journal: fileJournal(path, { calls }) });
    log.length = 0;
    await resume(chat, fileJournal(path, { calls }), { model, messages: ["y"] });
    expect(asked[1]?.syncs).toBe(0);
    expect(count(log)).toEqual({ syncs: 2, others: 22 });
  });
});
