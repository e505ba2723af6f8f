// What a journal holds already: references, events since the last List, and Lists that others continue.
import { describe, expect, it } from "vitest";
import { Generations } from "../../../../src/core/journal/generations.js";
import {
  HeldValues,
  MAX_LENGTH,
  MAX_REFERENCES,
  References,
} from "../../../../src/core/journal/held-values.js";
import { MAX_LISTS, WrittenValues } from "../../../../src/core/journal/written-values.js";
import {
  append,
  type Json,
  type List,
  listOf,
  refOf,
} from "../../../../src/core/kernel/values/index.js";
import type { RunEvent } from "../../../../src/core/kernel/vocabulary/index.js";

const say = (content: string): RunEvent =>
  ({ type: "message", at: 0, content }) as unknown as RunEvent;
const user = (content: string) => ({ role: "user", content });
const list = (...items: readonly unknown[]) => listOf(items as Json[]) as List<Json>;
/** A List that shares no rows with any other. */
const anew = (of: List<Json>, ...more: readonly unknown[]) =>
  list(...(JSON.parse(JSON.stringify([...items(of), ...more])) as Json[]));
const items = (of: List<Json>) => new WrittenValues().list(of).items;
const refOfList = (of: List<Json>) => refOf(of as unknown as Json).replaceAll('"', "");

describe("what is held", () => {
  it("is every long text and every object of an event, as the very value that it was", () => {
    const held = new HeldValues();
    const [short, long] = ["s".repeat(249), "l".repeat(250)];
    const inner = { deep: [long] };
    const event = { type: "e", short, inner, list: [inner], empty: null };
    held.take(event);
    const has = (value: unknown) => held.has("#none", value as Json);
    expect([long, inner, inner.deep, event, event.list].map(has)).toEqual(Array(5).fill(true));
    expect([short, null, { deep: [long] }, "m".repeat(250)].map(has)).toEqual(Array(4).fill(false));
    // Events that come behind a question are looked through by the next.
    const later = { type: "e", more: {} };
    held.take(later);
    expect([later.more, inner].map(has)).toEqual([true, true]);
    held.forgetEvents();
    expect([later.more, inner, long].map(has)).toEqual([false, false, false]);
    held.take(event);
    expect(has(inner)).toBe(true);
  });

  it("are the events since the thousandth, and as many references, the youngest", () => {
    const held = new HeldValues();
    const events = Array.from({ length: 1_001 }, (_, i) => ({ type: "e", own: { i } }));
    const has = (i: number) => held.has("#none", events[i]?.own as never);
    for (const each of events.slice(0, 1_000)) held.take(each);
    expect([has(0), has(999)]).toEqual([true, true]);
    held.take(events[1_000] as object);
    expect([has(0), has(999), has(1_000)]).toEqual([false, false, true]);

    const knows = (i: number) => held.has(`#${i}`, null);
    for (let i = 0; i < MAX_REFERENCES; i++) held.wrote(`#${i}`, 300);
    expect([knows(0), knows(MAX_REFERENCES - 1), knows(MAX_REFERENCES)]).toEqual([
      true,
      true,
      false,
    ]);
    // To be asked for makes none younger; one that is known pushes none out.
    held.wrote("#5", 300);
    held.wrote("#new", 300);
    expect([knows(0), knows(1), knows(2), held.has("#new", null)]).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });
});

describe("references that are remembered", () => {
  it("stand for so many characters together, the youngest, and for one more at the least", () => {
    const held = new HeldValues();
    const knows = (name: string) => held.has(name, null);
    const quarter = MAX_LENGTH / 4;
    for (const name of ["#a", "#b", "#c", "#d"]) held.wrote(name, quarter);
    // One that is written anew counts once, and is the youngest; one that is asked for is no younger.
    held.wrote("#a", quarter);
    expect(knows("#b")).toBe(true);
    held.wrote("#e", 1);
    expect(["#a", "#b", "#c", "#d", "#e"].map(knows)).toEqual([true, false, true, true, true]);
    held.wrote("#long", MAX_LENGTH + 1);
    expect(["#a", "#e", "#long"].map(knows)).toEqual([false, false, true]);
    held.wrote("#f", quarter);
    expect(["#long", "#f"].map(knows)).toEqual([false, true]);
  });
});

describe("two generations", () => {
  it("hold what is no older than the last turn, the youngest first", () => {
    const held = new Generations<string[]>(() => [], 3);
    const add = (text: string, size: number) => void held.grow(size).push(text);
    // What is larger than all may stand alone; what just fits does.
    add("a", 9);
    expect(held.all).toEqual([["a"]]);
    add("b", 2);
    add("c", 1);
    expect(held.all).toEqual([["b", "c"], ["a"]]);
    add("d", 1);
    expect(held.all).toEqual([["d"], ["b", "c"]]);
    held.turn();
    expect(held.all).toEqual([[], ["d"]]);
    add("e", 3);
    add("f", 0);
    expect(held.all).toEqual([["e", "f"], ["d"]]);
  });
});

describe("a List to write", () => {
  it("is whole where none was recorded, and derived where events hold its items", () => {
    const written = new WrittenValues();
    written.begin("go");
    const first = list(user("go"));
    expect(written.list(first)).toMatchObject({ base: undefined, derived: true });
    written.begin("go");
    expect(written.list(list(user("stop")))).toMatchObject({ derived: false });
    written.begin("go");
    expect(written.list(list(user("go"), user("on")))).toMatchObject({ derived: false });
  });

  it("continues the longest recorded one, by its rows or by its items", () => {
    const one = list(1);
    const two = append(one, 2);
    const three = append(two, 3);
    for (const of of [(each: List<Json>) => each, (each: List<Json>) => anew(each)]) {
      const written = new WrittenValues();
      written.wroteList(one);
      written.wroteList(two);
      expect(written.list(of(three))).toMatchObject({ base: { size: 2 }, items: [3] });
      expect(written.list(of(two))).toMatchObject({ base: { size: 2 }, items: [] });
      written.wroteList(list());
      written.wroteList(list(7, 8, 9));
      expect(written.list(of(three))).toMatchObject({ base: { size: 2 }, items: [3] });
      // One that is longer, or another one, is continued by none: only the empty one begins all.
      expect(written.list(anew(list(1), "other"))).toMatchObject({ base: { size: 1 } });
      expect(written.list(list("other"))).toMatchObject({ base: { size: 0 }, items: ["other"] });
    }
    const none = new WrittenValues();
    none.wroteList(three);
    expect(none.list(anew(two)).base).toBeUndefined();
  });

  it("is derived only behind the List that was recorded last", () => {
    const written = new WrittenValues();
    const one = list(user("a"));
    written.wroteList(one);
    written.take(say("b"), []);
    expect(written.list(append(one, user("b")))).toMatchObject({ derived: true });
    written.wroteList(list("another"));
    written.take(say("b"), []);
    expect(written.list(append(one, user("b")))).toMatchObject({ derived: false });
  });

  it("is known by its reference alone, as one of the last that were recorded", () => {
    const lists = Array.from({ length: MAX_LISTS + 1 }, (_, i) => list(`${i}`));
    const knows = (written: WrittenValues, i: number) =>
      written.list(append(lists[i] as List<Json>, "more")).base?.size;
    const all = lists.map((_, i) => i);
    const written = new WrittenValues();
    for (const each of lists) written.knowList(refOfList(each));
    expect(all.map((i) => knows(written, i))).toEqual([undefined, ...Array(MAX_LISTS).fill(1)]);
    // One that is recorded again is the newest, and stands there once.
    written.knowList(refOfList(lists[2] as List<Json>));
    expect(knows(written, 1)).toBe(1);
    written.knowList(refOfList(lists[1] as List<Json>));
    written.inherit(lists[0] as List<Json>);
    expect(all.map((i) => knows(written, i))).toEqual([1, 1, 1, undefined, ...Array(5).fill(1)]);
    for (const none of ["#abc", "x@1#abc", "@a#b"]) {
      const other = new WrittenValues();
      other.knowList(none);
      expect(other.list(list("a")).base).toBeUndefined();
    }
  });
});

describe("what was read", () => {
  const long = { of: "x".repeat(300) };
  const event = { type: "go", at: 0, long } as unknown as RunEvent;
  const ref = refOf(long as Json);

  it("is what was written: values, events, and the Lists of directives", () => {
    const written = new WrittenValues();
    written.observe({ values: { [ref]: null }, more: true } as never, 10);
    expect(written.has(ref, "none")).toBe(true);
    written.observe({ mark: { id: "a", attempt: 1 } } as never, 10);
    written.observe({ seq: 1, event, value: "a", state: "s" } as never, 10);
    expect(written.has("#none", long)).toBe(true);
    const one = list(1);
    const directives = [{ type: "llm", id: "x", count: 5, "-": [], messages: refOfList(one) }];
    written.observe({ seq: 2, event, do: directives, value: "a", state: "s" } as never, 10);
    expect(written.has("#none", long)).toBe(false);
    expect(written.list(append(one, 2)).base?.size).toBe(1);
  });

  it("begins with the input, but for a fork's, which stands in another journal", () => {
    const header = { type: "header", input: long };
    const of = (more: object) => {
      const written = new WrittenValues();
      written.observe({ ...header, ...more } as never, 10);
      return written.has("#none", long);
    };
    expect([of({}), of({ fork: {} })]).toEqual([true, false]);
  });

  it("is at the mark of a snapshot what that holds, and no more, for whoever wrote it too", () => {
    const one = list(1);
    const written = new WrittenValues();
    written.begin("go");
    written.wroteList(one);
    written.wrote("#of a line", 300);
    written.take(event, []);
    written.take(say("a"), []);
    const content = written.settle();
    const back = new WrittenValues(
      new References(written.references.content),
      JSON.parse(JSON.stringify(content)),
    );
    for (const each of [written, back]) {
      expect(each.has("#of a line", null)).toBe(true);
      expect(each.has(refOf(long.of), long.of)).toBe(true);
      // Objects of events were known by their identity.
      expect(each.has("#none", long as Json)).toBe(false);
      const { base, derived } = each.list(append(one, user("a")));
      expect([base?.size, derived]).toEqual([1, true]);
      each.wroteList(one);
      expect(each.has(refOf(long.of), long.of)).toBe(false);
    }
    expect(back.settle()).toEqual(written.settle());
  });

  it("is no more behind a mark where much was said since the last List, nor what only wraps the input", () => {
    const written = new WrittenValues();
    const input = "i".repeat(250);
    written.begin(input);
    expect(written.settle().held).not.toContain(refOf({ input }));
    written.take(say("a"), []);
    written.grew(64 * 1024 + 1);
    const { derived, held, length } = written.settle();
    expect([derived.said, derived.lost, held, length]).toEqual([[], true, [], 0]);
  });

  it("is of lines and events a few references behind a mark, the youngest", () => {
    const written = new WrittenValues();
    for (let i = 0; i < 200; i++) written.wrote(`#${i}`, 300);
    const texts = Array.from({ length: 200 }, (_, i) => `${i}`.padEnd(300, "x"));
    written.take({ type: "e", texts } as never, []);
    const { held } = written.settle();
    written.references.settle();
    expect([held.length, written.references.content.length]).toEqual([128, 128]);
    expect(held).toContain(refOf(texts[199] as string));
    expect(written.references.content[127]).toEqual(["#199", 300]);
  });

  it("is forgotten where the events behind a List are more than what is kept", () => {
    const written = new WrittenValues();
    written.begin("go");
    written.take(event, []);
    written.grew(MAX_LENGTH);
    expect(written.has("#none", long)).toBe(true);
    written.take(say("a"), []);
    written.grew(1);
    expect(written.has("#none", long)).toBe(false);
    expect(written.list(list(user("go"), user("a"))).derived).toBe(false);
    // Behind the next List it is counted anew.
    written.wroteList(list());
    written.take(say("c"), []);
    written.grew(MAX_LENGTH);
    expect(written.list(list(user("c"))).derived).toBe(true);
  });
});
