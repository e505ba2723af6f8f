// What a step passes through of a chart: states, transitions, and what guards came to.
import { describe, expect, it } from "vitest";
import { and, createMachine, raise } from "xstate";
import { assign, ChartTrace, ownEventsOf } from "../../../../../src/core/kernel/machine/index.js";
import type { IncomingEvent } from "../../../../../src/core/kernel/vocabulary/index.js";
import { issue, smallReasoner, timer } from "../../../../support/small-machine.js";

const origin = { at: 0, runId: "r" };

/** The names of what a start and then one event after the other pass through. */
function passed(config: object, events: readonly IncomingEvent[], start: object = {}) {
  const reasoner = smallReasoner(config);
  const trace = new ChartTrace(reasoner.machine);
  const named = (numbers: readonly number[]) => numbers.map((i) => trace.parts[i]?.name);
  const given = { ...origin, ...start };
  let { state } = reasoner.start(null, given);
  const seen = [named(trace.start(null, given))];
  for (const event of events) {
    seen.push(named(trace.step(state, event)));
    ({ state } = reasoner.step(state, event));
  }
  return seen;
}

describe("the parts of a chart", () => {
  it("are its states, transitions and guards, but not the machine, nor what only remembers", () => {
    const { machine } = smallReasoner(
      {
        initial: "a",
        on: { stop: { target: ".b" } },
        states: {
          a: {
            initial: "c",
            states: {
              c: { always: { guard: "never", target: "d" } },
              d: {},
              past: { type: "history" },
            },
          },
          b: { on: { back: "a.past" } },
        },
      } as never,
      {},
      { guards: { never: () => false } } as never,
    );
    expect(new ChartTrace(machine).parts.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "transition machine: stop -> b",
      "state a",
      "state a.c",
      "transition a.c: [never] -> a.d",
      "guard a.c: [never] -> a.d: holds",
      "guard a.c: [never] -> a.d: does not hold",
      "state a.d",
      "state b",
      "transition b: back -> a.past",
    ]);
  });

  it("are passed by what is entered and taken", () => {
    const isLong = ({ event }: { event: { n?: number } }) => (event.n ?? 0) > 1;
    const config = {
      initial: "a",
      states: {
        a: { on: { go: [{ guard: isLong, target: "b" }, { target: "c" }] } },
        b: {},
        c: {},
      },
    };
    expect(passed(config, [{ type: "go", at: 1, n: 1 } as never])).toEqual([
      ["a"],
      ["a: go [isLong] -> b: does not hold", "a: go [else] -> c", "c"],
    ]);
    expect(passed(config, [{ type: "go", at: 1, n: 2 } as never])[1]).toEqual([
      "a: go [isLong] -> b: holds",
      "a: go [isLong] -> b",
      "b",
    ]);
  });
});

describe("a start", () => {
  it("has its input, and what it goes on from", () => {
    const config = {
      context: ({ input }: { input: { from?: { n: number } } }) => ({ n: input.from?.n ?? 0 }),
      initial: "a",
      states: {
        a: { always: { guard: and([({ context }) => context.n > 4]), target: "b" } },
        b: {},
      },
    };
    const [fresh, goesOn] = [{}, { from: { n: 5 } }].map((start) => passed(config, [], start)[0]);
    expect([fresh?.includes("b"), goesOn?.includes("b")]).toEqual([false, true]);
  });
});

describe("a step", () => {
  const config = {
    initial: "a",
    entry: issue(timer("t/0")),
    states: {
      a: {
        after: { 5: "b" },
        on: {
          "timer.fired": {
            guard: ({ event }: { event: { directive?: { id: string } } }) =>
              event.directive?.id === "t/0",
            target: "c",
          },
          start: "c",
        },
      },
      b: { type: "final" },
      c: {},
    },
  };

  it("that settles something has what it settles", () => {
    const fired = { type: "timer.fired", id: "t/0", at: 1 } as const;
    expect(passed(config, [fired])[1]).toEqual([
      "a: timer.fired [condition] -> c: holds",
      "a: timer.fired [condition] -> c",
      "c",
    ]);
  });

  it("for a timer of `after` takes its transition", () => {
    const fired = { type: "timer.fired", id: "after/a/5/0", at: 5 } as const;
    expect(passed(config, [fired])[1]).toEqual(["a: after 5 ms -> b", "b"]);
  });

  it("that is not the machine's to take passes through nothing", () => {
    const end = { type: "timer.fired", id: "after/a/5/0", at: 5 } as const;
    const stale = { type: "timer.fired", id: "t/9", at: 1 } as const;
    const start = { type: "start", at: 1 } as never;
    expect(passed(config, [stale, start, end, { type: "timer.fired", id: "t/0", at: 6 }])).toEqual([
      ["a"],
      [],
      [],
      ["a: after 5 ms -> b", "b"],
      [],
    ]);
    // Its machine would take it.
    const again = { initial: "a", states: { a: { on: { go: "b" } }, b: { type: "final" } } };
    const go = { type: "go", at: 1 } as const;
    expect(passed({ ...again, on: { go: {} } }, [go, go])[2]).toEqual([]);
  });

  it.each([{}, { type: "parallel", initial: undefined, states: { one: {}, two: {} } }])(
    "with an eventless transition that changes nothing goes on behind it",
    (more) => {
      const steps = passed(
        {
          initial: "a",
          states: {
            a: {
              always: { actions: issue({ type: "notify", topic: "always" }) },
              on: { go: { actions: raise({ type: "more" }) }, more: "b" },
            },
            b: more,
          },
        },
        [{ type: "go", at: 1 } as never],
      );
      expect(steps).toEqual([
        ["a", "a: always"],
        expect.arrayContaining(["a: go", "a: always", "a: more -> b", "b"]),
      ]);
    },
  );

  it("that fails counts as far as it came", () => {
    const boom = () => {
      throw new Error("no");
    };
    const failing = {
      initial: "a",
      states: { a: { on: { go: "b" } }, b: { entry: assign(boom) } },
    };
    expect(passed(failing, [{ type: "go", at: 1 }])[1]).toEqual(["a: go -> b", "b"]);
  });
});

describe("a machine's own events from outside", () => {
  it("are those that it names, and does not raise, and that are nobody else's", () => {
    const machine = createMachine({
      entry: raise({ type: "raised.first" }),
      exit: raise("raised.text" as never),
      on: {
        "*": {},
        "tool.*": {},
        "xstate.done.state.m": {},
        "tool.succeeded": {},
        message: {},
        cancel: {},
        interrupt: {},
        start: {},
        "raised.first": {},
        "raised.text": {},
        "raised.onward": {},
        pay: { actions: raise({ type: "raised.onward" }) },
        odd: { actions: [raise(() => ({ type: "pay" })), raise(null as never)] },
        "my.xstate.": {},
      },
      initial: "a",
      states: {
        a: { always: { guard: () => false, actions: raise({ type: "raised.always" }) } },
        b: { on: { ship: {}, "raised.always": {}, pay: {} } },
      },
    } as never);
    expect(ownEventsOf(machine)).toEqual(["pay", "odd", "my.xstate.", "ship"]);
  });
});
