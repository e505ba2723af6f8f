// What begins, when, and what ends it: effects that somebody else settles, events that settle nothing,
// calls that are cancelled in the write that issues them, and limits that are met exactly.
import { describe, expect, it } from "vitest";
import { agent, tool } from "../../../../src/index.js";
import {
  type Observation,
  type RunOptions,
  replay,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
import { resultsOf } from "../../../support/agent-events.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { gate, settle, watchedJournal } from "../../../support/watched-journal.js";

/** A run with a tool that is held until a gate opens, what it heard, and what observers were told. */
function holding(options: RunOptions = {}) {
  const held = gate();
  const aborted: string[] = [];
  const notices: string[] = [];
  const hold = tool({
    name: "hold",
    jsonSchema: { type: "object" },
    execute: async (_input, { signal }) => {
      signal.addEventListener("abort", () => aborted.push(String(signal.reason)));
      await held.passed;
      return "its own";
    },
  });
  const one = agent({ name: "a", tools: [hold] });
  const journal = watchedJournal();
  const observers = [
    (each: Observation) => void (each.type === "notice" && notices.push(each.message)),
  ];
  const model = scriptedModel([{ calls: [{ name: "hold" }] }, "done"]);
  const live = run(one, "go", { model, journal, observers, ...options });
  return { live, one, held, aborted, notices, journal };
}

describe("a tool that somebody else settles", () => {
  it("is stopped, and what comes of it later changes nothing", async () => {
    const { live, one, held, aborted, notices, journal } = holding();
    await settle();
    live.send({ type: "tool.succeeded", id: "tool/0/0", output: "from outside" });
    const end = await live;
    expect(resultsOf(end.context)).toEqual(["from outside"]);
    expect(aborted).toEqual(["Error: settled"]);
    held.open();
    await settle();
    expect(notices).toEqual([]);
    expect((await replay(one, journal)).status).toBe("identical");
  });

  it("twice has the first result: the second changes nothing", async () => {
    const { live, aborted, journal } = holding();
    await settle();
    live.send({ type: "tool.succeeded", id: "tool/0/0", output: "first" });
    live.send({ type: "tool.succeeded", id: "tool/0/0", output: "second" });
    const end = await live;
    expect(resultsOf(end.context)).toEqual(["first"]);
    expect(aborted).toHaveLength(1);
    expect(end.usage.toolCalls).toBe(1);
    const ignored = (await journal.lines()).flatMap(({ ignored: each }) => each ?? []);
    expect(ignored).toHaveLength(1);
  });

  it("by an event of another type is not settled: it goes on, and its result counts", async () => {
    const { live, held, aborted } = holding();
    await settle();
    live.send({
      type: "llm.succeeded",
      id: "tool/0/0",
      content: [],
      finishReason: "stop",
      usage: {},
    });
    await settle();
    expect(aborted).toEqual([]);
    held.open();
    expect(resultsOf((await live).context)).toEqual(["its own"]);
  });
});

describe("a model call", () => {
  it("that is cancelled in the write that issues it is not asked, though its line takes time", async () => {
    let asked = 0;
    const model = scriptedModel(() => {
      asked += 1;
      return "never";
    });
    const journal = watchedJournal();
    const live = run(agent({ name: "a" }), "go", { model, journal });
    live.cancel();
    expect((await live).status).toBe("cancelled");
    expect(asked).toBe(0);
    // One write: the start and the cancel.
    expect(journal.appends).toEqual([3]);
  });
});

describe("start marks", () => {
  it("of a thousand tools ride in one line; the next has a line of its own", async () => {
    const tools = Array.from({ length: 1_001 }, (_, i) => ({
      type: "tool",
      id: `t/${i}`,
      name: "x",
      input: i,
    }));
    const one = smallReasoner({
      initial: "a",
      states: { a: { entry: issue(...tools), on: { stop: "b" } }, b: { type: "final" } },
    });
    const began: string[] = [];
    const x = tool({
      name: "x",
      jsonSchema: {},
      execute: (_input, { id }) => {
        began.push(id);
        return new Promise(() => {});
      },
    });
    const journal = watchedJournal();
    const live = run({ ...one, tools: { x } } as unknown as typeof one, null, {
      journal,
      concurrency: 2_000,
    });
    await settle();
    expect(began).toHaveLength(1_001);
    live.send({ type: "stop" });
    await live;
    const lines = (await journal.lines()) as readonly {
      starts?: readonly number[];
      mark?: { id: string };
    }[];
    expect(lines.map(({ starts }) => starts?.length ?? 0)).toContain(1_000);
    expect(lines.flatMap(({ mark }) => mark?.id ?? [])).toEqual(["t/1000"]);
  });
});
