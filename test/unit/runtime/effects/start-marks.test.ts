// J1 and J7: nothing begins before its line, or its start mark, is durable.
import { describe, expect, it } from "vitest";
import { agent, tool } from "../../../../src/index.js";
import { run, scriptedModel } from "../../../../src/runtime/index.js";
import { settle, type WatchedJournal, watchedJournal } from "../../../support/watched-journal.js";

const noting = (journal: WatchedJournal, more: object = {}) => {
  let count = 0;
  return tool({
    name: "t",
    execute: (_input, ctx) => {
      journal.log.push(`begin ${ctx.idempotencyKey} ${ctx.retry + 1}`);
      if (++count === 1 && "retries" in more) throw new Error("once");
      return "ok";
    },
    ...more,
  });
};
const calls = (count: number) => Array.from({ length: count }, () => ({ name: "t" }));

describe("a tool begins after its start mark is durable", () => {
  it("which rides in the event line where the tool starts at once", async () => {
    const journal = watchedJournal();
    const one = agent({ name: "a", tools: [noting(journal)] });
    const model = scriptedModel([{ calls: calls(2) }, "done"]);
    await run(one, "go", { model, journal, runId: "r" });
    expect(journal.log).toEqual([
      "durable header",
      "durable event 0 start",
      "durable event 1 llm.succeeded +tool/0/0 +tool/0/1",
      "begin r:tool/0/0 1",
      "begin r:tool/0/1 1",
      "durable event 2 tool.succeeded",
      "durable event 3 tool.succeeded",
      "durable event 4 llm.succeeded",
    ]);
  });

  it("which has a line of its own where the tool had to wait for a place", async () => {
    const journal = watchedJournal();
    const one = agent({ name: "a", tools: [noting(journal)] });
    const model = scriptedModel([{ calls: calls(2) }, "done"]);
    await run(one, "go", { model, journal, runId: "r", concurrency: 1 });
    const at = (entry: string) => journal.log.indexOf(entry);
    expect(journal.log).toContain("durable event 1 llm.succeeded +tool/0/0");
    expect(at("durable mark tool/0/1 1")).toBeGreaterThan(0);
    expect(at("begin r:tool/0/1 1")).toBeGreaterThan(at("durable mark tool/0/1 1"));
  });

  it("and again for every further attempt", async () => {
    const journal = watchedJournal();
    const one = agent({ name: "a", tools: [noting(journal, { retries: 1 })] });
    const model = scriptedModel([{ calls: calls(1) }, "done"]);
    await run(one, "go", { model, journal, runId: "r" });
    expect(journal.log.slice(2, 7)).toEqual([
      "durable event 1 llm.succeeded +tool/0/0",
      "begin r:tool/0/0 1",
      "durable failed tool/0/0 1",
      "durable mark tool/0/0 2",
      "begin r:tool/0/0 2",
    ]);
  });
});

describe("a state is seen, and its directives run, after its line is durable", () => {
  it("observers come after the write; a model may be asked while it is under way", async () => {
    const journal = watchedJournal();
    const one = agent({ name: "a" });
    const model = scriptedModel(() => {
      journal.log.push("model");
      return "done";
    });
    const observers = [
      (seen: { type: string; seq?: number }) => {
        if (seen.type === "step") journal.log.push(`seen ${seen.seq}`);
      },
    ];
    await run(one, "go", { model, journal, observers });
    expect(journal.log).toEqual([
      "model",
      "durable header",
      "durable event 0 start",
      "seen 0",
      "durable event 1 llm.succeeded",
      "seen 1",
    ]);
  });

  it("a write that fails stops the run: nothing runs, and the error says what is wrong", async () => {
    const journal = watchedJournal();
    let begun = 0;
    const one = agent({ name: "a", tools: [tool({ name: "t", execute: () => ++begun })] });
    journal.before = (lines) => {
      if (lines.some((line) => line.includes("llm.succeeded"))) throw new Error("disk full");
    };
    const live = run(one, "go", { model: scriptedModel([{ calls: calls(1) }]), journal });
    await expect(live).rejects.toMatchObject({
      code: "journal.write",
      message: "The journal memory could not be written: disk full.",
      cause: { message: "disk full" },
    });
    await settle();
    expect(begun).toBe(0);
    expect(journal.log).toEqual(["durable header", "durable event 0 start"]);
  });

  it("a mark that cannot be written stops the run before the attempt", async () => {
    const journal = watchedJournal();
    let begun = 0;
    const one = agent({ name: "a", tools: [tool({ name: "t", execute: () => ++begun })] });
    journal.before = (lines) => {
      if (lines.some((line) => line.startsWith('{"mark"'))) throw new Error("disk full");
    };
    const model = scriptedModel([{ calls: calls(2) }]);
    await expect(run(one, "go", { model, journal, concurrency: 1 })).rejects.toMatchObject({
      code: "journal.write",
    });
    expect(begun).toBe(1);
  });
});

it("what arrives while a write is under way goes out with the next one (group commit)", async () => {
  const journal = watchedJournal();
  const one = agent({ name: "a", tools: [tool({ name: "t", execute: () => "ok" })] });
  const model = scriptedModel([{ calls: calls(8) }, "done"]);
  journal.before = () => settle();
  await run(one, "go", { model, journal });
  expect(journal.appends[0]).toBe(2);
  expect(journal.appends.length).toBeLessThan(6);
  expect(journal.log).toHaveLength(12);
});
