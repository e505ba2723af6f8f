// What is no snapshot is told from one by its shape, and in words; nothing is thrown.
import { describe, expect, it } from "vitest";
import { decodeSnapshot } from "../../../../src/core/journal/index.js";
import { run } from "../../../../src/runtime/index.js";
import { issue, smallReasoner, timer } from "../../../support/small-machine.js";
import { watchedJournal } from "../../../support/watched-journal.js";

const waits = smallReasoner({ initial: "a", states: { a: { entry: issue(timer("t", 9e14)) } } });

async function kept(): Promise<string> {
  const journal = watchedJournal();
  await run(waits, null, { journal, timers: "rest" });
  return journal.kept.get(0) as string;
}
const text = await kept();

type Fields = Record<string, unknown>;
const changed = (part: "state" | "memory" | "place", fields: Fields) => {
  const body = JSON.parse(text);
  return JSON.stringify({ ...body, [part]: { ...body[part], ...fields } });
};
const listed = (fields: Fields) => ({ listed: { ...JSON.parse(text).place.listed, ...fields } });

describe("a snapshot", () => {
  it("is read as what it is", () => {
    const read = decodeSnapshot(text);
    expect(read).toMatchObject({ state: { value: "a", seq: 0 }, place: { lines: 2 } });
  });

  it("in which a List stands by its shape is none: nobody has computed its head", () => {
    const shape = { "@list": 2, spine: [["pay 5", "pay 900"]] };
    const vector = { "@vector": 1, rows: { items: [1] } };
    const table = { "@table": 1, rows: { items: [{ key: "a", value: 1 }] } };
    for (const claimed of [shape, vector, table]) {
      const [key] = Object.keys(claimed);
      const words = `$.state.context.list has the key ${key}, which is reserved; rename it.`;
      expect(decodeSnapshot(changed("state", { context: { list: claimed } }))).toBe(words);
    }
  });

  const places: readonly Fields[] = [
    { hash: 5 },
    { lines: "2" },
    { lines: -1 },
    { bytes: 1.5 },
    { bytes: undefined },
    { listed: 5 },
    { listed: undefined },
    listed({ lines: "0" }),
    listed({ lines: -1 }),
    listed({ bytes: 0.5 }),
    listed({ bytes: undefined }),
  ];
  it.each(places)("whose place has %j lacks its place", (fields) => {
    expect(decodeSnapshot(changed("place", fields))).toBe("it lacks its place");
  });

  it.each<[Fields, string]>([
    [{ runId: 5 }, "lacks its names and numbers"],
    [{ reasoner: undefined }, "lacks its names and numbers"],
    [{ status: null }, "lacks its names and numbers"],
    [{ seq: "0" }, "lacks its names and numbers"],
    [{ version: 1.5 }, "lacks its names and numbers"],
    [{ at: "0" }, "lacks its names and numbers"],
    [{ value: 5 }, "has no value"],
    [{ value: null }, "has no value"],
    [{ value: ["a"] }, "has no value"],
    [{ outstanding: {} }, "lacks what is outstanding"],
    [{ outstanding: null }, "lacks what is outstanding"],
    ...[null, 5, "x", [], {}, { id: "u", type: "timer" }].map((each): [Fields, string] => [
      { outstanding: { "=table": [null, ["t", each]] } },
      'has something outstanding at "t" that is not a directive of that id',
    ]),
    [{ issued: [] }, "lacks what was issued"],
    [{ context: undefined }, "lacks its context"],
  ])("whose state has %j says so", (fields, why) => {
    expect(decodeSnapshot(changed("state", fields))).toBe(`its state ${why}`);
  });

  it("may be of a state with regions, whose value is an object", () => {
    expect(decodeSnapshot(changed("state", { value: { a: "b" } }))).toMatchObject({
      state: { value: { a: "b" } },
    });
  });

  it.each<[Fields, string]>([
    [{ parts: 5 }, "it lacks what is remembered"],
    [{ parts: { llm: 5 } }, "it lacks what is remembered"],
    [{ parts: { llm: { system: "#a", tools: 5 } } }, "it lacks what is remembered"],
    [{ usage: 5 }, "it lacks what is remembered"],
    [{ begun: {} }, "it lacks what has begun"],
    [{ begun: 5 }, "it lacks what has begun"],
  ])("whose memory has %j says so", (fields, why) => {
    expect(decodeSnapshot(changed("memory", fields))).toBe(why);
  });

  it.each([
    ["{", "it is not JSON"],
    ["[]", "it is not an object"],
    ["null", "it is not an object"],
    [JSON.stringify({ ...JSON.parse(text), format: "x" }), 'its format is "x", not reckoner-'],
    [JSON.stringify({ ...JSON.parse(text), state: 5 }), "it lacks its state"],
    [JSON.stringify({ ...JSON.parse(text), memory: [] }), "it lacks its state"],
  ])("that is %s is none", (given, why) => {
    expect(decodeSnapshot(given)).toContain(why);
  });
});
