// Records, changes and causes from lines and differences that were written by hand.
import { describe, expect, it } from "vitest";
import {
  changesOf,
  changesRun,
  differenceAt,
  type EventLine,
  type Line,
  OwedLines,
  RecordedValues,
} from "../../../../src/core/journal/index.js";
import {
  append,
  emptyTable,
  listOf,
  tableDelete,
  tableSet,
  vectorOf,
} from "../../../../src/core/kernel/values/index.js";
import {
  baselineKeys,
  diffRuns,
  Groups,
  RecordedChanges,
} from "../../../../src/time-travel/pure/index.js";
import { runRecord } from "../../../support/run-record.js";

/** What changed of a state whose context is a value. */
const changesWithin = (before: unknown, after: unknown) =>
  changesOf({ context: before } as never, { context: after } as never);

const at = (seq: number, event: object, more: object = {}): object => ({
  seq,
  event: { at: seq, ...event },
  value: "v",
  ...more,
});

describe("a run's record", () => {
  it("has as an answer what settled something, and not what came too late", () => {
    const answer = (output: number) => ({ type: "tool.succeeded", id: "x", output });
    const record = runRecord([
      at(0, { type: "start" }, { do: [{ type: "tool", id: "x", name: "n", input: 1 }] }),
      at(1, answer(1)),
      at(2, answer(2), { ignored: "stale" }),
      at(3, { type: "tool.succeeded", id: "y", output: 3 }, { ignored: "ended" }),
    ] as unknown as readonly Line[]);
    expect(record.effects.get("x")?.answer?.event).toMatchObject({ output: 1 });
    expect(record.events.map(({ key }) => key)).toEqual([
      "start",
      "x",
      "tool.succeeded 0",
      "tool.succeeded 1",
    ]);
  });
});

describe("changes from lines", () => {
  it("say how the run ended", () => {
    const changes = new RecordedChanges(new RecordedValues());
    const line = at(0, { type: "start" }, { end: { status: "failed" }, set: { n: 1 } });
    expect(changes.take(line as unknown as EventLine)).toEqual([
      { path: "value", after: "v" },
      { path: "status", before: "active", after: "failed" },
      { path: "context.n", after: 1 },
    ]);
  });
});

describe("changes of fields", () => {
  const of = (sets: readonly unknown[], lines: readonly object[] = []) => {
    const values = new RecordedValues(lines as unknown as readonly Line[]);
    const changes = new RecordedChanges(values);
    const taken = sets.map((set, seq) =>
      changes.take(at(seq, { type: "x" }, { set }) as unknown as EventLine),
    );
    return taken.at(-1)?.filter(({ path }) => path !== "value");
  };

  it("have nothing where there is nothing", () => {
    expect(of([{ n: 1 }])).toStrictEqual([{ path: "context.n", after: 1 }]);
    expect(of([{ n: 1 }, { n: "#" }])).toStrictEqual([{ path: "context.n", before: 1 }]);
  });

  it("have what a path was before, as far as it was set, and what it is", () => {
    expect(
      of([
        { n: 1, s: "=#x" },
        { n: 2, s: "-" },
      ]),
    ).toEqual([
      { path: "context.n", before: 1, after: 2 },
      { path: "context.s", before: "#x", after: "-" },
    ]);
  });

  it("say of what is gone that it was there, also where the journal holds one value more", () => {
    const long = "x".repeat(300);
    const held = at(0, { type: "start" }, { values: { "#abcdefgh": long } });
    expect(of([{ n: 1 }, { n: "#" }], [held])).toEqual([{ path: "context.n", before: 1 }]);
    expect(of([{ n: 1 }, { n: "#" }, { n: 2 }])).toEqual([{ path: "context.n", after: 2 }]);
    expect(of([{ n: "#abcde" }], [held])).toEqual([{ path: "context.n", after: long }]);
    expect(of([{ n: "#other" }], [held])).toEqual([
      { path: "context.n", after: { "@ref": "#other" } },
    ]);
  });

  it("know nothing of what was set before an upgrade, but where the run is since", () => {
    const changes = new RecordedChanges(new RecordedValues());
    const line = (seq: number, n: number) =>
      at(seq, { type: "x" }, { set: { n } }) as unknown as EventLine;
    changes.take(line(0, 1));
    changes.carryOver({ "context/n": 100 });
    changes.carryOver({ value: "v" });
    expect(changes.take(line(1, 101))).toEqual([{ path: "context.n", after: 101 }]);
    changes.carryOver({ value: { "==w": "x" } });
    expect(changes.take(line(2, 101))).toEqual([
      { path: "value", before: { "=w": "x" }, after: "v" },
      { path: "context.n", after: 101 },
    ]);
  });

  it("name a path as it is spelt in code", () => {
    expect(of([{ "t/a~1b": 1, "t/c": 2, "odd.key": 3 }])?.map(({ path }) => path)).toEqual([
      'context.t["a/b"]',
      "context.t.c",
      'context["odd.key"]',
    ]);
  });

  it("that are too many for a line are one change, and leave nothing known", () => {
    expect(of([{ n: 1 }, "*"])).toEqual([{ path: "context", after: { "@ref": "*" } }]);
    expect(of([{ n: 1 }, "*", { n: 2 }])).toEqual([{ path: "context.n", after: 2 }]);
  });
});

describe("what a difference is grouped by", () => {
  it("is which kinds of directives are asked for, and not how many in a row", () => {
    const asked = (recorded: readonly string[], computed: readonly string[]) =>
      differenceAt(
        { reasoner: "a", seq: 1, event: "tick", from: "on" },
        { path: "directives", left: recorded, right: computed },
      ).cause;
    const one = asked(["tool x"], ["tool x", "tool y", "llm 1"]);
    expect(one.what).toBe('what is asked upon tick in "on"');
    expect(asked(["tool x", "tool z"], ["tool y", "llm 2"]).key).toBe(one.key);
    expect(asked(["tool x"], ["llm 1", "tool y"]).key).not.toBe(one.key);
  });
});

describe("groups", () => {
  const cause = (what: string) => ({
    ...{ seq: 1, event: "x", path: "value", recorded: 1 },
    cause: { key: what, what },
  });

  it("come by how many journals have them, then by how often, then by their keys", () => {
    const groups = new Groups();
    groups.take("a", [
      { ...cause("z"), seqs: [4, 5] },
      { ...cause("y"), seqs: [1, 2] },
      { ...cause("x"), seqs: [3] },
    ]);
    for (const name of ["b", "c", "d"]) groups.take(name, [{ ...cause("x"), seqs: [7] }]);
    expect(groups.list()).toEqual([
      { key: "x", what: "x", recorded: 1, journals: 4, places: 4, examples: ["a#3", "b#7", "c#7"] },
      { key: "y", what: "y", recorded: 1, journals: 1, places: 2, examples: ["a#1"] },
      { key: "z", what: "z", recorded: 1, journals: 1, places: 2, examples: ["a#4"] },
    ]);
    groups.take("e", [{ ...cause("zz"), seqs: [1, 2, 3] }]);
    expect(groups.list().map(({ key }) => key)).toEqual(["x", "zz", "y", "z"]);
  });

  it("are accepted by their keys", () => {
    expect(baselineKeys({ accepted: [{ key: "a" }, { key: "b" }] })).toEqual(new Set(["a", "b"]));
    for (const none of [null, [], {}, { accepted: "a" }]) {
      expect(baselineKeys(none as never)).toBe("it has no list `accepted`");
    }
    for (const one of ["a", {}, { key: 1 }]) {
      const accepted = [{ key: "a" }, one];
      expect(baselineKeys({ accepted } as never)).toBe("one that is accepted has no key");
    }
  });

  it.each([
    [{ path: "directives" }, "what is asked upon x", true],
    [{ path: "value" }, "the state upon x", true],
    [{ path: "upgrade" }, "the upgrade", true],
    [{ path: "context.n" }, "context.n upon x", true],
    [{ path: "directives[3].system" }, "the system prompt", false],
    [{ path: "directives[0].input.a[2].b" }, "an input (a.b)", false],
    [{ path: "directives[0].topic" }, "topic", false],
  ])(
    "say what differs, and whether what comes later may follow from it: %j",
    ({ path }, what, runs) => {
      const place = { reasoner: "r", seq: 1, event: "x", from: undefined };
      const made = differenceAt(place, { path, left: 1, right: 2 });
      expect([made.cause.what, changesRun(made)]).toEqual([what, runs]);
    },
  );
});

describe("what is owed by the lines", () => {
  const owedAfter = (...lines: readonly object[]) => {
    const owed = new OwedLines();
    for (const line of lines) owed.take(line as unknown as Line);
    return [...owed.owed.values()];
  };
  const tool = (id: string) => ({ type: "tool", id, name: "n", input: 1 });
  const start = at(
    0,
    { type: "start" },
    { do: [tool("x"), { type: "read", id: "y", store: "s" }] },
  );
  const [x, y] = [
    { id: "x", type: "tool", seq: 0, name: "n", begun: false },
    { id: "y", type: "read", seq: 0, name: "s", begun: false },
  ];
  const answer = { type: "tool.succeeded", id: "x", output: 1 };

  it.each<[string, readonly object[], readonly object[]]>([
    ["all that was issued", [start], [x, y]],
    ["not what was answered", [start, at(1, answer)], [y]],
    ["what was answered too late still", [start, at(1, answer, { ignored: "stale" })], [x, y]],
    [
      "not what was cancelled",
      [start, at(1, { type: "e" }, { do: [{ type: "cancel", target: "x" }] })],
      [y],
    ],
    [
      "with what has begun, by a mark",
      [start, { mark: { id: "x", at: 1 } }],
      [{ ...x, begun: true }, y],
    ],
    ["with what has begun, in its line", [{ ...start, starts: [0] }], [{ ...x, begun: true }, y]],
    ["nothing for a mark of nobody", [start, { mark: { id: "z", at: 1 } }], [x, y]],
    ["nothing after the end", [start, at(1, { type: "e" }, { end: { status: "done" } })], []],
  ])("is %s", (_what, lines, owed) => {
    expect(owedAfter(...lines)).toEqual(owed);
  });

  it("has a name that is a string, or none", () => {
    const odd = { type: "custom", id: "o", name: { deep: 1 } };
    expect(owedAfter(at(0, { type: "start" }, { do: [odd] }))).toEqual([
      { id: "o", type: "custom", seq: 0, name: undefined, begun: false },
    ]);
  });
});

describe("changes between values", () => {
  it("of Tables are by their keys, of Lists by their items, without their gaps", () => {
    const table = (...keys: readonly string[]) =>
      keys.reduce((made, key) => tableSet(made, key, { of: key }), emptyTable<object>());
    const before = tableDelete(table("a", "b", "c"), "b");
    const after = tableSet(before, "c", { of: "d" });
    expect(changesWithin(before as never, after as never)).toStrictEqual([
      { path: "context.c.of", before: "c", after: "d" },
    ]);
    expect(changesWithin({ t: 1 }, { t: before } as never)).toStrictEqual([
      { path: "context.t", before: 1, after: { a: { of: "a" }, c: { of: "c" } } },
    ]);
    const list = listOf(["a", { b: 1 }]);
    expect(
      changesWithin(list as never, append(list as never, "c" as never) as never),
    ).toStrictEqual([{ path: "context[2]", after: "c" }]);
    expect(changesWithin(list as never, listOf(["a", { b: 2 }]) as never)).toStrictEqual([
      { path: "context[1].b", before: 1, after: 2 },
    ]);
    expect(changesWithin(vectorOf([1]) as never, vectorOf([2]) as never)).toStrictEqual([
      { path: "context[0]", before: 1, after: 2 },
    ]);
    expect(changesWithin(undefined, undefined)).toEqual([]);
  });

  it("are of what is within, where both are of a kind, and else of the whole", () => {
    expect(changesWithin({ a: 1 }, [1])).toStrictEqual([
      { path: "context", before: { a: 1 }, after: [1] },
    ]);
    expect(changesWithin([1], { a: 1 })).toStrictEqual([
      { path: "context", before: [1], after: { a: 1 } },
    ]);
    expect(changesWithin({ a: [1, 2], b: 1 }, { a: [1], "c d": 2 })).toStrictEqual([
      { path: "context.a[1]", before: 2 },
      { path: "context.b", before: 1 },
      { path: 'context["c d"]', after: 2 },
    ]);
  });
});

describe("two runs, by their lines", () => {
  const header = (runId: string) => ({ type: "header", runId, reasoner: { id: "a" }, input: null });
  const ask = (id: string, input: unknown, more = {}) => ({
    type: "tool",
    id,
    name: "n",
    input,
    ...more,
  });
  const told = (id: string, output: unknown) => ({ type: "tool.succeeded", id, output });
  const runOf = (runId: string, ...lines: readonly object[]) =>
    runRecord([header(runId), ...lines] as unknown as readonly Line[]);
  const asked = (runId: string, input: unknown) =>
    runOf(runId, at(0, { type: "start" }, { do: [ask("x", input)] }));

  it.each([
    ["by itself", "ask r1", "ask r2"],
    ["between signs", "(r1), r1.", "(r2), r2."],
    ["within objects and lists", { to: ["r1", null, 1] }, { to: ["r2", null, 1] }],
  ])("are the same where they differ by their own ids alone: %s", (_how, a, b) => {
    const found = diffRuns(asked("r1", a), asked("r2", b));
    expect(found.same).toBe(true);
    expect(found).not.toHaveProperty("parting");
  });

  it.each([
    ["a longer word", "r10", "r20"],
    ["the end of a word", "ar1", "ar2"],
    ["a word with a dash before", "x-r1", "x-r2"],
    ["and a dash behind", "r1-x", "r2-x"],
    ["in a list", ["r1b"], ["r2b"]],
  ])("differ by what only looks like their ids: %s", (_how, a, b) => {
    expect(diffRuns(asked("r1", a), asked("r2", b)).same).toBe(false);
  });

  it("have a row for each event and request, and count how they stand", () => {
    const start = (...issued: readonly object[]) => at(0, { type: "start" }, { do: issued });
    const a = runOf(
      "r1",
      start(ask("x", 1), ask("y", 1)),
      at(1, told("x", 1)),
      at(2, told("y", 1)),
    );
    const b = runOf(
      "r2",
      start(ask("x", 1), ask("z", 1)),
      at(1, told("x", 2)),
      at(2, told("z", 1)),
    );
    const found = diffRuns(a, b);
    expect(found.rows.map(({ what, type, cause, status }) => [what, type, cause, status])).toEqual([
      ["event", "start", "start", "same"],
      ["request", "tool", "x", "same"],
      ["request", "tool", "y", "only a"],
      ["request", "tool", "z", "only b"],
      ["event", "tool.succeeded", "x", "differs"],
      ["event", "tool.succeeded", "y", "only a"],
      ["event", "tool.succeeded", "z", "only b"],
    ]);
    expect(found.summary).toEqual({ same: 2, differs: 1, "only a": 2, "only b": 2 });
    expect(found.parting).toStrictEqual({
      kind: "code",
      cause: "y",
      seqA: 0,
      path: "y",
      a: { type: "tool", name: "n", input: 1 },
    });
  });

  it("show at a path what one of them has there", () => {
    const found = diffRuns(asked("r1", { a: 1 }), asked("r2", { a: 1, b: 2 }));
    expect(found.parting).toStrictEqual({
      kind: "code",
      cause: "x",
      seqA: 0,
      seqB: 0,
      path: "x.input.b",
      b: 2,
    });
  });

  it("part first at what came from outside, where each has something of its own", () => {
    const start = at(0, { type: "start" }, { do: [ask("x", 1)] });
    const a = runOf("r1", start, at(1, told("x", 1)));
    const b = runOf("r2", start, at(1, { type: "message", content: "no" }), at(2, told("x", 1)));
    expect(diffRuns(a, b).parting).toMatchObject({ kind: "input", cause: "message 0", seqB: 1 });
    expect(diffRuns(b, a).parting).toMatchObject({ kind: "input", cause: "message 0", seqA: 1 });
  });
});
