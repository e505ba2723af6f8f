// Replay: the first difference shows where it is, and both values.
import { describe, expect, it } from "vitest";
import {
  describeDifference,
  foldJournal,
  replayJournal,
  splitJournal,
} from "../../../../src/core/journal/index.js";
import {
  type AgentDefinition,
  agent,
  type Reasoner,
  type Tool,
  tool,
} from "../../../../src/index.js";
import { memoryJournal, run, scriptedModel } from "../../../../src/runtime/index.js";
import { issue, smallReasoner, timer } from "../../../support/small-machine.js";
import { refusal } from "../../../support/thrown.js";

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
  return splitJournal(await journal.read());
}

async function differenceOf(
  before: Reasoner<string, unknown, unknown>,
  after: Reasoner<string, unknown, unknown>,
) {
  const report = replayJournal(after, await journalOf(before));
  return report.status === "diverged" ? { ...report.difference, events: report.events } : undefined;
}

describe("a reasoner that does the same", () => {
  it("replays identically", async () => {
    expect(replayJournal(make(), await journalOf(make()))).toEqual({
      status: "identical",
      runId: "r",
      events: 5,
      notices: [],
    });
  });

  it("whose configuration changed where it does not show is noticed", async () => {
    const report = replayJournal(make({ maxIterations: 11 }), await journalOf(make()));
    expect(report.status).toBe("identical");
    expect(report.notices).toEqual([
      "The reasoner's configuration is not the one that was recorded.",
    ]);
  });

  it("a torn last line is noticed and left out", async () => {
    const { lines } = await journalOf(make());
    const report = replayJournal(make(), {
      lines: lines.slice(0, 3),
      torn: lines[3]?.slice(0, 40) ?? "",
    });
    expect(report).toMatchObject({ status: "identical", events: 2 });
    expect(report.notices).toEqual(["The last line is torn; 40 characters are left out."]);
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

  it("in the fifth message of a list", async () => {
    expect(await differenceOf(make(), make({ tools: tools(() => "changed") }))).toMatchObject({
      seq: 3,
      event: "llm.succeeded",
      path: "directives[0].messages[4].content[0].output.value",
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
      { path: "directives[0].type", recorded: "timer", computed: "notify" },
    ],
    [
      "a directive's id",
      over("atomic", { entry: issue(timer("t")) }),
      over("atomic", { entry: issue(timer("u")) }),
      { path: "directives[0].id", recorded: "t", computed: "u" },
    ],
    [
      "the number of directives",
      over("atomic", { entry: issue(timer("t")) }),
      over("atomic", { entry: issue(timer("t"), timer("u")) }),
      { path: "directives", recorded: ["timer t"], computed: ["timer t", "timer u"] },
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

  it("in what was ignored", async () => {
    const journal = memoryJournal();
    const deaf = machine({ initial: "a", states: { a: {} } });
    const live = run(deaf, "go", { journal });
    live.send({ type: "ping" });
    await live;
    const hears = machine({ initial: "a", states: { a: { on: { ping: {} } } } });
    const report = replayJournal(hears, splitJournal(await journal.read()));
    expect(report).toMatchObject({
      status: "diverged",
      events: 1,
      difference: { seq: 1, event: "ping", path: "ignored", recorded: { reason: "unhandled" } },
    });
  });

  it("in one line, for people", () => {
    const difference = { seq: 3, event: "x", path: "value", recorded: "a" };
    expect(describeDifference(difference)).toBe(
      'At event 3 (x), value: recorded "a", computed nothing.',
    );
  });
});

describe("fold", () => {
  it("gives the state after any event, and the last one where nothing is said", async () => {
    const text = await journalOf(make());
    const states = [0, 1, 4, 99].map((until) => foldJournal(make(), text, until));
    expect(states.map(({ state, events }) => [state?.seq, state?.value, events])).toEqual([
      [0, "thinking", 1],
      [1, "acting", 2],
      [4, "answered", 5],
      [4, "answered", 5],
    ]);
    expect(foldJournal(make(), text).state?.status).toBe("done");
    expect(foldJournal(make(), text, -1)).toMatchObject({ state: undefined, events: 0 });
  });

  it("takes the events, whatever the code at hand does with them", async () => {
    const folded = foldJournal(make({ system: "Other." }), await journalOf(make()));
    expect(folded.state?.status).toBe("done");
  });

  it("is refused by another reasoner", async () => {
    const text = await journalOf(make());
    const error = refusal(() => foldJournal(smallReasoner({}), text));
    expect(error.message).toContain(
      "The journal is of agent version 1, the reasoner at hand is small version 1",
    );
  });

  it("is refused where an event is missing, with its number", async () => {
    const { lines } = await journalOf(make());
    const gap = { lines: lines.filter((_, i) => i !== 2), torn: "" };
    expect(refusal(() => foldJournal(make(), gap)).place).toBe("line 3");
  });

  it("is refused where there is no header", () => {
    for (const text of ["", '{"type":"hea']) {
      expect(refusal(() => foldJournal(make(), splitJournal(text))).code).toBe("journal.empty");
    }
  });

  it("is refused where the unterminated end cannot be a torn write", async () => {
    const { lines } = await journalOf(make());
    const text = { lines: lines.slice(0, 2), torn: `${lines[2]}x` };
    expect(refusal(() => foldJournal(make(), text))).toMatchObject({
      code: "journal.format",
      place: "line 3",
    });
  });
});
