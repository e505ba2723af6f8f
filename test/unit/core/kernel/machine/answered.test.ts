// A machine's functions answer at once. One that returns a promise and is not declared async shows it
// only when it is called: then the run ends with a code and the function's name, and nothing
// fails unheard.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { and, enqueueActions, not, raise } from "xstate";
import { ChartTrace } from "../../../../../src/core/kernel/machine/chart-trace.js";
import {
  assign,
  change,
  defineReasoner,
  setupReasoner,
} from "../../../../../src/core/kernel/machine/index.js";

const unheard: unknown[] = [];
const note = (thrown: unknown) => unheard.push(thrown);
beforeAll(() => void process.on("unhandledRejection", note));
// What a test that failed has left is not the next one's.
beforeEach(async () => {
  await turns();
  unheard.length = 0;
});
afterAll(() => void process.off("unhandledRejection", note));

const later = (): never => Promise.reject(new Error("later")) as never;
const at = { at: 0, runId: "r" };

/** A machine of a state that takes `go`; its setup has names for what answers later. */
function machineOf(config: object) {
  const { createMachine } = setupReasoner({
    types: {} as never,
    guards: { mayPay: later, both: and(["fine", "mayPay"]) as never, fine: () => true },
    changes: { count: later, draw: change(later), fine: () => ({ n: 2 }) },
    issues: { pay: later },
    delays: { soon: later },
  } as never);
  return createMachine({ context: { n: 1 }, initial: "a", ...config } as never);
}

const states = (go: object, more: object = {}) => ({
  states: { a: { on: { go } }, b: { type: "final" }, ...more },
});
const to = (guard: unknown) => states({ guard, target: "b" });
const does = (...actions: unknown[]) => states({ actions });

const rows: readonly (readonly [string, object, string])[] = [
  ["a guard", to(later), "guard later"],
  ["a guard without a name", to((() => later()) as unknown), "guard"],
  ["a guard by its name", to("mayPay"), "guard mayPay"],
  ["a guard with params", to({ type: "mayPay", params: { a: 1 } }), "guard mayPay"],
  ["the params of a guard", to({ type: "fine", params: later }), "guard"],
  ["one of two guards", to(and([() => true, later])), "guard later"],
  ["the other way round", to(not(later)), "guard later"],
  ["two by one name", to("both"), "guard mayPay"],
  ["an assign", does(assign(later), assign({ n: 2 })), "assign later"],
  ["a field of an assign", does(assign({ n: later }), assign({ n: 2 })), "assign of n"],
  ["a change by its name", does("count"), "assign count"],
  ["the params of a change", does({ type: "fine", params: later }), "assign fine"],
  ["a change on a draft", does("draw"), "change"],
  ["what is issued", does({ type: "issue", params: later }), "issue"],
  ["what a name issues", does("pay"), "issue"],
  ["what is raised", does(raise(later)), "raise"],
  ["a delay", states({ target: "c" }, { c: { after: { soon: "b" } } }), "delay soon"],
  ["an output", states({ target: "c" }, { c: { type: "final", output: later } }), "output"],
  [
    "an assign on the way into a state",
    states(
      { target: "c" },
      { c: { initial: { target: "d", actions: assign(later) }, states: { d: {} } } },
    ),
    "assign later",
  ],
  ["what enqueues", does(enqueueActions(() => later())), "enqueueActions"],
  [
    "an enqueued assign",
    does(enqueueActions(({ enqueue }) => enqueue.assign(later))),
    "assign later",
  ],
  [
    "an enqueued action",
    does(enqueueActions(({ enqueue }) => enqueue(assign(later)))),
    "assign later",
  ],
  ["an enqueued event", does(enqueueActions(({ enqueue }) => enqueue.raise(later))), "raise"],
  [
    "a guard that is checked",
    does(enqueueActions(({ check }) => void check(later))),
    "guard later",
  ],
];

describe("a function that returns a promise", () => {
  it.each(rows)("%s", async (_name, config, part) => {
    const reasoner = defineReasoner({ id: "m", machine: machineOf(config) as never });
    const { state } = reasoner.start(null, at);
    const step = reasoner.step(state, { type: "go", at: 1 });
    expect([step.state.status, step.state.fault]).toEqual([
      "failed",
      { code: "machine.async", place: `state "a", event go, ${part}` },
    ]);
    expect(String(step.thrown)).toContain("returned a promise");
    expect(step.state.context).toEqual({ n: 1 });
    new ChartTrace(reasoner.machine).step(state, { type: "go", at: 1 });
    // The reasoner's own machine is as good as the one that it was made of.
    const again = defineReasoner({ id: "m", machine: reasoner.machine });
    expect(again.step(again.start(null, at).state, { type: "go", at: 1 }).state.fault).toEqual(
      step.state.fault,
    );
    await heardAll();
  });

  it("of an eventless transition, and a context", async () => {
    const always = machineOf({
      states: { a: { on: { go: "c" } }, c: { always: { guard: later, target: "b" } }, b: {} },
    });
    const one = defineReasoner({ id: "m", machine: always as never });
    const { state } = one.step(one.start(null, at).state, { type: "go", at: 1 });
    expect(state.fault?.place).toBe('state "a", event go, guard later');
    const context = machineOf({ context: later, states: { a: {} } });
    const other = defineReasoner({ id: "m", machine: context as never });
    expect(other.start(null, at).state.fault).toEqual({
      code: "machine.async",
      place: "start, context",
    });
    await heardAll();
  });

  it("promises in what is not JSON are heard, all of them", async () => {
    const machine = machineOf(
      does(
        assign(() => ({ n: later(), m: later() }) as never),
        {
          type: "issue",
          params: () => [
            { type: "tool", args: later() },
            { type: "tool", args: later() },
          ],
        },
      ),
    );
    const reasoner = defineReasoner({ id: "m", machine: machine as never });
    const step = reasoner.step(reasoner.start(null, at).state, { type: "go", at: 1 });
    expect(step.state.fault?.code).toBe("json.refused");
    await heardAll();
  });

  it("what a step inside a guard comes to is that step's", () => {
    const inner = defineReasoner({ id: "i", machine: machineOf(to(later)) as never });
    const { state } = inner.start(null, at);
    const machine = machineOf(
      to(() => {
        inner.step(state, { type: "go", at: 1 });
        throw new Error("own");
      }),
    );
    const outer = defineReasoner({ id: "o", machine: machine as never });
    const step = outer.step(outer.start(null, at).state, { type: "go", at: 1 });
    expect(step.state.fault).toEqual({ code: "machine.threw", place: 'state "a", event go' });
  });
});

async function turns(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise(setImmediate);
}

async function heardAll(): Promise<void> {
  await turns();
  expect(unheard.splice(0)).toEqual([]);
}
