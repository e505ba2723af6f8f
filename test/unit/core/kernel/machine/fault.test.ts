// K6: a machine that breaks ends its run with a stable code and the place; the context before is kept.

import { describe, expect, it } from "vitest";
import { assign } from "../../../../../src/core/kernel/machine/index.js";
import { emptyTable } from "../../../../../src/core/kernel/values/index.js";
import { byHand } from "../../../../support/by-hand.js";
import { issue, smallReasoner, timer } from "../../../../support/small-machine.js";

const boom = (): never => {
  throw new TypeError("the engine's own words");
};

describe("what a machine's functions throw ends the run", () => {
  const transitions: readonly (readonly [string, object])[] = [
    ["a guard", { guard: boom, target: "b" }],
    ["an assign", { actions: [assign({ n: 5 }), assign(boom)] }],
    ["a property of an assign", { actions: assign({ n: boom }) }],
    ["the params of an issue", { actions: [assign({ n: 5 }), { type: "issue", params: boom }] }],
  ];
  for (const [name, go] of transitions) {
    it(name, () => {
      const reasoner = smallReasoner({
        context: { n: 1 },
        initial: "a",
        entry: issue(timer("t")),
        states: { a: { on: { go } }, b: {} },
      });
      const run = byHand(reasoner, null);
      run.take({ type: "go" });
      expect(run.state).toMatchObject({
        status: "failed",
        fault: { code: "machine.threw", place: 'state "a", event go' },
        value: "a",
        context: { n: 1 },
        seq: 1,
        outstanding: emptyTable(),
      });
      expect("history" in run.step.state).toBe(false);
      expect(run.directives).toEqual([{ type: "cancel", target: "t" }]);
      expect((run.step.thrown as Error).message).toContain("the engine's own words");
    });
  }

  it("the engine's words are in no state", () => {
    const run = byHand(smallReasoner({ on: { go: { guard: boom } } }), null);
    run.take({ type: "go" });
    expect(JSON.stringify(run.state)).not.toContain("engine");
  });

  it("the context factory, at the start", () => {
    const { state, directives } = smallReasoner({ context: boom }).start(null, {
      at: 3,
      runId: "r",
    });
    expect(state).toMatchObject({
      status: "failed",
      fault: { code: "machine.threw", place: "start" },
      seq: 0,
      at: 3,
      context: {},
      value: "",
    });
    expect(directives).toEqual([]);
  });

  it("the output, in the step that would have ended the run", () => {
    const config = { initial: "a", states: { a: { on: { go: "b" } }, b: { type: "final" } } };
    const broken = [boom, () => new Date(0), () => ({ n: Number.NaN })];
    const codes = broken.map((output) => {
      const run = byHand(smallReasoner(config, { output }), null);
      run.take({ type: "go" });
      expect([run.state.status, run.state.value, run.output]).toEqual(["failed", "a", undefined]);
      return run.state.fault?.code;
    });
    expect(codes).toEqual(["machine.threw", "json.refused", "json.refused"]);
  });

  it.each(["guard", "assign"])("what %s throws may itself throw at each look", (where) => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const hostile = (): never => {
      throw proxy;
    };
    const go = where === "guard" ? { guard: hostile } : { actions: assign(hostile) };
    for (const path of ["tables", "transition"] as const) {
      const run = byHand(smallReasoner({ on: { go } }, { path }), null);
      run.take({ type: "go" });
      expect(run.state.fault).toEqual({ code: "machine.threw", place: "state {}, event go" });
    }
  });

  it("the next step of another run is not disturbed", () => {
    const reasoner = smallReasoner({
      on: {
        bad: { actions: [issue(timer("x")), assign(boom)] },
        good: { actions: issue(timer("y")) },
      },
    });
    const run = byHand(reasoner, null);
    run.take({ type: "bad" });
    const other = byHand(reasoner, null);
    other.take({ type: "good" });
    expect(other.directives).toEqual([timer("y")]);
  });

  it("a failed run says what was wrong, and of a code that nobody knows where", () => {
    const failed = smallReasoner({ context: () => ({ at: new Date(0) }) });
    const { state } = failed.start(null, { at: 0, runId: "r" });
    expect(failed.error(state)).toEqual({
      code: "json.refused",
      message: "The machine failed at start, $.context.at: a value is not JSON.",
    });
    const other = { ...state, fault: { code: "other", place: "start" } };
    expect(failed.error(other as never)?.message).toBe("The machine failed at start.");
  });

  it("a failed run says why", () => {
    const reasoner = smallReasoner({ on: { go: { guard: boom } } });
    const run = byHand(reasoner, null);
    run.take({ type: "go" });
    expect(reasoner.error(run.state)).toEqual({
      code: "machine.threw",
      message:
        "The machine failed at state {}, event go: a function of its threw; observers are told what, as the notice machine.threw.",
    });
  });
});

describe("machines that go round in circles", () => {
  it("an endless always ends the run", () => {
    const reasoner = smallReasoner({
      initial: "a",
      states: { a: { on: { go: "b" } }, b: { always: "c" }, c: { always: "b" } },
    });
    const run = byHand(reasoner, null);
    run.take({ type: "go" });
    expect(run.state.fault).toEqual({ code: "machine.loop", place: 'state "a", event go' });
  });

  it("an endless always at the start ends the run at its start", () => {
    const reasoner = smallReasoner({
      initial: "a",
      states: { a: { always: "b" }, b: { always: "a" } },
    });
    const { state } = reasoner.start(null, { at: 0, runId: "r" });
    expect(state.fault).toEqual({ code: "machine.loop", place: "start" });
  });

  it("a few hundred transitions without an event come to a stable state", () => {
    const reasoner = smallReasoner({
      context: { n: 0 },
      always: {
        guard: ({ context }: { context: { n: number } }) => context.n < 500,
        actions: assign({ n: ({ context }: never) => (context as { n: number }).n + 1 }),
      },
    });
    expect(reasoner.start(null, { at: 0, runId: "r" }).state.context.n).toBe(500);
  });
});

describe("what is refused at the step", () => {
  const spawning = (assigner: unknown) =>
    smallReasoner({ initial: "a", states: { a: { on: { go: { actions: assigner } } } } });

  it("a spawn in an assign", async () => {
    const { fromPromise } = await import("xstate");
    const child = fromPromise(async () => 1);
    const run = byHand(
      spawning(assign(({ spawn }) => ({ ref: spawn(child) && null }) as never)),
      null,
    );
    run.take({ type: "go" });
    expect(run.state.fault?.code).toBe("machine.unsupported");
    expect(run.state.fault?.place).toBe('state "a", event go, spawn');
  });

  it("a spawn in the context factory", async () => {
    const { fromPromise } = await import("xstate");
    const child = fromPromise(async () => 1);
    const context = ({ spawn }: { spawn: (logic: unknown) => unknown }) => ({
      ref: spawn(child) && null,
    });
    const { state } = smallReasoner({ context }).start(null, { at: 0, runId: "r" });
    expect(state.fault).toEqual({ code: "machine.unsupported", place: "start, spawn" });
  });

  const nothings: readonly (readonly [string, unknown, string])[] = [
    ["no params", undefined, "is undefined"],
    ["a text", "llm", "directive 0: must be an object; it is a string"],
    [
      "an unknown type",
      { type: "shell", id: "x" },
      'type must be "llm", "tool", "read", "write", "approval", "timer", "run", "notify" or "cancel"; it is "shell"',
    ],
    ["a type of an object's machinery", { type: "constructor", id: "x" }, 'it is "constructor"'],
    ["no id", { type: "timer", until: 1 }, "id is missing"],
    [
      "one that is right and one that is not",
      [timer("t"), { type: "timer" }],
      "directive 1: id is missing",
    ],
  ];
  for (const [name, params, words] of nothings) {
    it(`an issue with ${name}`, () => {
      const run = byHand(
        smallReasoner({ on: { go: { actions: { type: "issue", params } } } }),
        null,
      );
      run.take({ type: "go" });
      expect(run.state.fault?.code).toBe("directive.invalid");
      expect(run.state.fault?.place).toContain(words);
      expect(run.owed).toEqual([]);
    });
  }

  it("a directive that is too large to be recorded, with the part that is", () => {
    const input = { text: "t".repeat(9 * 1024 * 1024) };
    const params = [timer("t"), { type: "tool", id: "x", name: "x", input }];
    const run = byHand(smallReasoner({ on: { go: { actions: { type: "issue", params } } } }), null);
    run.take({ type: "go" });
    expect(run.state.fault).toEqual({
      code: "machine.tooLarge",
      place: "state {}, event go, directive 1: tool.input",
    });
    expect(run.directives).toEqual([]);
  });

  it("a directive that is not JSON, with its path", () => {
    const params = { type: "notify", topic: "t", data: { when: new Date(0) } };
    const run = byHand(smallReasoner({ on: { go: { actions: { type: "issue", params } } } }), null);
    run.take({ type: "go" });
    expect(run.state.fault).toEqual({
      code: "json.refused",
      place: "state {}, event go, $.data.when",
    });
  });
});

it("the action issue sees the assigns before it, and issues keep their order", () => {
  const topic = ({ context }: { context: { n?: number } }) => ({
    type: "notify",
    topic: `${context.n}`,
  });
  const reasoner = smallReasoner({
    on: {
      go: {
        actions: [
          { type: "issue", params: topic },
          assign({ n: 1 }),
          { type: "issue", params: topic },
          { type: "issue", params: [] },
        ],
      },
    },
  });
  const run = byHand(reasoner, null);
  run.take({ type: "go" });
  expect(run.directives).toEqual([
    { type: "notify", topic: "undefined" },
    { type: "notify", topic: "1" },
  ]);
});
