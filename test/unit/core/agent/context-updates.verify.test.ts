// Context updates of tools: all five operations, chained and in parallel, the same by hand and through
// a run.
import { describe, expect, it } from "vitest";
import { applyUpdate } from "../../../../src/core/kernel/vocabulary/index.js";
import {
  agent,
  agentContext,
  type ContextOperation,
  type ContextUpdate,
  contextUpdate,
  type Json,
  type JsonObject,
  scriptedModel,
  tool,
  withUpdate,
} from "../../../../src/index.js";
import { answer, recordsOf, resultsOf, returned, wish } from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";
import { everyWay } from "../../../support/every-way.js";

const updates: readonly (readonly [
  name: string,
  deps: JsonObject,
  update: ContextUpdate,
  after: JsonObject,
])[] = [
  [
    "set creates and replaces",
    { a: 1 },
    contextUpdate().set("a", 2).set("b", [1]),
    { a: 2, b: [1] },
  ],
  [
    "appends a, b, c come in that order",
    {},
    contextUpdate().append("l", "a").append("l", "b").append("l", "c"),
    { l: ["a", "b", "c"] },
  ],
  [
    "appends go behind what is there",
    { l: ["a"] },
    contextUpdate().append("l", "b").append("l", "c"),
    { l: ["a", "b", "c"] },
  ],
  [
    "append then set: the set wins",
    {},
    contextUpdate().append("l", 1).set("l", "set"),
    { l: "set" },
  ],
  [
    "set then append: behind what was set",
    {},
    contextUpdate().set("l", [1]).append("l", 2),
    { l: [1, 2] },
  ],
  [
    "merge is deep, and creates",
    { s: { a: { x: 1 }, l: [1] } },
    contextUpdate()
      .merge("s", { a: { y: 2 }, l: [2] })
      .merge("t", { z: 1 }),
    { s: { a: { x: 1, y: 2 }, l: [2] }, t: { z: 1 } },
  ],
  [
    "delete removes, also what is not there",
    { a: 1, b: 2 },
    contextUpdate().delete("a").delete("c"),
    { b: 2 },
  ],
  [
    "increment counts from what is there, or from 0",
    { n: 5 },
    contextUpdate().increment("n").increment("n", -3).increment("m", 0.5),
    { n: 3, m: 0.5 },
  ],
  [
    "interleaved keys keep their own orders",
    {},
    contextUpdate().append("a", 1).append("b", 1).append("a", 2).increment("n").append("b", 2),
    { a: [1, 2], b: [1, 2], n: 1 },
  ],
];

/** Tools of two kinds that return this update. */
const changing = (update: ContextUpdate) => [
  tool({ name: "acts", idempotent: true, execute: () => withUpdate("ok", update) }),
  tool({ name: "thinks", reduce: () => withUpdate("ok", update) }),
];

describe("a context update", () => {
  it.each(updates)("%s", async (_name, deps, update, after) => {
    expect(applyUpdate(deps, update.operations)).toEqual(after);
    const context = agentContext.newContext({ deps });
    const run = agentContext.toRunContext(context, { id: "tool/0/0", at: 0 });
    expect(applyUpdate(run.deps, update.operations)).toEqual(after);
    for (const name of ["acts", "thinks"]) {
      const { end } = await everyWay({
        reasoner: agent({ name: "a", tools: changing(update), deps }),
        input: "x",
        world: () => ({ model: scriptedModel([{ calls: [{ name }] }, "Done."]) }),
      });
      expect(end.context.deps).toEqual(after);
      expect(resultsOf(end.context)).toEqual(["ok"]);
    }
  });

  it("of 2000 appends keeps their order", () => {
    const items = Array.from({ length: 2_000 }, (_, i) => i);
    const operations = items.map((value): ContextOperation => ({ op: "append", key: "l", value }));
    const run = byHand(agent({ name: "a", tools: changing(contextUpdate(operations)) }), "x");
    run.take(answer(0, wish("thinks")));
    expect(run.context.deps).toEqual({ l: items });
  });

  it("changes none of the values it is applied to", () => {
    const deps = Object.freeze({ l: Object.freeze([1]), s: Object.freeze({ a: 1 }) });
    applyUpdate(deps as never, contextUpdate().append("l", 2).merge("s", { b: 2 }).operations);
    expect(deps).toEqual({ l: [1], s: { a: 1 } });
  });
});

describe("updates of one batch", () => {
  const add = tool({
    name: "add",
    idempotent: true,
    execute: (input) =>
      withUpdate(
        null,
        contextUpdate()
          .append("log", (input as { n: Json }).n)
          .increment("count"),
      ),
    jsonSchema: { type: "object" },
  });
  const calls = [0, 1, 2].map((n) => wish("add", { n }, `c${n}`));

  it("are applied in call order, whatever the order of completion; none is lost", () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const run = byHand(agent({ name: "a", tools: [add], deps: { count: 10 } }), "x");
      run.take(answer(0, ...calls));
      for (const n of order) {
        const update = contextUpdate().append("log", n).increment("count").operations;
        run.take(returned(`tool/0/${n}`, null, { update }));
      }
      expect(run.context.deps).toEqual({ log: [0, 1, 2], count: 13 });
    }
  });

  it("are the same through a run", async () => {
    const input = [0, 1, 2].map((n) => ({ name: "add", input: { n } }));
    const { end } = await everyWay({
      reasoner: agent({ name: "a", tools: [add], deps: { count: 10 } as JsonObject }),
      input: "x",
      world: () => ({ model: scriptedModel([{ calls: input }, "Done."]) }),
    });
    expect(end.context.deps).toEqual({ log: [0, 1, 2], count: 13 });
  });

  const read = tool({ name: "read", reduce: (_input, { deps }) => ({ ...deps }) });
  const counting = (sequential: boolean) =>
    tool({
      name: "count",
      sequential,
      reduce: (_input, { deps }) => {
        const n = ((deps.n as number | undefined) ?? 0) + 1;
        return withUpdate(n, contextUpdate().set("n", n));
      },
    });
  const counted = (sequential: boolean) => {
    const run = byHand(agent({ name: "a", tools: [read, counting(sequential)] }), "x");
    const count = (id: string) => wish("count", {}, id);
    run.take(answer(0, count("1"), count("2"), wish("read"), count("3")));
    const told = run.directives.filter(
      (each) => each.type === "notify" && each.topic !== "tool.settled",
    );
    return { results: resultsOf(run.context), deps: run.context.deps, told };
  };

  it("a sequential tool sees the updates of the calls before it", () => {
    expect(counted(true)).toEqual({ results: [1, 2, { n: 2 }, 3], deps: { n: 3 }, told: [] });
  });

  it("calls side by side see none of each other, and where they replace one key that is told", () => {
    const { results, deps, told } = counted(false);
    expect({ results, deps }).toEqual({ results: [1, 1, {}, 1], deps: { n: 1 } });
    const calls = ["tool/0/0", "tool/0/1", "tool/0/3"];
    const mend = "give count sequential: true, or change n by increment or append";
    const data = { key: "n", calls, tools: ["count"], mend };
    expect(told).toEqual([{ type: "notify", topic: "deps.overwritten", data }]);
  });

  it.each([
    ["set", "merge", ["both"]],
    ["merge", "delete", ["both"]],
    ["delete", "set", ["both"]],
    ["append", "set", []],
    ["increment", "increment", []],
    ["append", "append", []],
  ] as const)("%s and %s of one key by two tools that run side by side", (one, two, keys) => {
    const operation = {
      set: contextUpdate().set("both", null),
      merge: contextUpdate().merge("both", {}),
      delete: contextUpdate().delete("both"),
      append: contextUpdate().append("both", 1),
      increment: contextUpdate().increment("both"),
    };
    const acts = (name: string) => tool({ name, execute: () => 1 });
    const run = byHand(agent({ name: "a", tools: [acts("one"), acts("two")] }), "x");
    run.take(answer(0, wish("one"), wish("two")));
    const own = (key: string) => contextUpdate().set(key, 1).operations;
    run.take(returned("tool/0/1", 1, { update: [...operation[two].operations, ...own("mine")] }));
    run.take(returned("tool/0/0", 1, { update: [...operation[one].operations, ...own("yours")] }));
    const told = run.directives.filter(({ type }) => type === "notify");
    expect(told).toMatchObject(
      keys.map((key) => ({
        data: { key, calls: ["tool/0/0", "tool/0/1"], tools: ["one", "two"] },
      })),
    );
  });

  it("two operations of one call on one key are its own affair", () => {
    const t = tool({ name: "t", execute: () => 1 });
    const run = byHand(agent({ name: "a", tools: [t] }), "x");
    run.take(answer(0, wish("t")));
    const { operations: update } = contextUpdate().set("k", 1).merge("o", {}).set("k", 2);
    run.take(returned("tool/0/0", 1, { update }));
    expect(run.directives.map(({ type }) => type)).toEqual(["llm"]);
  });

  it("as the Nous agent has them in a result change nothing, and that is told", () => {
    const t = tool({ name: "t", execute: () => 1 });
    const run = byHand(agent({ name: "a", tools: [t], deps: { role: "guest" } }), "x");
    run.take(answer(0, wish("t")));
    const output = { ok: true, __update_context__: { role: "admin" } };
    run.take(returned("tool/0/0", output));
    expect(run.context.deps).toEqual({ role: "guest" });
    expect(recordsOf(run.context)).toMatchObject([{ status: "succeeded", output }]);
    const message = `__update_context__ in the result of t changes nothing; return withUpdate(result, contextUpdate().set("role", value)) instead`;
    expect(run.directives.slice(0, -1)).toEqual([
      { type: "notify", topic: "deps.refused", data: { id: "tool/0/0", message } },
    ]);
  });

  it("of a call that failed does not exist", () => {
    const bad = tool({
      name: "bad",
      reduce: () => withUpdate("x", [{ op: "double", key: "n" } as never]),
    });
    const run = byHand(agent({ name: "a", tools: [bad], deps: { n: 1 } }), "x");
    run.take(answer(0, wish("bad")));
    expect(run.context.deps).toEqual({ n: 1 });
    expect(String(resultsOf(run.context)[0])).toContain("update[0].op must be");
    expect(run.state.status).toBe("active");
  });
});

describe("an update that does not fit what is there", () => {
  const update = contextUpdate().append("n", 1);
  it("is a failure that the model reads, of a pure tool", () => {
    const bad = tool({ name: "bad", reduce: () => withUpdate("x", update) });
    const run = byHand(agent({ name: "a", tools: [bad], deps: { n: 1 } }), "x");
    run.take(answer(0, wish("bad")));
    expect(run.context.deps).toEqual({ n: 1 });
    expect(resultsOf(run.context)).toEqual([
      'Tool execution failed: Operation 0 of the context update cannot be applied: it appends to "n", which holds a number.',
    ]);
    expect(recordsOf(run.context)[0]?.status).toBe("failed");
    expect(run.state.status).toBe("active");
  });

  it("of a tool that has run, says that it has; formatError may say it", () => {
    const acts = tool({ name: "acts", jsonSchema: {}, execute: () => "" });
    const formats = tool({
      name: "formats",
      jsonSchema: {},
      execute: () => "",
      formatError: ({ reason, error }) => `${reason}: ${error.message}`,
    });
    const run = byHand(agent({ name: "a", tools: [acts, formats], deps: { n: "text" } }), "x");
    run.take(answer(0, wish("acts"), wish("formats")));
    run.take(returned("tool/0/0", "paid", { update: update.operations }));
    run.take(returned("tool/0/1", "paid", { update: update.operations }));
    expect(resultsOf(run.context)).toEqual([
      'The tool ran, and its result is lost: Operation 0 of the context update cannot be applied: it appends to "n", which holds a string.',
      'result: Operation 0 of the context update cannot be applied: it appends to "n", which holds a string.',
    ]);
    expect(run.context.deps).toEqual({ n: "text" });
  });

  it("is one also where calls before it in the batch made it so, and where a run is cut off", () => {
    const sets = tool({ name: "sets", jsonSchema: {}, execute: () => "" });
    const run = byHand(agent({ name: "a", tools: [sets] }), "x");
    run.take(answer(0, wish("sets", {}, "1"), wish("sets", {}, "2"), wish("sets", {}, "3")));
    run.take(returned("tool/0/1", 2, { update: update.operations }));
    run.take(returned("tool/0/0", 1, { update: contextUpdate().set("n", "s").operations }));
    run.take({ type: "cancel" });
    expect(recordsOf(run.context).map(({ status }) => status)).toEqual([
      "succeeded",
      "failed",
      "unknown",
    ]);
    expect(run.context.deps).toEqual({ n: "s" });
  });
});

describe("a key that looks like a secret, set by an update", () => {
  it("is told to observers by its path, once, and never with its value", () => {
    const login = tool({
      name: "login",
      reduce: () =>
        withUpdate(
          "in",
          contextUpdate().set("apiKeys", ["s3cret"]).merge("session", { jwt: "s3cret" }),
        ),
    });
    const acts = tool({ name: "acts", jsonSchema: {}, execute: () => "" });
    const run = byHand(agent({ name: "a", tools: [login, acts] }), "x");
    run.take(answer(0, wish("login"), wish("acts")));
    expect(run.directives.map(({ type }) => type)).toEqual(["tool"]);
    run.take(returned("tool/0/1", "done", { update: contextUpdate().set("count", 1).operations }));
    expect(run.directives).toMatchObject([
      { type: "notify", topic: "tool.settled" },
      {
        type: "notify",
        topic: "deps.secret",
        data: { id: "tool/0/0", paths: ["deps.apiKeys", "deps.session.jwt"] },
      },
      { type: "llm" },
    ]);
    run.take(answer(1, wish("acts")));
    run.take(returned("tool/1/0", "done"));
    expect(run.directives.map(({ type }) => type)).toEqual(["llm"]);
  });
});
