// Replay: the first difference shows where it is, and both values.

import { describe, expect, it } from "vitest";
import { describeDifference } from "../../../../src/core/journal/index.js";
import { assign } from "../../../../src/core/kernel/machine/index.js";
import {
  append,
  emptyTable,
  type Json,
  listOf,
  tableDelete,
  tableSet,
} from "../../../../src/core/kernel/values/index.js";
import {
  type AgentDefinition,
  agent,
  type List,
  type Reasoner,
  type Tool,
  tool,
} from "../../../../src/index.js";
import {
  fold,
  type JournalPort,
  memoryJournal,
  replay,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { textIn } from "../../../support/journal-text.js";
import { issue, smallReasoner, timer } from "../../../support/small-machine.js";
import { rejection } from "../../../support/thrown.js";

const script = scriptedModel([
  { text: "I look.", calls: [{ name: "look", input: { path: "a" } }] },
  { calls: [{ name: "ask" }] },
  "done",
]);

const tools = (reduce = () => "pure"): Tool[] => [
  tool({ name: "look", jsonSchema: {}, execute: () => "seen" }),
  tool({ name: "ask", reduce }),
];
const make = (more: Partial<AgentDefinition> = {}): Reasoner<string, unknown, unknown> =>
  agent({ name: "a", system: "Look.", tools: tools(), ...more }) as never;

async function journalOf(reasoner: Reasoner<string, unknown, unknown>) {
  const journal = memoryJournal();
  await run(reasoner, "go", { model: script, journal, runId: "r" });
  return journal;
}

/** Its first lines, and the beginning of the next. */
async function cut(journal: JournalPort, count: number, more = 0): Promise<JournalPort> {
  const lines = (await textIn(journal)).split("\n");
  const kept = lines.slice(0, count).map((line) => `${line}\n`);
  return textJournal(kept.join("") + (lines[count] ?? "").slice(0, more));
}

async function differenceOf(
  before: Reasoner<string, unknown, unknown>,
  after: Reasoner<string, unknown, unknown>,
) {
  const report = await replay(after, await journalOf(before));
  return report.status === "diverged" ? { ...report.difference, events: report.events } : undefined;
}

interface Counting {
  readonly deps: object;
  readonly count: number;
  readonly list: List<number>;
}

const LONG = "a text that is longer than what stands in a line itself ".repeat(6);

describe("a reasoner that does the same", () => {
  it("replays identically", async () => {
    expect(await replay(make(), await journalOf(make()))).toMatchObject({
      status: "identical",
      runId: "r",
      events: 5,
      notices: [],
    });
  });

  it("whose configuration changed where it does not show is noticed", async () => {
    const of = (n: number) =>
      smallReasoner({}, { configuration: { n } }) as unknown as ReturnType<typeof make>;
    const report = await replay(of(2), await journalOf(of(1)));
    expect(report.status).toBe("identical");
    expect(report.notices).toEqual([
      "The reasoner's configuration is not the one that was recorded: n differs.",
    ]);
  });

  it("a torn last line is noticed and left out", async () => {
    const report = await replay(make(), await cut(await journalOf(make()), 3, 40));
    expect(report).toMatchObject({ status: "identical", events: 2 });
    expect(report.notices).toEqual(["The last line was torn (40 bytes) and is left out."]);
  });
});

describe("the first difference shows its event, its path and both values", () => {
  it("in the system prompt", async () => {
    expect(await differenceOf(make(), make({ system: "Look well." }))).toEqual({
      seq: 0,
      event: "start",
      path: "directives[0].system",
      recorded: "Look.",
      computed: "Look well.",
      cause: { key: expect.any(String), what: "the system prompt" },
      events: 0,
    });
  });

  it("in a part that is gone, or new", async () => {
    const { system: _system, ...without } = { system: undefined };
    const bare = agent({ name: "a", tools: tools(), ...without }) as never;
    expect(await differenceOf(make(), bare)).toMatchObject({
      path: "directives[0].system",
      recorded: "Look.",
    });
    expect(await differenceOf(bare, make())).toMatchObject({
      path: "directives[0].system",
      computed: "Look.",
    });
  });

  it("in a tool's schema, by its path in it", async () => {
    const [, ask] = tools();
    const look = tool({ name: "look", description: "Looks", jsonSchema: {}, execute: () => "" });
    expect(await differenceOf(make(), make({ tools: [look, ask as Tool] }))).toMatchObject({
      path: "directives[0].tools[0].description",
      recorded: "",
      computed: "Looks",
    });
  });

  it("in the third message of a list", async () => {
    const output = { type: "returned", output: "changed", update: [] } as const;
    expect(
      await differenceOf(make(), make({ plugins: [{ name: "judge", afterTool: () => output }] })),
    ).toMatchObject({
      seq: 2,
      event: "tool.succeeded",
      path: "directives[0].messages[2].content[0].output.value",
      recorded: "seen",
      computed: "changed",
    });
  });

  it("in what a pure tool gave", async () => {
    expect(await differenceOf(make(), make({ tools: tools(() => "changed") }))).toMatchObject({
      seq: 3,
      event: "llm.succeeded",
      path: "directives[0].data.output",
      recorded: "pure",
      computed: "changed",
    });
  });

  it("in a tool's input", async () => {
    const input = (n: number) =>
      smallReasoner({
        entry: issue({ type: "tool", id: "t", name: "x", input: { deep: [0, { n }] } }),
      });
    expect(await differenceOf(input(1) as never, input(2) as never)).toMatchObject({
      path: "directives[0].input.deep[1].n",
      recorded: 1,
      computed: 2,
    });
  });

  const machine = (config: object, output?: unknown) =>
    smallReasoner(config, { output: () => output }) as unknown as Reasoner<
      string,
      unknown,
      unknown
    >;
  const over = (type: string, more: object = {}) =>
    machine({ initial: "a", states: { a: { type, ...more } } });

  const cases: readonly (readonly [string, object, object, object])[] = [
    [
      "a directive's type",
      over("atomic", { entry: issue(timer("t")) }),
      over("atomic", { entry: issue({ type: "notify", topic: "t" }) }),
      { path: "directives", recorded: ["timer t"], computed: ["notify"] },
    ],
    [
      "a directive's id",
      over("atomic", { entry: issue(timer("t")) }),
      over("atomic", { entry: issue(timer("u")) }),
      { path: "directives", recorded: ["timer t"], computed: ["timer u"] },
    ],
    [
      "the number of directives",
      over("atomic", { entry: issue(timer("t")) }),
      over("atomic", { entry: issue(timer("t"), timer("u")) }),
      { path: "directives", recorded: ["timer t"], computed: ["timer t", "timer u"] },
    ],
    [
      "directives that have no ids",
      over("atomic", { entry: issue({ type: "notify", topic: "t" }) }),
      over("atomic", {
        entry: issue({ type: "notify", topic: "t" }, { type: "notify", topic: "u" }),
      }),
      { path: "directives", recorded: ["notify"], computed: ["notify", "notify"] },
    ],
    [
      "no directive any more",
      over("atomic", { entry: issue(timer("t")) }),
      over("atomic"),
      { path: "directives", recorded: ["timer t"], computed: [] },
    ],
    [
      "the state",
      machine({ initial: "a", states: { a: {} } }),
      machine({ initial: "b", states: { b: {} } }),
      { path: "value", recorded: "a", computed: "b" },
    ],
    ["the end", over("final"), over("atomic"), { path: "end", recorded: { status: "done" } }],
    [
      "the end's status",
      over("final"),
      over("final", { tags: ["failed"] }),
      { path: "end.status", recorded: "done", computed: "failed" },
    ],
    [
      "the output",
      machine({ initial: "a", states: { a: { type: "final" } } }, { n: [1] }),
      machine({ initial: "a", states: { a: { type: "final" } } }, { n: [2] }),
      { path: "end.output.n[0]", recorded: 1, computed: 2 },
    ],
    [
      "an output that is gone",
      machine({ initial: "a", states: { a: { type: "final" } } }, 5),
      machine({ initial: "a", states: { a: { type: "final" } } }),
      { path: "end.output", recorded: 5 },
    ],
  ];
  for (const [name, before, after, difference] of cases) {
    it(`in ${name}`, async () => {
      expect(await differenceOf(before as never, after as never)).toMatchObject(difference);
    });
  }

  it("in the context, though nothing else shows it", async () => {
    const counting = (by: number, note = "a") =>
      machine({
        context: { deps: { limit: 5, note: "a" }, count: 0, long: LONG, list: listOf([1]) },
        initial: "a",
        states: {
          a: {
            on: {
              ping: {
                actions: assign(({ context }: { context: Counting }) => ({
                  count: context.count + by,
                  deps: { ...context.deps, note },
                  list: append(context.list, by),
                })),
              },
            },
          },
        },
      });
    const journal = memoryJournal();
    const live = run(counting(1), "go", { journal });
    for (let i = 0; i < 3; i++) live.send({ type: "ping" });
    await live;
    expect(await replay(counting(1), journal)).toMatchObject({ status: "identical" });
    expect(await replay(counting(2), journal)).toMatchObject({
      status: "diverged",
      events: 1,
      difference: { seq: 1, event: "ping", path: "context.count", recorded: 1, computed: 2 },
    });
    expect(await replay(counting(1, "b"), journal)).toMatchObject({
      difference: { seq: 1, path: "context.deps.note", recorded: "a", computed: "b" },
    });
  });

  describe("in a field of the context, with what it was and is", () => {
    type Step = (context: Counting) => object;
    const [one, two, three] = ["1", "2", "3"].map((n) => LONG + n) as [string, string, string];
    /** Sets fields at each `go`, and asks a model with the second text, whatever is set. */
    const setting = (...steps: readonly Step[]) =>
      machine({
        context: { at: 0, prompt: one, list: listOf(["a"]), gone: 1, "a/b": 1, "-": 1 },
        initial: "a",
        states: {
          a: {
            on: {
              go: {
                actions: [
                  assign(({ context }: { context: { at: number } & Counting }) => ({
                    ...steps[context.at]?.(context),
                    at: context.at + 1,
                  })),
                  {
                    type: "issue",
                    params: ({ context }: { context: { at: number } }) => ({
                      type: "llm",
                      id: `llm/${context.at}`,
                      system: two,
                      messages: listOf(["a", "b"]),
                    }),
                  },
                ],
              },
            },
          },
        },
      });
    const list = listOf(["a", "b"]);
    const differences: readonly (readonly [string, Step, Step, object])[] = [
      [
        "that a directive said, and that is left as it was",
        () => ({ prompt: two }),
        () => ({}),
        { path: "context.prompt", recorded: two, computed: one },
      ],
      [
        "that a directive said, and that is another now",
        () => ({ prompt: two }),
        () => ({ prompt: three }),
        { path: "context.prompt", recorded: two, computed: three },
      ],
      [
        "that was left as it was, and that a directive says now",
        () => ({}),
        () => ({ prompt: two }),
        { path: "context.prompt", recorded: one, computed: two },
      ],
      ["that is a List", () => ({ list }), () => ({}), { path: "context.list[1]", recorded: "b" }],
      [
        "that is a List in which an item changed",
        () => ({ list }),
        () => ({ list: listOf(["a", "c"]) }),
        { path: "context.list[1]", recorded: "b", computed: "c" },
      ],
      [
        "with a name that divides",
        () => ({ "a/b": 2 }),
        () => ({ "a/b": 3 }),
        { path: 'context["a/b"]', recorded: 2, computed: 3 },
      ],
      [
        "that holds what reads like a tag in a line",
        () => ({ gone: ["#abcde"] }),
        () => ({ gone: ["@1#abc"] }),
        { path: "context.gone[0]", recorded: "#abcde", computed: "@1#abc" },
      ],
      [
        "named like a sign",
        () => ({ "-": "#" }),
        () => ({ "-": "-" }),
        { path: 'context["-"]', recorded: "#", computed: "-" },
      ],
    ];
    const table = tableSet(tableSet(emptyTable<Json>(), "k", 1), "l", 1);
    const wide = (by: string) =>
      Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`f${i}`, by.repeat(25)]));
    const begun: typeof differences = [
      [
        "that is an entry of a Table",
        () => ({ table: tableSet(table, "k", 2) }),
        () => ({ table: tableSet(table, "k", 3) }),
        { path: "context.table.k", recorded: 2, computed: 3 },
      ],
      [
        "that is an entry of a Table, and was taken from it",
        () => ({ table: tableDelete(table, "k") }),
        () => ({}),
        { path: "context.table.k", computed: 1 },
      ],
      [
        "that is the first of several by name",
        () => ({ prompt: two }),
        () => ({ at2: 1, gone: 2 }),
        { path: "context.at2", computed: 1 },
      ],
      [
        "that is a List of many",
        () => ({ list: listOf("abcdefghijklm".split("")) }),
        () => ({ list: listOf("abcdefghijkln".split("")) }),
        { path: "context.list[12]", computed: "n" },
      ],
      [
        "that is one of more than a line names",
        () => wide("a"),
        () => wide("b"),
        { path: "state" },
      ],
      [
        "that is one of more than a line names, or of none",
        () => wide("a"),
        () => ({}),
        { path: "state" },
      ],
      [
        "that is one of none, or of more than a line names",
        () => ({}),
        () => wide("b"),
        { path: "state" },
      ],
    ];
    it.each(begun)("%s", async (_name, before, after, difference) => {
      const first = () => ({ table });
      const journal = memoryJournal();
      const live = run(setting(first, before), "go", { journal, model: scriptedModel([]) });
      live.send({ type: "go" });
      live.send({ type: "go" });
      await live;
      expect((await replay(setting(first, before), journal)).status).toBe("identical");
      const report = await replay(setting(first, after), journal);
      expect(report).toMatchObject({ status: "diverged", difference: { seq: 2, ...difference } });
    });

    it("that only a snapshot holds, and says so where none does", async () => {
      const journal = memoryJournal();
      const before = setting(() => ({ prompt: three }));
      const live = run(before, "go", { journal, model: scriptedModel([]) });
      live.send({ type: "go" });
      await live;
      const at = { seq: 1, event: "go", path: "context.prompt" };
      const other = setting(() => ({ prompt: { text: two } }));
      expect(await replay(other, journal)).toMatchObject({
        difference: { ...at, recorded: three, computed: { text: two } },
      });
      for (const { seq } of (await journal.snapshots?.list()) ?? [])
        await journal.snapshots?.remove(seq);
      expect(await replay(other, journal)).toMatchObject({
        difference: { ...at, recorded: { "@ref": expect.stringMatching(/^#.{5}$/) } },
      });
    });

    it.each(differences)("%s", async (_name, before, after, difference) => {
      const journal = memoryJournal();
      const live = run(setting(before), "go", { journal, model: scriptedModel([]) });
      live.send({ type: "go" });
      await live;
      expect((await replay(setting(before), journal)).status).toBe("identical");
      for (const withSnapshots of [true, false]) {
        if (!withSnapshots) {
          for (const { seq } of (await journal.snapshots?.list()) ?? [])
            await journal.snapshots?.remove(seq);
        }
        const report = await replay(setting(after), journal);
        expect(report).toMatchObject({ status: "diverged", difference: { seq: 1, ...difference } });
      }
    });
  });

  it("in the context at the start", async () => {
    const counting = (count: number) =>
      machine({ context: { count }, initial: "a", states: { a: {} } });
    expect(await differenceOf(counting(0), counting(1))).toStrictEqual({
      seq: 0,
      event: "start",
      path: "context.count",
      recorded: 0,
      computed: 1,
      cause: { key: expect.any(String), what: "context.count upon start" },
      events: 0,
    });
  });

  it("in the context at an end with the same output", async () => {
    const counting = (count: number) =>
      machine({ context: { count }, initial: "a", states: { a: { type: "final" } } }, { n: 1 });
    expect(await differenceOf(counting(0), counting(1))).toMatchObject({ path: "context.count" });
  });

  it("has no value where there is none", async () => {
    const bare = over("atomic");
    const issuing = over("final");
    expect(await differenceOf(issuing, bare)).toStrictEqual({
      seq: 0,
      event: "start",
      path: "end",
      recorded: { status: "done" },
      cause: { key: expect.any(String), what: "end upon start" },
      events: 0,
    });
    expect(await differenceOf(bare, issuing)).toStrictEqual({
      seq: 0,
      event: "start",
      path: "end",
      computed: { status: "done" },
      cause: { key: expect.any(String), what: "end upon start" },
      events: 0,
    });
  });

  it("in what was ignored", async () => {
    const journal = memoryJournal();
    const deaf = machine({ initial: "a", states: { a: {} } });
    const live = run(deaf, "go", { journal });
    live.send({ type: "ping" });
    await live;
    const hears = machine({ initial: "a", states: { a: { on: { ping: {} } } } });
    const report = await replay(hears, journal);
    expect(report).toMatchObject({
      status: "diverged",
      events: 1,
      difference: { seq: 1, event: "ping", path: "ignored", recorded: "unhandled" },
    });
  });

  it("in one line, for people", () => {
    const cause = { key: "k", what: "the state upon x" };
    const difference = { seq: 3, event: "x", path: "value", recorded: "a", cause };
    expect(describeDifference(difference)).toBe(
      'At event 3 (x), value: recorded "a", computed nothing.',
    );
    expect(describeDifference({ ...difference, computed: "b".repeat(9) }, 3)).toBe(
      'At event 3 (x), value: recorded "a", computed "bb.',
    );
  });
});

describe("fold", () => {
  it("gives the state after any event, and the last one where nothing is said", async () => {
    const text = await journalOf(make());
    const states = await Promise.all([0, 1, 4, 99].map((until) => fold(make(), text, until)));
    expect(states.map(({ state, events }) => [state?.seq, state?.value, events])).toEqual([
      [0, "thinking", 1],
      [1, "acting", 2],
      [4, "answered", 5],
      [4, "answered", 5],
    ]);
    expect((await fold(make(), text)).state?.status).toBe("done");
    expect(await fold(make(), text, -1)).toMatchObject({ state: undefined, events: 0 });
  });

  it("takes the events, whatever the present code does with them", async () => {
    const folded = await fold(make({ system: "Other." }), await journalOf(make()));
    expect(folded.state?.status).toBe("done");
  });

  it("is refused by another reasoner", async () => {
    const text = await journalOf(make());
    const error = await rejection(fold(smallReasoner({}), text));
    expect(error.message).toContain("The journal is of a, the given reasoner is small");
  });

  it("is refused where an event is missing, with its number", async () => {
    const lines = (await textIn(await journalOf(make()))).split("\n");
    const gap = textJournal(lines.filter((_, i) => i !== 2).join("\n"));
    expect((await rejection(fold(make(), gap))).place).toBe("line 3");
  });

  it("is refused where there is no header", async () => {
    for (const text of ["", '{"type":"hea']) {
      expect((await rejection(fold(make(), textJournal(text)))).code).toBe("journal.empty");
    }
  });

  it("is refused where the unterminated end cannot be a torn write", async () => {
    const whole = await textIn(await cut(await journalOf(make()), 3));
    expect(await rejection(fold(make(), textJournal(`${whole.trimEnd()}x`)))).toMatchObject({
      code: "journal.format",
      place: "line 3",
    });
  });
});
