// What a law is shown, which losses are right, and what a search proves of parts that are dead.
import { describe, expect, it } from "vitest";
import { setupReasoner } from "../../../src/kernel.js";
import { check, explore, law } from "../../../src/testing/index.js";

/** Two timers are started, and whichever fires first ends the waiting; `never` leads nowhere. */
const { createReasoner } = setupReasoner<object, null, { type: "stop" }>();
const timers = [1, 2].map((n) => ({ type: "timer" as const, id: `t${n}`, until: n }));
const patient = createReasoner({
  id: "patient",
  machine: {
    context: {},
    initial: "waiting",
    states: {
      waiting: {
        entry: { type: "issue", params: timers },
        on: { "timer.fired": "closing", stop: { guard: () => false, target: "never" } },
      },
      closing: { on: { stop: "over" } },
      over: { type: "final" },
      never: {},
    },
  },
});
const given = { input: null, runs: 50, without: ["no run stands still without having ended"] };

describe("a settlement that may be lost", () => {
  const brokenOf = (options: object) => [
    ...check(patient, { ...given, ...options }).counterexamples.map((each) => each.law),
    ...explore(patient, { ...given, ...options, depth: 4 }).counterexamples.map((each) => each.law),
  ];

  it("breaks the law, but for where it is said to be right", () => {
    expect(brokenOf({})).toEqual(["no answer is lost", "no answer is lost"]);
    const mayLose = ({ event, before }: { event: { type: string }; before?: { value: unknown } }) =>
      event.type === "timer.fired" && before?.value === "closing";
    expect(brokenOf({ mayLose })).toEqual([]);
    expect(brokenOf({ mayLose: () => false })).toHaveLength(2);
  });
});

describe("a law", () => {
  it("is shown what is outstanding, in the order in which it was issued", () => {
    const shown = new Set<string>();
    const looks = law("it looks", ({ outstanding, answered }) => {
      shown.add(`${answered?.id ?? "-"}: ${outstanding.map(({ id }) => id).join()}`);
      return true;
    });
    explore(patient, { ...given, mayLose: () => true, laws: [looks], depth: 3 });
    expect([...shown]).toEqual(expect.arrayContaining(["-: t1,t2", "t1: t2", "t2: t1", "t2: "]));
  });
});

describe("a part that is never reached", () => {
  it("is proven dead by a search of all runs, and by no other", () => {
    const options = { ...given, mayLose: () => true };
    const whole = explore(patient, { ...options, alphabet: { cancel: true, interrupt: true } });
    expect(whole.bounded).toBeUndefined();
    expect(whole.dead).toContain("state never");
    expect(explore(patient, { ...options, depth: 1 }).dead).toEqual([]);
  });
});
