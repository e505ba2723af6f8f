// Journals of trees that somebody has changed and chained anew: what only follows is derived from the other
// lines, so that a resume refuses what does not follow, and a replay tells it.
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/core/kernel/values/index.js";
import { replay, resume, run, summaryOf } from "../../../../src/runtime/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { ticking } from "../../../support/decision-agent.js";
import { familyOf, lineOf, pathOf, worker } from "../../../support/family.js";
import { rejection } from "../../../support/thrown.js";
import { rechained, type treeLines, upTo } from "../../../support/tree-lines.js";

const CHILD = "tool/0/0/0";
const GRANDCHILD = pathOf(CHILD, CHILD);
const { parent, model } = familyOf({
  ...lineOf(2, [worker([])]),
  is: { tokenBudget: 10_000 },
});
/** A tree whose last run asks, and that is cancelled. */
const asking = familyOf(lineOf(2, [worker([], "pay", { needsApproval: true })]));

type Line = ReturnType<typeof treeLines>[number];
type Change = (line: Line, at: number) => object | undefined;

/** The whole lines of a tree that is through. */
async function through(): Promise<string> {
  const journal = textJournal("");
  // A line that is changed to be later is not later than the next one.
  const clock = ticking();
  expect((await run(parent, "go", { model, journal, runId: "r", clock })).status).toBe("done");
  return journal.text;
}

/** The change of those lines alone that are of a run and an event; the others stay. */
const changing =
  (run_: string, type: string, change: (line: Line) => object | undefined): Change =>
  (line) =>
    (line.run ?? "") === run_ && line.event?.type === type ? change(line) : line;

const withEvent = (more: object) => (line: Line) => ({
  ...line,
  event: { ...line.event, ...more },
});
const withBegin = (more: object) => (line: Line) => ({
  ...line,
  begin: { ...line.begin, ...more },
});

it("a text that is chained anew and not changed is as it was", async () => {
  const text = await through();
  expect(rechained(text, (line) => line)).toBe(text);
});

describe("a tree that was changed", () => {
  const other = { inputTokens: 1, requests: 7 };
  it.each<[string, Change, string]>([
    [
      "a child that begins with another input",
      changing(CHILD, "start", withBegin({ input: "something else" })),
      `begins otherwise than its directive says`,
    ],
    [
      "a child that begins with another budget",
      changing(CHILD, "start", withBegin({ budget: { tokens: 1 } })),
      "begins otherwise than its directive says",
    ],
    [
      "a child that begins at another time",
      changing(CHILD, "start", (line) => withEvent({ at: (line.event?.at ?? 0) + 1 })(line)),
      "begins otherwise than its directive says",
    ],
    [
      "a parent that is told another output",
      changing("", "run.succeeded", withEvent({ output: "something else" })),
      "did not come to what its parent is told",
    ],
    [
      "a child that is told another usage",
      changing(CHILD, "run.succeeded", withEvent({ usage: other })),
      "did not come to what its parent is told",
    ],
    [
      "a parent that is told that its child failed",
      changing("", "run.succeeded", ({ event, ...line }) => {
        const { output: _none, ...own } = event as unknown as JsonObject;
        const error = { code: "x", message: "x" };
        return { ...line, event: { ...own, type: "run.failed", error } };
      }),
      "did not come to what its parent is told",
    ],
    [
      "a child that is cancelled without its parent",
      changing(GRANDCHILD, "tool.succeeded", ({ event, ...line }) => {
        const reason = "The run that started it no longer wants it.";
        return { ...line, event: { type: "cancel", reason, at: event?.at } };
      }),
      "is cancelled otherwise than its parent does",
    ],
  ])("with %s is refused by resume and told by replay", async (_what, change, why) => {
    const text = rechained(await through(), change);
    const error = await rejection(resume(parent, textJournal(text), { model }));
    expect(error).toMatchObject({ code: "journal.diverged" });
    expect(error.message).toContain(why);
    for (const keepGoing of [false, true]) {
      const report = await replay(parent, textJournal(text), { keepGoing });
      expect(report.status).toBe("diverged");
    }
  });

  it.each<[string, Change]>([
    [
      "a line of a run that never began",
      changing(GRANDCHILD, "llm.succeeded", (line) => ({ ...line, run: "tool/7/7/7" })),
    ],
    [
      "the beginning of a run for which no directive waits",
      changing(GRANDCHILD, "start", (line) => ({ ...line, run: pathOf(CHILD, "tool/7/7/7") })),
    ],
    ["a child whose beginning is gone", changing(CHILD, "start", () => undefined)],
    ["a child whose answer is gone", changing(CHILD, "llm.succeeded", () => undefined)],
    ["a parent whose child's end is gone", changing("", "run.succeeded", () => undefined)],
    [
      "a step that begins twice what it issued",
      (line) => ("starts" in line ? { ...line, starts: [0, 0] } : line),
    ],
    [
      "a step that begins what it did not issue",
      (line) => ("starts" in line ? { ...line, starts: [99] } : line),
    ],
    [
      "an event that is earlier than the one before it",
      changing("", "llm.succeeded", withEvent({ at: -1 })),
    ],
    [
      "two events whose places are swapped",
      (line) =>
        line.seq === 3 ? { ...line, seq: 4 } : line.seq === 4 ? { ...line, seq: 3 } : line,
    ],
  ])("with %s is refused by resume, and by replay", async (_what, change) => {
    const text = rechained(await through(), change);
    expect(await rejection(resume(parent, textJournal(text), { model }))).toMatchObject({
      code: "journal.format",
    });
    const told = await Promise.resolve(replay(parent, textJournal(text), { keepGoing: true })).then(
      ({ status }) => status,
      ({ code }) => code,
    );
    expect(["journal.format", "diverged"]).toContain(told);
  });

  it.each<[string, Change]>([
    ["a child's beginning", changing(CHILD, "start", () => undefined)],
    ["an answer", changing(GRANDCHILD, "llm.succeeded", () => undefined)],
    ["all lines of a child", (line) => (line.run === GRANDCHILD ? undefined : line)],
  ])("and that lacks %s is refused with its line without code, too", async (_what, change) => {
    const text = rechained(await through(), change);
    const gone = { code: "journal.format", place: expect.stringMatching(/^line \d+$/) };
    expect(await rejection(summaryOf(textJournal(text)))).toMatchObject(gone);
    expect(await rejection(Promise.resolve(replay(parent, textJournal(text))))).toMatchObject(gone);
  });

  it("with a child whose lines are gone, numbered anew, is refused too", async () => {
    const whole = await through();
    let seq = 0;
    const text = rechained(whole, (line) => {
      if (line.event === undefined) return line.run === undefined ? line : undefined;
      if (line.run?.startsWith(CHILD)) return undefined;
      return { ...line, seq: seq++ };
    });
    expect(await rejection(resume(parent, textJournal(text), { model }))).toMatchObject({
      code: "journal.diverged",
    });
    expect((await replay(parent, textJournal(text))).status).toBe("diverged");
  });

  it("with a cancel that another reason was given for is refused", async () => {
    const journal = textJournal("");
    await run(asking.parent, "go", { model: asking.model, journal });
    const live = resume(asking.parent, journal, { model: asking.model });
    live.cancel("enough");
    await live;
    const text = rechained(
      journal.text,
      changing(CHILD, "cancel", withEvent({ reason: "another" })),
    );
    const host = { model: asking.model };
    expect(await rejection(resume(asking.parent, textJournal(text), host))).toMatchObject({
      code: "journal.diverged",
    });
    expect((await replay(asking.parent, textJournal(text))).status).toBe("diverged");
    // A torn one is written again, as it was.
    const torn = textJournal(upTo(journal.text, '"reason":"The run that started it'));
    await resume(asking.parent, torn, host);
    expect(torn.text).toBe(journal.text);
  });
});
