// What checks and searches report: the same for the same seed, what was met and what was not, and
// counterexamples that are journals.
import { agent, replay, tool } from "reckoner";
import { atEnd, check, explore, issues, law, mustHold, never } from "reckoner/testing";
import { describe, expect, it } from "vitest";
import { check as checkOptions, order } from "../../../../examples/refunds.js";
import { CAN_END, LawBroken, NEVER_STILL, textJournal } from "../../../../src/testing/index.js";
import { add, call, done, failed, issue, machine, set } from "../../../support/planted/planted.js";

// biome-ignore lint/suspicious/noExplicitAny: a law that writes is not typed.
type Any = any;
const refundsHold = checkOptions.laws[0];
const options = { ...checkOptions, runs: 300 };

describe("random runs", () => {
  it("say the same for the same seed, and other things for another", () => {
    const first = check(order, { ...options, seed: 7 }).text;
    expect(check(order, { ...options, seed: 7 }).text).toBe(first);
    expect(check(order, { ...options, seed: 8 }).text).not.toBe(first);
  });

  it("differ in all of their seed, however large it is", () => {
    const small = check(order, { ...options, runs: 20, seed: 7 });
    const large = check(order, { ...options, runs: 20, seed: 7 + 2 ** 32 });
    expect(large.reached).not.toEqual(small.reached);
  });

  it("wait for what comes from outside, and do not end cancelled before it has", () => {
    const counter = machine("counter", {
      context: { n: 0 },
      initial: "counting",
      states: { counting: { on: { tick: { actions: add({ n: 1 }) } } } },
    });
    const few = law("twelve ticks are too many", ({ state }: Any) => state.context.n < 12);
    const ticks = { input: null, laws: [few], runs: 50 };
    const [found] = check(counter, ticks).counterexamples;
    const types = found?.events.map(({ type }) => type);
    expect(types).toEqual(Array.from({ length: 12 }, () => "tick"));
    // Who leaves it out has it left out.
    const weights = { outside: 0 };
    expect(check(counter, { ...ticks, weights }).counterexamples).toEqual([]);
  });

  it("say so where there are none, and say one where there is one", () => {
    const none = check(order, { ...options, runs: 0 });
    expect(none.text).toContain("0 runs, 0 events, seed 1: nothing was tried");
    expect(none.text).not.toContain("every law holds");
    expect(check(order, { ...options, runs: 1 }).text).toMatch(/^1 run, \d+ events/m);
    expect(explore(order, { ...checkOptions, depth: 0 }).text).toMatch(/^1 state \(.*, 1 step,/m);
  });

  it("are shown what no law can write into", () => {
    const writes = (what: string, write: (seen: Any) => void) =>
      law(what, (seen: Any) => {
        write(seen);
        return true;
      });
    const laws = [
      writes("the event", ({ event }) => Object.assign(event, { type: "other" })),
      writes("the state", ({ state }) => Object.assign(state.context, { refunded: 0 })),
      writes("the directives", ({ directives }) => directives.push({ type: "cancel" })),
    ];
    for (const find of [check, explore]) {
      const { counterexamples } = find(order, { ...options, depth: 1, laws } as never);
      expect(counterexamples.map(({ law, what }) => [law, what])).toEqual(
        laws.map(({ name }) => [name, expect.stringMatching(/^the law threw: Cannot/)]),
      );
    }
  });

  it("find the bug of the example, and print it with what it changed", () => {
    const { counterexamples, ok, text } = check(order, checkOptions);
    expect(ok).toBe(false);
    expect(counterexamples.map(({ law }) => law)).toEqual([refundsHold?.name]);
    expect(counterexamples[0]?.events).toHaveLength(6);
    expect(text).toContain("     refunded: 60 -> 120");
    expect(text).toMatch(/seed 1, run \d+/);
  });

  it("are judged by one's own laws from where there is something to judge", () => {
    const nan = machine("nan", {
      context: { n: 0 },
      initial: "a",
      states: {
        a: { entry: issue(() => ({ type: "timer", id: "t", until: Number.NaN })), on: { go: "b" } },
        b: done,
      },
    });
    const counted = law("it is counted", ({ state }) => {
      return (state.context as unknown as { n: number }).n >= 0;
    });
    for (const find of [check, explore]) {
      const { counterexamples } = find(nan, { input: null, laws: [counted] } as never);
      expect(counterexamples.map(({ law }) => law)).toEqual([
        "no machine throws, loops, or issues something that is not a directive",
      ]);
    }
  });

  it("say once what a machine did wrong, and take what fails for no standstill", () => {
    const lacking = machine("lacking", {
      context: {},
      initial: "open",
      states: {
        open: { on: { ask: { actions: issue(() => ({ type: "approval", id: "a" }) as never) } } },
      },
    });
    const { counterexamples } = explore(lacking, { input: null });
    expect(counterexamples.map(({ law, what }) => [law, what])).toEqual([
      [
        "no machine throws, loops, or issues something that is not a directive",
        'directive.invalid at state "open", event ask, directive 0: title is missing; it must be a string',
      ],
    ]);
  });

  it("leave counterexamples that replay as journals", async () => {
    const [found] = check(order, checkOptions).counterexamples;
    const journal = textJournal(found?.journal ?? "");
    expect(await replay(order, journal)).toMatchObject({ status: "identical", events: 7 });
  });

  it("name what was never reached, and warn of laws that met nothing", () => {
    const { unreached, warnings, reached } = check(order, {
      ...options,
      laws: [law("nobody waits", (seen) => (issues("timer")(seen) > 0 ? false : undefined))],
      outside: () => undefined,
    });
    expect(unreached).toContain("transition delivered: return.requested [isCovered]");
    expect(unreached).toContain("state closed");
    expect(warnings).toEqual(['"nobody waits" never met what it speaks of in 300 runs']);
    expect(reached.directives).toEqual([]);
  });

  it("count states, transitions, what guards came to, and directives", () => {
    const { reached, laws } = check(order, options);
    const count = (of: readonly { name: string; count: number }[], name: string) =>
      of.find((each) => each.name === name)?.count ?? 0;
    expect(count(reached.states, "closed")).toBeGreaterThan(0);
    const asked = count(reached.transitions, "delivered: return.requested [isCovered]");
    expect(asked).toBe(count(reached.directives, "approval"));
    expect(count(reached.guards, "delivered: return.requested [isCovered]: holds")).toBe(asked);
    expect(laws.find(({ name }) => name === "nothing is paid back unasked")?.applied).toBe(
      count(reached.directives, "tool refund"),
    );
  });

  it("take an input by choice, and shrink it", () => {
    const law_ = law(
      "small",
      never<{ charged: number }>(({ state }) => state.context.charged > 2),
    );
    const { counterexamples } = check(order, {
      ...options,
      input: (choose) => 3 + choose(40),
      laws: [law_ as never],
    });
    expect(counterexamples[0]).toMatchObject({ input: 3, events: [] });
  });
});

it("mustHold throws the report, or gives it back", () => {
  const sound = check(order, { ...options, laws: [] });
  expect(mustHold(sound)).toBe(sound);
  expect(() => mustHold(check(order, checkOptions))).toThrow(LawBroken);
  expect(() => mustHold(check(order, checkOptions))).toThrow(/Broken: no more is refunded/);
});

describe("a search of all runs", () => {
  it("finds the shortest run, and says what bounded it", () => {
    const found = explore(order, { ...checkOptions, depth: 6 });
    expect(found.counterexamples[0]?.events).toHaveLength(6);
    expect(found.bounded).toBe("depth");
    expect(found.text).toContain("cut off by the bound on depth");
    expect(explore(order, { ...checkOptions, states: 100 })).toMatchObject({
      bounded: "states",
      states: expect.any(Number),
    });
    expect(explore(order, { ...checkOptions, seconds: 0 })).toMatchObject({ bounded: "seconds" });
  });

  it("says what can never be reached where it saw all there is", () => {
    const dead = machine("dead", {
      context: {},
      initial: "one",
      states: {
        one: {
          entry: call("t"),
          on: {
            "tool.succeeded": [{ guard: () => true, target: "done" }, { target: "two" }],
            "tool.failed": "done",
          },
        },
        two: { on: { go: "done" } },
        done,
      },
    });
    const { text, bounded, unreached } = explore(dead, { input: null });
    expect(bounded).toBeUndefined();
    expect(unreached).toEqual([
      "state two",
      "transition one: tool.succeeded [else] -> two",
      "transition two: go -> done",
      "guard one: tool.succeeded [condition] -> done: does not hold",
    ]);
    expect(text.split("\n").filter((line) => !/^ *(holds|issued|reached|\d)/.test(line))).toEqual([
      "can never be reached: states two",
      "can never be reached in one, 2 of 5:",
      "  tool.succeeded [else] -> two",
      "  tool.succeeded [condition] -> done: does not hold",
      "can never be reached: 1 more, transitions and guards' outcomes of states that were not reached; unreached has all 4",
    ]);
  });

  it("says of an agent which tools and states were never reached, and counts what else its chart has", () => {
    const tools = [
      tool({ name: "look", execute: () => null }),
      tool({ name: "add", reduce: () => 1 }),
    ];
    const one = agent({ name: "one", tools });
    const silent = { llm: () => ({ type: "llm.failed", error: { code: "c", message: "m" } }) };
    const { text, unreached } = explore(one, { input: "go", settlers: silent } as Any);
    expect(unreached.length).toBeGreaterThan(40);
    const told = text.split("\n").filter((line) => line.startsWith("never reached"));
    expect(told).toHaveLength(3);
    expect(told[0]).toBe("never reached without messages and interrupts: tool look");
    expect(told[1]).toMatch(/states .*acting, .*tokenBudget/);
    expect(told[2]).toContain(
      `in a chart that is not yours; unreached has all ${unreached.length}`,
    );
  });

  it("takes every event that a chart names, however many, and says which it does not take", () => {
    const keys = Array.from({ length: 90 }, (_, i) => `key${i}`);
    const turn = (key: string, i: number) => [key, { actions: set({ last: i }) }];
    const lock = machine("lock", {
      context: { last: 0 },
      initial: "shut",
      states: {
        shut: {
          on: Object.fromEntries([...keys.map(turn), ["key85", { actions: set({ last: -1 }) }]]),
          always: { guard: ({ context }: Any) => context.last === -1, target: "open" },
        },
        open: { on: { key88: "done" } },
        done,
      },
    });
    const all = explore(lock, { input: null });
    expect(all).toMatchObject({ ok: true, bounded: undefined, cut: [], unreached: [] });

    const outside = (choose: Any) => ({ type: `key${choose(90)}` });
    const some = explore(lock, { input: null, outside });
    // What it does not take may lead to an end.
    expect(some).toMatchObject({ ok: true, bounded: "alphabet", cut: ["events from outside"] });
    expect(some.text).toContain("cut off by the bound on alphabet");
    expect(some.text).toContain("lets in no more of them: events from outside");
    expect(some.text).not.toContain("can never");
    expect(explore(lock, { input: null, outside, alphabet: { outside: 90 } })).toMatchObject({
      ok: true,
      bounded: undefined,
    });

    // Of more than it can try it does not say that nothing comes of them.
    const many = (choose: Any) => ({ type: `key${(choose(300) + 100) % 300}` });
    expect(explore(lock, { input: null, outside: many }).ok).toBe(true);

    const asker = machine("asker", {
      context: {},
      initial: "asking",
      states: { asking: { entry: call("t"), on: { "tool.*": "done" } }, done },
    });
    const settlers = {
      tool: (_: Any, choose: Any) => ({ type: "tool.succeeded", output: choose(9) }),
    };
    const told = { input: null, settlers } as Any;
    expect(explore(asker, told).cut).toEqual(["answers to tool t"]);
    expect(explore(asker, { ...told, alphabet: { answers: 9 } }).cut).toEqual([]);
  });

  it.each(["message", "interrupt"])(
    "takes no wait for what it does not try for a trap: %s",
    (type) => {
      const waits = machine("waits", {
        context: {},
        initial: "waiting",
        states: {
          waiting: { on: { [type]: "done", go: "round" } },
          round: { on: { go: "waiting" } },
          done,
        },
      });
      const alone = explore(waits, { input: null });
      expect(alone.counterexamples).toEqual([]);
      expect(alone.text).toContain(`never reached without ${type}s: states done`);
      const alphabet = { messages: ["hi"], interrupt: true };
      expect(explore(waits, { input: null, alphabet }).unreached).toEqual([]);

      const deaf = machine("deaf", {
        context: {},
        initial: "waiting",
        states: { waiting: { on: { [type]: {}, go: "round" } }, round: { on: { go: "waiting" } } },
      });
      expect(explore(deaf, { input: null }).counterexamples.map(({ law }) => law)).toEqual([
        CAN_END,
      ]);
    },
  );

  it("goes as deep as few states lead, where no depth is asked for", () => {
    const pages = machine("pages", {
      context: { n: 0 },
      initial: "on",
      states: { on: { on: { tick: { actions: add({ n: 1 }) }, stop: "done" } }, done },
    });
    const laws = [law("twenty at most", ({ state }) => (state.context as Any).n <= 20)];
    expect(explore(pages, { input: null, laws }).counterexamples[0]?.events).toHaveLength(21);
    expect(explore(pages, { input: null, laws, depth: 12 })).toMatchObject({
      ok: true,
      depth: 12,
      bounded: "depth",
    });
    expect(explore(pages, { input: null })).toMatchObject({ bounded: "depth" });
  });

  it("tells a wait from a standstill, and a trap from both", () => {
    const still = machine("still", { context: {}, initial: "idle", states: { idle: {} } });
    const laws = (given_: object) =>
      explore(still, { input: null, ...given_ }).counterexamples.map(({ law }) => law);
    expect(laws({})).toEqual([NEVER_STILL]);
    expect(laws({ waits: () => true })).toEqual([]);
    expect(laws({ without: [NEVER_STILL] })).toEqual([CAN_END]);
  });

  it("leaves out orders that come to the same", () => {
    const wide = machine("wide", {
      context: { left: 5 },
      initial: "asking",
      states: {
        asking: {
          entry: issue(() =>
            ["a", "b", "c", "d", "e"].map((id) => ({
              type: "tool" as const,
              id,
              name: "t",
              input: {},
            })),
          ),
          on: {
            "tool.succeeded": {},
            "tool.failed": {},
            go: "done",
          },
        },
        done,
      },
    });
    const full = explore(wide, { input: null, reduce: false });
    const reduced = explore(wide, { input: null });
    expect(reduced.states).toBe(full.states);
    expect(reduced.saved).toBeGreaterThan(0);
    expect(reduced.steps).toBeLessThan(full.steps);
  });

  it("goes beyond its bound by priorities, and says what that promises", () => {
    const { scheduled, counterexamples } = explore(order, {
      ...checkOptions,
      depth: 2,
      beyond: { runs: 4_000, events: 12, bugDepth: 2 },
    });
    expect(scheduled?.guarantee).toMatch(/with a probability of 1\/\(\d+·12\^1\)/);
    expect(counterexamples.map(({ law }) => law)).toEqual([refundsHold?.name]);
    expect(counterexamples[0]?.found).toMatch(/beyond the bound: seed 1, run \d+/);
  });

  it("finds what stands still beyond its bound, and counts what is met there", () => {
    const counting = (id: string, after: object) =>
      machine(id, {
        context: { n: 0 },
        initial: "counting",
        states: {
          counting: {
            on: {
              tick: [
                { guard: ({ context }: Any) => context.n === 5, target: "after" },
                { actions: add({ n: 1 }) },
              ],
            },
          },
          after,
          done,
        },
      });
    const told = {
      input: null,
      laws: [law("six at most", ({ state }) => (state.value === "after" ? true : undefined))],
      values: [{}, { paid: true }],
      depth: 2,
      beyond: { runs: 20, events: 20 },
    };
    const stuck = explore(counting("stuck", {}), told as never);
    expect(stuck.counterexamples.map(({ law }) => law)).toEqual([NEVER_STILL]);
    expect(stuck.counterexamples[0]?.events).toHaveLength(6);
    expect(stuck.counterexamples[0]?.found).toMatch(/^beyond the bound: seed 1, run 0/);
    expect(stuck.text).toContain("times: six at most");
    expect([stuck.warnings, stuck.unreached]).toEqual([[], ["state done"]]);
    expect(stuck.text).toContain("not reached within the bound or beyond it: states done");

    // It takes what an answer's values can be, and the second of them leads on.
    const paid = {
      on: { pay: { guard: ({ event }: Any) => event.with?.paid === true, target: "done" } },
    };
    const outside = (choose: Any) =>
      [{ type: "tick" }, { type: "pay", with: choose.value() }][choose(2)];
    const waits = explore(counting("waits", paid), { ...told, outside } as never);
    expect(waits.counterexamples).toEqual([]);
    expect(waits.reached.states.find(({ name }) => name === "after")?.count).toBeGreaterThan(0);
  });

  it("a law of the end looks at every end", () => {
    const two = machine("two", {
      context: {},
      initial: "asking",
      states: {
        asking: { entry: call("t"), on: { "tool.succeeded": "done", "tool.failed": "failed" } },
        done,
        failed,
      },
    });
    const laws = [
      law(
        "it is done",
        atEnd(({ status }) => status !== "failed"),
      ),
    ];
    const [found] = explore(two, { input: null, laws }).counterexamples;
    expect(found?.events.map(({ type }) => type)).toEqual(["tool.failed"]);
  });
});
