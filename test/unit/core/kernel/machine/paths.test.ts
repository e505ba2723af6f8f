// Whatever path computes a step, nothing of one step or of this process reaches another. What a step enters,
// leaves and does on the way, and in which order, say the laws of generated machines (property-tests).
import { describe, expect, it } from "vitest";
import { fromPromise } from "xstate";
import { assign, raise } from "../../../../../src/core/kernel/machine/index.js";
import {
  append,
  isReckonerError,
  ReckonerError,
} from "../../../../../src/core/kernel/values/index.js";
import { byHand, throughJson } from "../../../../support/by-hand.js";
import { issue, smallReasoner, timer } from "../../../../support/small-machine.js";
import { refusal } from "../../../../support/thrown.js";

const PATHS = ["tables", "transition"] as const;
const boom = (): never => {
  throw new TypeError("boom");
};

for (const path of PATHS) {
  describe(`on the path ${path}`, () => {
    const reasonerOf = (config: object) => smallReasoner(config, { path });
    const inner = reasonerOf({ on: { go: { actions: issue(timer("inner")) } } });
    const runInner = (): number => {
      const { state } = inner.start(null, { at: 0, runId: "inner" });
      return inner.step(state, { type: "go", at: 1 }).directives.length;
    };

    it("a step inside a function of a machine's leaks nothing into the outer one", () => {
      const outer = reasonerOf({
        on: {
          go: {
            guard: () => runInner() === 1,
            actions: [
              issue(timer("a")),
              assign({ inner: runInner }),
              { type: "issue", params: () => (runInner() === 1 ? timer("b") : []) },
            ],
          },
        },
      });
      const run = byHand(outer, null);
      run.take({ type: "go" });
      expect([run.owed, run.context.inner]).toEqual([["a", "b"], 1]);
    });

    it("of an event's wildcards the longest counts, however they are ordered", () => {
      const on = { "*": ".b", "a.*": ".c", "a.b.*": ".d" };
      const states = { a: {}, b: {}, c: {}, d: {} };
      const run = byHand(reasonerOf({ initial: "a", on, states }), null);
      run.take({ type: "a.b.c" });
      expect(run.state.value).toBe("d");
    });

    it("each part of a change that is an object is told the params of its action", () => {
      const add = assign({ sum: (_args: unknown, params: { by: number }) => params.by } as never);
      const names: object = { types: {}, changes: { add } };
      const actions = { type: "add", params: { by: 2 } };
      const reasoner = smallReasoner({ on: { go: { actions } } }, { path }, names);
      const run = byHand(reasoner, null);
      run.take({ type: "go" });
      expect(run.context.sum).toBe(2);
    });

    it("a start inside a context factory leaks nothing, and one that throws leaves nothing", () => {
      const outer = reasonerOf({
        context: () => ({ inner: runInner() }),
        entry: issue(timer("outer")),
      });
      const failing = reasonerOf({ entry: [issue(timer("x")), assign(boom)] });
      expect(failing.start(null, { at: 0, runId: "r" }).state.fault?.code).toBe("machine.threw");
      const { directives } = outer.start(null, { at: 0, runId: "r" });
      expect(directives).toEqual([timer("outer")]);
    });

    it("states are entered from the outside in, and left from the inside out", () => {
      const tells = (name: string) => ({
        entry: issue({ type: "notify", topic: `+${name}` }),
        exit: issue({ type: "notify", topic: `-${name}` }),
      });
      const d = { ...tells("d"), id: "d", on: { back: "#out" } };
      const c = { ...tells("c"), initial: "d", states: { d } };
      const b = { ...tells("b"), initial: "c", states: { c } };
      const run = byHand(
        reasonerOf({ initial: "out", states: { out: { id: "out", on: { go: "#d" } }, b } }),
        null,
      );
      const told = ["go", "back"].map((type) =>
        run.take({ type }).directives.map((each) => (each as { topic?: string }).topic),
      );
      expect(told).toEqual([
        ["+b", "+c", "+d"],
        ["-d", "-c", "-b"],
      ]);
    });

    it("an event that changes nothing, or only raises another, is handled all the same", () => {
      const run = byHand(
        reasonerOf({
          on: { noop: {}, raises: { actions: raise({ type: "x" }) }, no: { guard: () => false } },
          always: {
            guard: ({ event }: { event: { type: string } }) => event.type === "always",
            actions: raise({ type: "x" }),
          },
        }),
        null,
      );
      const reasons = ["noop", "raises", "always", "no", "nobody"].map(
        (type) => run.take({ type }).ignored?.reason,
      );
      const unhandled = "unhandled";
      expect(reasons).toEqual([undefined, undefined, undefined, unhandled, unhandled]);
    });

    it("what an eventless transition issues is not ignored, whatever the event", () => {
      const reasoner = reasonerOf({
        context: { n: 1 },
        always: {
          guard: ({ event }: { event: { type: string } }) => event.type === "go",
          actions: issue(timer("t")),
        },
      });
      const run = byHand(reasoner, null);
      expect(run.take({ type: "other" }).ignored?.reason).toBe("unhandled");
      expect(run.take({ type: "go" }).ignored).toBeUndefined();
      expect([run.owed, run.state.seq]).toEqual([["t"], 2]);
    });

    const child = fromPromise(async () => 1);
    type Given = { self: never; system: never; spawn(...given: unknown[]): unknown };
    const touches: readonly (readonly [string, (given: Given) => unknown, string])[] = [
      ["spawn", (given) => given.spawn(child), "spawn"],
      ["spawn with a systemId", (given) => given.spawn(child, { systemId: "s" }), "spawn"],
      ["the actor's sessionId", (given) => (given.self as { sessionId: string }).sessionId, "self"],
      ["the actor as a string", (given) => `${given.self}`, "self"],
      ["the actor's keys", (given) => Object.keys(given.self), "self"],
      ["the system", (given) => (given.system as { get(k: string): unknown }).get("s"), "system"],
    ];
    for (const [name, touch, part] of touches) {
      it(`${name} is refused in an assign, the same each time`, () => {
        const config = { on: { go: { actions: assign({ ref: touch as never }) } } };
        for (const run of [byHand(reasonerOf(config), null), byHand(reasonerOf(config), null)]) {
          run.take({ type: "go" });
          expect(run.state.fault).toEqual({
            code: "machine.unsupported",
            place: `state {}, event go, ${part}`,
          });
        }
      });
    }

    it("is refused in a context factory, with one and the same fault", () => {
      const context = ({ spawn }: Given) => ({ ref: spawn(child, { systemId: "s" }) });
      const reasoner = reasonerOf({ context });
      const faults = [1, 2, 3].map(() => reasoner.start(null, { at: 0, runId: "r" }).state.fault);
      expect(new Set(faults.map((fault) => JSON.stringify(fault)))).toEqual(
        new Set(['{"code":"machine.unsupported","place":"start, spawn"}']),
      );
    });

    it("an actor that is kept in the context is not JSON", () => {
      const run = byHand(
        reasonerOf({
          on: { go: { actions: assign({ ref: ({ self }: Given) => self } as never) } },
        }),
        null,
      );
      run.take({ type: "go" });
      expect(run.state.fault).toMatchObject({
        code: "json.refused",
        place: expect.stringContaining("$.context.ref"),
      });
    });

    it.each([Number.NaN, Number.POSITIVE_INFINITY, 1n, Symbol("s"), () => 1])(
      "%s in the context is not JSON either",
      (value) => {
        const set = assign({ part: () => value } as never);
        const run = byHand(reasonerOf({ on: { go: { actions: set } } }), null);
        run.take({ type: "go" });
        expect(run.state.fault).toMatchObject({
          code: "json.refused",
          place: expect.stringContaining("$.context.part"),
        });
      },
    );

    it("a fault of ours keeps its code in an assign; a guard's is only that it threw", () => {
      const refuse = () => append({ "@list": 0, spine: [] } as never, () => 1) as never;
      expect(isReckonerError(refusalOf(refuse))).toBe(true);
      const codes = [{ actions: assign({ a: refuse }) }, { guard: refuse }].map((go) => {
        const run = byHand(reasonerOf({ on: { go } }), null);
        run.take({ type: "go" });
        return run.state.fault?.code;
      });
      expect(codes).toEqual(["json.refused", "machine.threw"]);
      const placeless = () => {
        throw new ReckonerError("json.refused", "no");
      };
      const run = byHand(reasonerOf({ on: { go: { actions: assign(placeless) } } }), null);
      run.take({ type: "go" });
      expect(run.state.fault).toEqual({ code: "json.refused", place: "state {}, event go" });
    });

    it("a context factory is asked once, with the input, and never again", () => {
      const given: unknown[] = [];
      const shared = { n: { m: 1 } };
      const reasoner = reasonerOf({
        context: ({ input }: { input: unknown }) => {
          given.push(input);
          return shared;
        },
        on: { go: { actions: issue(timer("t")) } },
      });
      const { state } = reasoner.start("in", { at: 0, runId: "r" });
      reasoner.step(state, { type: "go", at: 1 });
      expect(given).toEqual([{ at: 0, runId: "r", input: "in" }]);
      // What it gives is its own: it may give it to another run.
      expect(Object.isFrozen(shared) || Object.isFrozen(shared.n)).toBe(false);
    });

    it("an event that only an eventless transition waits for is handled, raised or not", () => {
      const waits = (event: object) => ({
        always: {
          guard: ({ event }: { event: { type: string } }) => event.type === "go",
          target: ".b",
        },
        initial: "a",
        states: { a: {}, b: { always: { guard: () => false } } },
        ...event,
      });
      const direct = byHand(reasonerOf(waits({})), null);
      expect(direct.take({ type: "go" }).ignored).toBeUndefined();
      const raised = byHand(
        reasonerOf(waits({ on: { raises: { actions: raise({ type: "go" }) }, go: {} } })),
        null,
      );
      raised.take({ type: "raises" });
      expect([direct.state.value, raised.state.value]).toEqual(["b", "b"]);
    });

    it("a value that is not whole is that of the states that it begins with", () => {
      const states = { a: {}, b: { initial: "c", states: { c: { on: { go: "d" } }, d: {} } } };
      const reasoner = reasonerOf({ initial: "b", states });
      const { state } = reasoner.start(null, { at: 0, runId: "r" });
      for (const value of ["b", {}, { b: {} }, { b: "c" }]) {
        const step = reasoner.step({ ...state, value: value as never }, { type: "go", at: 1 });
        expect(step.state.value).toEqual({ b: "d" });
      }
    });

    it("a state that names what is not there is refused with the engine's reason", () => {
      const reasoner = reasonerOf({ initial: "a", states: { a: {} } });
      const { state } = reasoner.start(null, { at: 0, runId: "r" });
      const error = refusal(() =>
        reasoner.step({ ...state, value: "gone" }, { type: "go", at: 1 }),
      );
      expect([error.code, error.cause]).toEqual(["state.mismatch", expect.any(Error)]);
    });

    it("a state in two places at once is refused, and so is one with a region that is not there", () => {
      const two = reasonerOf({
        initial: "a",
        states: { a: { initial: "x", states: { x: {} } }, b: {} },
      });
      const regions = reasonerOf({ type: "parallel", states: { a: {}, b: {} } });
      const values: readonly (readonly [typeof two, object])[] = [
        [two, { a: {}, b: {} }],
        [two, { b: {}, a: { x: {} } }],
        [two, { b: { x: {} } }],
        [regions, { a: {}, b: {}, c: {} }],
      ];
      for (const [reasoner, value] of values) {
        const { state } = reasoner.start(null, { at: 0, runId: "r" });
        const step = () =>
          reasoner.step({ ...state, value: value as never }, { type: "go", at: 1 });
        expect([value, refusal(step).code]).toEqual([value, "state.mismatch"]);
      }
    });

    it("regions that were entered one after the other are asked in the machine's order", () => {
      const leaves = (name: string) => ({
        guard: ({ context }: { context: { n: number } }) => context.n === 1,
        target: "end",
        actions: issue({ type: "notify", topic: name }),
      });
      const region = (name: string) => ({
        initial: "x",
        states: {
          x: { always: leaves(name), on: { [name]: "y" } },
          y: { always: leaves(name) },
          end: {},
        },
      });
      const reasoner = reasonerOf({
        context: { n: 0 },
        type: "parallel",
        on: { go: { actions: assign({ n: 1 }) } },
        states: { a: region("a"), b: region("b") },
      });
      let live = reasoner.start(null, { at: 0, runId: "r" });
      let restored = live;
      for (const type of ["a", "go"]) {
        live = reasoner.step(live.state, { type, at: 1 });
        restored = reasoner.step(throughJson(restored.state), { type, at: 1 });
        expect(JSON.stringify(live)).toBe(JSON.stringify(restored));
      }
      expect(live.directives).toMatchObject([{ topic: "a" }, { topic: "b" }]);
    });

    it("all that leaves a step is frozen, and nothing that went in", () => {
      const settings = { deep: { list: [1] } };
      const context = { settings };
      const reasoner = reasonerOf({
        context,
        on: {
          go: {
            actions: [
              assign({ more: () => settings.deep } as never),
              issue({ type: "notify", topic: "t", data: settings }),
            ],
          },
        },
      });
      const first = reasoner.start(null, { at: 0, runId: "r" });
      const state = JSON.parse(JSON.stringify(first.state));
      const steps = [
        first,
        reasoner.step(state, { type: "go", at: 1 }),
        reasoner.step(first.state, { type: "nobody", at: 1 }),
        reasoner.step(first.state, { type: "cancel", at: 1 }),
      ];
      for (const step of steps) {
        for (const part of [step, step.directives, step.state, step.state.context, step.ignored])
          expect(isDeeplyFrozen(part, [state.outstanding, state.issued])).toBe(true);
      }
      expect([context, settings, settings.deep].some(Object.isFrozen)).toBe(false);
      expect(Object.isFrozen(state.context) || Object.isFrozen(state.context.settings)).toBe(false);
    });
  });
}

function refusalOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (thrown) {
    return thrown;
  }
}

/** Frozen through and through, but for what is the caller's own. */
function isDeeplyFrozen(value: unknown, own: readonly unknown[]): boolean {
  if (typeof value !== "object" || value === null || own.includes(value)) return true;
  return Object.isFrozen(value) && Object.values(value).every((part) => isDeeplyFrozen(part, own));
}

it("an event that stands for every other is refused", () => {
  const { state } = smallReasoner({}).start(null, { at: 0, runId: "r" });
  const step = () => smallReasoner({}).step(state, { type: "*", at: 1 });
  expect(refusal(step).code).toBe("event.invalid");
});
