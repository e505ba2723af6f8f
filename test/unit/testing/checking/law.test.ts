// What each formula says of a run: where it applies, where it is broken, and what is left at the end.
import {
  always,
  atEnd,
  atMost,
  eventually,
  type Formula,
  follows,
  happens,
  issues,
  law,
  never,
  precedes,
} from "reckoner/testing";
import { describe, expect, it } from "vitest";
import { addOwed, nothingOwed } from "../../../../src/core/kernel/machine/outstanding.js";
import { judged, seenAt } from "../../../../src/testing/checking/law.js";
import { refusal } from "../../../support/thrown.js";

/** A run of letters: each is an event, and a directive of that name where it is a capital. */
function judge(
  formula: Formula<never, never>,
  letters: string,
): { applied: number; broken: string[] } {
  let memory = formula.memory ?? null;
  let applied = 0;
  const broken: string[] = [];
  for (const letter of letters) {
    const directives = /[A-Z]/.test(letter) ? [{ type: "tool", id: letter, name: letter }] : [];
    const verdict = formula.next(memory, {
      event: { type: letter },
      step: {},
      directives,
      state: {},
    } as never);
    memory = verdict.memory;
    if (verdict.applies) applied += 1;
    if (verdict.broken !== undefined) broken.push(letter);
  }
  const end = formula.end?.(memory, { value: letters.at(-1) } as never);
  if (end?.applies === true) applied += 1;
  if (end?.broken !== undefined) broken.push("end");
  return { applied, broken };
}

const a = happens("a");
const b = happens("b");

describe.each<[string, Formula<never, never>, string, number, string[]]>([
  ["always", always(a), "aab", 3, ["b"]],
  ["never", never(b), "aab", 3, ["b"]],
  ["eventually, met", eventually(b), "aab", 1, []],
  ["eventually, not met", eventually(b), "aaa", 1, ["end"]],
  ["follows, each by one", follows(a, b), "aab", 2, []],
  ["follows, counted", follows(a, b, { counted: true }), "aab", 3, ["end"]],
  ["follows, none", follows(a, b), "baa", 3, ["end"]],
  ["follows, nothing to follow", follows(a, b), "bb", 0, []],
  ["precedes", precedes(a, b), "abb", 2, []],
  ["precedes, counted", precedes(a, b, { counted: true }), "abb", 2, ["b"]],
  ["precedes, too early", precedes(a, b), "bab", 2, ["b"]],
  ["at most", atMost(1, a), "aba", 2, ["a"]],
  ["at most, of directives", atMost(1, issues("tool", "X")), "XaX", 2, ["X"]],
  ["at the end", atEnd(({ value }) => value === "b"), "ab", 1, []],
  ["at the end, not so", atEnd(({ value }) => value === "b"), "ba", 1, ["end"]],
])("%s", (_name, formula, letters, applied, broken) => {
  it(`of ${letters}`, () => expect(judge(formula, letters)).toEqual({ applied, broken }));
});

describe("a judge", () => {
  const of = (holds: () => boolean | string | undefined) =>
    law<never, never>("it", holds).formula.next(null, {} as never);
  it("says yes, no, why, or nothing", () => {
    expect(of(() => true)).toMatchObject({ applies: true });
    expect(of(() => false)).toMatchObject({ broken: "it does not hold" });
    expect(of(() => "too many")).toMatchObject({ broken: "too many" });
    expect(of(() => undefined)).toEqual({ applies: false, memory: null });
  });
});

describe("what is not an answer", () => {
  const never_ = (value: unknown) => (() => value) as never;
  const promise = () => Promise.reject(new Error("too late"));
  const said = (holds: unknown) => {
    const { formula } = law<never, never>("it", holds as never);
    return judged(() =>
      formula.next(formula.memory ?? null, {
        event: { type: "z" },
        step: {},
        directives: [],
      } as never),
    ).broken;
  };
  it.each([
    ["a promise", law("it", promise as never).formula],
    ["null", law("it", never_(null)).formula],
    ["1", law("it", never_(1)).formula],
    ["a promise", always(promise as never)],
    ["a promise", never(promise as never)],
    ["a promise", eventually(promise as never)],
    ["a string", always(never_("bad"))],
    ["a promise", follows(promise as never, b)],
    ["a string", precedes(b, never_("yes"))],
    ["NaN", atMost(1, never_(Number.NaN))],
    ["-1", atMost(1, never_(-1))],
    ["an object", atMost(1, never_({}))],
  ])("breaks the law that gave %s, and says so", (given, formula) => {
    expect(said(formula)).toMatch(new RegExp(`^The law gave ${given}; it must give true, false`));
  });
  it("at the end as well", () => {
    const { end } = atEnd(promise as never);
    expect(judged(() => end?.(null, {} as never) as never).broken).toContain("gave a promise");
  });
  it("does not count what is not there", () => {
    expect(judge(precedes(a, never_(undefined)), "bb")).toEqual({ applied: 0, broken: [] });
    expect(judge(atMost(0, never_(null)), "ab")).toEqual({ applied: 0, broken: [] });
  });
  it("says that a law threw, and what", () => {
    const threw = law("it", () => (undefined as never as { total: number }).total > 0);
    expect(said(threw.formula)).toMatch(/^the law threw: Cannot read properties of undefined/);
    expect(said({ next: () => undefined })).toBe(
      "The law gave undefined; it must give a verdict, { memory, applies, broken? }.",
    );
  });
  it.each([
    ["always(…) needs a function", () => always(undefined as never)],
    ["never(…) needs a function", () => never("cancel" as never)],
    ["eventually(…) needs a function", () => eventually(true as never)],
    ["atEnd(…) needs a function", () => atEnd(undefined as never)],
    ["follows(…) needs 2 functions", () => follows(a, undefined as never)],
    ["precedes(…) needs 2 functions", () => precedes("a" as never, b)],
    ["atMost(…) needs a function", () => atMost(1, undefined as never)],
    ["atMost(…) needs a number, 0 or more, not NaN", () => atMost(Number.NaN, a)],
    ["atMost(…) needs a number, 0 or more, not -1", () => atMost(-1, a)],
  ])("is refused where a formula is made: %s", (words, make) => {
    const { code, message } = refusal(make);
    expect([code, message]).toEqual(["option.invalid", expect.stringContaining(words)]);
  });
});

it("a law is shown the directive that an event answers", () => {
  const asked = { type: "approval", id: "ok/1", title: "Pay?", subject: { to: "ann" } } as const;
  const before = { outstanding: addOwed(nothingOwed, asked) };
  const shown = (event: object) => seenAt({ before, event, step: {} } as never).answered;
  expect(shown({ type: "approval.decided", id: "ok/1" })).toEqual(asked);
  expect(shown({ type: "approval.decided", id: "ok/2" })).toBeUndefined();
  expect(shown({ type: "timer.fired", id: "ok/1" })).toBeUndefined();
  expect(shown({ type: "message", id: "ok/1" })).toBeUndefined();
});

it("an event that was ignored did not happen", () => {
  const step = { ignored: { reason: "stale" } };
  expect(a({ event: { type: "a" }, step, directives: [] })).toBe(false);
});

it("directives are told by type, name and id", () => {
  const directives = [
    { type: "tool", id: "t/0", name: "pay", input: null },
    { type: "tool", id: "t/1", name: "pay", input: null },
    { type: "read", id: "r", store: "s", query: null },
  ] as const;
  const seen = { event: { type: "a" }, step: {}, directives };
  expect(issues("tool")(seen)).toBe(2);
  expect(issues("tool", "pay")(seen)).toBe(2);
  expect(issues("tool", "t/1")(seen)).toBe(1);
  expect(issues("read", "s")(seen)).toBe(1);
  expect(issues("read", "pay")(seen)).toBe(0);
});
