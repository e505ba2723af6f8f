// Traces of journals that somebody wrote to do harm, of journals that are not what they are said to be,
// and of any reasoner: no code is at hand. Nothing breaks a text, and what does not fit is told of.
import { describe, expect, it } from "vitest";
import {
  agent,
  type JournalPort,
  memoryJournal,
  scriptedModel,
  tool,
} from "../../../../src/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { fork } from "../../../../src/time-travel/live/index.js";
import { journalTraces } from "../../../../src/trace/live/index.js";
import {
  buildFromSession,
  criticalPath,
  explain,
  formatEvents,
  formatTree,
  Trace,
  type TraceEvent,
} from "../../../../src/trace/pure/index.js";
import { forged, forgedEvent } from "../../../support/forged.js";
import { textIn } from "../../../support/journal-text.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { tracesAre } from "../../../support/trace-check.js";
import { contentsOf, lived } from "../../../support/traced.js";

const UGLY =
  'a | b \\ ``` \n## c\r\n\t{evil="x"} 1\n__proto__ \u001b[2J \u202e \ud800 %s #@0/error';

/** What every text of a trace has to be, whatever stands in it. */
function textsHold(events: readonly TraceEvent[]): void {
  const rows = formatEvents(events, "markdown").split("\n");
  expect(rows).toHaveLength(events.length + 2);
  for (const row of rows) expect(row.match(/(?<!\\)(?:\\\\)*\|/g)).toHaveLength(6);
  expect(formatEvents(events, "terminal").split("\n")).toHaveLength(events.length);
  expect(JSON.parse(formatEvents(events, "json"))).toEqual(events);
  const trace = new Trace(events);
  const tree = buildFromSession(trace, events[0]?.session ?? "");
  const text = formatTree("s", tree as never, "terminal").split("\n");
  expect(text).toHaveLength(2 + events.length + (tree?.defects.length ?? 0));
}

describe("what people, models and tools say", () => {
  it("breaks no text and no id, wherever it stands, and is cut where it is long", async () => {
    const names = ["constructor", "toString", "valueOf"];
    const tools = names.map((name) =>
      tool({
        name,
        jsonSchema: { type: "object" },
        execute: () => {
          if (name === "valueOf") throw new Error(UGLY);
          return { [UGLY]: "y".repeat(100_000) };
        },
      }),
    );
    const calls = names.map((name) => ({ name, input: { [UGLY]: UGLY } }));
    const journal = memoryJournal();
    const hostile = agent({ name: UGLY.replace("\ud800", ""), tools });
    await lived(hostile as never, UGLY.replace("\ud800", ""), {
      journal,
      runId: "r#@0/%23",
      model: scriptedModel([{ calls }, UGLY]),
    });
    const counts = await tracesAre(journalTraces(journal), [await textIn(journal)], () => true);
    expect(counts).toEqual({ input: 1, llm_call: 2, tool_call: 3, error: 1 });
    const { events } = await contentsOf(journalTraces(journal, { maxFieldLength: 50 }));
    textsHold(events);
    for (const { id } of events) expect(explain(new Trace(events), id).event.id).toBe(id);
    const fields = events.flatMap((each) => Object.values(each.fields));
    expect(Math.max(...fields.map((each) => each.length))).toBeLessThan(90);
    expect(fields.some((each) => /… \(\d{6} characters\)$/.test(each))).toBe(true);
  });
});

describe("lines that no machine wrote", () => {
  it("are told of as they are: ids that come twice, answers to nothing, times that run back", async () => {
    const tools = [
      { type: "tool", id: "__proto__", name: "x", input: 1 },
      { type: "tool", id: "twice", name: "x", input: 2 },
      { type: "tool", id: "twice", name: 7, input: "#missing" },
      { type: "hasOwnProperty", id: "what" },
      { type: "cancel", target: "nobody" },
      { type: "notify", topic: "decision", data: { description: 5 } },
      {
        type: "notify",
        topic: "decision",
        data: { description: "d", alternatives: "%", chosen: {} },
      },
    ];
    const journal = await forged(
      {},
      forgedEvent(0, { type: "start" }, { do: tools, set: "*" }),
      forgedEvent(1, { type: "tool.succeeded", id: "nobody", output: 1 }),
      forgedEvent(2, {
        type: "llm.succeeded",
        id: "twice",
        content: [],
        finishReason: "stop",
        usage: {},
      }),
      forgedEvent(3, { type: "tool.succeeded", id: "__proto__", output: 1, at: -5 }),
      { mark: { id: "nobody", attempt: 9 } },
      forgedEvent(4, { type: "tool.succeeded", id: "__proto__", output: 2 }),
      forgedEvent(5, { type: "message", content: "late", at: 8.64e15 }),
      forgedEvent(
        6,
        { type: "cancel", at: 1e300 },
        { end: { status: "failed", fault: { code: "c" } } },
      ),
    );
    const { trace, unread } = await contentsOf(journalTraces(journal));
    expect(unread).toEqual([]);
    expect(trace.events.map(({ id, status }) => [id, status])).toEqual([
      ["r#@0", "succeeded"],
      ["r#__proto__", "succeeded"],
      ["r#twice", "cancelled"],
      ["r#@0/decision/0", "succeeded"],
      ["r#@5", "succeeded"],
      ["r#@6", "succeeded"],
      ["r#@6/end", "failed"],
    ]);
    expect(trace.defects).toEqual([{ kind: "duplicate", id: "r#twice", count: 2 }]);
    expect(trace.get("r#__proto__")?.durationMs).toBe(0);
    textsHold(trace.events);
    expect(criticalPath(trace, "r")?.ms).toBeGreaterThanOrEqual(0);
  });

  it("of a run that goes on from itself end somewhere", async () => {
    const self = { journal: "text", runId: "r", seq: 0, hash: "h" };
    for (const more of [{ from: self }, { fork: self }]) {
      const first = "fork" in more ? 1 : 0;
      const journal = await forged(more, forgedEvent(first, { type: "start" }));
      const round: JournalPort = { ...journal, follow: () => round };
      const { events, runs, unread } = await contentsOf(journalTraces(round));
      // Nothing of a journal has the hash that is forked from.
      expect(unread.map(({ error }) => error.code)).toEqual("fork" in more ? ["journal.link"] : []);
      expect(runs.map(({ runId, session }) => [runId, session])).toEqual([["r", "r"]]);
      expect(events.map(({ id }) => id)).toEqual([`r#@${first}`]);
      textsHold(events);
    }
  });
});

describe("children that no directive asked for", () => {
  it("begin twice, or never, or below nobody: each of their events is there once", async () => {
    const begin = { reasoner: { id: "stray", version: 1 }, fingerprint: "f", input: "hi" };
    const strange = `a%3a${"b".repeat(300)}`;
    const journal = await forged(
      {},
      { run: "never", ...forgedEvent(0, { type: "message", content: "lost" }) },
      { run: "never", mark: { id: "x", attempt: 1 } },
      forgedEvent(1, { type: "start" }),
      { run: "x", begin, ...forgedEvent(2, { type: "start" }) },
      { run: "x", ...forgedEvent(3, { type: "message", content: UGLY.replace("\ud800", "") }) },
      { run: "x", begin, ...forgedEvent(4, { type: "start" }) },
      { run: `no:body:${strange}`, begin, ...forgedEvent(5, { type: "start" }) },
      { run: "x", mark: { id: "y", attempt: 1 } },
    );
    const { trace, events, runs, unread } = await contentsOf(journalTraces(journal));
    expect(unread).toEqual([]);
    expect(runs.map(({ runId, parent }) => [runId, parent])).toEqual([
      ["r", undefined],
      ["r:x", "r"],
      [`r:no:body:${strange}`, "r:no:body"],
    ]);
    const ids = events.map(({ id }) => id);
    expect(ids).toEqual(["r#@1", "r:x#@4", `r:no:body:${strange}#@5`]);

    expect(trace.defects).toEqual([
      { kind: "missing", id: "r:x#@4", cause: "r#x" },
      expect.objectContaining({ kind: "missing", id: ids[2] }),
    ]);
    textsHold(events.filter(({ session }) => session === "r"));
  });
});

describe("a journal of another reasoner", () => {
  it("is told of as what it is: nobody needs its code", async () => {
    const timer = issue({ type: "timer", id: "t", until: 5 });
    const machine = smallReasoner({
      initial: "on",
      states: { on: { entry: timer, on: { "timer.fired": "off" } }, off: { type: "final" } },
    });
    const [small, talk] = [memoryJournal("small"), memoryJournal("talk")];
    await lived(machine as never, null, {
      journal: small,
      runId: "one",
      clock: undefined as never,
    });
    await lived(agent({ name: "talker" }) as never, "hi", {
      journal: talk,
      runId: "two",
      model: scriptedModel(["ho"]),
    });
    const texts = [await textIn(small), await textIn(talk)];
    const isAgent = (id: string) => id === "talker";
    const counts = await tracesAre(journalTraces([small, talk]), texts, isAgent);
    expect(counts).toEqual({ input: 2, timer: 1, llm_call: 1 });
    const { events } = await contentsOf(journalTraces([small, talk]));
    expect(events.filter(({ agentId }) => agentId === "small").map(({ id }) => id)).toEqual([
      "one#@0",
      "one#t",
    ]);
  });

  it("where a fork's original lay has no part in the fork", async () => {
    const look = tool({ name: "look", jsonSchema: { type: "object" }, execute: () => "seen" });
    const clerk = agent({ name: "clerk", tools: [look] });
    const [one, other] = [memoryJournal("one"), memoryJournal("other")];
    const model = () => scriptedModel([{ calls: [{ name: "look" }, { name: "look" }] }, "Done."]);
    await lived(clerk as never, "go", { journal: one, runId: "one", model: model() });
    await lived(clerk as never, "stop", { journal: other, runId: "other", model: model() });
    const { journal } = await fork(one, { at: 2, to: memoryJournal("fork"), runId: "fork" });
    // What was under way where it was cut is the fork's own.
    const own = await contentsOf(journalTraces(journal, { links: false }));
    expect(own.events.map(({ id, status }) => [id, status])).toEqual([
      [expect.stringMatching(/^fork#tool\/0\/[01]$/), "open"],
    ]);
    const moved: JournalPort = { ...journal, follow: () => other };
    const { events, unread } = await contentsOf(journalTraces(moved, { links: false }));
    expect([events, unread]).toEqual([[], []]);
    const damaged = textJournal((await textIn(one)).replace('"go"', '"no"'));
    const cut = await contentsOf(journalTraces({ ...journal, follow: () => damaged }));
    expect(cut.events.filter(({ runId }) => runId === "fork")).toEqual([]);
    expect(cut.unread).toMatchObject([{ error: { code: "journal.chain" } }]);
  });
});
