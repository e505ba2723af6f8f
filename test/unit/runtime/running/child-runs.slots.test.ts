// Slots of a tree of runs: who waits for one begins neither while the tree is cancelled nor too late.
import { expect, it } from "vitest";
import {
  type Agent,
  agent,
  agentTool,
  type ModelPort,
  memoryJournal,
  run,
  scriptedModel,
  tool,
} from "../../../../src/index.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { gate, settle, watchedJournal } from "../../../support/watched-journal.js";

/** Agents that call the next one so many times at once; the last ones ask a model that never answers. */
function tree(widths: readonly number[]) {
  const asked: string[] = [];
  const made = (level: number): Agent =>
    agent({
      name: `level${level}`,
      system: String(level),
      tools: level === widths.length ? [] : [agentTool(made(level + 1), { name: "next" })],
    }) as Agent;
  const call = (i: number) => ({
    type: "tool-call" as const,
    toolCallId: `c${i}`,
    toolName: "next",
    input: { prompt: "go" },
  });
  const model: ModelPort = {
    name: "m",
    generate: async ({ system = "" }, { signal }) => {
      const width = widths[Number(system)];
      if (width === undefined) {
        asked.push(system);
        return new Promise((_, fail) =>
          signal.addEventListener("abort", () => fail(signal.reason)),
        );
      }
      const content = [...Array(width).keys()].map(call);
      return { content, finishReason: "tool-calls", usage: {} };
    },
  };
  return { top: made(0), model, asked };
}

it.each([[[30]], [[5, 6]], [[2, 3, 4]]])("of %j runs", async (widths) => {
  const { top, model, asked } = tree(widths);
  const live = run(top, "go", { model, concurrency: 3, journal: memoryJournal() });
  const isStart = (each: unknown): boolean => {
    const { type, observation } = each as { type: string; observation?: object };
    return type === "started" || (observation !== undefined && isStart(observation));
  };
  for await (const each of live) if (isStart(each) && asked.length === 3) live.cancel();
  expect([(await live).status, asked.length]).toEqual(["cancelled", 3]);
});

it("where the machine goes on in spite of it, what was queued begins after all", async () => {
  const call = (id: string) => ({ type: "llm", id, messages: [] });
  const stubborn = smallReasoner({
    initial: "a",
    states: {
      a: {
        entry: issue(call("one"), call("two"), call("three")),
        on: { cancel: {}, stop: "over" },
      },
      over: { type: "final" },
    },
  });
  const answers: (() => void)[] = [];
  const model: ModelPort = {
    name: "m",
    generate: () =>
      new Promise((resolve) => {
        answers.push(() => resolve({ content: [], finishReason: "stop", usage: {} }));
      }),
  };
  const live = run(stubborn, null, { model, concurrency: 1, journal: memoryJournal() });
  const settled: string[] = [];
  for await (const each of live) {
    if (each.type === "started" && each.id === "one") live.cancel();
    if (each.type === "started" && each.id !== "one") answers.pop()?.();
    if (each.type !== "step") continue;
    if (each.event.type === "cancel") answers.pop()?.();
    if (each.event.type === "llm.succeeded") settled.push(each.event.id);
    if (settled.length === 3 && each.event.type === "llm.succeeded") live.send({ type: "stop" });
  }
  expect([(await live).status, settled]).toEqual(["done", ["one", "two", "three"]]);
});

it("tools of a child that wait for a slot begin when the parent goes on behind a cancel", async () => {
  const first = gate();
  const ran: string[] = [];
  const tools = ["a", "b"].map((name) =>
    tool({
      name,
      async execute() {
        ran.push(name);
        if (name === "a") await first.passed;
        return name;
      },
    }),
  );
  const parent = smallReasoner(
    {
      initial: "a",
      states: {
        a: {
          entry: issue({ type: "run", id: "kid", reasoner: "kid", input: "go" }),
          on: { cancel: {}, "run.succeeded": "b" },
        },
        b: { type: "final" },
      },
    },
    { children: { kid: agent({ name: "kid", tools }) } },
  );
  const live = run(parent, null, {
    model: scriptedModel([{ calls: [{ name: "a" }, { name: "b" }] }, "so"]),
    journal: memoryJournal(),
    concurrency: 1,
  });
  await settle();
  expect(ran).toEqual(["a"]);
  live.cancel();
  await settle();
  first.open();
  await settle();
  expect(ran).toEqual(["a", "b"]);
  expect((await live).status).toBe("done");
});

it("tools of a child that wait for a slot do not begin while the parent's cancel is written", async () => {
  const first = gate();
  const written = gate();
  const ran: string[] = [];
  const tools = ["a", "b"].map((name) =>
    tool({
      name,
      async execute() {
        ran.push(name);
        await first.passed;
        return name;
      },
    }),
  );
  const journal = watchedJournal();
  journal.before = (lines) =>
    lines.some((line) => line.includes('"type":"cancel"')) ? written.passed : undefined;
  const kid = agent({ name: "kid", tools });
  const live = run(agent({ name: "parent", tools: [agentTool(kid, { name: "kid" })] }), "go", {
    model: scriptedModel((request) =>
      request.tools?.[0]?.name === "kid"
        ? { calls: [{ name: "kid", input: { prompt: "go" } }] }
        : { calls: [{ name: "a" }, { name: "b" }] },
    ),
    journal,
    concurrency: 1,
  });
  await settle();
  await settle();
  expect(ran).toEqual(["a"]);
  live.cancel();
  first.open();
  await settle();
  expect(ran).toEqual(["a"]);
  written.open();
  expect((await live).status).toBe("cancelled");
  expect(ran).toEqual(["a"]);
});
