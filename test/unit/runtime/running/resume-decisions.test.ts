// What a resume is told is judged together and in its order, times that have passed first: what another
// decision, or a deadline, makes void is refused before anything runs.
import { describe, expect, it } from "vitest";
import { memoryJournal, resume, run, virtualClock } from "../../../../src/runtime/index.js";
import { eventsIn, textIn } from "../../../support/journal-text.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { rejection } from "../../../support/thrown.js";
import { killedAfter } from "../../../support/watched-journal.js";

const yes = { approve: true };
const approval = (id: string) => ({ type: "approval", id, title: id, subject: null });
const timer = (id: string, until: number) => ({ type: "timer", id, until });
const cancel = (target: string) => issue({ type: "cancel", target });
type Given = { readonly event: { readonly id?: string; readonly approve?: boolean } };
const of =
  (id: string) =>
  ({ event }: Given) =>
    event.id === id;

/** Two approvals, each with a deadline of its own; the later is issued first. */
const desk = smallReasoner({
  initial: "a",
  states: {
    a: {
      entry: issue(approval("one"), approval("two"), timer("late", 2_000), timer("early", 1_000)),
      on: {
        "timer.fired": [
          { guard: of("early"), actions: cancel("one") },
          { guard: of("late"), actions: cancel("two"), target: "b" },
        ],
      },
    },
    b: { on: { "timer.fired": "c" } },
    c: { type: "final" },
  },
});

describe("a deadline", () => {
  const decide = async (at: number, id: string) => {
    const journal = memoryJournal();
    const first = await run(desk, null, { journal, clock: virtualClock(0), timers: "return" });
    expect(first.status).toBe("waiting");
    const options = {
      clock: virtualClock(at),
      timers: "return",
      approvals: { [id]: yes },
    } as const;
    return { journal, resumed: resume(desk, journal, options) };
  };

  it.each([
    [999, "one"],
    [999, "two"],
    [1_000, "two"],
    [1_999, "two"],
  ])("at %i leaves the decision on %s", async (at, id) => {
    const { journal, resumed } = await decide(at, id);
    expect((await resumed).status).toBe("waiting");
    expect(await textIn(journal)).toContain('"approval.decided"');
  });

  it.each([
    [1_000, "one"],
    [2_000, "two"],
    [9_000, "one"],
  ])("at %i, met exactly or passed, refuses the decision on %s", async (at, id) => {
    const { journal, resumed } = await decide(at, id);
    const before = await textIn(journal);
    const error = await rejection(resumed);
    expect([error.code, error.message]).toEqual([
      "approval.stale",
      expect.stringContaining("its deadline has passed"),
    ]);
    expect(await textIn(journal)).toBe(before);
  });
});

it("deadlines that have passed meanwhile come in the order in which they were due", async () => {
  const journal = memoryJournal();
  await run(desk, null, { journal, clock: virtualClock(0), timers: "return" });
  const late = await resume(desk, journal, { clock: virtualClock(9_000), timers: "return" });
  expect((await textIn(journal)).match(/(?<="timer.fired","id":")\w+/g)).toEqual(["early", "late"]);
  expect([late.status, late.state.value]).toEqual(["waiting", "b"]);
});

describe("decisions in a child", () => {
  const child = smallReasoner({
    initial: "a",
    states: { a: { entry: issue(approval("x"), approval("y")) } },
  });
  const parent = {
    ...smallReasoner({
      initial: "a",
      states: {
        a: {
          entry: issue(approval("p"), { type: "run", id: "c", reasoner: "child", input: null }),
          on: {
            "approval.decided": { actions: cancel("c") },
          },
        },
      },
    }),
    children: { child },
  } as unknown as typeof child;

  const told = async (...ids: readonly string[]) => {
    const journal = memoryJournal();
    expect((await run(parent, null, { journal })).status).toBe("waiting");
    const approvals = Object.fromEntries(ids.map((id) => [id, yes]));
    return rejection(resume(parent, journal, { approvals }));
  };

  it.each([
    ["the first of two", ["c:z", "c:x"], "c:z"],
    ["the second of two", ["c:x", "c:z"], "c:z"],
    ["the last of three", ["c:x", "c:y", "c:q"], "c:q"],
    ["one in no child", ["c:x", "d:x"], "d:x"],
    ["one whose child another decision cancels", ["p", "c:x"], "c:x"],
  ])("are all judged: %s is named", async (_what, ids, place) => {
    expect(await told(...ids)).toMatchObject({ code: "approval.stale", place });
  });

  it("are delivered where all of them wait", async () => {
    const journal = memoryJournal();
    await run(parent, null, { journal });
    const end = await resume(parent, journal, { approvals: { "c:x": yes, "c:y": yes } });
    expect(end).toMatchObject({ status: "waiting", approvals: [{ id: "p" }] });
  });
});

it("of a run that has not begun nothing was asked: a decision is refused, and nothing is written", async () => {
  const journal = memoryJournal();
  await run(desk, null, { journal, clock: virtualClock(0), timers: "return" });
  const header = await killedAfter(journal, 1);
  const resumed = resume(desk, header, { clock: virtualClock(0), approvals: { one: yes } });
  expect(await rejection(resumed)).toMatchObject({
    code: "approval.stale",
    place: "one",
    message: expect.stringContaining("its run has not begun"),
  });
  expect(await header.lines()).toHaveLength(1);
});

it("what a decision is taken at is no earlier than what was before, though the clock was set back", async () => {
  const journal = memoryJournal();
  await run(desk, null, { journal, clock: virtualClock(500), timers: "return" });
  const options = { clock: virtualClock(100), timers: "return", approvals: { one: yes } } as const;
  await resume(desk, journal, options);
  expect((await eventsIn(journal)).map(({ event }) => event.at)).toEqual([500, 500]);
});
