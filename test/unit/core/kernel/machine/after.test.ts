// Delayed transitions as timers: named by their state's path, cancelled when it is left.
import { describe, expect, it } from "vitest";
import { assign } from "../../../../../src/core/kernel/machine/index.js";
import type { Effect } from "../../../../../src/core/kernel/vocabulary/index.js";
import { byHand } from "../../../../support/by-hand.js";
import { issue, smallReasoner, timer } from "../../../../support/small-machine.js";
import { refusal } from "../../../../support/thrown.js";

const noted = (word: string) =>
  assign({ log: ({ context }: never) => [...((context as { log?: string[] }).log ?? []), word] });

/** An order that is paid within an hour, or reminded of, or dropped. */
const order = smallReasoner({
  initial: "order",
  states: {
    order: {
      initial: "unpaid",
      after: { 5000: "dropped" },
      states: {
        unpaid: {
          after: { 1000: { target: "unpaid", reenter: true, actions: noted("reminded") } },
          on: { pay: "paid", look: { actions: noted("looked") } },
        },
        paid: { on: { back: "unpaid", ship: "#small.shipped" } },
      },
    },
    dropped: { type: "final", tags: ["failed"] },
    shipped: { type: "final" },
  },
  id: "small",
});

const timers = (owed: readonly string[]) => owed.filter((id) => id.startsWith("after/"));

describe("a delayed transition", () => {
  it("is a timer named by its state's path, from the time of the event", () => {
    const step = order.start(null, { at: 70, runId: "r" });
    expect(step.directives).toEqual([
      { type: "timer", id: "after/order/5000/0", until: 5_070 },
      { type: "timer", id: "after/order/unpaid/1000/0", until: 1_070 },
    ]);
  });

  it("is taken when its timer fires, and the next timer has the next number", () => {
    const run = byHand(order, null);
    for (let i = 0; i < 12; i++) {
      run.take({ type: "timer.fired", id: `after/order/unpaid/1000/${i}`, at: 1000 * (i + 1) });
      expect(run.directives).toEqual([
        { type: "timer", id: `after/order/unpaid/1000/${i + 1}`, until: 1000 * (i + 2) },
      ]);
    }
    expect(run.context.log).toHaveLength(12);
  });

  it("begins anew where a history state leads back to where the machine is, which leaves no state", () => {
    const back = smallReasoner({
      initial: "s",
      states: {
        s: { after: { 1000: "late" }, on: { back: "h", leave: "t" } },
        t: { on: { in: "s" } },
        h: { type: "history" },
        late: {},
      },
    });
    const run = byHand(back, null);
    run.take({ type: "back", at: 900 } as never);
    expect(run.directives).toEqual([
      { type: "cancel", target: "after/s/1000/0" },
      { type: "timer", id: "after/s/1000/1", until: 1_900 },
    ]);
    run.take({ type: "leave", at: 950 } as never);
    expect(run.owed).toEqual([]);
    run.take({ type: "in", at: 960 } as never);
    expect(run.owed).toEqual(["after/s/1000/2"]);
  });

  it("begins once where its state is entered twice in one step", () => {
    const twice = smallReasoner({
      context: { log: [] },
      initial: "s",
      states: {
        s: {
          entry: noted("in"),
          always: {
            guard: ({ context }: never) => (context as { log: string[] }).log.length < 3,
            target: "h",
          },
          after: { 1000: "late" },
        },
        h: { type: "history" },
        late: {},
      },
    });
    const run = byHand(twice, null);
    expect(run.context.log).toHaveLength(3);
    expect(run.owed).toEqual(["after/s/1000/0"]);
  });

  it("is cancelled when its state is left, and only then", () => {
    const run = byHand(order, null);
    run.take({ type: "look" });
    expect(run.directives).toEqual([]);
    run.take({ type: "pay" });
    expect(run.directives).toEqual([{ type: "cancel", target: "after/order/unpaid/1000/0" }]);
    expect(timers(run.owed)).toEqual(["after/order/5000/0"]);
    run.take({ type: "timer.fired", id: "after/order/unpaid/1000/0" });
    expect(run.step.ignored?.reason).toBe("stale");
    run.take({ type: "back" });
    expect(timers(run.owed)).toEqual(["after/order/5000/0", "after/order/unpaid/1000/1"]);
  });

  it("ends the run where it says so, and what is outstanding is cancelled by its exits", () => {
    const run = byHand(order, null);
    run.take({ type: "timer.fired", id: "after/order/5000/0" });
    expect([run.state.status, run.state.value]).toEqual(["failed", "dropped"]);
    expect(run.directives).toEqual([{ type: "cancel", target: "after/order/unpaid/1000/0" }]);
  });

  it("of a state that is only passed through leaves no timer, not even in the end", () => {
    const config = {
      initial: "a",
      states: {
        a: { on: { go: "b", stay: "d" } },
        b: { after: { 5: "a" }, always: "c" },
        c: { type: "final" },
        d: { after: { 5: "a" }, always: "e" },
        e: {},
      },
    };
    const ended = byHand(smallReasoner(config), null);
    ended.take({ type: "go" });
    expect([ended.state.status, ended.directives]).toEqual(["done", []]);
    const passed = byHand(smallReasoner(config), null);
    passed.take({ type: "stay" });
    expect([passed.state.value, passed.directives, passed.state.issued]).toEqual([
      "e",
      [],
      smallReasoner(config).start(null, { at: 0, runId: "r" }).state.issued,
    ]);
  });

  it("sees the event of the timer: its time, and the timer itself", () => {
    const reasoner = smallReasoner({
      initial: "a",
      states: {
        a: {
          after: { 5: { target: "b", actions: assign({ seen: ({ event }: never) => event }) } },
        },
        b: {},
      },
    });
    const run = byHand(reasoner, null);
    run.take({ type: "timer.fired", id: "after/a/5/0", at: 9 });
    expect(run.context.seen).toMatchObject({ at: 9, directive: { type: "timer", until: 5 } });
  });

  it("a guard that is not met leaves the state where it is, its timer gone", () => {
    const reasoner = smallReasoner({
      initial: "a",
      states: { a: { after: { 5: { guard: () => false, target: "b" } }, on: { go: "b" } }, b: {} },
    });
    const run = byHand(reasoner, null);
    run.take({ type: "timer.fired", id: "after/a/5/0" });
    expect([run.state.value, run.step.ignored?.reason, run.owed]).toEqual(["a", "unhandled", []]);
    run.take({ type: "go" });
    expect(run.directives).toEqual([]);
  });

  it("at the root, and in states whose names have slashes, has a name of its own", () => {
    const reasoner = smallReasoner({
      after: { 7: ".a/b" },
      initial: "a",
      states: {
        a: { initial: "b", states: { b: { after: { 7: "b" } } } },
        "a/b": { after: { 7: "a" } },
      },
    });
    const run = byHand(reasoner, null);
    expect(run.owed).toEqual(["after/7/0", "after/a/b/7/0"]);
    run.take({ type: "timer.fired", id: "after/7/0" });
    expect(run.owed).toEqual(["after/a%2Fb/7/0"]);
  });
});

describe("a delay", () => {
  it("that is not a number ends the run with its name", () => {
    const reasoner = smallReasoner(
      { initial: "a", states: { a: { on: { go: "b" } }, b: { after: { soon: "a" } } } },
      {},
      { delays: { soon: () => Number.NaN } },
    );
    const run = byHand(reasoner, null);
    run.take({ type: "go" });
    expect(run.state.fault).toEqual({
      code: "directive.invalid",
      place: 'state "a", event go, after/b/soon: its delay is not a number',
    });
  });

  it("with a name is reckoned from context and event", () => {
    const delays = { soon: ({ context }: { context: { n?: number } }) => (context.n ?? 0) * 10 };
    const reasoner = smallReasoner(
      { context: { n: 4 }, initial: "a", states: { a: { after: { soon: "b" } }, b: {} } },
      {},
      { delays },
    );
    const { directives } = reasoner.start(null, { at: 2, runId: "r" });
    expect(directives).toEqual([{ type: "timer", id: "after/a/soon/0", until: 42 }]);
  });
});

describe("names of a delayed transition's timers", () => {
  it("may not be issued by hand, alone or among others", () => {
    const own = timer("after/a/5/7");
    for (const params of [own, [own], [timer("t"), own]]) {
      const go = { actions: { type: "issue", params } };
      const run = byHand(
        smallReasoner({ initial: "a", states: { a: { after: { 5: "a" }, on: { go } } } }),
        null,
      );
      run.take({ type: "go" });
      expect(run.state.fault).toEqual({
        code: "directive.invalid",
        place: 'state "a", event go: the id after/a/5/7 is one of an `after`\'s own',
      });
    }
  });

  it.each(["after/a/9/0", "after/9/0"])(
    "may not be issued either where another version may have them: %s",
    (id) => {
      for (const more of [{}, { after: { 5: "a" } }]) {
        const states = { a: { ...more, entry: issue(timer(id)) } };
        const { state } = byHand(smallReasoner({ initial: "a", states }), null);
        expect(state.fault).toEqual({
          code: "directive.invalid",
          place: `start: the id ${id} is one of an \`after\`'s own`,
        });
      }
    },
  );

  it("are looked for in what is not a directive either, which is refused as anywhere", () => {
    for (const params of [null, "text", [undefined]]) {
      const go = { actions: { type: "issue", params } };
      const faults = [{}, { after: { 5: "a" } }].map((more) => {
        const run = byHand(
          smallReasoner({ initial: "a", states: { a: { ...more, on: { go } } } }),
          null,
        );
        run.take({ type: "go" });
        return run.state.fault;
      });
      expect(faults[0]?.code).toBe("directive.invalid");
      expect(faults[1]).toEqual(faults[0]);
    }
  });

  it("end in a number: what only looks like one of them is anybody's", () => {
    const ids = ["after/a/5/x7", "after/a/5/7x", "after/a/5/", "after/5", "after/b/5/0", "5/7"];
    const reasoner = smallReasoner({
      initial: "a",
      states: {
        a: {
          after: { 5: "a" },
          on: {
            go: { actions: issue(...ids.map((id) => timer(id))) },
            tenth: { actions: issue(timer("after/a/5/10")) },
          },
        },
      },
    });
    const run = byHand(reasoner, null);
    run.take({ type: "go" });
    expect(run.directives.map((each) => (each as Effect).id)).toEqual(ids);
    run.take({ type: "tenth" });
    expect(run.state.fault?.code).toBe("directive.invalid");
  });

  it("are ordinary where the machine has no state of that path, and for effects that are no timers", () => {
    const reasoner = smallReasoner({ on: { go: { actions: issue(timer("after/a/5/7")) } } });
    const run = byHand(reasoner, null);
    run.take({ type: "go" });
    expect(run.directives.map((each) => (each as Effect).id)).toEqual(["after/a/5/7"]);
    const tool = { type: "tool", id: "after/a/5/7", name: "x", input: {} } as const;
    const { state } = byHand(
      smallReasoner({ initial: "a", states: { a: { entry: issue(tool) } } }),
      0,
    );
    expect(state.fault).toBeUndefined();
  });

  it("are compiled into tables like everything else", () => {
    expect(order.compiled).toBe(true);
    expect(refusal(() => order.step({} as never, {} as never)).code).toBe("state.mismatch");
  });
});
