// Lines taken in one by one: what is the same, what differs by the state's digest alone, whose code it
// is; what a reader of values finds; in which order changes stand.
import { describe, expect, it } from "vitest";
import { decodeLine } from "../../../../src/core/journal/decode-line.js";
import {
  checkReasoner,
  encodeLine,
  RecordedValues,
  Replay,
  recordUpgrade,
  startOf,
} from "../../../../src/core/journal/index.js";
import { noMemory } from "../../../../src/core/journal/memory.js";
import { tagOf } from "../../../../src/core/journal/node-text.js";
import { StateText } from "../../../../src/core/journal/state-text.js";
import { chain } from "../../../../src/core/kernel/values/index.js";
import { obedient, Recording } from "../../../support/recorded.js";
import { refusal } from "../../../support/thrown.js";

const header = (more: object = {}) =>
  ({
    type: "header",
    reasoner: { id: obedient.id, version: obedient.version },
    fingerprint: obedient.fingerprint,
    runId: "r",
    at: 0,
    input: "go",
    ...more,
  }) as never;
const set = (n: number) => ({ type: "set", fields: { n } });

/** A text as a line at a place, its hash made anew. */
function line(text: string, number: number) {
  const open = text.slice(0, text.lastIndexOf(',"hash":"'));
  const { text: whole, hash } = encodeLine(open, "");
  return decodeLine({ text: whole, number, hash });
}
/** A recording's replay, with its last event's line changed. */
function replayed(change: (text: string) => string, how: "take" | "pass" = "take") {
  const run = new Recording();
  run.step({ type: "set", fields: { n: 1, other: 1 } });
  run.step(set(2));
  const replay = new Replay(obedient, { header: header(), from: undefined });
  const taken = run.texts.slice(1).map((text, i) => {
    const isLast = i === run.texts.length - 2;
    const each = line(isLast ? change(text) : text, i + 2);
    return isLast || how === "take" ? replay.take(each) : replay.pass(each);
  });
  return { last: taken.at(-1) as ReturnType<typeof replay.take>, replay, taken };
}
const digest = (text: string) => text.replace(/"state":".{32}"/, `"state":"${"x".repeat(32)}"`);

describe("a replayed step", () => {
  it.each(["take", "pass"] as const)(
    "is the same, or alike but for the digest of the state, behind lines of which each was to %s",
    (how) => {
      const of = (change: (text: string) => string) => {
        const { last } = replayed(change, how);
        return [last?.same, last?.alike];
      };
      expect(of((text) => text)).toEqual([true, true]);
      expect(of(digest)).toEqual([false, true]);
      expect(of((text) => digest(text.replace('"n":2}', '"n":3}')))).toEqual([false, false]);
      expect(of((text) => digest(text.replace('"value":"a"', '"value":"b"')))).toEqual([
        false,
        false,
      ]);
    },
  );

  it("that is passed is the state behind it", () => {
    const { taken } = replayed((text) => text, "pass");
    expect(taken.slice(0, -1)).toMatchObject([{ seq: 0 }, { seq: 1, context: { other: 1 } }]);
  });

  it("has what it was before, what it is, and its proof as the line would say it", () => {
    const { last, replay } = replayed((text) => text);
    expect(last).toMatchObject({
      event: { type: "set" },
      before: { seq: 1 },
      step: { state: { seq: 2 } },
      line: { seq: 2 },
    });
    expect(last?.proof).toEqual({ value: "a", set: { n: 2 }, state: last?.line.state });
    expect([replay.state?.seq, replay.lost]).toEqual([2, false]);
  });

  it("is none of a mark, nor of an event that no code can fold", () => {
    const run = new Recording();
    const mark = line(run.recorder.mark({ id: "a", attempt: 3 }).text, 3);
    const replay = new Replay(obedient, { header: header(), from: undefined });
    expect([replay.take(mark), replay.pass(mark), replay.state]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(replay.ledger.memory.begun).not.toEqual(noMemory.begun);
    const blind = new Replay(undefined, { header: header(), from: undefined });
    expect([blind.take(line(run.texts[1] as string, 2)), blind.lost]).toEqual([undefined, true]);
    blind.upgrade(obedient, undefined, undefined);
    expect(blind.lost).toBe(false);
  });
});

it("a run that is upgraded before it has begun begins with what it goes on from", () => {
  const asked: unknown[] = [];
  const start = (...given: unknown[]) => {
    asked.push(given[1]);
    return obedient.start(null, { at: 0, runId: "r" });
  };
  const replay = new Replay({ ...obedient, start } as never, { header: header(), from: { n: 1 } });
  const run = new Recording();
  const [before, to] = ["f", "g"].map((fingerprint) => ({
    version: obedient.version,
    fingerprint,
  }));
  const carried = { at: 9, from: before, to } as never;
  const [upgrade] = recordUpgrade(run.recorder, [{ run: "", upgrade: carried, state: undefined }]);
  replay.take(line(upgrade?.text as string, 2));
  replay.take(line(run.texts[1] as string, 3));
  expect(asked).toMatchObject([{ from: { n: 1 } }]);
});

describe("whose journal it is", () => {
  const of = (id: string) => ({ reasoner: { id, version: 1 }, fingerprint: id }) as never;

  it("is one of those that are given, of whatever version", () => {
    checkReasoner([{ id: "a" }, { id: "b" }], of("b"));
    const error = refusal(() =>
      checkReasoner(
        ["a", "b", "b"].map((id) => ({ id })),
        of("c"),
      ),
    );
    expect(error.code).toBe("journal.reasoner");
    expect(error.message).toBe(
      "The journal is of c, the given reasoner is a, b; use the one that wrote it.",
    );
  });

  it("begins with all that its header says", () => {
    const asked: unknown[] = [];
    const reasoner = { start: (...given: unknown[]) => asked.push(given) } as never;
    startOf(reasoner, header(), undefined);
    startOf(reasoner, header({ seed: "s", budget: { cost: 1 } }), { before: 1 });
    expect(asked).toStrictEqual([
      ["go", { at: 0, runId: "r", prepared: true }],
      [
        "go",
        { at: 0, runId: "r", prepared: true, seed: "s", budget: { cost: 1 }, from: { before: 1 } },
      ],
    ]);
  });
});

describe("the values of lines", () => {
  const values = (...lines: readonly object[]) => new RecordedValues(lines as never);
  const items = (list: string, after: string | undefined, ...add: unknown[]) => ({
    list,
    ...(after === undefined ? {} : { after }),
    add,
  });
  const more = (more: object) => ({ more: true, ...more });

  it("say how much a List has grown, and since which", () => {
    const read = values(more({ items: [items("@1#a", undefined, 1), items("@2#b", "@1#a", 2)] }));
    expect(read.growth("@1#a")).toStrictEqual({ items: [1] });
    expect(read.growth("@2#b")).toStrictEqual({ after: "@1#a", items: [2] });
    expect(read.growth("@3#c")).toBeUndefined();
    expect([read.items("@2#b"), read.items("@3#c"), read.items("@0#")]).toEqual([
      [1, 2],
      undefined,
      [],
    ]);
  });

  it("are what events said where a List takes them on, also where that begins like a reference", () => {
    for (const input of ["#x", "=x", "@1#x"]) {
      const said = { role: "user", content: input };
      const list = `@1#${chain("", said)}`;
      const ask = { type: "llm", id: "llm/0", messages: list };
      const event = { seq: 0, event: { type: "start", at: 0 }, do: [ask], value: "a", state: "s" };
      expect(values(header({ input }), event).items(list)).toEqual([said]);
    }
  });

  it("are found by their tags where exactly one fits", () => {
    const read = values(more({ values: { "#abcde1": [1], "#abcde2": [2], "#abxyz1": [3] } }));
    expect([read.tagged("#abxyz"), read.tagged("#abcde"), read.tagged("#none")]).toEqual([
      [3],
      undefined,
      undefined,
    ]);
  });

  it("are told of directives by events alone", () => {
    const read = new RecordedValues();
    const told = (line: object) => read.take(line as never);
    expect(told(header())).toEqual([]);
    expect(told(header({ fork: {} }))).toEqual([]);
    expect(told({ mark: { id: "a", attempt: 1 } })).toEqual([]);
    const event = { seq: 0, event: { type: "start", at: 0 }, value: "a", state: "s" };
    expect(told(event)).toEqual([]);
    expect(told({ ...event, do: [{ type: "notify", topic: "t" }] })).toEqual([
      { type: "notify", parts: new Map([["topic", "t"]]) },
    ]);
  });

  it("that are too short for a reference are found by their tags, however often they stand there", () => {
    const word = "a word that is too long for a line, and too short for a reference";
    const another = word.replace("a word", "another");
    const said = { type: "go", at: 0, one: word, same: word, other: another, short: "a word" };
    const read = values({ seq: 0, event: said, value: "a", state: "s" });
    const tagged = (of: RecordedValues, text: string) => of.tagged(tagOf(JSON.stringify(text)));
    expect(tagged(read, word)).toBe(word);
    expect(tagged(read, another)).toBe(another);
    expect(tagged(read, "none")).toBeUndefined();
    // Of two that have one tag neither is: these were searched for.
    const alike = [54_161, 74_116, 54_161].map((n) => `the word ${n} of a long list of words`);
    const two = { seq: 0, event: { type: "go", at: 0, alike }, value: "a", state: "s" };
    expect(alike.map((text) => tagOf(JSON.stringify(text)))).toEqual(Array(3).fill("#x4ADM"));
    expect(values(two).tagged("#x4ADM")).toBeUndefined();
    // What is shorter stands in the line itself.
    expect(tagged(read, "a word")).toBeUndefined();
    // A fork's input stands in the journal that it was forked from.
    expect(tagged(values(header({ input: word, fork: {} })), word)).toBeUndefined();
    expect(tagged(values(header({ input: word })), word)).toBe(word);
  });

  it("count what is held: events, what stands in them, values and Lists", () => {
    const long = "x".repeat(300);
    const read = values(
      more({ values: { "#a": 1, "#b": 2 }, items: [items("@1#a", undefined, 1)] }),
      { seq: 0, event: { type: "start", at: 0, long }, value: "a", state: "s" },
    );
    expect(read.size).toBe(4);
    // Once it is looked through, what is long in it stands for it; the next one stands for itself.
    read.value("#unknown");
    expect(read.size).toBe(4);
    read.take({ seq: 1, event: { type: "go", at: 1 }, value: "a", state: "s" } as never);
    expect(read.size).toBe(5);
  });
});

describe("the parts of a directive", () => {
  it("that are Lists are written once, all new items together", () => {
    const run = new Recording();
    run.step({ type: "say", to: "a", items: [{ n: 1 }, { n: 2 }] });
    expect(run.last.items).toEqual([
      { list: expect.stringMatching(/^@2#/), add: [{ n: 1 }, { n: 2 }] },
    ]);
    expect(run.last).not.toHaveProperty("values");
    run.step({ type: "say", to: "a", items: [] });
    expect(run.last).not.toHaveProperty("items");
  });

  it("that are gone are named once", () => {
    const run = new Recording();
    const say = (more: object) => run.step({ type: "say", to: "a", items: [], more });
    say({ system: "Look.", toolChoice: "auto" });
    say({ system: "Look." });
    expect(run.last.do).toEqual([{ type: "llm", id: "llm/2", "-": ["toolChoice"] }]);
    say({ system: "Look." });
    expect(run.last.do).toEqual([{ type: "llm", id: "llm/3" }]);
  });
});

describe("the changes of a state", () => {
  const changed = (...contexts: readonly object[]) => {
    const states = new StateText();
    let said = "";
    for (const context of contexts) {
      const { state } = obedient.start(null, { at: 0, runId: "r" });
      said = states.next({ ...state, context } as never, noMemory).set;
    }
    return Object.keys(JSON.parse(said === "" ? "{}" : said));
  };
  const named = (names: string, value: unknown) =>
    Object.fromEntries([...names].map((name) => [name, value]));

  it("stand in the order of their names, few or many, those that are gone first", () => {
    for (const names of ["ba", "cab", "hgfedcba", "zyxwvutsrqp"]) {
      const sorted = [...names].sort();
      expect(changed(named(names, 1))).toEqual(sorted);
      expect(changed(named(names, 1), named(names, 2))).toEqual(sorted);
      expect(changed(named(names, 1), { m: 1 })).toEqual([...sorted, "m"]);
    }
  });

  it("within an object of many keys are named where they are few, and none is gone", () => {
    const large = (count: number, value: unknown = 0) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`k${String(i).padStart(2, "0")}`, value]),
      );
    const within = (before: object, after: object) => changed({ o: before }, { o: after });
    const seventeen = large(17);
    expect(within(seventeen, { ...seventeen, k03: 1 })).toEqual(["o/k03"]);
    expect(within(large(16), { ...large(16), k03: 1 })).toEqual(["o"]);
    expect(within(seventeen, { ...seventeen, ...large(8, 1) })).toHaveLength(8);
    expect(within(seventeen, { ...seventeen, ...large(9, 1) })).toEqual(["o"]);
    expect(within(seventeen, { ...seventeen, more: 1 })).toEqual(["o/more"]);
    const { k16: _gone, ...less } = { ...large(18), k03: 1 } as Record<string, unknown>;
    expect(within(large(18), less)).toEqual(["o"]);
  });
});
