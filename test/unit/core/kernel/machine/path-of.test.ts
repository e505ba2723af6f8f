// Which path computes a machine's steps: its tables where it has some, else XState's `transition()`.
import { describe, expect, it } from "vitest";
import { enqueueActions, or, stateIn } from "xstate";
import { aftersOf } from "../../../../../src/core/kernel/machine/after.js";
import { compile } from "../../../../../src/core/kernel/machine/compiled/compile.js";
import type { Tables } from "../../../../../src/core/kernel/machine/compiled/table-types.js";
import { assign, type Path, raise } from "../../../../../src/core/kernel/machine/index.js";
import { pathOf } from "../../../../../src/core/kernel/machine/path-of.js";
import { byHand } from "../../../../support/by-hand.js";
import { smallReasoner } from "../../../../support/small-machine.js";

const regions = { type: "parallel", states: { a: {}, b: {} } };

it("tables compute the steps, or XState where that is asked for", () => {
  const { machine } = smallReasoner(regions);
  const nameOf = (wanted?: Path["name"]) => pathOf(machine, aftersOf(machine), wanted).name;
  expect([nameOf(), nameOf("tables"), nameOf("transition")]).toEqual([
    "tables",
    "tables",
    "transition",
  ]);
  expect(smallReasoner(regions, { path: "transition" }).compiled).toBe(false);
});

describe("a machine is compiled", () => {
  const go = (transition: object) => ({
    initial: "a",
    states: { a: { on: { go: transition } }, b: {}, c: {} },
  });
  const past = { initial: "b", states: { b: {}, past: { type: "history" } } };
  it.each([
    ["with regions", regions],
    ["with regions within", { initial: "a", states: { a: regions } }],
    ["with history", { initial: "a", states: { a: past } }],
    ["with actions that are enqueued", { entry: enqueueActions(() => {}) }],
    ["that is final itself", { type: "final" }],
    ["with several targets", go({ target: ["b", "c"] })],
    ["with a guard that looks at the state", go({ guard: stateIn("b") })],
    ["with a guard that looks for one", go({ guard: or([stateIn("#(machine).a"), () => true]) })],
  ])("%s", (_name, config) => {
    expect(smallReasoner(config)).toMatchObject({ compiled: true });
  });

  it("with guards of guards and events that are raised by a name", () => {
    const go = { guard: or([() => false, () => true]), actions: raise({ type: "x" }, { id: "x" }) };
    for (const path of ["tables", "transition"] as const) {
      const reasoner = smallReasoner({ on: { go, x: { actions: assign({ n: 1 }) } } }, { path });
      const run = byHand(reasoner, null);
      run.take({ type: "go" });
      expect([run.context.n, reasoner.compiled]).toEqual([1, path === "tables"]);
    }
  });
});

describe("tables are bounded", () => {
  const tablesOf = (config: object) => {
    const { machine } = smallReasoner(config);
    return compile(machine, aftersOf(machine)) as Tables;
  };

  it("in what an event's name leads to", () => {
    const tables = tablesOf({ initial: "a", states: { a: { on: { "*": "a" } } } });
    const at = tables.configurationOf("a", undefined);
    const names = Array.from({ length: 1_000 }, (_, i) => `event.${i}`);
    const choices = names.map((name) => at.on(name));
    const kept = names.filter((name, i) => at.on(name) === choices[i]);
    expect(kept).toEqual(names.slice(0, 256));
  });

  it("in configurations, of which further ones are made anew and do the same", () => {
    const letters = [..."abcdefghijkl"];
    const bit = (key: string) => ({
      initial: "no",
      states: { no: { on: { [key]: "yes" } }, yes: { on: { [key]: "no" } } },
    });
    const states = Object.fromEntries(letters.map((key) => [key, bit(key)]));
    const tables = tablesOf({ type: "parallel", states });
    const value = (n: number) =>
      Object.fromEntries(letters.map((key, i) => [key, (n >> i) % 2 === 0 ? "no" : "yes"]));
    const all = Array.from({ length: 2 ** letters.length }, (_, n) => n);
    const first = all.map((n) => tables.configurationOf(value(n), {}));
    const kept = all.filter((n) => tables.configurationOf(value(n), {}) === first[n]);
    expect(kept.length).toBe(1_000);
    const far = tables.configurationOf(value(4_000), {});
    const move = far.on("a").regions[0]?.candidates[0]?.move;
    expect(move?.to?.restored.value).toEqual(value(4_001));
  });
});
