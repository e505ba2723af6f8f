// Which of a journal's stored values a reader holds: the newest, and what the last directives still
// refer to.
import { describe, expect, it } from "vitest";
import type { Node } from "../../../../src/core/journal/line.js";
import { HeldValue, StoredNodes } from "../../../../src/core/journal/stored-nodes.js";

/** A reader that holds so much; @param events what stands in events that are at hand */
function reader(limits: { length?: number; nodes?: number }, events: Record<string, string> = {}) {
  const nodes = new StoredNodes({ length: 1_000, nodes: 100, ...limits }, (each) => events[each]);
  return {
    nodes,
    events,
    /** Takes in what a step stores. */
    step(stored: Record<string, Node>) {
      for (const [reference, node] of Object.entries(stored)) nodes.set(reference, node);
      nodes.turnWhenFull();
    },
    has: (...references: readonly string[]) =>
      references.map((each) => nodes.get(each) !== undefined),
  };
}

describe("stored values", () => {
  it("are held, the newest of them: as many at the least as the limit says", () => {
    const { step, nodes } = reader({ nodes: 2 });
    for (const each of ["#a", "#b", "#c"]) step({ [each]: 1 });
    expect(nodes.all.map((each) => [...each.keys()])).toEqual([["#c"], ["#a", "#b"]]);
    step({ "#d": 1 });
    expect(nodes.all.map((each) => [...each.keys()])).toEqual([[], ["#c", "#d"]]);
    // What one step stores is there together.
    step({ "#e": 1, "#f": 1, "#g": 1 });
    expect(nodes.all.map((each) => [...each.keys()])).toEqual([[], ["#e", "#f", "#g"]]);
  });

  it("are held while a directive has them, with all that they refer to, and however deep", () => {
    const { step, nodes, has } = reader({ nodes: 1 });
    step({ "#deep": 1, "#inner": { list: ["#deep"] }, "#part": ["=text", "#inner"], "#other": 2 });
    for (let i = 0; i < 5; i++) {
      nodes.keep(["text", null, true, { none: null, tools: "#part" }], false);
      step({ [`#${i}`]: i });
    }
    expect(has("#part", "#inner", "#deep", "#other", "#0")).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it("are held while they are asked for", () => {
    const { step, has } = reader({ nodes: 1 });
    step({ "#a": 1, "#b": 1 });
    for (let i = 0; i < 5; i++) {
      expect(has("#a")).toEqual([true]);
      step({ [`#${i}`]: i });
    }
    expect(has("#b")).toEqual([false]);
  });

  it("count once, however often they are kept, so that nothing else is forgotten for them", () => {
    const { step, nodes, has } = reader({ length: 100, nodes: 3 });
    step({ "#before": "b".repeat(40), "#long": "l".repeat(30), "#short": "s" });
    for (let i = 0; i < 20; i++) nodes.keep(["#before", "#long"], false);
    expect(nodes.turns).toBe(1);
    expect(has("#before", "#long", "#short")).toEqual([true, true, true]);
  });

  it("are taken over from events that will be forgotten, where that is asked for", () => {
    const { nodes, events } = reader({}, { "#said": "said", "#unsaid": "unsaid" });
    nodes.keep(["#said"], true);
    nodes.keep(["#unsaid"], false);
    for (const each of Object.keys(events)) delete events[each];
    expect(nodes.get("#said")).toEqual(new HeldValue("said"));
    expect(nodes.get("#unsaid")).toBeUndefined();
  });

  it("that refer to each other, as only a forged journal's do, are kept once", () => {
    const { step, nodes } = reader({ length: 5 });
    step({ "#a": ["#b"], "#b": ["#a"] });
    nodes.keep(["#a"], false);
    expect(nodes.get("#a")).toEqual(["#b"]);
  });

  it("are all held where nothing is forgotten", () => {
    const nodes = new StoredNodes(undefined, () => undefined);
    for (let i = 0; i < 5_000; i++) nodes.set(`#${i}`, "x".repeat(100));
    nodes.turnWhenFull();
    expect([nodes.get("#0"), nodes.length, nodes.turns]).toEqual(["x".repeat(100), 0, 0]);
  });
});
