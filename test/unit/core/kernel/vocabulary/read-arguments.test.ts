import { describe, expect, it } from "vitest";
import { readArguments } from "../../../../../src/core/kernel/vocabulary/index.js";

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

describe("the arguments in a text", () => {
  it.each<[string, unknown]>([
    ['{"city":"Bern"}', { city: "Bern" }],
    ['\ufeff {"n":1} \n', { n: 1 }],
    ["", {}],
    [" \n", {}],
    ["[1]", [1]],
    ['"Bern"', "Bern"],
    ['{"id":"1234567890123456789"}', { id: "1234567890123456789" }],
    ['{"say \\"12345678901234567891\\"":1}', { 'say "12345678901234567891"': 1 }],
    ['{"n":9007199254740992,"m":-9007199254740991}', { n: 2 ** 53, m: 1 - 2 ** 53 }],
    ['{"n":1e3,"m":0.1234567890123456789}', { n: 1000, m: 0.12345678901234568 }],
    ['{"a":{"a":1},"b":["a","a",{"a":2}]}', { a: { a: 1 }, b: ["a", "a", { a: 2 }] }],
    [nested(100), JSON.parse(nested(100))],
  ])("%s", (text, input) => expect(readArguments(text)).toEqual({ ok: true, input }));

  it.each([
    ['{"id":1234567890123456789}', "the number 1234567890123456789 cannot be kept exactly"],
    ['{"a":[1,{"b":-9007199254740993}]}', "the number -9007199254740993 cannot"],
    ['{"n":1e999}', "the number 1e999 cannot"],
    ['{"a":{"@list":[]}}', "has the key @list"],
    ['{"a":{"__proto__":{}}}', "has a key __proto__"],
    ['{"amount":5,"amount":500}', 'the key "amount" stands twice in one object; write it once'],
    ['{"a":[{"b":1,"c":{"d":2}, "\\u0062" : 3}]}', 'the key "b" stands twice'],
    ['{"a":1,"b":{"a":1},"a":2}', 'the key "a" stands twice'],
    [nested(101), "nested more than 100 deep"],
  ])("cannot be taken as they are meant: %s", (text, why) => {
    const read = readArguments(text);
    expect(read).toMatchObject({ ok: false, json: expect.stringContaining(why) });
  });

  it.each(['{"a":', "{a:1}", "Bern", "{}{}"])("are none in %s", (text) => {
    expect(readArguments(text)).toEqual({ ok: false });
  });

  it("are read in a time that the text's length sets", () => {
    const long = JSON.stringify({ text: '12345678901234567890"'.repeat(100_000), n: 1 });
    expect(readArguments(long)).toMatchObject({ ok: true });
    const many = `[${"12345678901234567,".repeat(100_000)}1]`;
    expect(readArguments(many)).toMatchObject({ ok: false });
  });
});
