// Cancelling a parent ends its children, wherever they are, and the journal says so of each.
import { describe, expect, it } from "vitest";
import {
  type End,
  type HostOptions,
  replay,
  resume,
  run,
  virtualClock,
} from "../../../../src/index.js";
import { type TextJournal, textJournal } from "../../../../src/testing/index.js";
import { resultsOf } from "../../../support/agent-events.js";
import { driven } from "../../../support/every-way.js";
import { calls, familyOf, lineOf, type Member, pathOf, worker } from "../../../support/family.js";
import { endsIn, firstLines, treeLines, upTo } from "../../../support/tree-lines.js";
import { gate, settle } from "../../../support/watched-journal.js";

/** How each run of a tree ended, by its path; the tree must replay. */
async function endsOf(parent: Parameters<typeof replay>[0], journal: TextJournal) {
  expect((await replay(parent, journal)).status).toBe("identical");
  return endsIn(journal.text);
}

const down = (depth: number) => pathOf(...Array<string>(depth).fill("tool/0/0/0"));

describe("a parent that is cancelled", () => {
  for (const depth of [1, 2, 3]) {
    it(`cancels the tool of a child ${depth} deep`, async () => {
      const reasons: unknown[] = [];
      const slow = {
        ...worker([]),
        execute: (_input: unknown, { signal }: { signal: AbortSignal }) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => resolve(reasons.push(signal.reason)));
          }),
      };
      const { parent, model } = familyOf(lineOf(depth, [slow as never]));
      const journal = textJournal("");
      const live = run(parent, "go", { model, journal });
      await settle();
      await settle();
      live.cancel("enough");
      expect((await live).status).toBe("cancelled");
      expect(reasons).toHaveLength(1);
      const all = Array.from({ length: depth + 1 }, (_, i) => [down(i), "cancelled"]);
      expect(await endsOf(parent, journal)).toEqual(Object.fromEntries(all));
    });

    it(`cancels a child that waits, ${depth} deep`, async () => {
      const { parent, model } = familyOf(
        lineOf(depth, [worker([], "pay", { needsApproval: true })]),
      );
      const waiting = textJournal("");
      expect((await run(parent, "go", { model, journal: waiting })).status).toBe("waiting");
      const live = resume(parent, waiting, { model });
      live.cancel();
      expect((await live).status).toBe("cancelled");
      const all = Array.from({ length: depth + 1 }, (_, i) => [down(i), "cancelled"]);
      expect(await endsOf(parent, waiting)).toEqual(Object.fromEntries(all));
    });
  }

  it("cancels a child that waits while a sibling still runs", async () => {
    const held = gate();
    const hold = { ...worker([], "hold"), execute: () => held.passed };
    const { parent, model } = familyOf({
      name: "parent",
      says: [calls("line", "busy"), "done"],
      children: [
        {
          ...lineOf(2, [worker([], "pay", { needsApproval: true })]),
          name: "line",
          says: [calls("level1")],
        },
        { name: "busy", tools: [hold], says: [{ calls: [{ name: "hold" }] }] },
      ],
    });
    const journal = textJournal("");
    const live = run(parent, "go", { model, journal });
    await settle();
    await settle();
    live.cancel();
    expect((await live).status).toBe("cancelled");
    held.open();
    const ends = await endsOf(parent, journal);
    expect(Object.values(ends)).toEqual(Array(5).fill("cancelled"));
  });

  it("at any moment: after each event of the whole tree", async () => {
    const member: Member = {
      name: "parent",
      says: [calls("a", "b"), calls("b"), "done"],
      children: [
        {
          ...lineOf(2, [worker([]), worker([], "pay", { needsApproval: true })]),
          name: "a",
          says: [calls("level1"), "a done"],
        },
        { name: "b", tools: [worker([])], says: [{ calls: [{ name: "work" }] }, "b done"] },
      ],
    };
    const { parent, model } = familyOf(member);
    for (let moment = 0; ; moment++) {
      const journal = textJournal("");
      let seen = 0;
      const observers: HostOptions["observers"] = [
        () => {
          if (seen++ === moment) live.cancel();
        },
      ];
      const approve = () => settle().then(() => ({ approve: true }));
      const live = run(parent, "go", { model, journal, observers, approve });
      const end = await live;
      if (seen <= moment) break;
      const ends = await endsOf(parent, journal);
      expect(Object.values(ends), `at moment ${moment}`).not.toContain(undefined);
      expect(ends[""]).toBe(end.status);
    }
  });

  it("and killed behind any line of it: the resume writes the lines that were lost, to the byte", async () => {
    const clock = virtualClock(1_000);
    const { parent, model } = familyOf(lineOf(3, [worker([], "pay", { needsApproval: true })]));
    const journal = textJournal("");
    await run(parent, "go", { model, journal, clock });
    const live = resume(parent, journal, { model, clock });
    live.cancel("enough");
    await live;
    const whole = journal.text;
    const first = upTo(whole, '"type":"cancel"').split("\n").length;
    const { length } = treeLines(whole);
    expect(length - first).toBe(3);
    for (let kept = first; kept <= length; kept++) {
      const again = textJournal(firstLines(whole, kept));
      const later = virtualClock(9_000);
      const end = await resume(parent, again, { model, clock: later });
      expect([end.status, again.text]).toEqual(["cancelled", whole]);
    }
  });
});

describe("a child whose call is cancelled by a deadline", () => {
  const lateFamily = () => {
    const never = { ...worker([]), timeoutMs: 1e9, execute: () => new Promise(() => {}) };
    return familyOf({
      ...lineOf(2, [never as never]),
      says: [calls("level1"), "my best answer"],
      is: { deadlineMs: 1_000, onLimit: "answer" },
    });
  };

  async function late(options: object): Promise<{ end: End; journal: TextJournal; ends: object }> {
    const { parent, model } = lateFamily();
    const clock = virtualClock();
    const journal = textJournal("");
    const end = await driven(clock, run(parent, "go", { model, journal, clock, ...options }));
    return { end, journal, ends: await endsOf(parent, journal) };
  }

  it("is cancelled, with its children; the parent goes on", async () => {
    const { end, ends } = await late({});
    expect(end).toMatchObject({ status: "done", output: "my best answer" });
    expect(ends).toEqual({ "": "done", [down(1)]: "cancelled", [down(2)]: "cancelled" });
    expect(String(resultsOf(end.context as never)[0])).toMatch(/may have/);
  });

  it("is cancelled by the resume where the process died before it was", async () => {
    const { journal } = await late({});
    const { parent, model } = lateFamily();
    const cut = upTo(journal.text, '"reason":"The run that started it no longer wants it."');
    const again = textJournal(cut);
    const clock = virtualClock(5_000);
    const end = await driven(clock, resume(parent, again, { model, clock }));
    expect(end).toMatchObject({ status: "done", output: "my best answer" });
    expect(await endsOf(parent, again)).toEqual({
      "": "done",
      [down(1)]: "cancelled",
      [down(2)]: "cancelled",
    });
  });
});
