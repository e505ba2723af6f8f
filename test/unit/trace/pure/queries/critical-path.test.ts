// What a run's time consists of, what ran beside it, and what waited on what.
import { describe, expect, it } from "vitest";
import {
  agent,
  memoryJournal,
  resume,
  run,
  scriptedModel,
  tool,
} from "../../../../../src/index.js";
import { virtualClock } from "../../../../../src/runtime/index.js";
import { journalTraces } from "../../../../../src/trace/live/index.js";
import { criticalPath, localId, Trace } from "../../../../../src/trace/pure/index.js";
import { familyOf } from "../../../../support/family.js";
import { contentsOf, lived, slow, traced } from "../../../../support/traced.js";

const object = { type: "object" } as const;

describe("a run of slow calls", () => {
  const clock = virtualClock(1_000);
  const waiting = (name: string, ms: number) =>
    tool({ name, jsonSchema: object, execute: () => clock.sleep(ms) });
  const worker = agent({ name: "w", tools: [waiting("short", 30), waiting("long", 200)] });
  const calls = ["short", "long"].map((name) => ({ name, input: {} }));
  const model = slow(scriptedModel([{ calls }, "Done."]), clock, 100);
  const over = lived(worker as never, "go", { clock, model }).then(({ journal }) =>
    traced(journal),
  );

  it("consists of the chain of calls that each waited for the last", async () => {
    const path = criticalPath(new Trace(await over), "r");
    expect(path?.ms).toBe(400);
    expect(path?.segments.map(({ kind, event, ms }) => [kind, localId(event.id), ms])).toEqual([
      ["model", "llm/0", 100],
      ["tool", "tool/0/1", 200],
      ["model", "llm/1", 100],
    ]);
    expect(path?.byKind).toMatchObject({ model: 200, tool: 200, person: 0, outside: 0 });
  });

  it("shows what ran beside it", async () => {
    const trace = new Trace(await over);
    const segments = criticalPath(trace, "r")?.segments ?? [];
    const beside = segments.map((each) => each.beside.map(({ id }) => localId(id)));
    expect(beside).toEqual([[], ["tool/0/0"], []]);
  });

  it("is none where there is no such run", async () => {
    expect(criticalPath(new Trace(await over), "nobody")).toBeUndefined();
  });
});

describe("what is not the run's own work", () => {
  it("is a person's time, and the time in which nobody had said anything", async () => {
    const clock = virtualClock(0);
    const journal = memoryJournal();
    const chat = agent({
      name: "chat",
      conversation: true,
      tools: [tool({ name: "pay", jsonSchema: object, needsApproval: true, execute: () => "ok" })],
    });
    const model = scriptedModel([{ calls: [{ name: "pay", input: {} }] }, "Paid.", "Bye."]);
    await run(chat, "pay", { model, clock, journal, runId: "r" });
    clock.advance(5_000);
    await resume(chat, journal, { model, clock, approvals: { "approval/0/0": { approve: true } } });
    clock.advance(700);
    await resume(chat, journal, { model, clock, messages: ["thanks"] });
    const path = criticalPath(new Trace(await traced(journal)), "r");
    expect(path?.ms).toBe(5_700);
    expect(path?.byKind).toMatchObject({ person: 5_000, outside: 700, tool: 0 });
    expect(path?.segments.find(({ kind }) => kind === "outside")?.event.fields).toMatchObject({
      content: "thanks",
    });
  });

  it("is a child run's, with a path of its own", async () => {
    const clock = virtualClock(0);
    const { parent, model } = familyOf({
      name: "parent",
      says: [{ calls: [{ name: "child", input: { prompt: "do" } }] }, "Done."],
      children: [{ name: "child", says: ["Did."] }],
    });
    const { journal } = await lived(parent as never, "go", {
      clock,
      model: slow(model, clock, 10),
    });
    const { events } = await contentsOf(journalTraces(journal));
    const path = criticalPath(new Trace(events), "r");
    expect(path?.ms).toBe(30);
    const child = path?.segments.find(({ kind }) => kind === "child");
    expect(child?.within).toMatchObject({ ms: 10, byKind: { model: 10 } });
  });

  it("may be spent on the way to a place, which the journal does not measure", async () => {
    const clock = virtualClock(0);
    const name = "wait";
    const wait = tool({ name, jsonSchema: object, execute: () => clock.sleep(10) });
    const { journal } = await lived(agent({ name: "w", tools: [wait] }) as never, "go", {
      clock,
      concurrency: 1,
      model: scriptedModel([{ calls: [0, 1].map((n) => ({ name, input: { n } })) }, "Done."]),
    });
    const path = criticalPath(new Trace(await traced(journal)), "r");
    expect(path?.segments.map(({ waitedForPlace }) => waitedForPlace)).toContain(true);
  });
});
