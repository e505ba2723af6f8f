// What is no snapshot is told from one by its shape, and in words; nothing is thrown.
import { describe, expect, it, vi } from "vitest";
import {
  encodeSnapshot,
  openSnapshot,
  readSnapshotText,
  type Snapshot,
} from "../../../../src/core/journal/index.js";
import {
  append,
  digestOf,
  emptyList,
  listHead,
  listOf,
} from "../../../../src/core/kernel/values/index.js";
import { run } from "../../../../src/runtime/index.js";
import { issue, smallReasoner, timer } from "../../../support/small-machine.js";
import { watchedJournal } from "../../../support/watched-journal.js";

const waits = smallReasoner({ initial: "a", states: { a: { entry: issue(timer("t", 9e14)) } } });

async function kept(): Promise<string> {
  const journal = watchedJournal();
  await run(waits, null, { journal, timers: "return" });
  return journal.kept.get(0) as string;
}
const stored = await kept();
const [head, text] = stored.split("\n") as [string, string];
const NO_ROWS = new Map<string, string>();
const read = (given: string) => readSnapshotText(given, NO_ROWS);

type Fields = Record<string, unknown>;
const changed = (part: "state" | "memory" | "written", fields: Fields) => {
  const body = JSON.parse(text);
  const [root] = body.runs;
  return JSON.stringify({ ...body, runs: [{ ...root, [part]: { ...root[part], ...fields } }] });
};
const inBody = (fields: Fields) => JSON.stringify({ ...JSON.parse(text), ...fields });

describe("a snapshot", () => {
  it("is read as what it is, behind a line of what it claims", () => {
    const claimed = openSnapshot(stored);
    expect(claimed).toMatchObject({ claim: { lines: 3, at: expect.any(Number) }, text });
    expect(claimed).toMatchObject({ digest: digestOf(text) });
    expect(read(text)).toMatchObject({
      place: { seq: 0, lines: 2 },
      runs: [{ run: "", state: { value: "a", seq: 0 }, configuration: { version: 1 } }],
      issued: [["", "t"]],
    });
  });

  it("in which a List stands by its shape is none: nobody has computed its head", () => {
    const shape = { "@list": 2, spine: [["pay 5", "pay 900"]] };
    const vector = { "@vector": 1, rows: { items: [1] } };
    const table = { "@table": 1, rows: { items: [{ key: "a", value: 1 }] } };
    for (const claimed of [shape, vector, table]) {
      const [key] = Object.keys(claimed);
      const words = `list has the key ${key}, which is reserved; rename it.`;
      expect(read(changed("state", { context: { list: claimed } }))).toContain(words);
    }
  });

  it.each([
    "{",
    `{"format":"reckoner-snapshot/5"}\n${text}`,
    ...["lines", "bytes", "runId", "at"].map((key) => {
      return `${JSON.stringify({ ...JSON.parse(head), [key]: undefined })}\n${text}`;
    }),
    `${JSON.stringify({ ...JSON.parse(head), lines: -1 })}\n${text}`,
  ])("that does not say where it stands is none: %s", (given) => {
    expect(openSnapshot(given)).toBe("it lacks its place");
  });

  it("of another format says so", () => {
    const other = `${JSON.stringify({ ...JSON.parse(head), format: "x" })}\n${text}`;
    expect(openSnapshot(other)).toContain('its format is "x", not reckoner-snapshot/5');
    expect(openSnapshot("null\n")).toContain("its format is");
  });

  it.each([
    inBody({ place: 5 }),
    inBody({ place: { seq: 0, lines: 2, bytes: 9 } }),
    inBody({ issued: undefined }),
    inBody({ references: 5 }),
    changed("written", { lists: undefined }),
    changed("written", { derived: 5 }),
  ])("that lacks a part says so: %s", (given) => {
    expect(read(given)).toBe("it lacks its parts");
  });

  it.each(["{", inBody({ runs: 5 }), inBody({ runs: [null] }), "null", "[]"])(
    "that is something else is none: %s",
    (given) => {
      expect(typeof read(given)).toBe("string");
    },
  );

  it.each<[Fields, string]>([
    [{ runId: 5 }, "runId must be a string; it is 5"],
    [{ reasoner: undefined }, "reasoner is missing; it must be a string"],
    [{ status: null }, "status must be a string; it is null"],
    [{ seq: "0" }, "seq must be a whole number; it is a string"],
    [{ version: 1.5 }, "version must be a whole number; it is 1.5"],
    [{ at: "0" }, "at must be a number; it is a string"],
    [{ value: 5 }, "value must be a string or an object; it is 5"],
    [{ value: null }, "value must be a string or an object; it is null"],
    [{ value: ["a"] }, "value must be a string or an object; it is a list"],
    [{ outstanding: {} }, "outstanding must be a Table; it is another object"],
    [{ outstanding: null }, "outstanding must be a Table; it is null"],
    ...[null, 5, "x", [], {}, { id: "u", type: "timer" }].map((each): [Fields, string] => [
      { outstanding: { "=table": [null, ["t", each]] } },
      "outstanding.t must be a directive of that id",
    ]),
    [{ issued: [] }, "issued must be a List; it is a list"],
    [{ context: undefined }, "context is missing; it must be anything"],
  ])("whose state has %j says so", (fields, why) => {
    expect(read(changed("state", fields))).toBe(`its state: ${why}`);
  });

  it("may be of a state with regions, whose value is an object", () => {
    expect(read(changed("state", { value: { a: "b" } }))).toMatchObject({
      runs: [{ state: { value: { a: "b" } } }],
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
    expect(read(changed("memory", fields))).toBe(why);
  });
});

describe("full rows of a List", () => {
  const items = (count: number) => Array.from({ length: count }, (_, n) => ({ n }));
  const root = read(text) as Snapshot;
  const withList = (list: unknown): Snapshot => {
    const [run] = root.runs as [Snapshot["runs"][number]];
    const state = { ...run.state, context: { list } };
    return { ...root, runs: [{ ...run, state: state as never }] };
  };
  const textsOf = (rows: ReadonlyMap<string, () => string>) =>
    new Map([...rows].map(([name, make]) => [name, make()]));
  const listIn = (snapshot: Snapshot | string) =>
    ((snapshot as Snapshot).runs[0]?.state as { context: { list: never } } | undefined)?.context
      .list as never;

  it.each([0, 5, 31, 32, 33, 64, 1024, 1056, 1100])(
    "are named, and come back: %i items",
    (count) => {
      const list = listOf(items(count));
      const { text: own, rows } = encodeSnapshot(withList(list));
      expect(rows.size).toBe(Math.floor(count / 32) + Math.floor(count / 1024));
      const back = listIn(readSnapshotText(own as string, textsOf(rows)));
      expect([back, listHead(back)]).toEqual([list, listHead(list)]);
      // What goes on from it names the same rows.
      expect(encodeSnapshot(withList(append(back, { n: -1 }))).text).toBe(
        encodeSnapshot(withList(append(list, { n: -1 }))).text,
      );
    },
  );

  it("are written once: a longer List needs those alone that it has more", () => {
    let list = emptyList<object>();
    let known = new Map<string, string>();
    const written: number[] = [];
    for (const each of items(100)) {
      list = append(list, each);
      const { rows } = encodeSnapshot(withList(list));
      const texts = textsOf(rows);
      written.push([...texts.keys()].filter((name) => !known.has(name)).length);
      known = new Map([...known, ...texts]);
    }
    expect(written.reduce((sum, each) => sum + each, 0)).toBe(3);
  });

  it("of long items are in pieces of four, each written once, and come back", () => {
    const long = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ n, text: "some words of a message ".repeat(20) }));
    for (const count of [3, 4, 31, 32, 45, 1100]) {
      const list = listOf(long(count));
      const { text: own, rows } = encodeSnapshot(withList(list));
      const back = listIn(readSnapshotText(own as string, textsOf(rows)));
      expect([back, listHead(back)]).toEqual([list, listHead(list)]);
      const again = encodeSnapshot(withList(back));
      expect([again.text, [...textsOf(again.rows)]]).toEqual([own, [...textsOf(rows)]]);
    }
    let list = emptyList<object>();
    const known = new Map<string, string>();
    let bytes = 0;
    for (const each of long(64)) {
      list = append(list, each);
      for (const [name, row] of textsOf(encodeSnapshot(withList(list)).rows)) {
        if (!known.has(name)) bytes += row.length;
        known.set(name, row);
      }
    }
    const names = 16 * 35 + 2 * 35;
    expect(bytes).toBeLessThan(JSON.stringify(long(64)).length + names);
  });

  it("that are missing, or are others, make it none", () => {
    const { text: own, rows } = encodeSnapshot(withList(listOf(items(40))));
    const [[name, make]] = [...rows] as [[string, () => string]];
    expect(readSnapshotText(own as string, NO_ROWS)).toBe(`It lacks its row ${name}.`);
    const forged = make().replace('{"n":1}', '{"n":9}');
    expect(readSnapshotText(own as string, new Map([[name, forged]]))).toBe(
      `It lacks its row ${name}.`,
    );
  });

  it("are of none where its text would be longer than one can be: its mark is of nothing that is stored", () => {
    const stringify = vi.spyOn(JSON, "stringify").mockImplementation(() => {
      throw new RangeError("Invalid string length");
    });
    const encoded = encodeSnapshot(withList(listOf(items(1))));
    stringify.mockRestore();
    expect(encoded).toMatchObject({ text: undefined, mark: { size: 2 ** 29 } });
  });
});
