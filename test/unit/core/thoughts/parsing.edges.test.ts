// Reading what models say, at the edges of what is read: numbers, lists, JSON, decoration, and the form
// that answers are asked for in.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { formatOf } from "../../../../src/core/thoughts/parsing/format.js";
import { plainText } from "../../../../src/core/thoughts/parsing/plain-text.js";
import { numberOf, quantityAt } from "../../../../src/core/thoughts/parsing/quantity.js";
import { parsers } from "../../../../src/thoughts.js";

describe("a number", () => {
  it.each<[string, number | null]>([
    ["7", 7],
    ["7.5", 7.5],
    ["7,5", 7.5],
    ["7,55", 7.55],
    ["7,555", null],
    ["1.2.3", null],
    ["1,000", null],
    ["+7", 7],
    ["-7", -7],
    ["seven", 7],
    ["Ten", 10],
    ["zero", 0],
    ["x", null],
    ["", null],
    ["7.", null],
  ])("%j is %s", (text, expected) => expect(numberOf(text) ?? null).toBe(expected));
});

describe("a quantity", () => {
  const at = (text: string, scale = 10) => {
    const [number = ""] = /[+-]?[\d.,]+|[a-z]+/.exec(text) ?? [];
    const { score, whole, end } = quantityAt(text, number, number.length, scale);
    return [score, whole, text.slice(end)];
  };

  it.each<[string, unknown, number?]>([
    ["7", [7, false, ""]],
    ["7 because", [7, false, " because"]],
    ["7/10 so", [7, true, " so"]],
    ["4/5", [8, true, ""]],
    ["4 out of 5", [8, true, ""]],
    ["4 of 5", [8, true, ""]],
    ["4 of 7", [undefined, false, " of 7"]],
    ["4 of five", [8, true, ""]],
    ["85 %", [8.5, true, ""]],
    ["85 percent", [8.5, true, ""]],
    ["101 %", [undefined, true, ""]],
    ["1/3", [3.333333333, true, ""]],
    ["7", [7, false, ""], 10],
    ["7", [1.4, false, ""], 50],
    ["7", [undefined, false, ""], 5],
    ["5", [10, false, ""], 5],
    ["0", [0, false, ""], 5],
    ["-1", [undefined, false, ""]],
    ["1,000", [undefined, false, ""], 5_000],
    ["7/0", [undefined, true, ""]],
    ["0/0", [undefined, true, ""]],
    ["4 stars", [undefined, false, " stars"]],
    ["4/5 stars", [8, true, " stars"]],
    ["7 to 8", [undefined, false, " to 8"]],
    ["7 if so", [undefined, false, " if so"]],
    ["7; if so", [7, false, "; if so"]],
    ["3 + 4", [undefined, false, " + 4"]],
    ["3 is = 4", [undefined, false, " is = 4"]],
  ])("%j is %j", (text, expected, scale) => expect(at(text, scale)).toEqual(expected));
});

describe("scores of several thoughts", () => {
  it.each<[string, number[] | null]>([
    ["[]", null],
    ["[7]", [7]],
    ["[7,8]", [7, 8]],
    ["so [1] then [2,3]", [2, 3]],
    ['{"scores":[]}', null],
    ['{"scores":5}', null],
    ["null", null],
    ['[{"score":4},{"rating":5}]', [4, 5]],
    ['[{"a":4}]', null],
    ["[null]", null],
    ["[[1]]", null],
    ["[0,10]", [0, 10]],
    ["[-1]", null],
    ["[10.1]", null],
    ["1. Score: 3\n2. Score: 4\nnothing", [3, 4]],
    ["3\n4", null],
    ["Score: x\nScore: 4", null],
    ['{"scores":[1]} [2]', [2]],
    ['["7"]', null],
    // A list and what lines say stand against each other.
    ["It follows [2].\nScore: 8", null],
    ["Score: 8 [2]", null],
    ["Score: 8-9, see [2]", null],
    ["[2] says so.\nA score: 8\nB score: 7", null],
    ["A score: 5\nB score: 6\n[5, 7]", null],
    ["A score: 5\nB score: 6\n[5, 6]", [5, 6]],
    ["A score of 10 is perfect. [5, 6]", [5, 6]],
    // What is called scores is, whatever comes after it.
    ["scores: [5,6] as in [1,2]", [5, 6]],
    ["- **Scores** (0-10): [5, 6], see [1, 2]", [5, 6]],
    ["The scores are [5, 6]. Cited: [1, 2]", [5, 6]],
    ["Score: [7]", [7]],
    ["Scores: [5, 6]. New scores: [6, 7]", null],
    ["Scores: [5, 6]. Final scores: [5, 6]", [5, 6]],
    ["Scores: [5, 60], as in [1, 2]", null],
  ])("%j are %j", (text, expected) => expect(parsers.scores(text) ?? null).toEqual(expected));
});

describe("JSON in prose", () => {
  it.each<[string, unknown[]]>([
    ["[1", []],
    ["{", []],
    ["[[1],[2]]", [[[1], [2]]]],
    ['["]"]', [["]"]]],
    ['["\\"]"]', [['"]']]],
    ['["a\\\\"]', [["a\\"]]],
    ['[1] [2] {"a":[3]}', [[1], [2], { a: [3] }]],
    ["[x] [1]", [[1]]],
    ["]} [1]", [[1]]],
    ['{"a":[1,{"b":2}]} tail', [{ a: [1, { b: 2 }] }]],
    ["[[[", []],
    ["[1]]", [[1]]],
    ["{]", []],
    ["[1}", []],
  ])("%j holds %j", (text, expected) => expect(parsers.json(text)).toEqual(expected));

  it("is looked for as often as the text is long, and behind what was found", () => {
    expect(parsers.json(`${"[".repeat(60)}[1]`)).toEqual([[1]]);
    // Each of them opens a value that never ends: a search that went on would take minutes.
    expect(parsers.json(`${"[".repeat(200_000)}[1]`)).toEqual([]);
    expect(parsers.json("[1]".repeat(100))).toHaveLength(100);
    expect(parsers.json(`${"[a link](b) ".repeat(1000)}[1]`)).toEqual([[1]]);
  });
});

describe("a text without its decoration", () => {
  it.each<[string, string]>([
    ["a  b\t c\n \n d", "a b c\nd"],
    ['`code` *b* _c_ "q" “x” [y] {z} | # ~', "code b c q x y z"],
    ["‘it’s’", "'it's'"],
    ["<score>7</score>", "score: 7"],
    ["<Verdict>valid</Verdict>", "Verdict: valid"],
    ["<<hi>>", "hi:"],
    ["\\boxed{7}", "7"],
    ["7½", "7.5"],
    ["ｆｕｌｌ", "full"],
    ["  x  ", "x"],
    ["a\n\n\nb", "a\nb"],
  ])("%j is %j", (text, expected) => expect(plainText(text)).toBe(expected));

  it("is the end of a long one", () => {
    expect(plainText(`${"a".repeat(20_000)}b`)).toBe(`${"a".repeat(19_999)}b`);
  });
});

describe("connections", () => {
  it.each<[string, object[]]>([
    ["CONNECTION: [a] -> [b] : [ why ]", [{ from: "a", to: "b", description: "why" }]],
    ["CONNECTION: [a] -> [b] : [why]", [{ from: "a", to: "b", description: "why" }]],
    ["CONNECTION: [a] -> [b] : [why] not", [{ from: "a", to: "b", description: "[why] not" }]],
    ["CONNECTION: [a] -> [b] : why]", [{ from: "a", to: "b", description: "why]" }]],
    [
      "CONNECTION : [ a ] => [ b ] :  why \r\nCONNECTION: [c] --> [d]: x",
      [
        { from: "a", to: "b", description: "why" },
        { from: "c", to: "d", description: "x" },
      ],
    ],
    ["xCONNECTION: [a]->[b]:y", [{ from: "a", to: "b", description: "y" }]],
    ["CONNECTION: [a] -> [b] : []", []],
    ["CONNECTION: [a]x-> [b] : y", []],
    ["CONNECTION: [a[b] -> [c] : y", []],
  ])("%j are %j", (text, expected) => expect(parsers.connections(text)).toEqual(expected));

  it("stand in lines of a bounded length", () => {
    const line = (length: number) => "CONNECTION: [a] -> [b] : ".padEnd(length, "x");
    expect([2_000, 2_001].map((length) => parsers.connections(line(length)).length)).toEqual([
      1, 0,
    ]);
  });
});

type Described = { readonly schema?: unknown };

describe("the form that an answer is asked for in", () => {
  const spec = (more: object = {}) => ({ structured: true, replaced: [], ...more }) as never;
  const of = (operation: object, path = "o/check/0", more: object = {}) =>
    formatOf(spec(more), { id: "o", ...operation } as never, { path });
  const fields = (format: ReturnType<typeof formatOf>) => {
    const { schema, ...rest } = format as never as { schema: { properties: object } };
    expect(schema).toMatchObject({
      type: "object",
      required: Object.keys(schema.properties),
      additionalProperties: false,
    });
    return { ...rest, properties: Object.keys(schema.properties) };
  };

  it("is that of a score, of several, or of a verdict", () => {
    const json = (name: string, ...properties: string[]) => ({ type: "json", name, properties });
    expect(fields(of({ kind: "score" }))).toEqual(json("score", "reasoning", "score"));
    expect(fields(of({ kind: "score", combined: true }))).toEqual(
      json("score", "reasoning", "scores"),
    );
    expect(fields(of({ kind: "validate" }))).toEqual(json("verdict", "reasoning", "valid"));
  });

  it("is none of an improvement, of other kinds, and of what has a prompt or a parser of its own", () => {
    for (const none of [
      of({ kind: "validate" }, "o/improve/0"),
      of({ kind: "generate" }),
      of({ kind: "score", prompt: "p" }),
      of({ kind: "score", parse: () => 1 }),
      of({ kind: "score", parseAll: () => 1 }),
      of({ kind: "score" }, undefined, { structured: false }),
      of({ kind: "score" }, undefined, { replaced: ["score"] }),
    ]) {
      expect(none).toBeUndefined();
    }
    expect(of({ kind: "score" }, undefined, { replaced: ["validate"] })).toBeDefined();
  });

  it("is the schema that an operation brings, described once", () => {
    const schema = z.object({ a: z.number() });
    const operation = { kind: "generate", schema };
    const first = of(operation, "x", { structured: false });
    expect(first).toMatchObject({
      type: "json",
      name: "generate",
      schema: { properties: { a: { type: "number" } } },
    });
    expect((of(operation) as Described).schema).toBe((first as Described).schema);
    expect(of({ kind: "score", schema: undefined })).toMatchObject({ name: "score" });
  });
});
