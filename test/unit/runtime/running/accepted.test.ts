// What is accepted is delivered, what is not is refused: nothing that somebody said is lost in between.
import { describe, expect, it } from "vitest";
import { pairKey } from "../../../../src/core/kernel/vocabulary/index.js";
import type { Agent } from "../../../../src/index.js";
import { memoryJournal, replay, resume, run } from "../../../../src/runtime/index.js";
import { approvalIn, calls, familyOf, worker } from "../../../support/family.js";
import { eventsIn, textIn } from "../../../support/journal-text.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { rejection } from "../../../support/thrown.js";

const approval = (id: string) => ({ type: "approval", id, title: id, subject: null });

/** Two approvals; a denial, or `stop`, ends the run. */
const desk = smallReasoner({
  initial: "a",
  states: {
    a: {
      entry: issue(approval("one"), approval("two")),
      on: {
        stop: "over",
        "approval.decided": {
          guard: ({ event }: { event: { approve?: boolean } }) => event.approve === false,
          target: "over",
        },
      },
    },
    over: { type: "final" },
  },
});
const yes = { approve: true };
const no = { approve: false };

async function waiting() {
  const journal = memoryJournal();
  expect((await run(desk, null, { journal })).status).toBe("waiting");
  return journal;
}

describe("a resume", () => {
  it("takes decisions before an event that ends the run", async () => {
    const journal = await waiting();
    const approvals = { one: yes, two: yes };
    const end = await resume(desk, journal, { approvals, events: [{ type: "stop" }] });
    expect(end.status).toBe("done");
    const types = (await eventsIn(journal)).map(({ event }) => event.type);
    expect(types).toEqual(["start", "approval.decided", "approval.decided", "stop"]);
    expect((await replay(desk, journal)).status).toBe("identical");
  });

  it.each([
    ["a decision behind one that ends the run", { approvals: { one: no, two: yes } }, /"two"/],
    ["a message behind one", { approvals: { one: no }, messages: ["and"] }, /has ended/],
    ["an event behind one that ends it", { events: [{ type: "stop" }, { type: "x" }] }, /ended/],
    ["a decision for nobody", { approvals: { three: yes } }, /never asked for/],
    ["a decision in no child", { approvals: { "c:one": yes } }, /no such child/],
  ])("refuses %s, and nothing is written", async (_name, given, message) => {
    const journal = await waiting();
    const before = await textIn(journal);
    const error = await rejection(resume(desk, journal, given as never));
    expect(error.code).toMatch(/^(?:approval\.stale|run\.ended)$/);
    expect(error.message).toMatch(message);
    expect(await textIn(journal)).toBe(before);
    expect((await resume(desk, journal, { approvals: { one: yes } })).status).toBe("waiting");
  });
});

/** What is not a message, decision, event or list of them, whoever hands it over. */
const nothingSaid: readonly (readonly [string, object])[] = [
  ["a message that is a number", { messages: [5] }],
  ["a message that is nothing", { messages: [null] }],
  ["a message with a part without its text", { messages: ["hi", [{ type: "text" }]] }],
  ["a message event without content", { events: [{ type: "message" }] }],
  ["messages that are a text", { messages: "hi" }],
  ["events that are one", { events: { type: "stop" } }],
  ["approvals that are none", { approvals: null }],
  ["approvals that are a list", { approvals: [yes] }],
  ["a decision that is a word", { approvals: { one: "yes" } }],
  [
    "a decision as an event, with a word",
    { events: [{ type: "approval.decided", id: "one", approve: "yes" }] },
  ],
  ["a decision for a reason that is none", { approvals: { one: { approve: false, reason: 5 } } }],
  ["a cancel for a reason that is none", { events: [{ type: "cancel", reason: {} }] }],
];

describe("what was never said", () => {
  it.each(nothingSaid)(
    "%s is refused by a resume, and nothing is written",
    async (_name, given) => {
      const journal = await waiting();
      const before = await textIn(journal);
      const error = await rejection(resume(desk, journal, given as never));
      expect(error.code).toMatch(/^(?:event|option)\.invalid$/);
      expect(await textIn(journal)).toBe(before);
    },
  );

  it("is refused by a live run, which goes on", async () => {
    const journal = memoryJournal();
    const live = run(desk, null, { journal, approve: () => new Promise(() => {}) });
    const codes: string[] = [];
    const attempts = [
      () => live.message(5 as never),
      () =>
        live.message([{ type: "tool-call", toolCallId: "a", toolName: "b", input: {} }] as never),
      () => live.send({ type: "approval.decided", id: "one", approve: 1 }),
      () => live.decide("one", { approve: true, reason: [] } as never),
      () => live.cancel(5 as never),
      () => live.interrupt({} as never),
    ];
    for await (const each of live) {
      if (each.type !== "step" || codes.length > 0) continue;
      for (const attempt of attempts) codes.push((await rejection(attempt())).code);
      live.send({ type: "stop" });
    }
    expect(codes).toEqual(attempts.map(() => "event.invalid"));
    expect((await eventsIn(journal)).map(({ event }) => event.type)).toEqual(["start", "stop"]);
  });
});

describe("while a run closes", () => {
  const waiter = smallReasoner({
    initial: "a",
    states: {
      a: { entry: issue({ type: "timer", id: "t", until: 1e13 }), on: { stop: "over", note: {} } },
      over: { type: "final" },
    },
  });

  it.each([...Array(40).keys()])(
    "what comes after %i turns is in the journal, or refused with a code",
    async (turns) => {
      for (const event of [{ type: "note" }, { type: "stop" }]) {
        const journal = memoryJournal();
        const live = run(waiter, null, { journal, timers: "return" });
        const said = (async () => {
          for (let i = 0; i < turns; i += 1) await null;
          try {
            await live.send(event);
            return "taken";
          } catch (thrown) {
            return (thrown as { code?: string }).code;
          }
        })();
        const [, told] = await Promise.all([live, said]);
        const types = (await eventsIn(journal)).map(({ event: { type } }) => type);
        expect(told).toBe(types.includes(event.type as never) ? "taken" : "run.ended");
      }
    },
  );
});

describe("a live run", () => {
  it("refuses what comes right behind what ends it", async () => {
    const journal = memoryJournal();
    const live = run(desk, null, { journal, approve: () => new Promise(() => {}) });
    const codes: string[] = [];
    for await (const each of live) {
      if (each.type !== "step" || codes.length > 0) continue;
      live.send({ type: "stop" });
      codes.push((await rejection(live.decide("one", yes))).code);
      codes.push((await rejection(live.message("and"))).code);
      // Once more is no mistake.
      live.cancel();
    }
    expect(codes).toEqual(["run.ended", "run.ended"]);
    expect((await live).status).toBe("done");
  });

  it("refuses the second decision on one approval, and takes one on another", async () => {
    const held = smallReasoner({
      initial: "a",
      states: {
        a: {
          entry: issue(approval("one"), approval("two"), {
            type: "tool",
            id: "t",
            name: "x",
            input: 1,
          }),
          on: {
            "tool.failed": { actions: issue({ type: "timer", id: "w", until: 1e13 }) },
            stop: "b",
          },
        },
        b: { type: "final" },
      },
    });
    const journal = memoryJournal();
    const live = run(held, null, { journal, approve: () => new Promise(() => {}) });
    const stale: string[] = [];
    for await (const each of live) {
      if (each.type !== "step" || each.event.type !== "tool.failed") continue;
      live.decide("one", yes);
      stale.push((await rejection(live.decide("one", no))).message);
      live.decide("two", no);
      live.send({ type: "stop" });
      stale.push((await rejection(live.decide("two", no))).code);
    }
    expect((await live).status).toBe("done");
    expect(stale).toEqual([expect.stringContaining("it was decided before"), "run.ended"]);
    const decided = (await eventsIn(journal)).flatMap(({ event }) =>
      event.type === "approval.decided" ? [event] : [],
    );
    expect(decided).toMatchObject([
      { id: "one", approve: true },
      { id: "two", approve: false },
    ]);
  });
});

describe("a decision for a run in between", () => {
  // The middle asks for its own work, and has a child that asks as well.
  const family = (done: string[]) =>
    familyOf({
      name: "top",
      says: [calls("middle"), "top done"],
      children: [
        {
          name: "middle",
          tools: [worker(done, "work", { needsApproval: true })],
          says: [
            { calls: [{ name: "work" }, { name: "low", input: { prompt: "go" } }] },
            "middle done",
          ],
          children: [
            {
              name: "low",
              tools: [worker(done, "deep", { needsApproval: true })],
              says: [{ calls: [{ name: "deep" }] }, "low done"],
            },
          ],
        },
      ],
    });

  it("is delivered to it, and not to the one below, live as on resume", async () => {
    const done: string[] = [];
    const { parent, model } = family(done);
    const journal = memoryJournal();
    const top = parent as Agent;
    const first = await run(top, "go", { model, journal, runId: "r" });
    expect(first.status).toBe("waiting");
    const ids = first.status === "waiting" ? first.approvals.map(({ id }) => id) : [];
    const middle = approvalIn(["tool/0/0/0"], "approval/0/0");
    expect(ids).toContain(middle);
    const low = ids.find((id) => id !== middle) as string;
    const stale = await rejection(
      resume(top, journal, {
        model,
        approvals: { [middle]: yes, [pairKey("tool/0/0/0", "x")]: yes },
      }),
    );
    expect(stale.code).toBe("approval.stale");
    expect(done).toEqual([]);
    const second = await resume(top, journal, { model, approvals: { [middle]: yes } });
    expect(second.status).toBe("waiting");
    expect(done).toHaveLength(1);
    const again = await rejection(resume(top, journal, { model, approvals: { [middle]: yes } }));
    expect(again.code).toBe("approval.stale");
    const last = await resume(top, journal, { model, approvals: { [low]: yes } });
    expect([last.status, done.length]).toEqual(["done", 2]);
    expect((await replay(top, journal)).status).toBe("identical");
  });
});
