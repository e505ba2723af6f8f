// Upgrades as lines: what tells two configurations apart, and a state that comes back as it was written.
import { describe, expect, it } from "vitest";
import { configurationOf, SPILL_LENGTH } from "../../../../src/core/journal/line.js";
import { noMemory } from "../../../../src/core/journal/memory.js";
import { upgradeTexts } from "../../../../src/core/journal/record-upgrade.js";
import type { Remembered } from "../../../../src/core/journal/snapshot.js";
import {
  differenceOf,
  firstConfiguration,
  isOf,
  UpgradeReader,
} from "../../../../src/core/journal/upgrade.js";
import type { RunState } from "../../../../src/core/kernel/machine/index.js";
import {
  emptyList,
  emptyTable,
  type Json,
  listOf,
  sealJson,
} from "../../../../src/core/kernel/values/index.js";
import { refusal } from "../../../support/thrown.js";

const from = { version: 1, fingerprint: "f" };
const to = { version: 2, fingerprint: "g" };
const upgrade = { at: 5, from, to };

const stateOf = (context: unknown): RunState => ({
  reasoner: "small",
  version: 2,
  runId: "r",
  seq: 3,
  at: 4,
  status: "active",
  value: "a",
  context: sealJson(context),
  outstanding: emptyTable(),
  issued: emptyList<string>(),
});
const remembered = (context: unknown): Remembered => ({
  state: stateOf(context),
  memory: { ...noMemory, parts: { llm: { system: '"a"' } } },
});

/** The lines of an upgrade, closed as JSON. */
const linesOf = (context: unknown) =>
  upgradeTexts(upgrade, remembered(context)).map((open) => JSON.parse(`${open}}`));
/** What a reader makes of lines: what the last of them says. */
const readAll = (lines: readonly object[]) => {
  const reader = new UpgradeReader();
  return lines.map((line, i) => reader.take(line as never, i + 2)).at(-1);
};

describe("two configurations", () => {
  const parts = (configuration: Record<string, string>) => ({ ...from, configuration });

  it.each([
    [from, from, "something that has no name differs"],
    [from, to, "version 1 became 2"],
    [parts({ a: "1" }), parts({ a: "1" }), "something that has no name differs"],
    [parts({ a: "1" }), parts({ a: "2" }), "a differs"],
    [parts({ a: "1" }), from, "a is gone"],
    [from, parts({ a: "1" }), "a is new"],
    [
      parts({ same: "0", a: "1", b: "1" }),
      { ...parts({ same: "0", b: "2", c: "1" }), version: 3 },
      "version 1 became 3, a is gone, b differs, c is new",
    ],
    [parts({}), parts({ toString: "1" }), "toString is new"],
    [parts({ toString: "1" }), parts({}), "toString is gone"],
  ])("%j and %j: %s", (before, after, said) => {
    expect(differenceOf(before, after)).toBe(said);
  });

  it("are that of a reasoner, and that of a header with the parts that it names", () => {
    const reasoner = { ...to, configuration: { a: "1" }, id: "x", children: {} };
    expect(configurationOf(reasoner as never)).toStrictEqual({ ...to, configuration: { a: "1" } });
    const header = { reasoner: { id: "a", version: 1 }, fingerprint: "f", runId: "r" };
    expect(firstConfiguration(header as never)).toStrictEqual(from);
    const named = { ...header, configuration: { a: "1" } };
    expect(firstConfiguration(named as never)).toStrictEqual(parts({ a: "1" }));
    expect([isOf(from, { fingerprint: "f" }), isOf(from, { fingerprint: "g" })]).toEqual([
      true,
      false,
    ]);
  });
});

describe("the lines of an upgrade", () => {
  it("are one without a state where the run has not begun", () => {
    expect(upgradeTexts(upgrade, undefined)).toEqual([`{"upgrade":${JSON.stringify(upgrade)}`]);
    expect(readAll([{ upgrade }])).toEqual({ upgrade, children: [], to: undefined });
  });

  it("hold a state a field each, by its content", () => {
    const [line, ...others] = linesOf({ list: listOf([1]), "a/b": null });
    expect(others).toEqual([]);
    expect(line).toEqual({
      upgrade,
      parts: {
        reasoner: "small",
        version: 2,
        runId: "r",
        seq: 3,
        at: 4,
        status: "active",
        value: "a",
        outstanding: { "=table": [] },
        issued: { "=list": [] },
        "context/list": { "=list": [1] },
        "context/a/b": null,
        "memory/parts": { llm: { system: '"a"' } },
        "memory/begun": { "=table": [] },
        "memory/usage": expect.anything(),
      },
      state: expect.stringMatching(/^.{32}$/),
    });
  });

  it.each([
    ["fields", { a: 1, list: listOf([1, 2]), "b\nc": { d: [] }, context: 1, memory: 2 }],
    ["no fields", {}],
    ["an array", [1, { a: 2 }]],
    ["a text", "context"],
    ["null", null],
  ])("bring back a state whose context is %s", (_name, context) => {
    const given = remembered(context);
    expect(readAll(linesOf(context))).toEqual({ upgrade, children: [], to: given });
  });

  it("hold null where there is no context", () => {
    const { state, memory } = remembered({});
    const { context: _none, ...bare } = state;
    const [open = ""] = upgradeTexts(upgrade, { state: bare as RunState, memory });
    expect(JSON.parse(`${open}}`).parts.context).toBeNull();
  });

  it("are several where a state is too long for one: what just fits stands in it", () => {
    const half = (more = 0) => "h".repeat(SPILL_LENGTH / 2 - 2 + more);
    const rest = linesOf({}).map(({ parts }) => parts)[0] as Record<string, Json>;
    const own = Object.entries(rest)
      .filter(([path]) => !path.startsWith("memory/"))
      .reduce((sum, [, content]) => sum + JSON.stringify(content).length, 0);
    const kept = (a: string) => {
      const lines = linesOf({ a, b: half() });
      expect(readAll(lines)).toEqual({ upgrade, children: [], to: remembered({ a, b: half() }) });
      return lines.map(({ parts }) =>
        Object.keys(parts).filter((path) => path.startsWith("context/")),
      );
    };
    // The state's own parts, and two texts of which the longer one just fits, or does not.
    expect(kept(half(-own))).toEqual([["context/a", "context/b"], []]);
    expect(kept(half(-own + 1))).toEqual([["context/a"], ["context/b"]]);
  });

  it("hold a long collection in parts, one of it in each", () => {
    const items = Array.from({ length: 5 }, (_, i) => `${i}`.repeat(SPILL_LENGTH / 4));
    const context = { list: listOf(items), last: 1 };
    const lines = linesOf(context);
    const lengths = lines.map(({ parts }) => parts["context/list"]?.["=list"].length);
    expect(lengths).toEqual([1, 1, 1, 1, 1]);
    expect(lines.slice(0, -1).every(({ more }) => more === true)).toBe(true);
    expect(readAll(lines)).toEqual({ upgrade, children: [], to: remembered(context) });
  });

  it("are refused where one value is longer than a line, with its length and its place", () => {
    const just = { a: "x".repeat(2 * SPILL_LENGTH - 2) };
    expect(readAll(linesOf(just))).toEqual({ upgrade, children: [], to: remembered(just) });
    const long = "x".repeat(2 * SPILL_LENGTH - 1);
    for (const context of [{ a: long }, { a: listOf(["x", long, "y"]) }]) {
      const error = refusal(() => linesOf(context));
      expect(error.code).toBe("upgrade.refused");
      expect(error.message).toMatch(/: context\/a holds a value of 83886\d\d characters/);
    }
  });
});

describe("a reader of upgrades", () => {
  const [whole] = linesOf({ a: 1, list: listOf([1, 2]) });
  const { parts, state } = whole;
  const more = (some: object) => ({ parts: some, more: true });
  const mark = { mark: { id: "a", attempt: 1 } };

  it("puts together what stands in the lines before, and nothing that stood elsewhere", () => {
    const { "context/a": a, "context/list": _list, ...others } = parts;
    const split = [
      more({ "context/list": { "=list": [1] }, "context/a": a }),
      { values: {}, more: true },
      more({ "context/list": { "=list": [2] } }),
      { upgrade, parts: others, state },
    ];
    expect(readAll(split)).toEqual(readAll([whole]));
    // Whatever is not a part of it ends it.
    expect(readAll([more({ "context/x": 1 }), mark, whole])).toEqual(readAll([whole]));
    expect(readAll([whole, whole])).toEqual(readAll([whole]));
    expect(readAll([whole, mark])).toBeUndefined();
    expect(readAll([more({})])).toBeUndefined();
  });

  it.each([
    ["a field twice", [more({ "context/a": 1 }), whole], "is given twice"],
    ["another digest", [{ ...whole, state: "s" }], "it is not the one that its line proves"],
    ["a field too few", [{ upgrade, parts: { value: "a" }, state }], "it lacks"],
    [
      "a field that changes what an object is",
      [{ ...whole, parts: { ...parts, "context/__proto__": 1 } }],
      "a field has a forbidden name",
    ],
    [
      "such a field of what is remembered",
      [{ ...whole, parts: { ...parts, "memory/__proto__": 1 } }],
      "a field has a forbidden name",
    ],
  ])("refuses %s, with its line", (_name, lines, why) => {
    const error = refusal(() => readAll(lines));
    const number = lines.length + 1;
    expect(error).toMatchObject({ code: "journal.format", place: `line ${number}` });
    expect(error.message).toMatch(new RegExp(`^Line ${number} is an upgrade .*: .*${why}`));
  });
});
