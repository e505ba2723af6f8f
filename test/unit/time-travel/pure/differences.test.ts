// Two runs by their lines, where one has what the other has not; and all that differs in one step.
import { describe, expect, it } from "vitest";
import {
  differencesOf,
  isIgnored,
  type Line,
  RecordedValues,
} from "../../../../src/core/journal/index.js";
import { listOf, refOf } from "../../../../src/core/kernel/values/index.js";
import { diffRuns } from "../../../../src/time-travel/pure/index.js";
import { runRecord } from "../../../support/run-record.js";

const at = (seq: number, event: object, more: object = {}): object => ({
  seq,
  event: { at: seq, ...event },
  value: "v",
  ...more,
});
const header = (more: object = {}) => ({
  type: "header",
  runId: "r",
  reasoner: { id: "a", version: 1 },
  fingerprint: "f",
  input: null,
  ...more,
});
const ask = (id: string, more: object = {}) => ({ type: "tool", id, name: "n", input: 1, ...more });
const told = (id: string, output: unknown = 1) => ({ type: "tool.succeeded", id, output });
const start = (...issued: readonly object[]) => at(0, { type: "start" }, { do: issued });
const runOf = (...lines: readonly object[]) => runRecord(lines as unknown as readonly Line[]);
const partingOf = (a: readonly object[], b: readonly object[]) =>
  diffRuns(runOf(...a), runOf(...b)).parting;
const rowsOf = (a: readonly object[], b: readonly object[]) =>
  diffRuns(runOf(...a), runOf(...b)).rows.map(({ what, cause, status }) =>
    [what, cause, status].join(" "),
  );

describe("two runs part", () => {
  it.each([
    [{ reasoner: { id: "b", version: 1 } }, "code", "reasoner", "reasoner.id"],
    [{ input: { a: 1 } }, "input", "input", "input"],
    [{ seed: "s" }, "input", "seed", "seed"],
    [{ budget: { cost: 1 } }, "input", "budget", "budget"],
  ])("at their headers: %j", (more, kind, cause, path) => {
    const found = partingOf([header(), start()], [header(more), start()]);
    expect(found).toMatchObject({ kind, cause, path });
    expect(found).not.toHaveProperty("seqA");
  });

  it("by nothing that a configuration says alone, but it is told", () => {
    const of = (a: readonly object[], b: readonly object[]) => {
      const { same, configuration } = diffRuns(runOf(...a, start()), runOf(...b, start()));
      return [same, configuration];
    };
    expect(of([header()], [header()])).toEqual([true, "same"]);
    expect(of([header()], [header({ fingerprint: "g" })])).toEqual([true, "different"]);
    expect(of([], [])).toEqual([true, "same"]);
    expect(of([header()], [])[1]).toBe("different");
    expect(of([], [header()])[1]).toBe("different");
  });

  it("by their configuration, where they have two, and else by their code", () => {
    const issued = (of: object, more: object = {}) => [header(of), start(ask("x", more))];
    const path = { cause: "x", path: "x.input", a: 1, b: 2 };
    expect(partingOf(issued({}), issued({}, { input: 2 }))).toMatchObject({
      kind: "code",
      ...path,
    });
    expect(partingOf(issued({}), issued({ fingerprint: "g" }, { input: 2 }))).toMatchObject({
      kind: "configuration",
      ...path,
    });
  });

  it("by the type of what is asked for", () => {
    const found = partingOf(
      [header(), start(ask("x"))],
      [header(), start({ ...ask("x"), type: "read" })],
    );
    expect(found).toStrictEqual({
      kind: "code",
      cause: "x",
      seqA: 0,
      seqB: 0,
      path: "x.type",
      a: "tool",
      b: "read",
    });
  });

  it("by a part that one has and the other has not", () => {
    const [bare, more] = [ask("x"), ask("x", { more: [1] })];
    expect(partingOf([start(bare)], [start(more)])).toMatchObject({ path: "x.more", b: [1] });
    const found = partingOf([start(more)], [start(bare)]);
    expect(found).toMatchObject({ path: "x.more", a: [1] });
    expect(found).not.toHaveProperty("b");
  });

  it("by the item of a List at which it is another, counted from its beginning", () => {
    const [one, two] = [listOf(["a"]), listOf(["a", "b"])];
    const asked = (seq: number, list: typeof one, after: string | undefined, add: string) => {
      const ref = refOf(list as never);
      const items = [{ list: ref, ...(after === undefined ? {} : { after }), add: [add] }];
      return at(
        seq,
        { type: seq === 0 ? "start" : "go" },
        { items, do: [{ type: "llm", id: `llm/${seq}`, messages: ref }] },
      );
    };
    const first = asked(0, one, undefined, "a");
    const after = refOf(one as never);
    const other = listOf(["a", "c"]);
    expect(
      partingOf([first, asked(1, two, after, "b")], [first, asked(1, other, after, "c")]),
    ).toMatchObject({ cause: "llm/1", path: "llm/1.messages[1]", a: "b", b: "c" });
    // One that stands alone has its items from the beginning on.
    expect(partingOf([first], [asked(0, listOf(["z"]), undefined, "z")])).toMatchObject({
      path: "llm/0.messages[0]",
      a: "a",
      b: "z",
    });
    // Where only the other one is a List, it is counted from nothing.
    const bare = at(0, { type: "start" }, { do: [{ type: "llm", id: "llm/0" }] });
    expect(partingOf([bare], [first])).toMatchObject({ path: "llm/0.messages", b: ["a"] });
  });

  it.each([
    ["llm.succeeded", "model output"],
    ["tool.succeeded", "tool result"],
    ["approval.decided", "decision"],
    ["read.succeeded", "store result"],
    ["write.succeeded", "store result"],
    ["run.succeeded", "child run"],
    ["timer.fired", "timer"],
    ["message", "input"],
  ])("at a %s by %s", (type, kind) => {
    const [asked] = type.split(".");
    const issued = start({ type: asked, id: "x" });
    const settled = (n: number) => at(1, { type, id: "x", n });
    expect(partingOf([issued, settled(1)], [issued, settled(2)])).toMatchObject({
      kind,
      cause: type === "message" ? "message 0" : "x",
      seqA: 1,
      seqB: 1,
      a: 1,
      b: 2,
    });
  });

  it("by nothing that an answer cost, when it came, and whose it was", () => {
    const settled = (n: number) => ({
      ...told("x"),
      attempts: n,
      usage: n,
      responseId: n,
      warnings: n,
      runId: n,
    });
    expect(
      partingOf(
        [start(ask("x")), at(1, settled(1))],
        [start(ask("x")), at(1, { ...settled(2), at: 99 })],
      ),
    ).toBeUndefined();
  });

  it("by the state that they come to, as long as answers came in one order", () => {
    const valued = (value: string, ...ids: readonly string[]) => [
      start(ask("x"), ask("y")),
      ...ids.map((id, i) => at(i + 1, told(id), { value: i === 0 ? value : "v" })),
    ];
    expect(partingOf(valued("v", "x", "y"), valued("w", "x", "y"))).toStrictEqual({
      kind: "code",
      cause: "x",
      seqA: 1,
      seqB: 1,
      path: "value",
      a: "v",
      b: "w",
    });
    expect(partingOf(valued("v", "x", "y"), valued("w", "y", "x"))).toBeUndefined();
  });

  it("by their ends", () => {
    const ended = (end: object | undefined) => [start(), at(1, { type: "go" }, end && { end })];
    const done = (output?: unknown) =>
      ended({ status: "done", ...(output !== undefined && { output }) });
    expect(partingOf(done(1), done(2))).toMatchObject({
      cause: "end",
      path: "end.output",
      a: 1,
      b: 2,
    });
    expect(partingOf(done(), done())).toBeUndefined();
    expect(partingOf(done(), ended({ status: "failed" }))).toMatchObject({
      path: "end.status",
      a: "done",
      b: "failed",
    });
    const open = partingOf(ended(undefined), done(1));
    expect(open).toMatchObject({ cause: "end", path: "end", b: { status: "done", output: 1 } });
    expect(open).not.toHaveProperty("a");
  });

  it("at the first place alone", () => {
    const found = partingOf(
      [header(), start(ask("x")), at(1, told("x", 1))],
      [header({ input: 5 }), start(ask("x", { input: 2 })), at(1, told("x", 2))],
    );
    expect(found).toMatchObject({ kind: "input", cause: "input" });
  });
});

describe("what two runs have", () => {
  it("is met by its cause, in whatever order it came, each once", () => {
    const issued = start(ask("x"), ask("y"));
    const both = [
      "event start same",
      "request x same",
      "request y same",
      "event x same",
      "event y same",
    ];
    const straight = [issued, at(1, told("x")), at(2, told("y"))];
    const crossed = [issued, at(1, told("y")), at(2, told("x"))];
    expect(rowsOf(straight, straight)).toEqual(both);
    expect(rowsOf(straight, crossed)).toEqual(both);
  });

  it("that only one has comes where it came", () => {
    const issued = start(ask("x"));
    const answered = [issued, at(1, told("x"))];
    const spoken = [issued, at(1, { type: "message" }), at(2, told("x"))];
    expect(rowsOf(answered, spoken)).toEqual([
      "event start same",
      "request x same",
      "event message 0 only b",
      "event x same",
    ]);
    expect(rowsOf(spoken, answered)).toEqual([
      "event start same",
      "request x same",
      "event message 0 only a",
      "event x same",
    ]);
  });

  it("where each has something of its own: what came from outside was there first", () => {
    const only = (id: string) => [start(ask("x"), ask(id)), at(1, told(id)), at(2, told("x"))];
    const spoken = [start(ask("x")), at(1, { type: "message" }), at(2, told("x"))];
    // An answer to what it asked itself comes behind the other's, a message before it.
    expect(rowsOf(only("p"), only("q")).slice(-3)).toEqual([
      "event p only a",
      "event q only b",
      "event x same",
    ]);
    expect(rowsOf(only("p"), spoken).slice(-3)).toEqual([
      "event message 0 only b",
      "event p only a",
      "event x same",
    ]);
    expect(rowsOf(spoken, only("p")).slice(-3)).toEqual([
      "event message 0 only a",
      "event p only b",
      "event x same",
    ]);
  });

  it("behind the end of one is all the other's, with what it asked for", () => {
    const issued = start();
    const more = at(1, { type: "go" }, { do: [ask("z")] });
    expect(rowsOf([issued], [issued, more])).toEqual([
      "event start same",
      "event go 0 only b",
      "request z only b",
    ]);
    const found = diffRuns(runOf(issued, more), runOf(issued));
    expect(found.rows.slice(1)).toStrictEqual([
      {
        cause: "go 0",
        type: "go",
        what: "event",
        status: "only a",
        seqA: 1,
        difference: { path: "go 0", a: { type: "go" } },
      },
      {
        cause: "z",
        seqA: 1,
        type: "tool",
        what: "request",
        status: "only a",
        difference: { path: "z", a: { type: "tool", name: "n", input: 1 } },
      },
    ]);
    expect(found.parting).toMatchObject({ kind: "input", cause: "go 0", seqA: 1 });
  });
});

describe("all that differs in a step", () => {
  const step = (more: object = {}) => ({
    state: { value: "v", context: {} },
    directives: [],
    ...more,
  });
  const of = (line: object, computed: object = {}, proof: object = {}, recorded: object[] = []) =>
    [
      ...differencesOf({
        reasoner: { id: "r", output: () => undefined },
        line: { seq: 3, event: { type: "go" }, value: "v", state: "recorded", ...line },
        step: step(computed),
        proof: { value: "v", state: "computed", ...proof },
        before: undefined,
        values: new RecordedValues(),
        recorded,
        later: undefined,
      } as never),
    ].map(({ seq, event, cause: _cause, ...found }) => {
      expect([seq, event]).toEqual([3, "go"]);
      return found;
    });
  const parts = (entries: object) => new Map(Object.entries(entries));

  it("is the digest of the state where nothing else shows it", () => {
    expect(of({})).toStrictEqual([{ path: "state", recorded: "recorded", computed: "computed" }]);
  });

  it("is its value, what was ignored, and what the context was set to", () => {
    expect(of({ value: "w" })).toStrictEqual([{ path: "value", recorded: "w", computed: "v" }]);
    expect(of({ ignored: "stale" })).toStrictEqual([{ path: "ignored", recorded: "stale" }]);
    expect(of({}, { ignored: { reason: "ended" } })).toStrictEqual([
      { path: "ignored", computed: "ended" },
    ]);
    const state = { value: "v", context: { n: 2 } };
    expect(of({ set: { n: 1 } }, { state }, { set: { n: 2 } })).toStrictEqual([
      { path: "context.n", recorded: 1, computed: 2 },
    ]);
    expect(of({ set: { n: 1 }, value: "w" }, { state }, { set: { n: 2 } })).toHaveLength(2);
  });

  it("is which directives there are, or their parts", () => {
    const recorded = [{ type: "tool", id: "x", parts: parts({ name: "n", input: 1, gone: 2 }) }];
    const directives = [{ type: "tool", id: "x", name: "n", input: 3, more: 4 }];
    expect(of({}, { directives }, {}, recorded)).toStrictEqual([
      { path: "directives[0].input", recorded: 1, computed: 3 },
      { path: "directives[0].gone", recorded: 2 },
      { path: "directives[0].more", computed: 4 },
    ]);
    const calls = [{ name: "n", input: 1, was: "run", is: "none" }];
    expect(of({}, { directives: [{ type: "notify" }] }, {}, recorded)).toStrictEqual([
      { path: "directives", recorded: ["tool x"], computed: ["notify"], calls },
    ]);
    expect(of({}, { directives: [] }, {}, recorded)).toStrictEqual([
      { path: "directives", recorded: ["tool x"], computed: [], calls },
    ]);
  });

  it("is not named twice, where the context keeps what was asked for", () => {
    const recorded = [{ type: "llm", id: "x", parts: parts({ system: "old" }) }];
    const kept = (context: object, set: object) =>
      of(
        { set },
        { directives: [{ type: "llm", id: "x", system: "new" }], state: { value: "v", context } },
        { set: Object.fromEntries(Object.keys(set).map((key) => [key, "#now"])) },
        recorded,
      ).map(({ path }) => path);
    const asked = "directives[0].system";
    expect(kept({ system: "new" }, { system: "old" })).toEqual([asked]);
    expect(kept({ system: "newer" }, { system: "old" })).toEqual([asked, "context.system"]);
    expect(kept({ system: "new" }, { system: "older" })).toEqual([asked, "context.system"]);
    // Of what the line holds only the tag, the tag has to be that of what was asked for.
    const long = "o".repeat(300);
    const longer = [{ type: "llm", id: "x", parts: parts({ system: `${long}` }) }];
    const tagged = (tag: string) =>
      of(
        { set: { system: tag } },
        {
          directives: [{ type: "llm", id: "x", system: "new" }],
          state: { value: "v", context: { system: "new" } },
        },
        { set: { system: "new" } },
        longer,
      ).map(({ path }) => path);
    expect(tagged(refOf(long).slice(0, 6))).toEqual([asked]);
    expect(tagged("#other")).toEqual([asked, "context.system"]);
  });
});

describe("a difference that does not matter", () => {
  const ignored = (path: string, ...ignore: string[]) => isIgnored({ path } as never, ignore);

  it.each([
    ["directives[0].system", ["system"], true],
    ["directives[10].input.a[1].b", ["input"], true],
    ["directives[0].input[1]", ["input"], true],
    ["directives[0].input.system", ["system"], false],
    ["directives", ["directives"], true],
    ["directives[0].system", ["directives"], true],
    ["context.deps.now", ["context.deps.now"], true],
    ["context.deps[3].now", ["context.deps.now"], true],
    ["context.deps.now.more", ["context.deps.now"], true],
    ["context.deps.nowhere", ["context.deps.now"], false],
    ["context.deps", ["context.deps.now"], false],
    ["context.system", ["system"], false],
    ["x.directives[0].system", ["system"], false],
    ["value", [], false],
    ["value", ["a", "value"], true],
  ])("%s, of %j: %s", (path, ignore, expected) => {
    expect(ignored(path, ...ignore)).toBe(expected);
  });
});
