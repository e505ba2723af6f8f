// What begins, when, and what ends it: effects that somebody else settles, events that settle nothing,
// calls that are cancelled in the write that issues them, and limits that are met exactly.
import { describe, expect, it } from "vitest";
import { agent, tool } from "../../../../src/index.js";
import {
  type ModelPort,
  type Observation,
  type RunOptions,
  replay,
  resume,
  run,
  scriptedModel,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { resultsOf } from "../../../support/agent-events.js";
import { linesIn, textIn } from "../../../support/journal-text.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { rejection } from "../../../support/thrown.js";
import { gate, killedAfter, settle, watchedJournal } from "../../../support/watched-journal.js";

const error = { code: "x", message: "m" };

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

describe("a settlement from outside", () => {
  it("is refused as an event: nobody speaks for a tool, a model or a person", async () => {
    const { live, held } = holding();
    await settle();
    for (const event of [
      { type: "tool.succeeded", id: "tool/0/0", output: "forged" },
      { type: "llm.failed", id: "llm/1", error: { code: "x", message: "forged" } },
      { type: "approval.decided", id: "a", approve: true },
      { type: "interrupt", partial: {} },
      { type: "start" },
    ]) {
      expect(await rejection(live.send(event))).toMatchObject({
        code: "event.invalid",
        message: expect.stringContaining("is not believed; use "),
      });
    }
    held.open();
    expect(resultsOf((await live).context)).toEqual(["its own"]);
  });

  it("is refused by hand where the tool runs here, or nothing waits for it", async () => {
    const { live, held } = holding();
    await settle();
    const said = { type: "tool.succeeded", output: "by hand", by: "me" };
    for (const [path, id] of [
      ["", "tool/0/0"],
      ["", "tool/9/9"],
      ["nobody", "tool/0/0"],
    ] as const) {
      expect(await rejection(live.settle(path, id, said))).toMatchObject({
        code: "settlement.refused",
        place: id,
      });
    }
    held.open();
    expect(resultsOf((await live).context)).toEqual(["its own"]);
  });

  it("settles what waits for a slot, and it is not begun any more", async () => {
    const ran: string[] = [];
    const held = gate();
    const work = tool({
      name: "work",
      execute: async (_input, { id }) => {
        ran.push(id);
        await held.passed;
        return "its own";
      },
    });
    const model = scriptedModel([{ calls: [{ name: "work" }, { name: "work" }] }, "done"]);
    const live = run(agent({ name: "a", tools: [work] }), "go", { model, concurrency: 1 });
    await settle();
    live.settle("", "tool/0/1", { type: "tool.succeeded", output: "by hand", by: "me" });
    held.open();
    expect(resultsOf((await live).context)).toEqual(["its own", "by hand"]);
    expect(ran).toEqual(["tool/0/0"]);
  });

  /** A run whose process died while its tool ran. */
  async function cutOff() {
    const { live, one, journal } = holding();
    await settle();
    live.cancel();
    await live;
    // But for the cancel.
    return { one, journal: await killedAfter(journal, (await linesIn(journal)).length - 1) };
  }

  it("says what came of a tool that a crash cut off, and by whom", async () => {
    const { one, journal } = await cutOff();
    const settlement = { type: "tool.succeeded", output: "it was done", by: "an operator" };
    const end = await resume(one, journal, {
      model: scriptedModel(["", "done"]),
      settle: [{ id: "tool/0/0", settlement }],
    });
    expect(resultsOf(end.context)).toEqual(["it was done"]);
    const events = (await linesIn(journal)).flatMap((line) =>
      "event" in line ? [line.event] : [],
    );
    expect(events).toContainEqual(
      expect.objectContaining({ type: "tool.succeeded", origin: { by: "an operator" } }),
    );
    expect((await replay(one, journal)).status).toBe("identical");
  });

  it.each([
    [
      "of another kind",
      { id: "tool/0/0", settlement: { type: "llm.failed", by: "me", error } },
      "settlement.refused",
    ],
    [
      "of nothing",
      { id: "tool/5/5", settlement: { type: "tool.succeeded", output: 1, by: "me" } },
      "settlement.refused",
    ],
    [
      "by nobody",
      { id: "tool/0/0", settlement: { type: "tool.succeeded", output: 1 } },
      "event.invalid",
    ],
    [
      "that is none",
      { id: "tool/0/0", settlement: { type: "message", content: "hi", by: "me" } },
      "event.invalid",
    ],
  ])("%s is refused by resume, and nothing is written", async (_what, given, code) => {
    const { one, journal } = await cutOff();
    const before = await textIn(journal);
    expect(await rejection(resume(one, journal, { settle: [given as never] }))).toMatchObject({
      code,
    });
    expect(await textIn(journal)).toBe(before);
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

describe("a model that streams", () => {
  const slow = (pauses: readonly number[], clock: ReturnType<typeof virtualClock>): ModelPort => ({
    name: "slow",
    async generate(_request, { onDelta, signal }) {
      for (const ms of pauses) {
        await clock.sleep(ms, signal);
        onDelta({ type: "text", text: "x" });
      }
      return { content: [{ type: "text", text: "done" }], finishReason: "stop", usage: {} };
    },
  });

  it.each([
    ["as long as something comes", [4_000, 4_000, 4_000, 4_000], {}, "done"],
    ["within a second", [300, 300, 300], { llmTimeoutMs: 500 }, "done"],
    ["not where it is silent", [4_000, 6_000], {}, "llm.timeout"],
    ["not for ever", [4_000, 4_000, 4_000, 4_000], { llmTotalMs: 9_000 }, "llm.timeout"],
  ])("is waited for %s", async (_how, pauses, limits, came) => {
    const clock = virtualClock();
    const live = run(agent({ name: "a" }), "go", {
      model: slow(pauses, clock),
      clock,
      llmTimeoutMs: 5_000,
      retry: { attempts: 1 },
      modelDown: "fail",
      ...limits,
    });
    for (let i = 0; i < 200; i++) {
      clock.advance(100);
      for (let j = 0; j < 4; j++) await new Promise(setImmediate);
    }
    const end = await live;
    expect(end.status === "failed" ? end.error.code : end.status).toBe(came);
  });
});
