// Traces of journals: several runs together, kept up as they grow, and what cannot be read told of.
import { describe, expect, it } from "vitest";
import { agent, memoryJournal, resume, scriptedModel, tool } from "../../../../src/index.js";
import { type JournalPort, virtualClock } from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { fork } from "../../../../src/time-travel/live/index.js";
import { journalTraces } from "../../../../src/trace/live/index.js";
import {
  buildFromSession,
  explain,
  explainAction,
  queryEvents,
  statsOf,
} from "../../../../src/trace/pure/index.js";
import { calls, familyOf, lineOf } from "../../../support/family.js";
import { textIn } from "../../../support/journal-text.js";
import { refusal, rejection } from "../../../support/thrown.js";
import { tracesAre } from "../../../support/trace-check.js";
import { contentsOf, lived } from "../../../support/traced.js";

const talker = agent({ name: "talker" }) as never;
const said = async (runId: string, more: object = {}) => {
  const { journal } = await lived(talker, `hello from ${runId}`, {
    journal: memoryJournal(runId),
    model: scriptedModel([`answer of ${runId}`]),
    runId,
    ...more,
  });
  return journal;
};

/** A port that counts how many bytes are read from it. */
function counted(port: JournalPort): { readonly port: JournalPort; bytes: number } {
  const count = {
    bytes: 0,
    port: {
      ...port,
      async *read(from?: number) {
        for await (const chunk of port.read(from)) {
          count.bytes += chunk.length;
          yield chunk;
        }
      },
    },
  };
  return count;
}

it("journals that have one name are told apart", async () => {
  const same = async (runId: string) => ({ ...(await said(runId)), name: "memory" });
  const found = await contentsOf(
    journalTraces([await same("a"), await same("b"), await same("c")] as never),
  );
  expect(found.runs.map(({ runId, journal }) => [runId, journal])).toEqual([
    ["a", "memory"],
    ["b", "memory"],
    ["c", "memory"],
  ]);
});

describe("several journals", () => {
  it("are one trace, with their child runs and the runs that they go on from", async () => {
    const { parent, model } = familyOf({
      name: "parent",
      says: [{ calls: [{ name: "child", input: { prompt: "do" } }] }, "Done."],
      children: [{ name: "child", says: ["Did."] }],
    });
    const { journal: first } = await lived(parent as never, "go", {
      model,
      runId: "one",
      journal: memoryJournal("first"),
    });
    const { journal: second } = await lived(parent as never, "go on", {
      model: scriptedModel(["Well."]),
      runId: "two",
      journal: memoryJournal("second"),
      from: first,
    });
    const { trace } = await journalTraces(second).read();
    expect(
      trace.runs.map(({ runId, session, parent: of, ended }) => [runId, session, of, ended]),
    ).toEqual([
      ["two", "one", undefined, true],
      ["one", "one", undefined, true],
      ["one:tool/0/0/0", "one", "one", true],
    ]);
    const { chain } = explainAction(trace, "two#llm/0");
    expect(chain.map(({ eventId }) => eventId)).toEqual([
      "one#@0",
      "one#llm/0",
      "one#tool/0/0/0",
      "one#llm/1",
      "two#@0",
      "two#llm/0",
    ]);
    const child = explain(trace, "one:tool/0/0/0#llm/0");
    expect(child.chain.map(({ eventId }) => eventId)).toEqual([
      "one#@0",
      "one#llm/0",
      "one#tool/0/0/0",
      "one:tool/0/0/0#@2",
      "one:tool/0/0/0#llm/0",
    ]);
    const [delegation] = queryEvents(trace.events, { types: ["delegation"] });
    expect(delegation).toMatchObject({
      agentId: "parent",
      fields: { parentId: "parent", childId: "child", task: "do", runId: "one:tool/0/0/0" },
    });
    expect(buildFromSession(trace, "one")).toMatchObject({ rootEventId: "one#@0", defects: [] });
    expect(buildFromSession(trace, "nobody")).toBeUndefined();
    expect(statsOf(queryEvents(trace.events, { agentId: "parent" })).delegations).toBe(1);
  });

  it("of a run and its children are exactly what their journal holds", async () => {
    const note = tool({ name: "note", execute: () => "noted" });
    const tools = [note];
    const { parent, model } = familyOf({
      name: "parent",
      tools,
      says: [{ calls: [{ name: "note" }, { name: "child", input: { prompt: "do" } }] }, "Done."],
      children: [
        {
          name: "child",
          tools,
          says: [
            { calls: [{ name: "note" }, { name: "inner", input: { prompt: "more" } }] },
            "Did.",
          ],
          children: [{ name: "inner", tools, says: [{ calls: [{ name: "note" }] }, "Well."] }],
        },
      ],
    });
    const journal = memoryJournal("whole");
    await lived(parent as never, "go", { model, runId: "one", journal });
    const counts = await tracesAre(journalTraces(journal), [await textIn(journal)], () => true);
    // A call that delegates is one, and so is what it delegates to.
    expect(counts).toEqual({ input: 3, llm_call: 6, tool_call: 5, delegation: 2 });
    const { trace, events } = await contentsOf(journalTraces(journal));

    for (const { id } of events.filter(({ type }) => type === "tool_call")) {
      expect(explain(trace, id).chain[0]).toMatchObject({ eventId: "one#@0", type: "input" });
    }
  });

  it("that refer to each other in a circle are read once", async () => {
    const one = await said("one");
    const two = await said("two", { from: one });
    const round: JournalPort = {
      ...one,
      async *read() {
        const text = await textIn(one);
        const [, ...rest] = text.split("\n");
        const { encodeLine } = await import("../../../../src/core/journal/index.js");
        const header = JSON.parse(text.split("\n")[0] as string);
        delete header.hash;
        header.from = { journal: "two", runId: "two", seq: 1, hash: "h" };
        let previous = "";
        let all = "";
        for (const line of [JSON.stringify(header), ...rest.slice(0, -1)]) {
          const open = line
            .replace(/,"hash":"[\w-]{32}"\}$/, "")
            .replace(/\}$/, (end) => (line === JSON.stringify(header) ? "" : end));
          const encoded = encodeLine(open, previous);
          previous = encoded.hash;
          all += `${encoded.text}\n`;
        }
        yield new TextEncoder().encode(all);
      },
      follow: () => two,
    };
    const other: JournalPort = { ...two, follow: () => round };
    const { runs, events } = await contentsOf(journalTraces(other));
    expect(runs.map(({ runId, session }) => [runId, session])).toEqual([
      ["two", "one"],
      ["one", "one"],
    ]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });

  it("of which one is damaged are told of, and the others are there, with what stands before the fault", async () => {
    const good = await said("good");
    const text = await textIn(await said("bad"));
    const bad = textJournal(text.replace("answer of bad", "answer of BAD"));
    const { events, unread, runs } = await contentsOf(journalTraces([bad, good]));
    expect(unread).toMatchObject([{ name: "text", error: { code: "journal.chain" } }]);
    expect(runs.map(({ runId }) => runId)).toEqual(["bad", "good"]);
    expect(new Set(events.map(({ runId }) => runId))).toEqual(new Set(["bad", "good"]));
  });

  it("of which one goes on from what its port does not lead to are there, and a port that throws is told of", async () => {
    const first = await said("first");
    const second = await said("second", { from: first });
    const { journal: forked } = await fork(first, { to: memoryJournal("fork"), runId: "fork" });
    const { follow: _, ...alone } = second;
    const { runs, unread } = await contentsOf(journalTraces(alone));
    expect([runs.map(({ runId }) => runId), unread]).toEqual([["second"], []]);
    const down = new Error("the disk is gone");
    const follow = () => {
      throw down;
    };
    const ports = [{ ...second, follow }, { ...forked, follow }, first];
    const some = await contentsOf(journalTraces(ports));
    expect(some.runs.map(({ runId }) => runId)).toEqual(["second", "first"]);
    const error = { code: "trace.unreachable", cause: down };
    expect(some.unread).toMatchObject([
      { name: "second", error: { ...error, place: "second" } },
      { name: "fork", error: { ...error, message: "fork cannot be read: the disk is gone." } },
    ]);
  });

  it("that are missing, empty or no journals are told of", async () => {
    const none = memoryJournal("none");
    const noise = textJournal("nothing of the kind\n");
    const nothing = textJournal("");
    const { unread, events } = await contentsOf(journalTraces([none, noise, nothing]));
    expect(events).toEqual([]);
    expect(unread.map(({ name, error }) => [name, error.code])).toEqual([
      ["none", "journal.missing"],
      ["text", "journal.format"],
      ["text", "journal.empty"],
    ]);
    // A run that has not begun is one in which nothing has happened; nothing is wrong with it.
    const begun = textJournal(`${(await textIn(await said("begun"))).split("\n")[0]}\n`);
    const { trace } = await journalTraces(begun).read();
    expect(buildFromSession(trace, "begun")).toMatchObject({ rootEventId: "", depth: 0 });
  });

  it("that cannot be reached are an error and not nothing", async () => {
    const dead = {
      ...memoryJournal(),
      read: () => {
        throw new Error("no route");
      },
    } as never;
    const { unread } = await contentsOf(journalTraces(dead));
    expect(unread[0]?.error).toMatchObject({ code: "journal.unreadable" });
    const lost = journalTraces(() => Promise.reject(new Error("down")));
    await expect(lost.read()).rejects.toThrow("down");
  });

  it("are refused where they are none, or options are misspelt", async () => {
    for (const given of [undefined, 5, "a.jsonl", [5], { name: "a" }]) {
      expect(refusal(() => journalTraces(given as never))).toMatchObject({
        code: "option.invalid",
      });
    }
    expect(refusal(() => journalTraces([], { link: false } as never))).toMatchObject({
      code: "option.invalid",
    });
    const found = journalTraces(() => [5] as never);
    expect(await rejection(found.read())).toMatchObject({ code: "option.invalid" });
  });
});

describe("a journal that grows", () => {
  it("is read from where reading ended, and says the same as if it were read whole", async () => {
    const text = await textIn(await said("r"));
    const lines = text.split("\n").slice(0, -1);
    let now = 0;
    const growing = counted({
      name: "growing",
      open: () => Promise.reject(new Error("read only")),
      async *read(from = 0) {
        const all = lines
          .slice(0, now)
          .map((line) => `${line}\n`)
          .join("");
        // The last line is being written.
        yield new TextEncoder().encode(all + (lines[now] ?? "").slice(0, 20)).subarray(from);
      },
    });
    const store = journalTraces(growing.port);
    for (now = 1; now <= lines.length; now++) {
      growing.bytes = 0;
      const { events } = await contentsOf(store);
      const whole = await contentsOf(journalTraces(growing.port));
      expect(events).toEqual(whole.events);
    }
    now = lines.length;
    growing.bytes = 0;
    await contentsOf(store);
    expect(growing.bytes).toBeLessThan(60);
  });

  it("has its children as far as they have come, line by line", async () => {
    const { parent, model } = familyOf({
      name: "parent",
      says: [calls("one", "two"), "Done."],
      children: ["one", "two"].map((name) => ({
        name,
        says: [calls("inner"), `${name} did`],
        children: [{ name: "inner", says: ["Well."] }],
      })),
    });
    const { journal } = await lived(parent as never, "go", { model, runId: "r" });
    const lines = (await textIn(journal)).split("\n").slice(0, -1);
    let text = "";
    const read = async function* (from = 0) {
      yield new TextEncoder().encode(text).subarray(from);
    };
    const growing = counted({ name: "growing", open: () => Promise.reject(new Error()), read });
    const store = journalTraces(growing.port);
    for (const line of lines) {
      text += `${line}\n`;
      growing.bytes = 0;
      const contents = await contentsOf(store);
      // Each line is read once, whoever's it is; the header once more, for its links.
      if (line !== lines[0]) expect(growing.bytes).toBeLessThan(line.length + 100);
      expect(await contentsOf(journalTraces(growing.port))).toEqual(contents);
    }
    expect((await contentsOf(store)).runs).toHaveLength(5);
  });

  it("is read anew where another one is in its place", async () => {
    const one = textJournal(await textIn(await said("one")));
    const two = textJournal(await textIn(await said("two-with-a-longer-name")));
    let port = one;
    const store = journalTraces({ ...one, read: (from) => port.read(from) });
    expect((await contentsOf(store)).runs[0]?.runId).toBe("one");
    port = two;
    const { runs, events, unread } = await contentsOf(store);
    expect([runs[0]?.runId, events.length, unread]).toEqual(["two-with-a-longer-name", 2, []]);
    port = textJournal(`${(await textIn(one)).split("\n")[0]}\n`);
    expect((await contentsOf(store)).events).toEqual([]);
  });
});

describe("a fork", () => {
  it("has its own events, which came from those that it shares", async () => {
    const o = { type: "object" } as const;
    const doing = (name: string) => tool({ name, jsonSchema: o, execute: () => `${name} ran` });
    const doer = agent({ name: "doer", tools: [doing("a"), doing("b")] });
    const calls = ["a", "b"].map((name) => ({ name, input: {} }));
    const model = scriptedModel([{ calls }, "Done."]);
    const { journal } = await lived(doer as never, "go", {
      model,
      runId: "one",
      journal: memoryJournal("one"),
    });
    const at = 2;
    const { journal: forked } = await fork(journal, { at, to: memoryJournal("two"), runId: "two" });
    await resume(doer, forked, { model, clock: virtualClock(5_000) });
    const { trace, events, runs } = await contentsOf(journalTraces(forked));
    expect(runs.map(({ runId, session }) => [runId, session])).toEqual([
      ["two", "one"],
      ["one", "one"],
    ]);
    const own = events.filter(({ runId }) => runId === "two");
    expect(own.map(({ id, status }) => [id, status])).toEqual([
      [expect.stringMatching(/^two#tool\/0\/[01]$/), "succeeded"],
      ["two#llm/1", "succeeded"],
    ]);
    expect([...(own[1]?.causes ?? [])].sort()).toEqual([
      expect.stringMatching(/^one#tool\/0\/[01]$/),
      expect.stringMatching(/^two#tool\/0\/[01]$/),
    ]);

    expect(trace.defects).toEqual([]);
    expect(explain(trace, "two#llm/1").inputs.map(({ id }) => id)).toEqual(["one#@0"]);
  });

  it("goes on with the children that were under way, as runs of its own", async () => {
    const { parent, model } = familyOf(lineOf(2));
    const { journal } = await lived(parent as never, "go", {
      model,
      runId: "one",
      journal: memoryJournal("one"),
    });
    const { events: whole } = await contentsOf(journalTraces(journal));
    const [bottom] = whole.filter(({ agentId, type }) => agentId === "level2" && type === "input");
    const at = bottom?.seq as number;
    const { journal: forked } = await fork(journal, { at, to: memoryJournal("two"), runId: "two" });
    const [child, inner] = ["two:tool/0/0/0", "two:tool/0/0/0:tool/0/0/0"] as const;
    const before = await contentsOf(journalTraces(forked, { links: false }));
    expect(before.runs.map(({ runId, parent: of, events }) => [runId, of, events])).toEqual([
      ["two", undefined, 1],
      [child, "two", 1],
      [inner, child, 1],
    ]);
    await resume(parent, forked, { model, clock: virtualClock(5_000) });
    const { trace, events, runs } = await contentsOf(journalTraces(forked));
    expect(new Set(runs.map(({ session }) => session))).toEqual(new Set(["one"]));

    expect(trace.defects).toEqual([]);
    expect(trace.get("two#tool/0/0/0")).toMatchObject({
      status: "succeeded",
      fields: { runId: child, childId: "level1" },
    });
    const last = events.filter(({ runId, type }) => runId === "two" && type === "llm_call").at(-1);
    const { ledHere, inputs } = explain(trace, last?.id as string);
    expect(ledHere.map(({ id }) => id)).toContain("two#tool/0/0/0");
    expect(inputs.map(({ id }) => id)).toEqual(["one#@0"]);
    expect(explain(trace, `${inner}#llm/0`).inputs.map(({ runId }) => runId)).toContain("one");
    // Of what was over at the cut nothing is the fork's.
    const late = await fork(journal, { to: memoryJournal("three"), runId: "three" });
    const over = await contentsOf(journalTraces(late.journal, { links: false }));
    expect(over.runs.map(({ runId }) => runId)).toEqual(["three"]);
  });
});
