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
