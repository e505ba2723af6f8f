// start and step: what every machine obeys, K1 to K5, one by one on small machines.

import { describe, expect, it } from "vitest";
import { assign, owedBy } from "../../../../../src/core/kernel/machine/index.js";
import { append, listOf } from "../../../../../src/core/kernel/values/index.js";
import type { IncomingEvent } from "../../../../../src/core/kernel/vocabulary/index.js";
import { byHand, throughJson } from "../../../../support/by-hand.js";
import {
  issue,
  type SmallContext,
  smallReasoner,
  timer,
} from "../../../../support/small-machine.js";
import { refusal } from "../../../../support/thrown.js";

const counting = assign<never, never, never, never, never>((({ context }: never) => ({
  n: ((context as { n?: number }).n ?? 0) + 1,
})) as never);

/** Two timers; the first to fire leads to `one`, a `go` leads to the end. */
const timers = smallReasoner({
  initial: "waiting",
  entry: issue(timer("t/0"), timer("t/1")),
  states: {
    waiting: { on: { "timer.fired": "one", go: "over" } },
    one: { on: { go: "over", note: { actions: issue({ type: "notify", topic: "noted" }) } } },
    over: { type: "final" },
  },
});

describe("K1: a step depends on its arguments alone and changes neither", () => {
  it("the same step gives the same bytes, from the live state and from JSON", () => {
    const { state } = timers.start({ a: 1 }, { at: 5, runId: "run" });
    const event = { type: "timer.fired", id: "t/0", at: 6 };
    const [a, b, c] = [state, throughJson(state), state].map((each) =>
      JSON.stringify(timers.step(each, event)),
    );
    expect(b).toBe(a);
    expect(c).toBe(a);
  });

  it("neither the state nor the event is changed or frozen by a step", () => {
    const state = throughJson(timers.start(null, { at: 0, runId: "run" }).state);
    const event = { type: "go", at: 1, data: { list: [1] } };
    const before = JSON.stringify([state, event]);
    timers.step(state, event as IncomingEvent);
    expect(JSON.stringify([state, event])).toBe(before);
    expect(Object.isFrozen(event) || Object.isFrozen(event.data)).toBe(false);
  });

  it("time is the event's, and the seed and the context that it goes on from the origin's", () => {
    const seeded = smallReasoner({ context: ({ input }: { input: object }) => ({ start: input }) });
    const origin = { at: 7, runId: "r", seed: "s", from: { n: [1] } };
    const { state } = seeded.start("in", origin);
    expect(state.context.start).toEqual({ input: "in", ...origin });
    expect(seeded.step(state, { type: "x", at: 9 }).state.at).toBe(9);
  });

  it("an id that was issued before ends the run, also after it was settled", () => {
    const repeating = smallReasoner({
      initial: "a",
      states: {
        a: { entry: issue(timer("t/0")), on: { "timer.fired": "b" } },
        b: { entry: issue(timer("t/0")) },
      },
    });
    const run = byHand(repeating, null);
    run.take({ type: "timer.fired", id: "t/0" });
    expect(run.state).toMatchObject({ status: "failed", fault: { code: "directive.repeated" } });
    expect(run.state.fault?.place).toBe('state "a", event timer.fired, directive 0: t/0');
  });

  it("two of one id in one step end the run at its start", () => {
    const { state } = smallReasoner({ entry: issue(timer("t"), timer("t")) }).start(null, {
      at: 0,
      runId: "r",
    });
    expect(state.fault).toEqual({ code: "directive.repeated", place: "start, directive 1: t" });
    expect(owedBy(state)).toEqual([]);
  });
});

describe("K2: states are plain JSON", () => {
  it("a context that is not JSON ends the run with the path", () => {
    const run = byHand(
      smallReasoner({ on: { go: { actions: assign({ at: () => new Date(0) }) } } }),
      null,
    );
    run.take({ type: "go" });
    expect(run.state.fault).toEqual({
      code: "json.refused",
      place: "state {}, event go, $.context.at",
    });
  });

  it("undefined properties of a context and of directives are dropped", () => {
    const reasoner = smallReasoner({
      entry: [
        assign({ a: 1, gone: undefined }),
        issue({ ...timer("t"), until: 1, gone: undefined }),
      ],
    });
    const { state, directives } = reasoner.start(null, { at: 0, runId: "r" });
    expect(state.context).toStrictEqual({ a: 1 });
    expect(directives).toStrictEqual([timer("t", 1)]);
  });

  it("states and directives are frozen", () => {
    const { state, directives } = timers.start(null, { at: 0, runId: "r" });
    for (const each of [state, state.context, directives[0]])
      expect(Object.isFrozen(each)).toBe(true);
  });

  it("an input and an event that are not JSON are refused with their path", () => {
    const start = () => timers.start({ f: () => 1 }, { at: 0, runId: "r" });
    expect(refusal(start).place).toBe("$.input.f");
    const { state } = timers.start(null, { at: 0, runId: "r" });
    const step = () => timers.step(state, { type: "go", at: 1, when: new Date(0) } as never);
    expect(refusal(step)).toMatchObject({ code: "json.refused", place: "$.when" });
  });
});

describe("K3: the machine sees the directive on the event that settles it", () => {
  it("and nothing of the kind on another event", () => {
    const reasoner = smallReasoner({
      entry: issue(timer("t", 42)),
      on: {
        "*": {
          actions: assign({
            seen: ({ event }: never) => (event as { directive?: unknown }).directive ?? null,
          }),
        },
      },
    });
    const run = byHand(reasoner, null);
    run.take({ type: "other" });
    expect(run.context.seen).toBe(null);
    run.take({ type: "timer.fired", id: "t" });
    expect(run.context.seen).toEqual(timer("t", 42));
  });
});

describe("K4: what changes nothing says so, and is counted", () => {
  it("a settlement that the present state does not handle leaves outstanding all the same", () => {
    const run = byHand(timers, null);
    run.take({ type: "timer.fired", id: "t/1" });
    run.take({ type: "timer.fired", id: "t/0" });
    expect(run.step.ignored).toEqual({ reason: "unhandled", type: "timer.fired", id: "t/0" });
    expect([run.state.value, run.owed, run.state.seq]).toEqual(["one", [], 2]);
  });

  const stale: readonly (readonly [string, object])[] = [
    ["an id that was never issued", { type: "timer.fired", id: "t/9" }],
    ["an id of another type", { type: "tool.succeeded", id: "t/0", output: 1 }],
  ];
  for (const [name, event] of stale) {
    it(`a settlement for ${name} is stale`, () => {
      const run = byHand(timers, null);
      const before = run.state;
      run.take(event as { type: string });
      expect(run.step.ignored?.reason).toBe("stale");
      expect(run.state).toEqual({ ...before, seq: 1, at: 1 });
    });
  }

  it("a settlement that comes twice is stale the second time", () => {
    const run = byHand(timers, null);
    run.take({ type: "timer.fired", id: "t/0" });
    run.take({ type: "timer.fired", id: "t/0" });
    expect(run.step.ignored).toEqual({ reason: "stale", type: "timer.fired", id: "t/0" });
  });

  it("an event that no transition handles is unhandled", () => {
    const run = byHand(timers, null);
    run.take({ type: "note", id: "n" });
    expect(run.step.ignored).toEqual({ reason: "unhandled", type: "note", id: "n" });
    expect([run.state.seq, run.directives]).toEqual([1, []]);
  });

  it("an id that is not a string is the event's own affair", () => {
    const run = byHand(timers, null);
    run.take({ type: "note", id: 5 });
    expect(run.step.ignored).toEqual({ reason: "unhandled", type: "note" });
  });

  it("an event whose transition changes nothing is handled", () => {
    const run = byHand(smallReasoner({ on: { noop: {}, guarded: { guard: () => false } } }), null);
    expect(run.take({ type: "noop" }).ignored).toBeUndefined();
    expect(run.take({ type: "guarded" }).ignored?.reason).toBe("unhandled");
  });

  it("an event that only an eventless transition waits for is handled", () => {
    const reasoner = smallReasoner({
      initial: "a",
      states: {
        a: {
          always: {
            guard: ({ event }: { event: IncomingEvent }) => event.type === "go",
            target: "b",
          },
        },
        b: {},
      },
    });
    const run = byHand(reasoner, null);
    expect(run.take({ type: "go" }).ignored).toBeUndefined();
    expect(run.state.value).toBe("b");
  });

  it("a second start is busy", () => {
    const run = byHand(timers, null);
    run.take({ type: "start" });
    expect(run.step.ignored).toEqual({ reason: "busy", type: "start" });
    expect([run.state.seq, run.owed]).toEqual([1, ["t/0", "t/1"]]);
  });

  it("event names of an object's own machinery are ordinary names", () => {
    const run = byHand(smallReasoner({ on: { constructor: { actions: counting } } }), null);
    for (const type of ["constructor", "toString", "__proto__", "valueOf"]) run.take({ type });
    expect(run.context.n).toBe(1);
    expect(run.step.ignored?.reason).toBe("unhandled");
  });
});

describe("K5: an ended run is never stepped again", () => {
  it("not even the sequence number moves", () => {
    const run = byHand(timers, null);
    run.take({ type: "go" });
    const before = run.state;
    for (const type of ["go", "cancel", "start", "message"]) {
      expect(run.take({ type, content: "" }).ignored).toEqual({ reason: "ended", type });
      expect(run.state).toEqual(before);
    }
  });

  it("what is outstanding is cancelled by the kernel in the step that ends it", () => {
    const run = byHand(timers, null);
    run.take({ type: "go" });
    expect(run.directives).toEqual([
      { type: "cancel", target: "t/0" },
      { type: "cancel", target: "t/1" },
    ]);
    expect([run.state.status, run.owed]).toEqual(["done", []]);
  });

  it("a notify may go out in that step", () => {
    const reasoner = smallReasoner({
      initial: "a",
      states: {
        a: { on: { go: "b" } },
        b: { type: "final", entry: issue({ type: "notify", topic: "bye" }) },
      },
    });
    const run = byHand(reasoner, null);
    run.take({ type: "go" });
    expect(run.directives).toEqual([{ type: "notify", topic: "bye" }]);
    expect(run.state.status).toBe("done");
  });

  it("an effect in that step is a fault, whichever action issues it", () => {
    for (const where of ["entry", "exit"] as const) {
      const reasoner = smallReasoner({
        ...(where === "exit" ? { exit: issue(timer("t")) } : {}),
        initial: "a",
        states: {
          a: { on: { go: "b" } },
          b: { type: "final", ...(where === "entry" ? { entry: issue(timer("t")) } : {}) },
        },
      });
      const run = byHand(reasoner, null);
      run.take({ type: "go" });
      expect(run.state.fault?.code).toBe("directive.afterEnd");
      expect(run.state.value).toBe("a");
    }
  });

  it("an end has the status of its tag", () => {
    const ends = smallReasoner({
      initial: "a",
      states: {
        a: { on: { x: "failed", y: "cancelled", z: "done" } },
        failed: { type: "final", tags: ["failed"] },
        cancelled: { type: "final", tags: ["cancelled"] },
        done: { type: "final", tags: ["other"] },
      },
    });
    const status = (type: string) => {
      const run = byHand(ends, null);
      run.take({ type });
      return run.state.status;
    };
    expect(["x", "y", "z"].map(status)).toEqual(["failed", "cancelled", "done"]);
  });
});

describe("a state from another process", () => {
  const reasoner = smallReasoner({
    context: () => ({ log: listOf(Array.from({ length: 40 }, (_, i) => i)) }),
    entry: issue(...Array.from({ length: 40 }, (_, i) => timer(`t/${i}`))),
    on: {
      go: {
        actions: [
          issue(timer("more")),
          assign({
            log: ({ context }: { context: SmallContext }) => append(context.log as never, 40),
          }),
        ],
      },
    },
  });
  const { state } = reasoner.start(null, { at: 0, runId: "r" });

  function thawed(value: unknown, path = "$"): string[] {
    if (typeof value !== "object" || value === null) return [];
    const below = Object.entries(value).flatMap(([key, each]) => thawed(each, `${path}.${key}`));
    return Object.isFrozen(value) ? below : [path, ...below];
  }

  it.each(["go", "timer.fired", "interrupt", "start"])(
    "shares nothing with what %s makes of it that may still change",
    (type) => {
      const event = { type, at: 1, id: "t/3", partial: {} };
      const outside = throughJson(state);
      const { state: next } = reasoner.step(outside, event);
      expect(thawed(next)).toEqual([]);
      expect(thawed(outside)).toContain("$.issued.spine.1.0");
      expect(JSON.stringify(next)).toBe(JSON.stringify(reasoner.step(state, event).state));
    },
  );

  it.each([
    [{ issued: { "@list": 5, spine: [["a"]] } }, "issued must be a List; it is another object"],
    [
      { issued: { "@table": 0, rows: { items: [] } } },
      "issued must be a List; it is another object",
    ],
    [
      { outstanding: { "@list": 0, spine: [] } },
      "outstanding must be a Table; it is another object",
    ],
    [
      { context: { log: { "@list": 1, head: "h", spine: [[1]] } } },
      "$.context.log is not a well-formed List",
    ],
    [
      { context: { at: new Date(0) } },
      "$.context.at is a Date, which is not JSON; pass plain objects, arrays, strings, finite numbers, booleans or null",
    ],
  ])("that has %j is refused in one sentence", (fields, why) => {
    const error = refusal(() =>
      reasoner.step({ ...state, ...fields } as never, { type: "go", at: 1 }),
    );
    expect([error.code, error.message]).toEqual([
      "state.mismatch",
      `The state is not one of small version 1: ${why}.`,
    ]);
  });
});

it("an input that is a promise is refused as such, and as no function's that nobody has given", () => {
  const reasoner = smallReasoner({});
  const error = refusal(() => reasoner.start(Promise.resolve(1), { at: 0, runId: "r" }));
  expect([error.code, error.place]).toEqual(["json.refused", "$.input"]);
});
