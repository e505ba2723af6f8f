// A search says that it has tried all there is where it has, and nowhere else.
import { explore, happens, law, never } from "reckoner/testing";
import { describe, expect, it } from "vitest";
import { everyChoice } from "../../../src/testing/checking/choose.js";
import { call, done, machine } from "../../support/planted/planted.js";

// biome-ignore lint/suspicious/noExplicitAny: settlers as they are written here: loosely.
type Any = any;

describe("every choice", () => {
  const outcomes = (make: (choose: Any) => Any, most: number) => {
    const { found, isAll } = everyChoice(make, [{}], most);
    return [found.length, isAll];
  };

  it.each<[string, (choose: Any) => Any, most: number, [number, boolean]]>([
    ["as many as are asked for", (choose) => choose(8), 8, [8, true]],
    ["one more", (choose) => choose(9), 8, [8, false]],
    ["none", () => undefined, 0, [0, true]],
    ["one, of which none is asked for", () => 1, 0, [0, false]],
    ["the same again and again", (choose) => choose(100) && 0, 8, [1, true]],
    ["the same too often", (choose) => choose(1_000) && 0, 8, [1, false]],
    ["too often by one", (choose) => choose(145) && 0, 8, [1, false]],
    ["as often as can be", (choose) => choose(144) && 0, 8, [1, true]],
    ["choices upon choices", (choose) => choose(12) + choose(13) > 99, 8, [1, false]],
  ])("%s", (_, make, most, expected) => expect(outcomes(make, most)).toEqual(expected));
});

describe("a search", () => {
  const pays = machine("pays", {
    context: {},
    initial: "paying",
    states: { paying: { entry: call("pay"), on: { "tool.*": "done" } }, done },
  });
  const refused = { type: "tool.failed", reason: "error", error: { code: "x", message: "x" } };
  const paid = { type: "tool.succeeded", output: null };
  /** One of so many answers is that it failed: the last one. */
  const searched = (of: number) =>
    explore(pays, {
      input: null,
      settlers: { tool: (_: Any, choose: Any) => (choose(of) === of - 1 ? refused : paid) } as Any,
      laws: [law("no tool fails", never(happens("tool.failed")))],
    });

  it("finds one answer among a hundred that are all the same", () => {
    expect(searched(100).ok).toBe(false);
  });

  it("says of more than it tries that there are more", () => {
    const { bounded, cut } = searched(1_000);
    expect([bounded, cut]).toEqual(["alphabet", ["answers to tool pay"]]);
  });

  it.each([
    [100, undefined],
    [10_000, "alphabet"],
  ])("says so of events from outside: of %i", (of, bounded) => {
    const waits = machine("waits", {
      context: {},
      initial: "waiting",
      states: { waiting: { on: { open: "done", wait: {} } }, done },
    });
    const outside = (choose: Any) => ({ type: choose(of) === of - 1 ? "open" : "wait" });
    const report = explore(waits, { input: null, outside });
    // Where it was not tried nobody says that it stands still for ever.
    expect([report.ok, report.bounded]).toEqual([true, bounded]);
  });
});
