// The digest of a state, kept up step by step, is the digest of the state as a whole.

import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { type JournalMemory, noMemory } from "../../../../src/core/journal/memory.js";
import { PartsText } from "../../../../src/core/journal/parts-text.js";
import { StateText, stateDigest } from "../../../../src/core/journal/state-text.js";
import type { RunState } from "../../../../src/core/kernel/machine/index.js";
import {
  emptyList,
  emptyTable,
  emptyVector,
  type Json,
  listOf,
  pushItem,
  refOf,
  sealJson,
  tableSet,
  vectorOf,
} from "../../../../src/core/kernel/values/index.js";
import type { Effect } from "../../../../src/core/kernel/vocabulary/index.js";

const memoryText = (of: JournalMemory): string => new PartsText().of(of.parts);
const memory = noMemory;

function stateOf(context: unknown, more: Partial<RunState> = {}): RunState {
  return {
    reasoner: "small",
    version: 1,
    runId: "r",
    seq: 0,
    at: 0,
    status: "active",
    value: "a",
    context: sealJson(context),
    outstanding: emptyTable(),
    issued: emptyList<string>(),
    ...more,
  };
}

/** The same state without anything that a value remembers of itself. */
const plain = (state: RunState): RunState => JSON.parse(JSON.stringify(state));

/** The digests of contexts one after the other, and what the lines say was set. */
function inTurn(...contexts: readonly unknown[]) {
  const states = new StateText();
  return contexts.map((context) => {
    const state = stateOf(context);
    const said = states.next(state, memory);
    expect(said.digest).toBe(stateDigest(plain(state), memory));
    return JSON.parse(said.set === "" ? "{}" : said.set);
  });
}

describe("a state's digest", () => {
  it("follows fields that come, change and go", () => {
    expect(
      inTurn({ a: 1 }, { a: 1, b: 2 }, { a: 1, b: 2 }, { b: 3 }, { c: 1 }, {}, { a: 1 }),
    ).toEqual([{ a: 1 }, { b: 2 }, {}, { a: "#", b: 3 }, { b: "#", c: 1 }, { c: "#" }, { a: 1 }]);
  });

  it("follows a field that is the only one", () => {
    const counted = [1, 2, 3, 4].map((a) => ({ a }));
    expect(inTurn(...counted)).toEqual(counted);
  });

  it("names an object of many keys as a whole where one of them is gone", () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`k${i}`, i]));
    const { k0: _gone, ...fewer } = many;
    const sets = inTurn({ many }, { many: { ...many, k1: 9 } }, { many: { ...fewer, k1: 8 } });
    expect(sets.map(Object.keys)).toEqual([["many"], ["many/k1"], ["many"]]);
  });

  it("follows fields whichever of them change together, for the first time and again", () => {
    const names = ["a", "b", "c", "d", "e"];
    const all = Array.from({ length: 2 ** names.length }, (_, set) =>
      names.filter((_name, i) => (set >> i) & 1),
    );
    for (const first of all) {
      for (const second of all) {
        const changes = [first, second, first];
        const contexts = changes.reduce(
          ([newest, ...older], changed, i) => [
            { ...newest, ...Object.fromEntries(changed.map((name) => [name, i + 1])) },
            newest as object,
            ...older,
          ],
          [Object.fromEntries(names.map((name) => [name, 0]))] as object[],
        );
        const [, ...sets] = inTurn(...contexts.reverse());
        expect(sets.map((set) => Object.keys(set))).toEqual(changes);
      }
    }
  });

  it("takes fields that are named like what every object has", () => {
    const named = ["constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf"];
    for (const name of named) {
      expect(inTurn({ [name]: 1 }, { x: 1 }, { [name]: 2, x: 1 }, { [name]: 2 })).toEqual([
        { [name]: 1 },
        { [name]: "#", x: 1 },
        { [name]: 2 },
        { x: "#" },
      ]);
    }
  });

  it("says which entry of a Table or of a large object changed", () => {
    let table = emptyTable<Json>();
    for (let i = 0; i < 40; i++) table = tableSet(table, `k${i}`, i);
    const large = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}`, i]));
    const said = inTurn(
      { table, large },
      { table: tableSet(table, "k7", "new"), large: { ...large, f3: "new" } },
    );
    expect(said[1]).toEqual({ "table/k7": "new", "large/f3": "new" });
  });

  it("shows short texts that look like references as what they are", () => {
    expect(inTurn({ a: "#x", b: "@1#y", c: "%", d: "=" })).toEqual([
      { a: "=#x", b: "=@1#y", c: "=%", d: "==" },
    ]);
  });

  it("shows a value of up to 32 characters, and a tag of a longer one", () => {
    expect(inTurn({ a: "x".repeat(30), b: "x".repeat(31) })).toEqual([
      { a: "x".repeat(30), b: expect.stringMatching(/^#.{5}$/) },
    ]);
  });

  it("leaves out a list of changes that would be longer than 256 KiB", () => {
    const wide = Object.fromEntries(
      Array.from({ length: 9_000 }, (_, i) => [`f${i}`, "x".repeat(25)]),
    );
    expect(inTurn(wide)).toEqual(["*"]);
  });

  it("differs wherever the state does", () => {
    const entry = { key: "a", value: 1 };
    const states = [
      stateOf({}),
      stateOf({ a: 1 }),
      stateOf({ a: "1" }),
      stateOf({ a: [1] }),
      stateOf({ a: listOf([1]) }),
      stateOf({ a: listOf<Json>([]) }),
      stateOf({ a: emptyVector() }),
      stateOf({ a: emptyTable() }),
      stateOf({ a: vectorOf([entry]) }),
      stateOf({ a: tableSet(emptyTable<Json>(), "a", 1) }),
      stateOf({ a: pushItem(vectorOf([entry]), null) }),
      stateOf([]),
      stateOf([1]),
      stateOf("a"),
      stateOf(null),
      stateOf({}, { value: "b" }),
      stateOf({}, { value: { a: "b" } }),
      stateOf({}, { status: "done" }),
      stateOf({}, { issued: listOf(["a"]) }),
      stateOf({}, { fault: { code: "machine.threw", place: "start" } }),
      stateOf(
        {},
        { outstanding: tableSet(emptyTable(), "t", { type: "timer", id: "t", until: 1 }) as never },
      ),
    ];
    const digests = states.map((state) => stateDigest(state, memory));
    expect(new Set(digests).size).toBe(states.length);
    expect(states.map((state) => stateDigest(plain(state), memory))).toEqual(digests);
  });

  it("does not depend on what was asked of a value before", () => {
    const table = () => {
      let made = emptyTable<Json>();
      for (let i = 0; i < 70; i++) made = tableSet(made, `key ${i}`, `a value of number ${i}`);
      return made;
    };
    const asked = table();
    // A row is no value of its own, yet somebody may ask.
    for (const row of asked.rows.items) refOf(row as Json);
    refOf(asked.rows as unknown as Json);
    expect(refOf(asked as unknown as Json)).toBe(refOf(table() as unknown as Json));
  });
});

describe("what is outstanding", () => {
  const input = { text: "a" };
  const issued: readonly Effect[] = [
    { type: "tool", id: "tool/1", name: "echo", input },
    { type: "tool", id: "tool/2", name: "echo", input: { text: "b" } },
    { type: "tool", id: "tool/3", name: "echo", input: { text: "b" } },
    { type: "llm", id: "llm/1", messages: [], system: "Look." },
    { type: "llm", id: "llm/2", messages: [] },
  ].map((each) => sealJson<Effect>(each));
  const owing = (owed: readonly Effect[]) => {
    let outstanding = emptyTable<Effect>();
    for (const each of owed) outstanding = tableSet(outstanding, each.id, each);
    return stateOf({}, { outstanding });
  };
  const refsOf = ({ type: _type, id: _id, ...parts }: Effect) =>
    Object.fromEntries(Object.entries(parts).map(([part, value]) => [part, refOf(value)]));
  const remembering = (...last: readonly Effect[]): JournalMemory => ({
    ...noMemory,
    parts: Object.fromEntries(last.map((each) => [each.type, refsOf(each)])),
  });
  const [first, second, third, asked, bare] = issued as [Effect, Effect, Effect, Effect, Effect];

  it("is proven whether it was seen or came from JSON", () => {
    const memories = [noMemory, remembering(second), remembering(third, asked), remembering(bare)];
    for (const remembered of memories) {
      for (const owed of [[], [first], [first, second, third], issued]) {
        const states = new StateText();
        for (const each of owed) {
          const { [each.type]: parts = {} } = remembered.parts;
          if (isDeepStrictEqual(refsOf(each), parts)) states.owed.issued(each, parts);
        }
        const state = owing(owed);
        expect(states.next(state, remembered).digest).toBe(stateDigest(plain(state), remembered));
      }
    }
  });

  it("is told apart by each part, id and type, whatever was issued last", () => {
    const like = (more: object) => sealJson<Effect>({ ...asked, ...more });
    const { system: _system, ...less } = asked as Effect & { readonly system: string };
    const others = [
      asked,
      like({ id: "llm/9" }),
      like({ system: "Listen." }),
      like({ tools: [] }),
      like({ messages: [1] }),
      sealJson<Effect>(less),
      sealJson<Effect>({ ...asked, type: "read", id: "llm/1" }),
    ];
    for (const remembered of [noMemory, remembering(asked), remembering(bare)]) {
      const digests = others.map((each) => stateDigest(owing([each]), remembered));
      expect(new Set(digests).size).toBe(others.length);
    }
    // An entry whose key is another id is not a directive of the kernel's, and is written out.
    const moved = stateOf({}, { outstanding: tableSet(emptyTable<Effect>(), "llm/7", asked) });
    const own = stateOf(
      {},
      { outstanding: tableSet(emptyTable<Effect>(), "llm/7", like({ id: "llm/7" })) },
    );
    const remembered = remembering(asked);
    expect(stateDigest(moved, remembered)).not.toBe(stateDigest(own, remembered));
  });
});

describe("the parts of the last directives", () => {
  const remembered = (parts: unknown): JournalMemory => ({ ...noMemory, parts: parts as never });
  const real = remembered({ llm: { messages: "@1#x", system: '"Look."' }, tool: { name: '"a"' } });

  it("have a text of their own, however their names and refs are cut", () => {
    const others = [
      remembered({ llm: { messages: '@1#x "system"="Look."' }, tool: { name: '"a"' } }),
      remembered({ llm: { messages: "@1#x", system: '"Look."\ntool "name"="a"' } }),
      remembered({ 'llm "messages"=@1#x': { system: '"Look."' }, tool: { name: '"a"' } }),
      remembered({ 'llm\n"tool"': {}, tool: { name: '"a"' } }),
      remembered({ llm: {}, tool: { name: '"a"' } }),
      noMemory,
    ];
    const texts = [real, ...others].map(memoryText);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it("have their refs told apart whatever a snapshot claims to be one", () => {
    const parts = { notify: { data: "1", topic: '"a"' }, timer: { until: "9" } };
    const others = [
      { notify: { data: '1,"topic":"a"' }, timer: { until: "9" } },
      { notify: { data: '1,"topic":3:"a"' }, timer: { until: "9" } },
      { notify: { data: "1", topic: '"a"}\n"timer"{"until":9' } },
      { notify: { data: "1", topic: '"a",}\n"timer"{"until":1:9' } },
      { notify: { data: '1,"topic":3:"a",}\n"timer"{"until":1:9' } },
      { notify: { data: "1" }, timer: { until: "9", topic: '"a"' } },
    ];
    const texts = [parts, ...others].map((each) => memoryText(remembered(each)));
    expect(new Set(texts).size).toBe(texts.length);
  });
});
