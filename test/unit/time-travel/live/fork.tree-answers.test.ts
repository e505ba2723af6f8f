/** Answers that a fork of a tree is given in place of those that were: in its children, and of them. */
import { describe, expect, test } from "vitest";
import {
  type ModelRequest,
  memoryJournal,
  replay,
  resume,
  run,
  summaryOf,
  tool,
} from "../../../../src/index.js";
import type { JournalPort } from "../../../../src/runtime/index.js";
import { fork } from "../../../../src/time-travel/live/index.js";
import { calls, familyOf, lineOf, worker } from "../../../support/family.js";
import { eventsIn, linesIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";

const CHILD = "tool/0/0/0";
const look = tool({ name: "look", jsonSchema: { type: "object" }, execute: () => "two files" });

const header = async (journal: JournalPort) =>
  (await linesIn(journal))[0] as unknown as {
    readonly set?: readonly object[];
    readonly fork?: { readonly seq: number };
  };

describe("a fork of a tree that sets an answer", () => {
  const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
  /** A boss whose clerk looks, then pays where it may; all say what they were told. */
  const { parent, model: words } = familyOf({
    name: "boss",
    says: (request, turn) => (turn === 0 ? calls("clerk") : told(request)),
    children: [
      {
        name: "clerk",
        tools: [look, pay],
        says: (request, turn) => {
          if (turn === 0) return { calls: [{ name: "look" }] };
          return turn === 1 ? { calls: [{ name: "pay" }] } : told(request);
        },
      },
    ],
  });
  const told = ({ messages }: ModelRequest) =>
    /nothing|two files|paid|refused|a word/.exec(
      JSON.stringify(messages.slice(-1).map(({ content }) => content)),
    )?.[0] ?? "kept";
  const host = { model: words };
  const inChild = (id: string) => `${CHILD}:${id}`;

  async function original() {
    const journal = memoryJournal("r");
    await run(parent, "go", { ...host, journal, runId: "r", approve: () => ({ approve: true }) });
    return journal;
  }

  test.each<[string, string, unknown, object]>([
    ["a tool", "tool/0/0", "nothing", { type: "tool.succeeded", output: "nothing" }],
    ["a model", "llm/2", "a word", { type: "llm.succeeded" }],
    ["a decision", "approval/1/0", false, { type: "approval.decided", approve: false }],
  ])("of %s in a child, by the path of it", async (_what, id, value, event) => {
    const journal = await original();
    const forked = await fork(journal, { set: { [inChild(id)]: value } });
    expect(forked.children).toEqual([CHILD]);
    const { set, fork: link } = await header(forked.journal);
    expect(set).toMatchObject([{ run: CHILD, event: { id, ...event } }]);
    const settled = (await eventsIn(journal)).find(
      ({ run: path, event: each }) => path === CHILD && "id" in each && each.id === id,
    );
    expect(link?.seq).toBe((settled?.seq ?? 0) - 1);
    const end = await resume(parent, forked.journal, {
      ...host,
      approve: () => ({ approve: true }),
    });
    expect(end.status).toBe("done");
    if (id !== "tool/0/0")
      expect(end).toMatchObject({ output: id === "llm/2" ? "a word" : "kept" });
    const [first] = await eventsIn(forked.journal);
    expect(first).toMatchObject({ run: CHILD, event: { id, ...event } });
    expect(await replay(parent, forked.journal)).toMatchObject({ status: "identical" });
    // A fork of the fork is given the same; a person is asked again.
    const again = await fork(forked.journal, { at: forked.from.seq });
    const output = id === "approval/1/0" ? "paid" : (end as unknown as { output: unknown }).output;
    const approve = () => ({ approve: true });
    expect(await resume(parent, again.journal, { ...host, approve })).toMatchObject({ output });
  });

  test("of a child itself, which had ended: what is set is its outcome all the same", async () => {
    const forked = await fork(await original(), { set: { [CHILD]: "a word" } });
    const end = await resume(parent, forked.journal, host);
    expect(end).toMatchObject({ status: "done", output: "a word" });
    expect(await replay(parent, forked.journal)).toMatchObject({ status: "identical" });
    const failed = await fork(await original(), { set: { [CHILD]: { error: "refused" } } });
    expect(await resume(parent, failed.journal, host)).toMatchObject({ output: "refused" });
    expect(await replay(parent, failed.journal)).toMatchObject({ status: "identical" });
  });

  test("of a child that goes on: it is cancelled with all below it, and what it has spent counts", async () => {
    const journal = memoryJournal("r");
    expect((await run(parent, "go", { ...host, journal })).status).toBe("waiting");
    const forked = await fork(journal, { set: { [CHILD]: "a word" } });
    const end = await resume(parent, forked.journal, host);
    expect(end).toMatchObject({ status: "done", output: "a word" });
    expect(await replay(parent, forked.journal)).toMatchObject({ status: "identical" });
    const types = (await eventsIn(forked.journal)).map(({ run: path = "", event }) => [
      path,
      event.type,
    ]);
    expect(types.slice(0, 2)).toEqual([
      ["", "run.succeeded"],
      [CHILD, "cancel"],
    ]);
    // It was asked twice, and its parent once more.
    expect(end.usage.requests).toBe(4);
    expect((await summaryOf(forked.journal)).usage.requests).toBe(4);
    expect((await resume(parent, forked.journal, host)).usage).toEqual(end.usage);
  });

  test("of a child that goes on, two levels above what is asked for", async () => {
    const deep = familyOf(lineOf(2, [worker([], "pay", { needsApproval: true })]));
    const journal = memoryJournal("r");
    await run(deep.parent, "go", { model: deep.model, journal });
    const forked = await fork(journal, { set: { [CHILD]: "a word" } });
    const end = await resume(deep.parent, forked.journal, { model: deep.model });
    expect(end).toMatchObject({ status: "done", usage: { requests: 4 } });
    expect((await eventsIn(forked.journal)).map(({ run: path = "" }) => path)).toEqual([
      "",
      CHILD,
      `${CHILD}:${CHILD}`,
      "",
    ]);
    expect(await replay(deep.parent, forked.journal)).toMatchObject({ status: "identical" });
  });

  test("of what a child does not wait for is refused", async () => {
    const journal = await original();
    for (const id of [inChild("tool/7"), "tool/9/9:tool/0/0", `${CHILD}:${CHILD}:tool/0/0`]) {
      expect(await rejection(fork(journal, { set: { [id]: 1 } }))).toMatchObject({
        code: "fork.point",
      });
    }
  });
});
