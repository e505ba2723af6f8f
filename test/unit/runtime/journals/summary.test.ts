// What a run is, told from its lines: without its code.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  agent,
  agentTool,
  contextUpdate,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
  tool,
  withUpdate,
} from "../../../../src/index.js";
import { assign, defineReasoner, setupReasoner } from "../../../../src/kernel.js";
import { fold, headerOf, type JournalPort, summaryOf } from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { familyOf, lineOf } from "../../../support/family.js";
import { forged, forgedEvent } from "../../../support/forged.js";
import { textIn } from "../../../support/journal-text.js";

const pay = tool({
  name: "pay",
  description: "Pays.",
  needsApproval: true,
  execute: () => "paid",
});
const clerk = agent({ name: "clerk", tools: [pay] });
const pays = () => scriptedModel([{ calls: [{ name: "pay" }] }, "Paid."]);

it("of a tree that was cancelled has what the children of its children spent", async () => {
  const { parent, model } = familyOf(lineOf(3, [pay]));
  const journal = memoryJournal();
  const waiting = await run(parent, "go", { model, journal });
  const live = resume(parent, journal, { model, approve: () => new Promise(() => {}) });
  live.cancel();
  const end = await live;
  expect(end.status).toBe("cancelled");
  expect(end.usage.requests).toBe(waiting.usage.requests);
  const summary = await summaryOf(journal);
  expect(summary.usage).toEqual(end.usage);
  expect(summary).toMatchObject({ approvals: [], children: [] });
  expect((await fold(parent, journal)).events).toBe(summary.events);
});

it("of a tree that has ended waits for nothing, also where the cancels of its children were torn off", async () => {
  const { parent, model } = familyOf(lineOf(3, [pay]));
  const journal = textJournal("");
  await run(parent, "go", { model, journal });
  const live = resume(parent, journal, { model, approve: () => new Promise(() => {}) });
  live.cancel();
  await live;
  const lines = journal.text.split("\n");
  const ends = lines.findIndex((each) => /"status":"cancelled"/.test(each));
  const torn = textJournal(`${lines.slice(0, ends + 1).join("\n")}\n`);
  const summary = { status: "cancelled", approvals: [], children: [], timers: 0 };
  expect(await summaryOf(torn)).toMatchObject(summary);
});

describe("a summary", () => {
  it("says what a run waits for, and by which id it is decided", async () => {
    const journal = memoryJournal();
    const end = await run(clerk, "Pay the bill", { model: pays(), journal, runId: "r" });
    const summary = await summaryOf(journal);
    expect(summary).toMatchObject({
      runId: "r",
      reasoner: "clerk",
      status: "waiting",
      title: "Pay the bill",
      events: end.events,
      timers: 0,
      children: [],
      usage: { requests: 1 },
    });
    expect(end.status === "waiting" && end.approvals.map(({ id }) => id)).toEqual(
      summary.approvals.map(({ id }) => id),
    );
    expect(summary.approvals[0]?.title).toContain("pay");
    const { startedAt, lastAt } = summary;
    expect(summary.approvals).toMatchObject([{ subject: { tool: "pay", input: {} } }]);
    const since = summary.approvals[0]?.since ?? 0;
    expect(since >= startedAt && since <= lastAt).toBe(true);
    expect((await headerOf(journal)).runId).toBe("r");
  });

  it("says what a tool asks a person for, with the hash that a decision may name", async () => {
    const seat = tool({ name: "seat", ask: z.object({ row: z.number() }) });
    const journal = memoryJournal();
    const model = scriptedModel([{ calls: [{ name: "seat" }] }]);
    const end = await run(agent({ name: "a", tools: [seat] }), "x", { model, journal });
    const { approvals } = await summaryOf(journal);
    expect(approvals).toMatchObject([{ ask: { properties: { row: { type: "number" } } } }]);
    expect(end.status === "waiting" && end.approvals).toMatchObject([
      { id: approvals[0]?.id, of: approvals[0]?.of, ask: approvals[0]?.ask },
    ]);
  });

  it("counts no deadline among the timers, also where an upgrade has brought it", async () => {
    const seat = tool({ name: "seat", needsApproval: true, execute: () => "x" });
    const usher = (more: object) => agent({ name: "a", tools: [seat], ...more });
    const journal = memoryJournal();
    const model = scriptedModel([{ calls: [{ name: "seat" }] }]);
    await run(usher({}), "x", { model, journal, unattended: "wait" });
    await resume(usher({ deadlineMs: 1_000 }), journal, { model, upgrade: true });
    expect(await summaryOf(journal)).toMatchObject({ status: "waiting", timers: 0 });
  });

  it("shows of an agent's deps what is public, as of the start and the end of each turn", async () => {
    const journal = memoryJournal();
    const rename = tool({
      name: "rename",
      reduce: () => withUpdate("renamed", contextUpdate().set("user", "Bo").set("secretary", "Cy")),
    });
    const deps = { user: "Ada", secretary: "Cy" };
    const definition = { name: "a", conversation: true, tools: [rename], deps };
    const known = agent({ ...definition, publicDeps: ["user"] });
    const model = scriptedModel(["Hello.", { calls: [{ name: "rename" }] }, "Renamed."]);
    await run(known, "Hello", { model, journal });
    expect(await summaryOf(journal)).toMatchObject({ data: { user: "Ada" }, words: "Hello." });
    await resume(known, journal, { model, messages: ["Rename me."] });
    expect(await summaryOf(journal)).toMatchObject({ data: { user: "Bo" }, words: "Renamed." });
    expect((await replay(known, journal)).status).toBe("identical");
    expect(known.fingerprint).not.toBe(agent(definition).fingerprint);
    const secret = () => agent({ ...definition, publicDeps: ["apiKey" as never] });
    expect(secret).toThrow("publicDeps has apiKey, which looks like a secret");
  });

  it("of a run that is over is its end", async () => {
    const journal = memoryJournal();
    const model = pays();
    await run(clerk, { prompt: "Pay" }, { model, journal });
    await resume(clerk, journal, {
      model,
      approvals: { "approval/0/0": { approve: true } },
    });
    expect(await summaryOf(journal)).toMatchObject({ status: "done", title: "Pay", approvals: [] });
  });

  it("of a conversation that waits", async () => {
    const journal = memoryJournal();
    const talker = agent({ name: "talker", conversation: true });
    await run(talker, "Hello", { model: scriptedModel(["Hello."]), journal });
    expect(await summaryOf(journal)).toMatchObject({ status: "ready", events: 2 });
  });

  it("of a run whose process died: something is under way, and a torn line is told of", async () => {
    const journal = memoryJournal();
    await run(clerk, "Pay the bill", { model: pays(), journal });
    const [header = "", start = ""] = (await textIn(journal)).split("\n");
    const torn = textJournal(`${header}\n${start}\n{"seq":`);
    const died = await summaryOf(torn);
    expect(await fold(clerk, torn)).toMatchObject({ events: 1, torn: true });
    expect(await fold(clerk, journal)).toMatchObject({ torn: false });
    expect(died).toMatchObject({ status: "open", events: 1, torn: 7 });
    expect(died.usage.requests).toBe(0);
    expect(await summaryOf(textJournal(`${header}\n`))).toMatchObject({
      status: "open",
      events: 0,
    });
  });

  it("of a machine that waits for a timer, and has no text to be called by", async () => {
    const { createMachine } = setupReasoner<{ n: number }, { n: number }>();
    const machine = createMachine({
      context: ({ input: { input } }) => input,
      initial: "a",
      states: {
        a: {
          entry: { type: "issue", params: { type: "timer", id: "later", until: 9e14 } },
          on: { "timer.fired": { target: "b", actions: assign({ n: () => 1 }) } },
        },
        b: { type: "final" },
      },
    });
    const reasoner = defineReasoner<{ n: number }, number, { n: number }>({
      id: "timed",
      machine,
      output: ({ n }) => n,
    });
    const journal = memoryJournal();
    await run(reasoner, { n: 0 }, { journal, timers: "return" });
    const summary = await summaryOf(journal);
    expect(summary).toMatchObject({ status: "waiting", timers: 1 });
    expect(summary.wakeAt).toBe(9e14);
    expect(summary).not.toHaveProperty("title");
  });

  it("has what was spent, by the lines alone", async () => {
    const broken = async () => Promise.reject(new Error("no rights"));
    const snapshots = {
      list: broken,
      read: broken,
      write: broken,
      remove: broken,
      rows: broken,
      keepRows: broken,
    };
    const usage = { inputTokens: 70, outputTokens: 7, totalTokens: 77 };
    const one = agent({
      name: "one",
      tools: [agentTool(agent({ name: "busy", system: "busy" }), { name: "ask" })],
    });
    const model = (last: object) =>
      scriptedModel((request, turn) => {
        if (request.system === "busy") return { text: "hm", usage };
        return turn === 0 ? { calls: [{ name: "ask", input: { prompt: "p" } }], usage } : last;
      });
    for (const last of [{ text: "Done.", usage }, { error: { code: "x", message: "no" } }]) {
      const journal = memoryJournal();
      const end = await run(one, "go", { model: model(last), journal });
      expect(end.usage.requests).toBe(3);
      expect((await summaryOf({ ...journal, snapshots } as JournalPort)).usage).toEqual(end.usage);
    }
    // A model call that is cancelled counts as one request.
    const journal = memoryJournal();
    const live = run(one, "go", {
      model: { name: "m", generate: () => new Promise(() => {}) },
      journal,
    });
    for await (const each of live) if (each.type === "started") live.cancel();
    expect((await live).usage.requests).toBe(1);
    expect((await summaryOf(journal)).usage).toEqual((await live).usage);
  });

  it("has a title where its input has a text: itself, a prompt, or the first message", async () => {
    const long = "x".repeat(201);
    for (const [input, title] of [
      ["go", "go"],
      [{ prompt: "go", messages: [{ content: "no" }] }, "go"],
      [{ messages: [{ content: "go" }, { content: "no" }] }, "go"],
      [{ prompt: 5, messages: [{ content: "go" }] }, "go"],
      [{ messages: [{ content: [1] }] }, undefined],
      [{ messages: [] }, undefined],
      [{ messages: [null] }, undefined],
      [{ messages: "go" }, undefined],
      [["go"], undefined],
      [null, undefined],
      [5, undefined],
      [long, `${"x".repeat(200)} [cut: 1 more characters]`],
    ] as const) {
      expect((await summaryOf(await forged({ input }))).title).toBe(title);
    }
  });

  it("counts what waits by its type, from the lines alone", async () => {
    const approval = { type: "approval", id: "a", subject: 1 };
    const issued = [
      { ...approval, title: "Pay?" },
      { ...approval, id: "b", "-": ["title"] },
      { type: "timer", id: "t", until: 9 },
      { type: "run", id: "c", reasoner: "x", input: 1 },
    ];
    const start = forgedEvent(0, { type: "start" }, { do: issued });
    const waiting = await forged({}, start);
    expect(await summaryOf(waiting)).toMatchObject({
      status: "waiting",
      approvals: [
        { id: "a", title: "Pay?" },
        { id: "b", title: "b" },
      ],
      timers: 1,
      children: ["c"],
      startedAt: 0,
      lastAt: 0,
    });
    const call = { type: "tool", id: "x", name: "n", input: 1 };
    const open = await forged({}, start, forgedEvent(1, { type: "go" }, { do: [call] }));
    expect(await summaryOf(open)).toMatchObject({ status: "open", events: 2, lastAt: 1 });
    const over = await forged(
      {},
      start,
      forgedEvent(1, { type: "go" }, { end: { status: "failed" } }),
    );
    expect(await summaryOf(over)).toMatchObject({ status: "failed", approvals: [], timers: 0 });
  });

  it("of nothing is refused", async () => {
    await expect(summaryOf(textJournal(""))).rejects.toMatchObject({ code: "journal.empty" });
  });
});
