// The events of one run, read from its journal: which there are, and what each came from.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Line } from "../../../../../src/core/journal/index.js";
import { defineReasoner, setupReasoner } from "../../../../../src/core/kernel/machine/index.js";
import {
  agent,
  agentTool,
  memoryJournal,
  resume,
  run,
  scriptedModel,
  tool,
} from "../../../../../src/index.js";
import { virtualClock } from "../../../../../src/runtime/index.js";
import { plans, thoughts } from "../../../../../src/thoughts.js";
import type { TraceEvent } from "../../../../../src/trace/pure/index.js";
import { linesIn } from "../../../../support/journal-text.js";
import { lived, slow, traced, traceOf } from "../../../../support/traced.js";

const fixture = (name: string): Line[] =>
  readFileSync(`test/fixtures/journals/${name}.jsonl`, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
const short = (event: TraceEvent) =>
  `${event.id.replace(/^[^#]*#/, "")} ${event.type} ${event.status} <- ${event.causes.map((id) => id.replace(/^[^#]*#/, "")).join(" ")}`.trimEnd();
const object = { type: "object" } as const;
const pure = (name: string, more: object = {}) =>
  tool({ name, jsonSchema: object, reduce: () => `${name} is done`, ...more });
const acting = (name: string, more: object = {}) =>
  tool({ name, jsonSchema: object, execute: () => `${name} ran`, ...more });

describe("an agent's run", () => {
  it("has its inputs, calls, inline calls and approvals, each with all that it waited for", () => {
    expect(traceOf(fixture("desk")).events().map(short)).toEqual([
      "@0 input succeeded <-",
      "llm/0 llm_call succeeded <- @0",
      "tool/0/0 tool_call succeeded <- llm/0",
      "tool/0/1 tool_call succeeded <- llm/0",
      "tool/0/2 tool_call succeeded <- llm/0",
      "tool/0/3 tool_call failed <- llm/0",
      "@3/error/3 error failed <- tool/0/3",
      "llm/1 llm_call succeeded <- tool/0/0 tool/0/1 tool/0/2 tool/0/3",
      "approval/1/0 approval succeeded <- llm/1",
      "tool/1/0 tool_call succeeded <- approval/1/0",
      "llm/2 llm_call succeeded <- tool/1/0",
    ]);
  });

  it("names its reasoner, its times, and the fields of each type", () => {
    const events = traceOf(fixture("desk")).events();
    const of = (id: string) => events.find((each) => each.id === `run-desk#${id}`);
    expect(of("llm/0")).toMatchObject({
      agentId: "desk",
      runId: "run-desk",
      timestamp: "2023-11-14T22:13:20.000Z",
      durationMs: 0,
      parentEvent: "run-desk#@0",
      fields: { promptTokens: "100", completionTokens: "20", totalTokens: "120" },
    });
    expect(of("tool/0/0")?.fields).toEqual({
      toolName: "look",
      input: '{"drawer":"top"}',
      output: '["a pen","an old “bill” 📄"]',
      attempts: "2",
    });
    expect(of("tool/0/2")?.fields).toMatchObject({ toolName: "note", output: '"noted"' });
    expect(of("approval/1/0")).toMatchObject({
      durationMs: 86_400_000,
      fields: { decision: "approved", by: "ada", input: '{"thing":"the old bill"}' },
    });
    expect(of("@3/error/3")?.fields).toMatchObject({ error: "Tool not found: burn" });
    expect(of("tool/0/2")?.durationMs).toBeUndefined();
  });

  it("says of a call that was cut off, and of one whose result nothing shows, that it is so", () => {
    expect(traceOf(fixture("cancelled")).events().map(short)).toEqual([
      "@0 input succeeded <-",
      "llm/0 llm_call succeeded <- @0",
      "tool/0/1 tool_call cancelled <- llm/0",
      "@2 input succeeded <-",
      "@3 input succeeded <-",
      "tool/0/0 tool_call unrecorded <- llm/0",
    ]);
  });

  it("says of what is over the same, however much of the journal follows", () => {
    const lines = fixture("desk");
    const over = (n: number) =>
      traceOf(lines.slice(0, n))
        .events()
        .filter(({ endSeq }) => endSeq !== undefined);
    const whole = over(lines.length);
    for (let n = 0; n < lines.length; n++)
      expect(whole).toEqual(expect.arrayContaining([...over(n)]));
  });

  it("is the same after a journal's last line as before it, but for what that line says", () => {
    const lines = fixture("torn");
    const last = traceOf(lines).events().at(-1);
    expect(last).toMatchObject({ id: "run-desk#llm/2", status: "open" });
    expect(last).not.toHaveProperty("durationMs");
    expect(last).not.toHaveProperty("endSeq");
  });

  it("has denied and rejected calls as tool calls of their answer", async () => {
    const guarded = agent({
      name: "guarded",
      tools: [acting("ask", { needsApproval: true }), acting("go"), pure("count")],
      plugins: [
        {
          name: "judge",
          beforeTool: (_context, { name }) =>
            name === "go" ? { type: "deny", reason: "not today" } : undefined,
        },
      ],
    });
    const calls = ["ask", "go", "count"].map((name) => ({ name, input: {} }));
    const model = scriptedModel([{ calls }, "Well."]);
    const approve = () => ({ approve: false, reason: "no", by: "ada" });
    const { journal } = await lived(guarded as never, "go", { model, approve });
    const events = await traced(journal);
    expect(events.map(short)).toEqual([
      "@0 input succeeded <-",
      "llm/0 llm_call succeeded <- @0",
      "approval/0/0 approval rejected <- llm/0",
      "tool/0/0 tool_call rejected <- llm/0 approval/0/0",
      "tool/0/1 tool_call rejected <- llm/0",
      "tool/0/2 tool_call succeeded <- llm/0",
      "llm/1 llm_call succeeded <- approval/0/0 tool/0/0 tool/0/1 tool/0/2",
    ]);
    expect(events[4]?.fields.output).toContain("denied by hook: not today");
  });

  it("has a wave of calls wait for all of the wave before it", async () => {
    const name = "steps";
    const tools = [acting("a"), acting("b"), acting("alone", { sequential: true })];
    const calls = ["a", "b", "alone"].map((each) => ({ name: each, input: {} }));
    const { journal } = await lived(agent({ name, tools }) as never, "go", {
      model: scriptedModel([{ calls }, "Done."]),
    });
    const events = (await traced(journal)).map(short);
    expect(events[4]).toMatch(/^tool\/0\/2 tool_call succeeded <- tool\/0\/[01] tool\/0\/[01]$/);
    expect(events[5]).toBe("llm/1 llm_call succeeded <- tool/0/2 tool/0/0 tool/0/1");
  });

  it("has calls of one wave not wait for each other", async () => {
    const tools = [acting("alone", { sequential: true }), acting("a"), acting("b")];
    const calls = ["alone", "a", "b"].map((name) => ({ name, input: {} }));
    const { journal } = await lived(agent({ name: "steps", tools }) as never, "go", {
      model: scriptedModel([{ calls }, "Done."]),
    });
    const events = (await traced(journal)).map(short);
    expect(events.slice(3, 5)).toEqual([
      "tool/0/1 tool_call succeeded <- tool/0/0",
      "tool/0/2 tool_call succeeded <- tool/0/0",
    ]);
  });

  it("has a rejected call as rejected where no request shows it any more", async () => {
    const ask = acting("ask", { needsApproval: true });
    const { journal } = await lived(
      agent({ name: "once", tools: [ask], maxIterations: 1 }) as never,
      "go",
      {
        model: scriptedModel([{ calls: [{ name: "ask", input: {} }] }]),
        approve: () => ({ approve: false }),
      },
    );
    const call = (await traced(journal)).find(({ id }) => id === "r#tool/0/0");
    expect(call).toMatchObject({ status: "rejected", parentEvent: "r#llm/0" });
  });

  it("has a request wait for what the user said meanwhile", async () => {
    const clock = virtualClock(0);
    const journal = memoryJournal();
    const model = slow(scriptedModel(["One.", "Two."]), clock, 10);
    const live = run(agent({ name: "talker" }), "first", { model, clock, journal, runId: "r" });
    let said = false;
    for await (const seen of live) {
      if (seen.type === "started" && !said) {
        said = true;
        live.message("second");
      }
      await new Promise((resolve) => setImmediate(resolve));
      clock.jump();
    }
    expect((await traced(journal)).map(short)).toEqual([
      "@0 input succeeded <-",
      "llm/0 llm_call succeeded <- @0",
      "@1 input succeeded <-",
      "llm/1 llm_call succeeded <- llm/0 @1",
    ]);
  });

  it("has a plug-in's requests, and the model request wait for them and the calls before them", async () => {
    const asking = agent({
      name: "asking",
      tools: [acting("act")],
      plugins: [
        {
          name: "memory",
          issue: () => [
            { type: "read", store: "notes", query: { all: true } },
            { type: "read", store: "notes", query: {} },
          ],
        },
      ],
    });
    const { journal } = await lived(asking as never, "go", {
      model: scriptedModel([{ calls: [{ name: "act", input: {} }] }, "Done."]),
    });
    const events = await traced(journal);
    const of = (id: string) => events.find((each) => each.id === `r#${id}`);
    expect([...(of("llm/0")?.causes ?? [])].sort()).toEqual(["r#plugin/0/0/0", "r#plugin/0/0/1"]);
    expect(of("plugin/1/0/0")?.causes).toEqual(["r#tool/0/0"]);
    expect([...(of("llm/1")?.causes ?? [])].sort()).toEqual([
      "r#plugin/1/0/0",
      "r#plugin/1/0/1",
      "r#tool/0/0",
    ]);
    expect(of("plugin/0/0/0")).toMatchObject({ type: "read", fields: { store: "notes" } });
  });

  it("has a tool that asks for reads and writes as one call, and those beside it", async () => {
    const writer = tool({
      name: "save",
      jsonSchema: object,
      issue: () => [
        { type: "read", store: "s", query: 1 },
        { type: "write", store: "s", operations: [2] },
      ],
      settle: () => "saved",
    });
    const { journal } = await lived(agent({ name: "w", tools: [writer] }) as never, "go", {
      model: scriptedModel([{ calls: [{ name: "save", input: { a: 1 } }] }, "Done."]),
    });
    const events = await traced(journal);
    const effects = events.filter(({ type }) => type !== "error");
    expect(effects.map(short)).toEqual([
      "@0 input succeeded <-",
      "llm/0 llm_call succeeded <- @0",
      "tool/0/0 tool_call succeeded <- llm/0",
      expect.stringMatching(/^tool\/0\/0\/0 read \w+ <- llm\/0 tool\/0\/0$/),
      expect.stringMatching(/^tool\/0\/0\/1 write \w+ <- llm\/0 tool\/0\/0$/),
      expect.stringMatching(/^llm\/1 llm_call succeeded <- tool\/0\/0\/[01] tool\/0\/0$/),
    ]);
    expect(effects[2]).toMatchObject({
      durationMs: 0,
      fields: { via: "requests", output: '"saved"' },
    });
  });

  it("says of a tool that asks for a child that it is open for as long as that is", async () => {
    const child = agent({
      name: "child",
      tools: [acting("pay", { needsApproval: true })],
    });
    const parent = agent({
      name: "parent",
      tools: [agentTool(child, { name: "ask" }), acting("pay", { needsApproval: true })],
    });
    const journal = memoryJournal();
    const model = scriptedModel(({ tools = [], messages }) => {
      if (messages.length > 1) return "Done.";
      const names = tools.length > 1 ? ["ask", "pay"] : ["pay"];
      return { calls: names.map((name) => ({ name, input: { prompt: "pay" } })) };
    });
    const stateOf = async (id: string) =>
      (await traced(journal)).find((each) => each.id === `r#${id}`)?.status;
    await run(parent, "go", { model, journal, runId: "r" });
    expect([await stateOf("tool/0/0"), await stateOf("tool/0/0/0")]).toEqual(["open", "open"]);
    const lines = await linesIn(journal);
    // Its child is over, and the call beside it is not: no request shows yet what it came to.
    const inChild = { "tool/0/0/0:approval/0/0": { approve: true } };
    await resume(parent, journal, { model, approvals: inChild });
    expect([await stateOf("tool/0/0"), await stateOf("tool/0/0/0")]).toEqual([
      "unrecorded",
      "succeeded",
    ]);
    await resume(parent, journal, { model, approvals: { "approval/0/1": { approve: true } } });
    expect(await stateOf("tool/0/0")).toBe("succeeded");
    // Cut off, and in a run that ended at once, it is over.
    for (const value of ["cancelled", "acting"]) {
      const end = { status: value === "acting" ? "failed" : "cancelled" };
      const last = { seq: 2, event: { type: "cancel", at: 9_000_000_000_000 }, value, end };
      const cut = traceOf([...lines, last as never]).events();
      expect(cut.filter(({ type }) => type === "tool_call").map(short)).toEqual([
        "tool/0/0 tool_call unrecorded <- llm/0",
        "tool/0/1 tool_call unrecorded <- llm/0 approval/0/1",
      ]);
    }
  });

  it("has a failure of each settlement and of the run as errors of their own", async () => {
    const failing = tool({
      name: "fall",
      jsonSchema: object,
      execute: () => {
        throw new Error("ENOENT: no such file");
      },
    });
    const { journal, status } = await lived(
      agent({ name: "f", tools: [failing], maxIterations: 1 }) as never,
      "go",
      { model: scriptedModel([{ calls: [{ name: "fall", input: {} }] }]) },
    );
    expect(status).toBe("failed");
    const errors = (await traced(journal)).filter(({ type }) => type === "error");
    expect(errors.map(({ id, fields }) => [id, fields.error, fields.context])).toEqual([
      ["r#@2/error", "ENOENT: no such file", "tool_call fall"],
      ["r#@2/end", "maxIterations", "tool_call fall"],
    ]);
  });

  it("has its deadline as a timer, and what comes after it come from it alone", async () => {
    const clock = virtualClock(0);
    const timed = agent({
      name: "timed",
      deadlineMs: 50,
      onLimit: "answer",
      tools: [tool({ name: "wait", jsonSchema: object, execute: () => new Promise(() => {}) })],
    });
    const { journal } = await lived(timed as never, "go", {
      clock,
      model: scriptedModel([{ calls: [{ name: "wait", input: {} }] }, "My best."]),
    });
    const events = await traced(journal);
    const timer = events.find(({ type }) => type === "timer");
    expect(timer).toMatchObject({ durationMs: 50, status: "succeeded" });
    const last = events.filter(({ type }) => type === "llm_call").at(-1);
    expect(last?.causes).toEqual([timer?.id]);
    expect(events.find(({ id }) => id === "r#tool/0/0")).toMatchObject({ status: "cancelled" });
  });
});

describe("decisions", () => {
  it("come from decision tools whose call succeeded", async () => {
    const results: Record<string, unknown> = { a: { status: "recorded" }, b: { status: "error" } };
    const record = tool({
      name: "record_decision",
      jsonSchema: object,
      reduce: (input: { readonly which?: string }) => results[input.which ?? ""],
    });
    const calls = [
      { which: "a", label: "use vitest", rationale: "it is fast", edge_type: "chosen" },
      { which: "b", label: "use jest" },
    ].map((input) => ({ name: "record_decision", input }));
    const { journal } = await lived(agent({ name: "d", tools: [record] }) as never, "go", {
      model: scriptedModel([{ calls }, "Done."]),
    });
    const decisions = (await traced(journal)).filter(({ type }) => type === "decision");
    expect(decisions).toHaveLength(1);
    expect(decisions[0]).toMatchObject({
      parentEvent: "r#tool/0/0",
      fields: {
        description: "use vitest",
        chosen: "use vitest",
        alternatives: "[]",
        reasoning: "it is fast",
      },
    });
  });

  it("come from what a reasoner tells of under the topic decision", async () => {
    const { createMachine } = setupReasoner<object, null>();
    const decision = {
      description: "which",
      alternatives: ["x", "y"],
      chosen: "y",
      reasoning: "z",
    };
    const teller = defineReasoner({
      id: "teller",
      machine: createMachine({
        context: {},
        initial: "a",
        states: {
          a: {
            entry: {
              type: "issue",
              params: () => [
                { type: "notify", topic: "decision", data: decision },
                { type: "notify", topic: "decision", data: 5 },
                { type: "notify", topic: "other", data: decision },
              ],
            },
            always: "b",
          },
          b: { type: "final" },
        },
      }),
    });
    const { journal } = await lived(teller as never, null);
    const events = await traced(journal);
    expect(events.map(short)).toEqual([
      "@0 input succeeded <-",
      "@0/decision/0 decision succeeded <- @0",
    ]);
    expect(events[1]?.fields).toEqual({ ...decision, alternatives: '["x","y"]' });
  });
});

describe("other reasoners", () => {
  it("of thoughts shows its operations, and has each wait for the whole of the one before", async () => {
    const scorer = ({ content }: { readonly content: string }) => content.length;
    const thinker = thoughts({
      policy: plans.tot({ scorer }, { branches: 3, rounds: 2 }),
    });
    const { journal } = await lived(thinker as never, "why?", { model: scriptedModel(() => "so") });
    const events = await traced(journal);
    const calls = events.filter(({ type }) => type === "llm_call");
    const rounds = calls.map(({ fields }) => fields.operation);
    expect(new Set(rounds).size).toBeGreaterThan(1);
    const second = calls.find(({ fields }) => fields.operation !== rounds[0]);
    expect([...(second?.causes ?? [])].sort()).toEqual(
      calls.filter(({ fields }) => fields.operation === rounds[0]).map(({ id }) => id),
    );
    expect(calls.some(({ fields }) => fields.operations?.includes(",") === true)).toBe(true);
  });

  it("has what was issued together and settled quietly as causes of what came behind all of it", async () => {
    const { createMachine } = setupReasoner<{ left: number }, null>();
    const ask = (id: string) => ({ type: "read" as const, id, store: "s", query: id });
    const gatherer = defineReasoner({
      id: "gatherer",
      machine: createMachine({
        context: { left: 2 },
        initial: "both",
        states: {
          both: {
            entry: { type: "issue", params: () => [ask("x"), ask("y")] },
            on: {
              "read.failed": [
                { guard: ({ event }) => event.id === "x", actions: [] },
                { target: "third" },
              ],
            },
          },
          third: {
            entry: { type: "issue", params: () => ask("z") },
            on: { "read.failed": "over" },
          },
          over: { type: "final" },
        },
      }),
    });
    const { journal } = await lived(gatherer as never, null);
    const z = (await traced(journal)).find(({ id }) => id === "r#z");
    expect(z?.causes).toEqual(["r#y", "r#x"]);
  });
});

describe("what is issued before a batch is complete", () => {
  it("came from its trigger alone", async () => {
    const { createMachine } = setupReasoner<object, null>();
    const ask = (id: string) => ({ type: "read" as const, id, store: "s", query: id });
    const hasty = defineReasoner({
      id: "hasty",
      machine: createMachine({
        context: {},
        initial: "all",
        states: {
          all: {
            entry: {
              type: "issue",
              params: () => [
                ask("x"),
                ask("y"),
                { type: "timer" as const, id: "w", until: 1_000_000 },
              ],
            },
            on: {
              "read.failed": [
                { guard: ({ event }) => event.id === "x", actions: [] },
                { target: "third" },
              ],
            },
          },
          third: {
            entry: { type: "issue", params: () => ask("z") },
            on: { "read.failed": "over" },
          },
          over: { type: "final" },
        },
      }),
    });
    const { journal } = await lived(hasty as never, null);
    const events = await traced(journal);
    expect(events.find(({ id }) => id === "r#z")?.causes).toEqual(["r#y"]);
    expect(events.find(({ id }) => id === "r#w")?.status).toBe("cancelled");
  });
});

describe("hostile lines", () => {
  it("settlements of nothing, twice, or of another type are no events", () => {
    const lines = fixture("desk");
    const at = lines.findIndex((line) => "seq" in line && line.seq === 2);
    const stray = (event: object) =>
      ({ ...(lines[at] as object), do: [], event }) as unknown as Line;
    const base = traceOf(lines).events();
    for (const event of [
      { type: "tool.succeeded", id: "tool/9/9", output: 1, at: 5 },
      { type: "tool.succeeded", id: "llm/0", output: 1, at: 5 },
      { type: "read.succeeded", id: "tool/0/0", value: 1, at: 5 },
      { type: "tool.succeeded", id: "tool/0/1", output: "again", at: 5 },
    ]) {
      const more = [...lines.slice(0, at + 1), stray(event), ...lines.slice(at + 1)];
      expect(traceOf(more).events()).toEqual(base);
    }
  });

  it("times that are no dates, names of every object, and a cut field do no harm", () => {
    const lines = fixture("lamp").map((line) =>
      JSON.parse(
        JSON.stringify(line)
          .replace(/"timer\/1"/g, '"constructor"')
          .replace(/1700000001000/g, "9e15"),
      ),
    );
    const events = traceOf(lines).events();
    expect(events.find(({ id }) => id === "run-lamp#constructor")).toMatchObject({
      type: "timer",
      timestamp: "9000000000000000",
      status: "succeeded",
      durationMs: 0,
    });
  });
});
