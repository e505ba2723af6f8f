// What begins, and what does not begin a second time, where turns end and processes leave.
import { describe, expect, it } from "vitest";
import { agent, type Tool, tool } from "../../../../src/index.js";
import { defineReasoner, setupReasoner } from "../../../../src/kernel.js";
import {
  memoryJournal,
  type Observation,
  type RunOptions,
  replay,
  resume,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
import { gate, settle, watchedJournal } from "../../../support/watched-journal.js";

/** A machine that an interrupt does not keep from waiting for its tool. */
function patient(work: Tool) {
  const { createMachine } = setupReasoner<object, string>();
  const machine = createMachine({
    context: {},
    initial: "working",
    states: {
      working: {
        entry: {
          type: "issue",
          params: () => ({ type: "tool", id: "work", name: "work", input: {} }) as const,
        },
        on: { interrupt: {}, "tool.succeeded": "done", "tool.failed": "lost" },
      },
      done: { type: "final" },
      lost: { type: "final", tags: ["failed"] },
    },
  } as never);
  return defineReasoner({ id: "patient", machine, tools: { work } } as never);
}

describe("an effect that a turn's end does not cancel", () => {
  it.each([false, true])("goes on and is begun once (idempotent: %s)", async (idempotent) => {
    const done = gate();
    let begun = 0;
    const work = tool({
      name: "work",
      jsonSchema: {},
      idempotent,
      execute: async () => {
        begun += 1;
        await done.passed;
        return "done";
      },
    });
    const journal = memoryJournal();
    const live = run(patient(work as Tool), "go" as never, { journal });
    await settle();
    live.interrupt("stop");
    await settle();
    expect(begun).toBe(1);
    done.open();
    expect(await live).toMatchObject({ status: "done", reason: "done", events: 3 });
    expect(begun).toBe(1);
    expect(await replay(patient(work as Tool), journal)).toMatchObject({ status: "identical" });
  });
});

describe("a tool whose start its line says", () => {
  it("begins though the process is about to leave: nobody else could", async () => {
    const journal = watchedJournal();
    const writing = gate();
    journal.before = (lines) =>
      lines.some((line) => line.includes('"starts"')) ? writing.passed : undefined;
    let begun = 0;
    const work = tool({ name: "work", jsonSchema: {}, execute: () => ++begun });
    const model = scriptedModel([{ calls: [{ name: "work" }] }, "done"]);
    const live = run(agent({ name: "a", tools: [work] }), "go", { journal, model });
    await settle();
    const drained = live.drain(60_000);
    writing.open();
    expect(await drained).toMatchObject({ status: "waiting", reason: "drained" });
    expect(begun).toBe(1);
    expect(journal.log.filter((each) => each.includes("tool"))).toEqual([
      "durable event 1 llm.succeeded +tool/0/0",
      "durable event 2 tool.succeeded",
    ]);
  });
});

describe("an effect that waits for a place", () => {
  const twoTools = () => {
    const done = gate();
    const begun: string[] = [];
    const work = tool({
      name: "work",
      jsonSchema: {},
      execute: async (_input, { id }) => {
        begun.push(id);
        await done.passed;
        return "done";
      },
    });
    const model = scriptedModel([{ calls: [{ name: "work" }, { name: "work" }] }, "done"]);
    const one = agent({ name: "a", tools: [work], conversation: true });
    return { done, begun, one, options: { model, journal: memoryJournal(), concurrency: 1 } };
  };

  it("does not begin when the process is about to leave; the next one begins it", async () => {
    const { done, begun, one, options } = twoTools();
    const live = run(one, "go", options);
    await settle();
    const drained = live.drain(60_000);
    done.open();
    expect(await drained).toMatchObject({ status: "waiting", reason: "drained" });
    expect(begun).toEqual(["tool/0/0"]);
    const end = await resume(one, options.journal, options);
    expect(end).toMatchObject({ status: "waiting", reason: "ready", output: "done" });
    expect(begun).toEqual(["tool/0/0", "tool/0/1"]);
  });

  it("does not begin when the turn ends", async () => {
    const { done, begun, one, options } = twoTools();
    const live = run(one, "go", options);
    await settle();
    live.interrupt("stop", { graceMs: 60_000 });
    done.open();
    expect(await live).toMatchObject({ status: "waiting", reason: "ready" });
    expect(begun).toEqual(["tool/0/0"]);
  });
});

it("observers see what a run did with an event, and whether it was ignored", async () => {
  const seen: Observation[] = [];
  const machine = setupReasoner<object, null>().createMachine({
    context: {},
    initial: "a",
    states: { a: { on: { message: {} } } },
  } as never);
  const live = run(defineReasoner({ id: "m", machine } as never), null as never, {
    journal: memoryJournal(),
    observers: [(each) => void seen.push(each as Observation)],
  });
  live.message("hello");
  live.send({ type: "ping" });
  await live;
  const steps = seen.filter((each) => each.type === "step");
  expect(steps.map(({ event }) => event.type)).toEqual(["start", "message", "ping"]);
  expect(steps.map((each) => "ignored" in each && each.ignored?.reason)).toEqual([
    false,
    false,
    "unhandled",
  ]);
});

it("observers are notified of what a machine says, and of nothing else", async () => {
  const notified = async (options: RunOptions, cancels: boolean) => {
    const seen: Observation[] = [];
    const live = run(agent({ name: "a" }), "go", {
      ...options,
      observers: [(each) => void seen.push(each as Observation)],
    });
    await settle();
    if (cancels) live.cancel();
    await live;
    return seen.filter(({ type }) => type === "notify");
  };
  const never = { name: "never", generate: () => new Promise<never>(() => {}) };
  expect(await notified({ model: never }, true)).toEqual([]);
  expect(await notified({ model: scriptedModel(["done"]) }, false)).toEqual([]);
});
