// Code changes, runs stay: a run that waits goes on under another configuration, by a line
// that says so; what cannot be carried over is refused, and the journal is left as it was.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { sizeOf } from "../../../../src/core/kernel/values/index.js";
import {
  type ApprovalDecision,
  agent,
  agentContext,
  type Tool,
  toArray,
  tool,
} from "../../../../src/index.js";
import { lists } from "../../../../src/kernel.js";
import {
  fold,
  type JournalPort,
  type ModelRequest,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { eventsIn, textIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";
import { gate } from "../../../support/watched-journal.js";

const { newContext } = agentContext;

type Loose = { readonly [part: string]: unknown };

/** A model that answers with the system prompt that it was given, and notes what it was asked. */
function mirror() {
  const asked: ModelRequest[] = [];
  const model = scriptedModel((request) => {
    asked.push(request);
    return `I am: ${request.system}`;
  });
  return { asked, model };
}

const chat = (system: string, more: object = {}) =>
  agent({ name: "chat", system, conversation: true, ...more });

/** A conversation that waits after its first answer. */
async function waitingRun(first = chat("old")) {
  const journal = memoryJournal();
  const { model } = mirror();
  await run(first, "hello", { model, journal, runId: "r" });
  return journal;
}

const upgradesIn = async (journal: JournalPort) =>
  (await textIn(journal))
    .split("\n")
    .filter((line) => line.startsWith('{"upgrade"'))
    .map((line) => JSON.parse(line));

describe("a conversation that waits, and another prompt", () => {
  it("is refused without upgrade, with what differs and what to do; nothing is written", async () => {
    const journal = await waitingRun();
    const before = await textIn(journal);
    const search = tool({ name: "search", execute: () => "found" });
    const changed = chat("new", { tools: [search], version: 2 });
    const error = await rejection(resume(changed, journal, { messages: ["again"] }));
    expect(error.code).toBe("journal.configuration");
    expect(error.message).toContain("version 1 became 2");
    expect(error.message).toContain("tools.search is new");
    expect(error.message).toContain("system differs");
    expect(error.message).toContain("upgrade: true");
    expect(await textIn(journal)).toBe(before);
  });

  it("never goes back to one that it has left, with snapshots and without", async () => {
    for (const snapshots of [true, false]) {
      const kept = await waitingRun();
      const { model } = mirror();
      const host = { model, upgrade: true };
      const journal = snapshots ? kept : await copyOf(kept);
      const all = [chat("old"), chat("new"), chat("newest")] as const;
      const [old, now, newest] = all;
      await resume([now, old], journal, { ...host, messages: ["again"] });
      await resume([newest, now, old], journal, { ...host, messages: ["and again"] });
      const before = await textIn(journal);
      for (const left of [[old], [now, newest, old]]) {
        const error = await rejection(
          resume([...left, newest, now], journal, { ...host, messages: ["back"] }),
        );
        expect(error.code).toBe("upgrade.refused");
        expect(error.message).toContain("it has left this configuration for a later one");
      }
      expect(await textIn(journal)).toBe(before);
      const raised = chat("old", { version: 2 });
      const end = await resume([raised, ...all], journal, { ...host, messages: ["on"] });
      expect(end).toMatchObject({ output: "I am: old" });
    }
  });

  it("goes on with upgrade under the new one; what was said before is still there", async () => {
    const journal = await waitingRun();
    const old = chat("old");
    const { asked, model } = mirror();
    const search = tool({ name: "search", execute: () => "found" });
    const changed = chat("new", { tools: [search] });
    const end = await resume(changed, journal, { model, upgrade: true, messages: ["again"] });
    expect(end).toMatchObject({ status: "waiting", output: "I am: new" });
    expect(asked[0]?.tools?.map(({ name }) => name)).toEqual(["search"]);
    expect(asked[0]?.messages.map(({ content }) => JSON.stringify(content))).toEqual([
      '"hello"',
      '[{"type":"text","text":"I am: old"}]',
      '"again"',
    ]);
    const [line, ...others] = await upgradesIn(journal);
    expect(others).toEqual([]);
    expect(line.upgrade.from.fingerprint).toBe(old.fingerprint);
    expect(line.upgrade.to.fingerprint).toBe(changed.fingerprint);
  });

  it("is not upgraded again: later resumes need neither the flag nor the old code", async () => {
    const journal = await waitingRun();
    const { model } = mirror();
    await resume(chat("new"), journal, { model, upgrade: true, messages: ["again"] });
    await resume(chat("new"), journal, { model, upgrade: true, messages: ["and again"] });
    const end = await resume(chat("new"), journal, { model, messages: ["the last"] });
    expect(end).toMatchObject({ output: "I am: new" });
    expect(await upgradesIn(journal)).toHaveLength(1);
    const { code, message } = await rejection(resume(chat("old"), journal));
    expect(code).toBe("journal.configuration");
    expect(message).toContain("Resume it with `upgrade: true`");
  });

  it("needs no snapshot once the line is there", async () => {
    const journal = await waitingRun();
    const { model } = mirror();
    await resume(chat("new"), journal, { model, upgrade: true, messages: ["again"] });
    const bare = await copyOf(journal);
    const end = await resume(chat("new"), bare, { model, messages: ["more"] });
    expect(end).toMatchObject({ output: "I am: new" });
    expect(end.events).toBe(6);
  });
});

/** A journal's lines without its snapshots. */
async function copyOf(journal: JournalPort, lines = Number.POSITIVE_INFINITY) {
  const copy = memoryJournal();
  const writer = await copy.open("create");
  const texts = (await textIn(journal)).trimEnd().split("\n").slice(0, lines);
  await writer.append(texts, { lines: 0, bytes: 0 });
  await writer.close();
  return copy;
}

describe("an upgrade to equal code is the identity", () => {
  it("no line is written, and the run goes on as it would", async () => {
    const [one, other] = [await waitingRun(), await waitingRun()];
    const { model } = mirror();
    const clock = { now: () => 5, setTimer: () => () => {}, sleep: async () => {} };
    const options = { model, messages: ["again"], clock };
    const first = await resume(chat("old"), one, { ...options, upgrade: true });
    const second = await resume(chat("old"), other, options);
    expect(first.context.messages).toEqual(second.context.messages);
    expect(await upgradesIn(one)).toEqual([]);
    expect(first.events).toBe(second.events);
    const [last] = (await eventsIn(one)).slice(-1);
    expect(last?.state).toHaveLength(32);
  });
});

/** An agent with a tool that a person must approve. */
function clerk(description: string, tools: readonly Tool[] = [], execute = () => "paid") {
  const pay = tool({
    name: "pay",
    description,
    inputSchema: z.object({ sum: z.number() }),
    needsApproval: true,
    execute,
  });
  return agent({ name: "clerk", tools: [pay, ...tools] });
}

const paying = scriptedModel([{ calls: [{ name: "pay", input: { sum: 3 } }] }, "all done"]);

describe("a run that waits for an approval", () => {
  async function parked() {
    const journal = memoryJournal();
    const end = await run(clerk("pays"), "pay", { model: paying, journal, runId: "r" });
    const [approval] = end.status === "waiting" ? end.approvals : [];
    return { journal, id: approval?.id as string };
  }

  it("is asked anew under another description, another schema, and with a tool more", async () => {
    const { journal, id } = await parked();
    const ran: unknown[] = [];
    const pay = tool({
      name: "pay",
      description: "pays, but better",
      inputSchema: z.object({ sum: z.number(), currency: z.string().default("EUR") }),
      needsApproval: true,
      execute: (input) => {
        ran.push(input);
        return "paid";
      },
    });
    const more = tool({ name: "more", execute: () => "more" });
    const changed = agent({ name: "clerk", tools: [pay, more] });
    const yes = { approve: true };
    const waiting = await resume(changed, journal, {
      model: paying,
      upgrade: true,
      approvals: { [id]: yes },
    });
    const [anew] = waiting.status === "waiting" ? waiting.approvals : [];
    expect([anew?.id, ran]).toEqual([`${id}/1`, []]);
    const approvals = { [anew?.id as string]: yes };
    const end = await resume(changed, journal, { model: paying, approvals });
    expect(end).toMatchObject({ status: "done", output: "all done" });
    expect(ran).toEqual([{ sum: 3, currency: "EUR" }]);
    expect((await replay(changed, journal)).status).toBe("identical");
  });

  it("is rejected by a no to either", async () => {
    for (const anew of [false, true]) {
      const { journal, id } = await parked();
      const ran: string[] = [];
      const changed = clerk("pays otherwise", [], () => `paid ${ran.push("once")}`);
      const answered = (approval: string, approve: boolean) =>
        resume(changed, journal, {
          model: paying,
          upgrade: true,
          approvals: { [approval]: { approve } },
        });
      if (anew) await answered(id, true);
      const end = await answered(anew ? `${id}/1` : id, false);
      expect(end).toMatchObject({ status: "done", output: "all done" });
      expect([ran, toArray(end.context.toolCalls)]).toMatchObject([[], [{ status: "rejected" }]]);
    }
  });

  it("can be rejected where its tool is gone; a yes is refused, and is there for code that has it", async () => {
    const gone = agent({ name: "clerk", tools: [] });
    const { journal, id } = await parked();
    const decide = (decision: ApprovalDecision) =>
      resume(gone, journal, { model: paying, upgrade: true, approvals: { [id]: decision } });
    const error = await rejection(decide({ approve: true }));
    expect(error).toMatchObject({ code: "approval.stale" });
    expect(String(error)).toContain("the tool pay, which the agent no longer has");
    const end = await decide({ approve: false, reason: "it is gone" });
    expect(end).toMatchObject({ status: "done", output: "all done" });
    const result = toArray(end.context.messages).find(({ role }) => role === "tool");
    expect(JSON.stringify(result)).toContain("it is gone");
    expect(JSON.stringify(result)).toContain("execution-denied");
  });

  it("goes on where the tool of a call beside it is gone, which has its result already", async () => {
    const journal = memoryJournal();
    const look = tool({ name: "look", execute: () => "seen" });
    const calls = [{ name: "look" }, { name: "pay", input: { sum: 3 } }];
    const model = scriptedModel([{ calls }, "all done"]);
    const end = await run(clerk("pays", [look]), "pay", { model, journal, runId: "r" });
    const [approval] = end.status === "waiting" ? end.approvals : [];
    const approvals = { [approval?.id as string]: { approve: true } };
    const options = { model, upgrade: true, approvals };
    const { status, context } = await resume(clerk("pays"), journal, options);
    expect(status).toBe("done");
    expect(toArray(context.toolCalls).map(({ output }) => output)).toEqual(["seen", "paid"]);
  });

  it.each<[string, object]>([
    ["executes", { execute: () => "new" }],
    [
      "asks for something",
      {
        issue: () => [{ type: "read", store: "notes", query: 1 }],
        settle: (_input: unknown, _run: unknown, settled: readonly unknown[]) => settled.length,
      },
    ],
  ])("is refused where a pure tool whose call waits beside it now %s", async (_what, now) => {
    const journal = memoryJournal();
    const look = (does: object) => tool({ name: "look", ...does } as never) as Tool;
    const calls = [{ name: "look" }, { name: "pay", input: { sum: 3 } }];
    const model = scriptedModel([{ calls }, "all done"]);
    const before = clerk("pays", [look({ reduce: () => "old" })]);
    const end = await run(before, "pay", { model, journal, runId: "r" });
    const [approval] = end.status === "waiting" ? end.approvals : [];
    const approvals = { [approval?.id as string]: { approve: true } };
    const options = { model, upgrade: true, approvals };
    const error = await rejection(resume(clerk("pays", [look(now)]), journal, options));
    expect(error.code).toBe("upgrade.refused");
    expect(error.message).toContain("look does it in another way now");
    const later = clerk("pays", [look({ reduce: () => "new" })]);
    const { context } = await resume(later, journal, options);
    expect(toArray(context.toolCalls).map(({ output }) => output)).toEqual(["new", "paid"]);
  });

  it("is not upgraded where the decision is refused", async () => {
    const { journal } = await parked();
    const before = await textIn(journal);
    const error = await rejection(
      resume(clerk("pays more"), journal, {
        model: paying,
        upgrade: true,
        approvals: { "approval/9/9": { approve: true } },
      }),
    );
    expect(error.code).toBe("approval.stale");
    expect(await textIn(journal)).toBe(before);
  });
});

describe("without a snapshot of where it waits", () => {
  it("is refused, says so, and goes on where the old code is given as well", async () => {
    const journal = await copyOf(await waitingRun());
    const { model } = mirror();
    const before = await textIn(journal);
    const options = { model, messages: ["again"] };
    const error = await rejection(resume(chat("new"), journal, { ...options, upgrade: true }));
    expect(error.code).toBe("upgrade.refused");
    expect(error.message).toContain("no snapshot");
    expect(await textIn(journal)).toBe(before);
    const both = [chat("new"), chat("old")];
    const end = await resume(both, journal, { ...options, upgrade: true });
    expect(end).toMatchObject({ output: "I am: new" });
    expect(await upgradesIn(journal)).toHaveLength(1);
  });

  it("a snapshot that is not the state of its line is as good as none", async () => {
    const journal = await waitingRun();
    const forged: JournalPort = {
      ...journal,
      snapshots: {
        ...(journal.snapshots as NonNullable<JournalPort["snapshots"]>),
        read: async (seq) =>
          (await journal.snapshots?.read(seq))?.replace("I am: old", "I am: evil"),
      },
    };
    const error = await rejection(resume(chat("new"), forged, { upgrade: true, messages: ["x"] }));
    expect(error.code).toBe("upgrade.refused");
  });

  it("of several the one goes on whose configuration it is", async () => {
    const journal = await copyOf(await waitingRun());
    const { model } = mirror();
    const end = await resume([chat("new"), chat("old")], journal, { model, messages: ["again"] });
    expect(end).toMatchObject({ output: "I am: old" });
    expect(await upgradesIn(journal)).toEqual([]);
  });
});

describe("replay", () => {
  async function upgraded() {
    const journal = await waitingRun();
    const { model } = mirror();
    await resume(chat("new"), journal, { model, upgrade: true, messages: ["again"] });
    return journal;
  }

  it("compares each segment with the code whose configuration it has, in whatever order", async () => {
    const journal = await upgraded();
    for (const both of [
      [chat("new"), chat("old")],
      [chat("old"), chat("new")],
    ]) {
      expect(await replay(both, journal)).toMatchObject({
        status: "identical",
        events: 4,
        notices: [],
        segments: [
          { from: 0, events: 2, checked: true },
          { from: 2, events: 2, checked: true },
        ],
      });
    }
  });

  it("reports a segment of code that is not given as not checked, with its length", async () => {
    const report = await replay(chat("new"), await upgraded());
    expect(report).toMatchObject({ status: "identical", events: 2 });
    expect(report.segments.map(({ checked, events }) => [checked, events])).toEqual([
      [false, 2],
      [true, 2],
    ]);
    expect(report.notices).toEqual([
      "Not checked: 2 events from 0 on, of version 1, whose code was not given.",
    ]);
  });

  it("tries other code on the last segment as if it had been carried over to it", async () => {
    const journal = await upgraded();
    for (const [system, events] of [
      ["newer", 0],
      ["old", 2],
    ] as const) {
      expect(await replay(chat(system), journal)).toMatchObject({
        status: "diverged",
        events,
        difference: {
          seq: 2,
          path: "directives[0].system",
          recorded: "new",
          computed: system,
        },
      });
    }
  });

  it("says that other code could not have been carried over to", async () => {
    const journal = memoryJournal();
    const begun = gate();
    const endless = () => {
      begun.open();
      return new Promise(() => {});
    };
    const tools = [tool({ name: "pay", execute: endless })];
    const model = scriptedModel([{ calls: [{ name: "pay" }] }, "paid"]);
    const buyer = (system: string, more: object) => agent({ name: "b", system, ...more });
    const live = run(buyer("old", { tools }), "pay", { model, journal });
    await begun.passed;
    await live.drain();
    await resume(buyer("new", { tools }), journal, { model, upgrade: true });
    const report = await replay(buyer("none", {}), journal);
    expect(report).toMatchObject({
      status: "diverged",
      difference: { event: "upgrade", path: "upgrade", cause: { what: "the upgrade" } },
      stopped: { why: expect.stringContaining("pay") },
    });
  });

  it("finds a difference in an old segment", async () => {
    const { fingerprint } = chat("old");
    const liar = { ...chat("odd"), fingerprint };
    const report = await replay([chat("new"), liar], await upgraded());
    const difference = { seq: 0, path: "directives[0].system" };
    expect(report).toMatchObject({ status: "diverged", events: 0, difference });
  });

  it("finds that the present code would carry the run over to something else", async () => {
    const { fingerprint } = chat("new");
    const liar = { ...chat("odd"), fingerprint };
    const report = await replay([liar, chat("old")], await upgraded());
    expect(report).toMatchObject({
      status: "diverged",
      difference: {
        event: "upgrade",
        path: "context.systemPrompt",
        recorded: "new",
        computed: "odd",
      },
    });
  });
});

describe("deps of another shape", () => {
  const old = () => agent({ name: "d", conversation: true, deps: { count: 1 } });
  const migrating = () =>
    agent({
      name: "d",
      conversation: true,
      version: 3,
      deps: { counts: [1] },
      migrations: {
        3: ({ value, context }) => {
          const { counts } = context.deps as unknown as { counts: number };
          return { value, context: { ...context, deps: { counts: [counts] } } };
        },
        2: ({ value, context }) => {
          const { count } = context.deps as unknown as { count: number };
          return { value, context: { ...context, deps: { counts: count } } };
        },
      },
    });

  it("are migrated, a version at a time, and once", async () => {
    const journal = memoryJournal();
    const { model } = mirror();
    await run(old(), "hello", { model, journal, runId: "r" });
    const end = await resume(migrating(), journal, { model, upgrade: true, messages: ["x"] });
    expect(end.context.deps).toEqual({ counts: [1] });
    expect(end.state.version).toBe(3);
    const later = await resume(migrating(), journal, { model, messages: ["y"] });
    expect(later.context.deps).toEqual({ counts: [1] });
    expect((await replay([migrating(), old()], journal)).status).toBe("identical");
  });

  const migratedTo = (change: (context: Loose) => object) =>
    chat("old", {
      version: 2,
      migrations: { 2: (state: Loose) => ({ ...state, context: change(state.context as Loose) }) },
    });

  it("are refused where the migration drops what is the loop's own, and the run stays as it was", async () => {
    const journal = await waitingRun();
    const before = await textIn(journal);
    for (const part of Object.keys(newContext())) {
      const forgetful = migratedTo(({ [part]: _dropped, ...rest }) => rest);
      const error = await rejection(resume(forgetful, journal, { upgrade: true }));
      expect([error.code, part]).toEqual(["upgrade.refused", part]);
      expect(error.message).toContain(`of chat's migrated context ${part} is missing`);
      expect(error.message).toContain("return { ...context, … }");
    }
    expect(await textIn(journal)).toBe(before);
    const { model } = mirror();
    const end = await resume(chat("old"), journal, { model, messages: ["again"] });
    expect(end.context.answer?.output).toBe("I am: old");
  });

  it.each<[string, unknown, string]>([
    ["messages", [], "is an array and not a List"],
    ["usage", null, "is null and not of type object"],
    ["iteration", "1", "is of type string and not of type number"],
  ])("are refused where it makes something else of %s", async (part, value, what) => {
    const journal = await waitingRun();
    const error = await rejection(
      resume(
        migratedTo((context) => ({ ...context, [part]: value })),
        journal,
        { upgrade: true },
      ),
    );
    expect(error.code).toBe("upgrade.refused");
    expect(error.message).toContain(`${part} ${what}`);
    expect(error.message.includes("lists.of(array)")).toBe(part === "messages");
  });

  it("may shorten a transcript, as a List", async () => {
    const journal = await waitingRun();
    const short = migratedTo((context) => ({
      ...context,
      messages: lists.of(toArray(context.messages as never).slice(-1)),
    }));
    const { model } = mirror();
    const end = await resume(short, journal, { model, upgrade: true, messages: ["again"] });
    expect(toArray(end.context.messages).map(({ role }) => role)).toEqual([
      "assistant",
      "user",
      "assistant",
    ]);
    expect((await replay([short, chat("old")], journal)).status).toBe("identical");
  });

  it("do not go back", async () => {
    const journal = memoryJournal();
    const { model } = mirror();
    await run(migrating(), "hello", { model, journal, runId: "r" });
    const error = await rejection(resume(old(), journal, { upgrade: true, messages: ["x"] }));
    expect(error.message).toContain("does not lead back");
  });

  it("do not go back before the run has begun, when its header alone was written", async () => {
    const whole = memoryJournal();
    const { model } = mirror();
    await run(migrating(), "hello", { model, journal: whole, runId: "r" });
    const journal = await copyOf(whole, 1);
    const before = await textIn(journal);
    const error = await rejection(resume(old(), journal, { model, upgrade: true }));
    expect(error.code).toBe("upgrade.refused");
    expect(error.message).toContain("does not lead back");
    expect(await textIn(journal)).toBe(before);
  });
});

it("a run that has ended is read by the present code, and nothing is written", async () => {
  const journal = memoryJournal();
  const of = (system: string) => agent({ name: "a", system });
  await run(of("old"), "x", { model: mirror().model, journal, runId: "r" });
  const before = await textIn(journal);
  expect((await rejection(resume(of("new"), journal))).code).toBe("journal.configuration");
  const end = await resume(of("new"), journal, { upgrade: true });
  expect(end).toMatchObject({ status: "done", output: "I am: old" });
  expect(await textIn(journal)).toBe(before);
});

it("a run that had not begun begins under the present code", async () => {
  const journal = await copyOf(await waitingRun(), 1);
  const { model } = mirror();
  const end = await resume(chat("new"), journal, { model, upgrade: true });
  expect(end).toMatchObject({ output: "I am: new" });
  expect(await upgradesIn(journal)).toHaveLength(1);
  const again = await resume(chat("new"), await copyOf(journal), { model, messages: ["x"] });
  expect(again).toMatchObject({ output: "I am: new" });
  expect(await replay(chat("new"), journal)).toMatchObject({ status: "identical" });
});

it("a run that had not begun is not upgraded before its time, where the clock was set back", async () => {
  const journal = await copyOf(await waitingRun(), 1);
  const { at } = JSON.parse(await textIn(journal));
  const clock = { now: () => at - 5, setTimer: () => () => {}, sleep: async () => {} };
  await resume(chat("new"), journal, { model: mirror().model, upgrade: true, clock });
  expect((await upgradesIn(journal)).map(({ upgrade }) => upgrade.at)).toEqual([at]);
});

it("a run whose events only other code can take is not shown as one that has none", async () => {
  const other = chat("new", { version: 2 });
  const error = await rejection(fold(other, await copyOf(await waitingRun())));
  expect(error.code).toBe("journal.configuration");
});

describe("limits and plug-ins of another definition", () => {
  it("hold from the upgrade on", async () => {
    const journal = await waitingRun(chat("s", { maxIterations: 3 }));
    const { model } = mirror();
    const plugin = { name: "notes", init: () => ({ noted: 0 }), systemPrompt: () => "notes on" };
    const changed = chat("s", { maxIterations: 7, plugins: [plugin] });
    const end = await resume(changed, journal, { model, upgrade: true, messages: ["x"] });
    expect(end.context.maxIterations).toBe(7);
    expect(end.context.plugins.notes?.state).toEqual({ noted: 0 });
    expect(JSON.stringify(end)).toContain("notes on");
  });

  it("leave a turn its deadline", async () => {
    const journal = memoryJournal();
    const clock = virtualClock();
    const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
    const within = (deadlineMs: number) => agent({ name: "clerk", tools: [pay], deadlineMs });
    const options = { model: scriptedModel([{ calls: [{ name: "pay" }] }]), clock };
    await run(within(1_000), "pay", { ...options, journal });
    // It stands still for the person, and goes on for the tool, which is not done in what was left.
    const slow = { ...pay, execute: () => new Promise(() => clock.advance(1_000)) };
    const later = agent({ name: "clerk", tools: [slow as never] });
    const yes = { "approval/0/0": { approve: true } };
    const end = await resume(later, journal, { ...options, upgrade: true, approvals: yes });
    expect(end).toMatchObject({
      status: "failed",
      error: {
        code: "agent.deadline",
        message: expect.stringContaining("did not finish before its deadline;"),
      },
    });
  });

  it("leave the plug-ins that stay their states, and forget those that are gone", async () => {
    const counts = (name: string) => ({
      name,
      init: () => 0,
      settle: (_context: unknown, asked: number) => ({ state: asked + 1 }),
    });
    const of = (...names: string[]) => chat("s", { plugins: names.map(counts) });
    const journal = await waitingRun(of("gone", "stays"));
    const { model } = mirror();
    const now = of("stays", "new");
    const { context } = await resume(now, journal, { model, upgrade: true, messages: ["x"] });
    expect(context.plugins).toMatchObject({ stays: { state: 2 }, new: { state: 1 } });
    expect(context.plugins).not.toHaveProperty("gone");
  });
});

it("a state of any size is carried over, in lines that can be read", async () => {
  const journal = memoryJournal();
  const long = "x".repeat(1_500_000);
  const model = scriptedModel(() => long);
  const old = chat("old");
  const deps = { a: long, b: long, c: long };
  await run(old, { prompt: "0", deps }, { model, journal, runId: "r" });
  for (let i = 1; i < 5; i++) await resume(old, journal, { model, messages: [String(i)] });
  const end = await resume(chat("new"), journal, { model, upgrade: true, messages: ["now"] });
  const bare = await copyOf(journal);
  const again = await resume(chat("new"), bare, { model, messages: ["then"] });
  expect(sizeOf(again.context.messages)).toBe(sizeOf(end.context.messages) + 2);
  const parts = (await textIn(journal)).split("\n").filter((line) => line.startsWith('{"parts"'));
  expect(parts.length).toBeGreaterThan(1);
});

describe("a state of more than 4 MiB", () => {
  const long = "x".repeat(1_500_000);
  const model = scriptedModel(() => long);

  async function large() {
    const journal = memoryJournal();
    const deps = { a: long, b: long, c: long };
    await run(chat("one"), { prompt: "0", deps }, { model, journal, runId: "r" });
    for (let i = 1; i < 5; i++)
      await resume(chat("one"), journal, { model, messages: [String(i)] });
    return journal;
  }

  it("is carried over twice, one upgrade behind the other, and can be read without a snapshot", async () => {
    const journal = await large();
    await resume(chat("two"), journal, { model, upgrade: true });
    await resume(chat("three"), journal, { model, upgrade: true });
    const bare = await copyOf(journal);
    const all = [chat("one"), chat("two"), chat("three")];
    expect((await replay(all, bare)).status).toBe("identical");
    expect((await resume(chat("three"), bare, { model })).status).toBe("waiting");
  });

  it("is carried over again where the process died before the last line of its upgrade", async () => {
    const journal = await large();
    await resume(chat("two"), journal, { model, upgrade: true });
    const lines = (await textIn(journal)).trimEnd().split("\n");
    const cut = await copyOf(journal, lines.length - 1);
    await resume([chat("two"), chat("one")], cut, { model, upgrade: true });
    const bare = await copyOf(cut);
    expect((await replay([chat("two"), chat("one")], bare)).status).toBe("identical");
    expect((await resume(chat("two"), bare, { model })).status).toBe("waiting");
  });
});
