// What a step costs in the journal: what it changed, once.
import { describe, expect, it } from "vitest";
import { RecordedValues } from "../../../../src/core/journal/index.js";
import { refOf } from "../../../../src/core/kernel/values/index.js";
import { promptOf, Recording } from "../../../support/recorded.js";

const LONG: string =
  "a text that is longer than what stands in a line itself, by some words ".repeat(4);
const user = (content: string) => ({ role: "user", content });
const say = (to: string, ...items: object[]) => ({ type: "say", to, items });

/** The directives of the last line, by what a reader makes of them. */
function read(recording: Recording) {
  const values = new RecordedValues();
  let last: ReturnType<RecordedValues["take"]> = [];
  for (const line of recording.lines) last = values.take(line);
  return last.map(({ parts }) =>
    Object.fromEntries([...parts].map(([name, node]) => [name, values.value(node)])),
  );
}

describe("the parts of a directive", () => {
  it("are written where they differ from the last one of the type, and named where they are gone", () => {
    const run = new Recording();
    run.step({ ...say("a", user("one")), more: { system: "Look.", toolChoice: "auto" } });
    run.step({ ...say("a", user("two")), more: { system: "Look." } });
    const [directive] = run.last.do as [object];
    expect(directive).toEqual({
      type: "llm",
      id: "llm/2",
      messages: expect.stringMatching(/^@2#/),
      "-": ["toolChoice"],
    });
    expect(read(run)).toEqual([{ messages: [user("one"), user("two")], system: "Look." }]);
    run.step({ ...say("a"), more: { system: "Look." } });
    expect(run.last.do).toEqual([{ type: "llm", id: "llm/3" }]);
    expect(read(run)).toEqual([{ messages: [user("one"), user("two")], system: "Look." }]);
  });

  it("are told from those of another type", () => {
    const run = new Recording();
    const input = { of: LONG };
    run.step({ type: "do", directives: [{ type: "tool", id: "t", name: "x", input }] });
    run.step({ type: "do", directives: [{ type: "timer", id: "u", until: 5 }] });
    run.step({ type: "do", directives: [{ type: "tool", id: "v", name: "x", input }] });
    expect(run.last.do).toEqual([{ type: "tool", id: "v" }]);
  });
});

it("a List of more items than one record takes is written in several, and read back whole", () => {
  const run = new Recording();
  const items = Array.from({ length: 16_000 }, (_, i) => user(`${i} ${"x".repeat(150)}`));
  run.step(say("a", ...items));
  const records = run.lines.flatMap((line: { items?: readonly object[] }) => line.items ?? []);
  expect(records.length).toBeGreaterThan(1);
  expect(read(run)).toEqual([{ messages: items }]);
});

describe("a value", () => {
  it("stands in the line that refers to it, and what is not there has no part in it", () => {
    const run = new Recording();
    run.step({ ...say("a"), prompt: 1 });
    const parts = ["values", "seq", "event", "do", "value", "set", "state", "hash"];
    expect(Object.keys(run.last).sort()).toEqual(parts.sort());
  });

  it("that no event holds is written once, before and after a resume", () => {
    for (const resumes of [false, true]) {
      const run = new Recording();
      for (let i = 0; i < 4; i++) {
        run.step({ ...say("a"), prompt: i % 2 });
        if (resumes) run.resume();
      }
      const stored = run.lines.flatMap((line: { values?: object }) =>
        Object.keys(line.values ?? {}),
      );
      expect(stored.sort()).toEqual([refOf(promptOf(0)), refOf(promptOf(1))].sort());
      expect(read(run)[0]?.system).toBe(promptOf(1));
    }
  });

  it("that is used again and again is written once among a thousand others", () => {
    const run = new Recording();
    let text = "";
    for (let i = 0; i < 4_000; i++) {
      run.step({ ...say("a"), prompt: i % 2 === 0 ? 0 : i });
      text += JSON.stringify(run.last.values ?? {});
    }
    expect(text.split(`"${refOf(promptOf(0))}":`).length - 1).toBe(2);
  });

  it("that is a string which looks like a reference is read back as the text", () => {
    const run = new Recording();
    let count = 0;
    for (const start of ["#", "@", "%", "=", "@5#", "=#"]) {
      for (const system of [start, `${start}${LONG}`, ` ${start}`]) {
        const input = { [system]: [system, { system, deep: [LONG, system] }] };
        run.step({ ...say("a"), more: { system } });
        expect(read(run)[0]).toMatchObject({ system });
        const id = `tool ${++count}`;
        run.step({ type: "do", directives: [{ type: "tool", id, name: "x", input }] });
        expect(read(run)[0]).toMatchObject({ input });
      }
    }
  });
});

describe("what was spent", () => {
  for (const resumes of [false, true]) {
    it(`counts a request of a model call that was cancelled${resumes ? " after a resume" : ""}`, () => {
      const run = new Recording();
      const messages = [user("hi")];
      run.step({ type: "do", directives: [{ type: "llm", id: "x", messages }] });
      expect(run.recorder.memory.usage.requests).toBe(0);
      if (resumes) run.resume();
      run.step({ type: "do", directives: [{ type: "cancel", target: "x" }] });
      expect(run.recorder.memory.usage.requests).toBe(1);
    });
  }
});

describe("a List in a directive", () => {
  it("that continues no other is read back as its own items alone", () => {
    const run = new Recording();
    run.step(say("a", user("one"), user("two")));
    run.step(say("b", user("three")));
    expect(read(run)[0]?.messages).toEqual([user("three")]);
    run.step(say("a", user("four")));
    expect(read(run)[0]?.messages).toEqual([user("one"), user("two"), user("four")]);
  });

  it("has items of any shape", () => {
    const run = new Recording();
    const items = [{ item: "a" }, { item: { item: 1 } }, { "@ref": "x" }, {}];
    run.step(say("a", ...items));
    expect(read(run)[0]?.messages).toEqual(items);
  });

  it("takes what events hold from them, and writes nothing twice", () => {
    const run = new Recording();
    run.step(say("a"));
    run.step({ type: "message", content: LONG });
    run.step(say("a", user(LONG)));
    expect(run.last.items).toBeUndefined();
    expect(read(run)[0]?.messages).toEqual([user(LONG)]);
    run.step(say("a", user(`${LONG} that no message said`)));
    expect(JSON.stringify(run.last.items)).toContain(`"after":"@1#`);
    expect(read(run)[0]?.messages).toEqual([user(LONG), user(`${LONG} that no message said`)]);
  });

  for (const resumes of [false, true]) {
    it(`costs the same at any length where two take turns${resumes ? ", after a resume" : ""}`, () => {
      const run = new Recording();
      // Of unequal lengths, so that the one is no prefix of the other.
      for (let i = 0; i < 20; i++) run.step(say("b", user(`first ${i}`)));
      const turn = (i: number) =>
        run.step(say("a", user(`a ${i}`.padEnd(40)))) +
        run.step(say("b", user(`b ${i}`.padEnd(40))));
      const costs = Array.from({ length: 1_000 }, (_, i) => {
        if (resumes && i === 500) run.resume();
        return turn(i);
      });
      const [early, late] = [costs[10] as number, costs[999] as number];
      // Sequence numbers, times and sizes have two digits more.
      expect(late - early).toBeLessThan(early * 0.02 + 2 * 24);
      if (resumes) expect(Math.max(...costs.slice(499, 503))).toBeLessThan(early * 1.1 + 60);
      expect(read(run)[0]?.messages).toHaveLength(1_020);
    });
  }
});

describe("what a reader can be made to do by a journal", () => {
  const values = (stored: object, items: object[] = []) => {
    const read = new RecordedValues();
    read.take({ more: true, values: stored, items } as never);
    return read;
  };

  it("a value that holds itself has an end", () => {
    expect(JSON.stringify(values({ "#a": ["#b"], "#b": ["#a"] }).value("#a"))).toContain("@ref");
  });

  it("a value that doubles itself forty times does not exhaust it", () => {
    const doubled: Record<string, unknown> = { "#0": "x" };
    for (let i = 1; i <= 40; i++) doubled[`#${i}`] = [`#${i - 1}`, `#${i - 1}`];
    expect(values(doubled).value("#40")).toBeDefined();
  });

  it("a List that continues itself, or a longer one, is not resolved", () => {
    const itself = { list: "@1#a", after: "@1#a", add: [1] };
    expect(values({}, [itself]).items("@1#a")).toBeUndefined();
    const ring = [
      { list: "@2#a", after: "@3#b", add: [1] },
      { list: "@3#b", after: "@2#a", add: [1] },
    ];
    expect(values({}, ring).items("@3#b")).toBeUndefined();
    const inside = { list: "@1#a", add: ["@1#a"] };
    expect(values({}, [inside]).items("@1#a")).toBeDefined();
  });
});
