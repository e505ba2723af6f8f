/** What a fork is given in place of what was answered, where it is cut, and what goes along with it. */
import { describe, expect, test } from "vitest";
import {
  agent,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
  tool,
} from "../../../../src/index.js";
import type { JournalPort } from "../../../../src/runtime/index.js";
import { findPoint } from "../../../../src/time-travel/live/fork.js";
import { fixture, fork, forks, rewind } from "../../../../src/time-travel/live/index.js";
import { familyOf } from "../../../support/family.js";
import { forged, forgedEvent } from "../../../support/forged.js";
import { eventsIn, linesIn, textIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";

const look = tool({ name: "look", jsonSchema: { type: "object" }, execute: () => "two files" });
const desk = agent({ name: "desk", tools: [look] });
const model = scriptedModel((request, turn) => {
  if (turn === 0) return { calls: [{ name: "look" }] };
  const said = JSON.stringify(request.messages.map(({ content }) => content));
  return /nothing|none/.exec(said)?.[0] ?? "All tidy.";
});

const CHILD = "tool/0/0/0";

const raise = (): never => {
  throw new Error("no");
};

async function aRun(): Promise<JournalPort> {
  const journal = memoryJournal();
  await run(desk, "Tidy up", { model, journal, runId: "one" });
  return journal;
}
const header = async (journal: JournalPort | undefined) =>
  (await linesIn(journal as JournalPort))[0] as unknown as {
    readonly set?: readonly object[];
    readonly fork?: { readonly seq: number };
  };

describe("an answer that is set", () => {
  test("goes on to a fork of the fork, unless that sets another", async () => {
    const first = await fork(await aRun(), { set: { "tool/0/0": "nothing" } });
    const kept = await fork(first.journal);
    const other = await fork(first.journal, { set: { "tool/0/0": "none" } });
    expect((await header(kept.journal)).set).toMatchObject([{ event: { output: "nothing" } }]);
    expect((await header(other.journal)).set).toMatchObject([{ event: { output: "none" } }]);
    for (const [{ journal }, output] of [
      [kept, "nothing"],
      [other, "none"],
    ] as const) {
      expect(await resume(desk, journal, { model })).toMatchObject({ status: "done", output });
    }
  });

  test("of a person is for that fork: in others the approval is open, whatever was decided", async () => {
    const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
    const clerk = agent({ name: "clerk", tools: [pay] });
    const words = scriptedModel(({ messages }, turn) => {
      if (turn === 0) return { calls: [{ name: "pay" }] };
      return JSON.stringify(messages.at(-1)).includes("paid") ? "paid" : "kept";
    });
    const journal = memoryJournal("r");
    const host = { model: words };
    const ok = (approve: boolean) => ({ ...host, approvals: { "approval/0/0": { approve } } });
    await run(clerk, "go", { ...host, journal });
    const first = await fork(journal);
    expect(await resume(clerk, journal, ok(true))).toMatchObject({ output: "paid" });
    expect(await resume(clerk, first.journal, ok(false))).toMatchObject({ output: "kept" });
    const at = first.from.seq;
    const again = await fork(first.journal, { at });
    const third = await fork(again.journal, { at });
    const other = await fork(first.journal, { set: { "approval/0/0": true } });
    for (const [{ journal: forked }, output] of [
      [again, undefined],
      [third, undefined],
      [other, "paid"],
    ] as const) {
      const end = await resume(clerk, forked, host);
      if (output === undefined) expect(end).toMatchObject({ status: "waiting", approvals: [{}] });
      else expect(end).toMatchObject({ output });
    }
    // And whoever decides anew is heard.
    const anew = await fork(first.journal, { at });
    expect(await resume(clerk, anew.journal, ok(true))).toMatchObject({ output: "paid" });
  });

  test("costs what the recorded one cost, and nothing where there was none", async () => {
    const journal = await aRun();
    const { set } = await findPoint(journal, { set: { "llm/0": "said" } });
    const recorded = (await linesIn(journal)).flatMap((line) =>
      "event" in line && line.event.type === "llm.succeeded" ? [line.event] : [],
    );
    expect(set).toMatchObject([{ event: { type: "llm.succeeded", usage: recorded[0]?.usage } }]);
    expect(JSON.stringify(recorded[0]?.usage)).not.toBe('{"requests":0}');
    const open = await findPoint(journal, { at: 0, set: { "llm/0": "said" } });
    expect(open.looked.cut.seq).toBe(0);
    const ask = { type: "llm", id: "llm/0", model: "m" };
    const waiting = await forged({}, forgedEvent(0, { type: "start" }, { do: [ask] }));
    const { set: free } = await findPoint(waiting, { set: { "llm/0": "said" } });
    expect(free).toMatchObject([{ event: { usage: { requests: 0 } } }]);
  });

  test("is an error where it is nothing but one", async () => {
    const journal = await aRun();
    const setTo = async (value: unknown) =>
      (await findPoint(journal, { set: { "tool/0/0": value } })).set[0]?.event;
    expect(await setTo({ error: "no" })).toMatchObject({
      type: "tool.failed",
      error: { code: "error", message: "no" },
    });
    const output = { error: "no", files: 2 };
    expect(await setTo(output)).toMatchObject({ type: "tool.succeeded", output });
  });

  describe("is redacted before anything is written", () => {
    const SECRET = "4111-1111";
    const redact = (value: object) =>
      JSON.parse(JSON.stringify(value).replaceAll(SECRET, "[card]")) as unknown;
    const bytesOf = async (journal: JournalPort) => JSON.stringify(await linesIn(journal));

    test("and the fork goes on and replays with what was left", async () => {
      const original = await aRun();
      const { journal } = await fork(original, { set: { "tool/0/0": `none ${SECRET}` }, redact });
      expect((await header(journal)).set).toMatchObject([{ event: { output: "none [card]" } }]);
      expect(await resume(desk, journal, { model, redact })).toMatchObject({ status: "done" });
      expect(await bytesOf(journal)).not.toContain(SECRET);
      expect(await replay(desk, journal)).toMatchObject({ status: "identical" });
    });

    test("what a fork of the fork is given again as well, and what rewinds take along", async () => {
      const first = await fork(await aRun(), { set: { "tool/0/0": SECRET } });
      const again = await fork(first.journal, { redact });
      expect((await header(again.journal)).set).toMatchObject([{ event: { output: "[card]" } }]);
      const { seq } = first.from;
      const rewound = await rewind(first.journal, { at: seq }, { redact });
      expect((await header(rewound.journal)).set).toMatchObject([{ event: { output: "[card]" } }]);
    });

    test("credentials in errors are masked, unless that is off", async () => {
      const set = { "tool/0/0": { error: "got authorization: Bearer abcdefghijklmnop1234" } };
      const { journal } = await fork(await aRun(), { set });
      expect(await bytesOf(journal)).not.toContain("abcdefghijklmnop1234");
      const open = await fork(await aRun(), { set, maskCredentials: false });
      expect(await bytesOf(open.journal)).toContain("abcdefghijklmnop1234");
    });

    test.each<[string, (value: object) => unknown]>([
      ["throws", () => raise()],
      ["answers later", async (value) => value],
      ["takes the id", (value) => ({ ...value, id: "x" })],
      ["leaves what is not JSON", (value) => ({ ...value, output: Number.NaN })],
    ])("a hook that %s makes no fork, and leaves no note", async (_name, hook) => {
      const journal = await aRun();
      const made = fork(journal, { set: { "tool/0/0": "x" }, redact: hook });
      expect(await rejection(made)).toMatchObject({ code: "redaction.refused" });
      expect((await forks(journal)).forks).toEqual([]);
    });
  });

  describe("is taken as an answer of its kind", () => {
    const issued = [
      { type: "llm", id: "l", model: "m" },
      { type: "approval", id: "a", title: "t", subject: null },
      { type: "read", id: "q", store: "s", query: 1 },
      { type: "write", id: "w", store: "s", operations: [] },
      { type: "run", id: "c", reasoner: "x", input: 1 },
      { type: "timer", id: "t", until: 5 },
    ];
    const setTo = async (id: string, value: unknown) => {
      const waiting = await forged({}, forgedEvent(0, { type: "start" }, { do: issued }));
      const { set } = await findPoint(waiting, { set: { [id]: value } });
      const { at: _at, ...answer } = set[0]?.event ?? {};
      return answer;
    };
    const call = { type: "tool-call", toolCallId: "c", toolName: "look", input: {} };
    const text = { type: "text", text: "hi" };
    const error = { code: "error", message: "no" };
    test.each<[string, unknown, object]>([
      ["l", "hi", { type: "llm.succeeded", content: [text], finishReason: "stop" }],
      ["l", [text, call], { type: "llm.succeeded", finishReason: "tool-calls" }],
      ["l", { content: [text], finishReason: "length" }, { finishReason: "length" }],
      ["l", { error: "no" }, { type: "llm.failed", error }],
      ["a", true, { type: "approval.decided", approve: true }],
      [
        "a",
        { approve: false, reason: "no" },
        { type: "approval.decided", approve: false, reason: "no" },
      ],
      ["q", [1], { type: "read.succeeded", value: [1] }],
      ["q", { error: "no" }, { type: "read.failed", error }],
      ["w", null, { type: "write.succeeded", value: null }],
      ["w", { error: "no" }, { type: "write.failed", error }],
      ["c", 5, { type: "run.succeeded", output: 5, runId: "" }],
      ["c", { error: "no" }, { type: "run.failed", error }],
      ["t", null, { type: "timer.fired" }],
    ])("%s, %j", async (id, value, answer) => {
      expect(await setTo(id, value)).toMatchObject({ id, ...answer });
    });

    test.each<[string, unknown, RegExp]>([
      ["a", "yes", /it is an approval; say true, false or/],
      ["a", { approve: 1 }, /it is an approval; say true, false or/],
      ["l", { content: "hi" }, /content must be a list, each an object; it is a string\.$/],
    ])("and refused where it is none: %s, %j", async (id, value, message) => {
      const refused = await rejection(setTo(id, value));
      expect(refused).toMatchObject({ code: "fork.answer" });
      expect(refused.message).toMatch(message);
    });

    test("which says nothing of what it does not have", async () => {
      expect(await setTo("a", true)).toStrictEqual({
        type: "approval.decided",
        id: "a",
        approve: true,
      });
    });
  });

  test("is for what is open: an answer to nothing is none, and after its end nothing is", async () => {
    const ask = { type: "tool", id: "x", name: "n", input: 1 };
    const answer = { type: "tool.succeeded", id: "x", output: 1 };
    const start = forgedEvent(0, { type: "start" }, { do: [ask] });
    const stale = await forged({}, start, forgedEvent(1, answer, { ignored: "stale" }));
    expect((await findPoint(stale, { set: { x: 2 } })).looked.cut.seq).toBe(1);
    const ended = await forged(
      {},
      start,
      forgedEvent(1, { type: "cancel" }, { end: { status: "cancelled" } }),
    );
    expect(await rejection(findPoint(ended, { set: { x: 2 } }))).toMatchObject({
      code: "fork.point",
    });
  });
});

describe("a fork", () => {
  test("has a header with one hash, its own; so have a fork of it, and a fixture", async () => {
    const original = await aRun();
    const made = await fork(original);
    const again = await fork(made.journal);
    const alone = memoryJournal();
    await fixture(desk, original, alone);
    for (const journal of [made.journal, again.journal, alone]) {
      const [first = ""] = (await textIn(journal)).split("\n");
      // The other one of a fork is its link's.
      const { fork: link } = JSON.parse(first);
      expect(first.match(/"hash":/g)).toHaveLength(link === undefined ? 1 : 2);
      expect(first).toMatch(/"hash":"[\w-]{32}"\}$/);
    }
  });

  test("is given what its past has answered once, however often it is resumed", async () => {
    const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
    const clerk = agent({ name: "clerk", tools: [look, pay] });
    const asks = scriptedModel([{ calls: [{ name: "look" }, { name: "pay" }] }, "Done."]);
    const journal = memoryJournal();
    await run(clerk, "Pay", { model: asks, journal });
    const forked = await fork(journal, { at: 1 });
    expect((await resume(clerk, forked.journal, { model: asks })).status).toBe("waiting");
    const before = await linesIn(forked.journal);
    expect(
      before.filter((line) => "event" in line && line.event.type === "tool.succeeded"),
    ).toHaveLength(1);
    expect((await resume(clerk, forked.journal, { model: asks })).status).toBe("waiting");
    expect(await linesIn(forked.journal)).toEqual(before);
  });

  test("behind an upgrade is of the code that went on", async () => {
    const talker = (system: string) => agent({ name: "clerk", system, conversation: true });
    const journal = memoryJournal();
    const says = scriptedModel(() => "said");
    await run(talker("old"), "begin", { model: says, journal });
    const more = { model: says, messages: ["again"] };
    await resume(talker("new"), journal, { ...more, upgrade: true });
    const behind = await fork(journal);
    expect(await resume(talker("new"), behind.journal, more)).toMatchObject({ status: "waiting" });
    const before = await fork(journal, { at: 1 });
    expect(await resume(talker("old"), before.journal, more)).toMatchObject({ status: "waiting" });
  });

  test("goes on under another configuration as its original would", async () => {
    const talker = (system: string) => agent({ name: "clerk", system, conversation: true });
    const journal = memoryJournal();
    const model = scriptedModel(({ system }) => `I am ${system}`);
    await run(talker("old"), "begin", { model, journal });
    const more = { model, messages: ["again"], upgrade: true };
    const first = await fork(journal);
    expect(await rejection(resume(talker("new"), first.journal))).toMatchObject({
      code: "journal.configuration",
      place: first.journal.name,
    });
    expect(await resume(talker("new"), first.journal, more)).toMatchObject({ output: "I am new" });
    // What differs is told by the upgrade before the cut, and not by the header of the original.
    const second = await fork(first.journal);
    const end = await resume(talker("old"), second.journal, more);
    expect(end).toMatchObject({ output: "I am old" });
  });

  test("that cannot be made leaves no note", async () => {
    const journal = await aRun();
    const to = await aRun();
    expect(await rejection(fork(journal, { to }))).toMatchObject({ code: "journal.exists" });
    expect((await forks(journal)).forks).toEqual([]);
  });

  test("has of its children what happened up to the event, and no more", async () => {
    const { parent, model: words } = familyOf({
      name: "parent",
      says: [{ calls: [{ name: "child", input: { prompt: "do" } }] }, "Done."],
      children: [{ name: "child", tools: [look], says: [{ calls: [{ name: "look" }] }, "Did."] }],
    });
    const journal = memoryJournal();
    const host = { model: words };
    expect((await run(parent, "go", { ...host, journal })).status).toBe("done");
    const events = await eventsIn(journal);
    const shared: string[][] = [];
    for (const { seq } of events) {
      const forked = await fork(journal, { at: seq, limit: 99 });
      expect(forked.from.seq).toBe(seq);
      shared.push([...forked.children]);
      const end = await resume(parent, forked.journal, host);
      expect(end).toMatchObject({ status: "done", output: "Done." });
      expect(await replay(parent, forked.journal)).toMatchObject({ status: "identical" });
      expect(end.usage).toEqual((await resume(parent, journal, host)).usage);
    }
    // Start, answer; the child begins, asks, looks and ends; the parent has its end and says so.
    const there = [CHILD];
    expect(shared).toEqual([[], [], there, there, there, there, [], []]);
  });
});
