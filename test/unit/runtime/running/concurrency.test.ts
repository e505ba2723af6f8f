// How many effects run side by side, and in which order the others wait.
import { describe, expect, it } from "vitest";
import { agent, tool } from "../../../../src/index.js";
import { memoryJournal, replay, run, scriptedModel } from "../../../../src/runtime/index.js";
import { calls as callsOf, familyOf } from "../../../support/family.js";
import { gate, settle, watchedJournal } from "../../../support/watched-journal.js";

/** A tool that says when it begins and ends, and ends when it is told to. */
function gated() {
  const log: string[] = [];
  const gates = new Map<string, ReturnType<typeof gate>>();
  const slow = tool({
    name: "slow",
    jsonSchema: { type: "object" },
    execute: async (_input, ctx) => {
      log.push(`begin ${ctx.idempotencyKey}`);
      const mine = gate();
      gates.set(ctx.idempotencyKey, mine);
      await mine.passed;
      log.push(`end ${ctx.idempotencyKey}`);
      return ctx.idempotencyKey;
    },
  });
  return { slow, log, open: (key: string) => gates.get(key)?.open() };
}

const calls = (count: number) => Array.from({ length: count }, () => ({ name: "slow" }));

describe("concurrency", () => {
  it("runs effects up to the limit; the others wait in the order of their issue", async () => {
    const { slow, log, open } = gated();
    const journal = watchedJournal();
    const end = run(agent({ name: "a", tools: [slow] }), "go", {
      model: scriptedModel([{ calls: calls(4) }, "done"]),
      concurrency: 2,
      journal,
      runId: "r",
    });
    await settle();
    expect(log).toEqual(["begin r:tool/0/0", "begin r:tool/0/1"]);
    open("r:tool/0/1");
    await settle();
    expect(log.slice(2)).toEqual(["end r:tool/0/1", "begin r:tool/0/2"]);
    open("r:tool/0/0");
    open("r:tool/0/2");
    await settle();
    open("r:tool/0/3");
    expect(await end).toMatchObject({ status: "done", output: "done" });
    expect(log.slice(3)).toContain("begin r:tool/0/3");
    expect((await replay(agent({ name: "a", tools: [slow] }), journal)).status).toBe("identical");
  });

  it("an effect that finds its place free when its line is durable begins at once", async () => {
    // With one place: the first tool ends while the line that issues the second is being written.
    const { slow, log, open } = gated();
    const asking = tool({ ...asksFirst, execute: () => "asked" });
    const journal = watchedJournal();
    const live = run(agent({ name: "a", tools: [slow, asking] }), "go", {
      model: scriptedModel([{ calls: [{ name: "slow" }, { name: "asking" }] }, "done"]),
      concurrency: 1,
      journal,
      runId: "r",
      approve: () => decision.passed.then(() => ({ approve: true })),
    });
    const decision = gate();
    await settle();
    expect(log).toEqual(["begin r:tool/0/0"]);
    journal.before = async () => {
      journal.before = () => {};
      open("r:tool/0/0");
      await settle();
    };
    decision.open();
    expect(await live).toMatchObject({ status: "done", output: "done" });
  });

  it("runs of one tree take turns: none begins its next effect before those that asked earlier", async () => {
    const log: string[] = [];
    const work = (name: string) =>
      tool({ name: `work-${name}`, execute: () => void log.push(name) });
    const turns = (name: string) =>
      Array.from({ length: 4 }, () => ({ calls: [{ name: `work-${name}` }] }));
    const { parent, model } = familyOf({
      name: "parent",
      says: [callsOf("a", "b"), "done"],
      children: ["a", "b"].map((name) => ({
        name,
        tools: [work(name)],
        says: [...turns(name), "done"],
      })),
    });
    const journal = memoryJournal();
    const end = await run(parent, "go", { model, concurrency: 1, journal });
    expect([end.status, log.join("")]).toEqual(["done", "abababab"]);
    expect((await replay(parent, journal)).status).toBe("identical");
  });

  it("an approval takes no place", async () => {
    const asking = tool({ ...asksFirst, execute: () => "asked" });
    const end = await run(agent({ name: "a", tools: [asking] }), "go", {
      model: scriptedModel([{ calls: [{ name: "asking" }, { name: "asking" }] }, "done"]),
      concurrency: 1,
      approve: () => ({ approve: true }),
    });
    expect(end).toMatchObject({ status: "done", output: "done" });
  });

  it("a tool that waits for a place and is cancelled never begins", async () => {
    const { slow, log, open } = gated();
    const live = run(agent({ name: "a", tools: [slow] }), "go", {
      model: scriptedModel([{ calls: calls(2) }]),
      concurrency: 1,
      runId: "r",
    });
    await settle();
    live.cancel();
    expect((await live).status).toBe("cancelled");
    open("r:tool/0/0");
    await settle();
    expect(log).toEqual(["begin r:tool/0/0", "end r:tool/0/0"]);
  });
});

const asksFirst = { name: "asking", needsApproval: true } as const;
