// Cancelling a parent ends its children, wherever they are; every journal of the tree says so.
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
import { calls, familyOf, lineOf, type Member, worker } from "../../../support/family.js";
import { gate, settle } from "../../../support/watched-journal.js";

/** The journals of a tree, by the ids that lead to them. */
function treeOf(journal: TextJournal): [path: string, journal: TextJournal][] {
  return [...journal.texts.keys()].map((path) => [
    path,
    path === "" ? journal : path.split(" ").reduce((each, id) => each.child(id), journal),
  ]);
}

/** How each run of a tree ended, by its journal; all must replay with the parent's reasoner. */
async function endsOf(parent: Parameters<typeof replay>[0], journal: TextJournal) {
  const ends: Record<string, unknown> = {};
  for (const [path, each] of treeOf(journal)) {
    expect((await replay(parent, each)).status, path).toBe("identical");
    const lines = each.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    ends[path] = lines.findLast(({ event }) => event !== undefined)?.end?.status;
  }
  return ends;
}

const down = (depth: number) => Array(depth).fill("tool/0/0/0").join(" ");

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

    it(`cancels a child that rests, ${depth} deep`, async () => {
      const { parent, model } = familyOf(
        lineOf(depth, [worker([], "pay", { needsApproval: true })]),
      );
      const resting = textJournal("");
      expect((await run(parent, "go", { model, journal: resting })).status).toBe("waiting");
      const live = resume(parent, resting, { model });
      live.cancel();
      expect((await live).status).toBe("cancelled");
      const all = Array.from({ length: depth + 1 }, (_, i) => [down(i), "cancelled"]);
      expect(await endsOf(parent, resting)).toEqual(Object.fromEntries(all));
    });
  }

  it("cancels a child that rests while a sibling still runs", async () => {
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

  it("and killed before a child wrote that it was: the resume brings every journal to its end", async () => {
    const { parent, model } = familyOf({
      ...lineOf(3, [worker([], "pay", { needsApproval: true })]),
    });
    const journal = textJournal("");
    await run(parent, "go", { model, journal });
    const live = resume(parent, journal, { model });
    live.cancel("enough");
    await live;
    const texts = journal.texts;
    const paths = [...texts.keys()];
    // Each set of journals without their last line, the parent's excepted: it was first.
    for (let which = 1; which < 2 ** (paths.length - 1); which++) {
      // A child's end is marked in its parent's journal only when it is in its own.
      const cut = new Map([...texts].map(([path, text]) => [path, withoutEnds(text)]));
      for (const [i, path] of paths.slice(1).entries()) {
        if ((which & (1 << i)) === 0) continue;
        const text = cut.get(path) ?? "";
        cut.set(path, text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1));
      }
      const again = textJournal(cut);
      const end = await resume(parent, again, { model });
      expect([end.status, end.events]).toEqual(["cancelled", 3]);
      expect(again.text).toBe(texts.get(""));
      expect(Object.values(await endsOf(parent, again))).toEqual(Array(4).fill("cancelled"));
    }
  });
});

describe("a child whose call is cancelled by a deadline", () => {
  async function late(options: object): Promise<{ end: End; journal: TextJournal; ends: object }> {
    const never = { ...worker([]), timeoutMs: 1e9, execute: () => new Promise(() => {}) };
    const line = lineOf(2, [never as never]);
    const { parent, model } = familyOf({
      ...line,
      says: [calls("level1"), "my best answer"],
      is: { deadlineMs: 1_000, onLimit: "answer" },
    });
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
    const never = { ...worker([]), timeoutMs: 1e9, execute: () => new Promise(() => {}) };
    const line = lineOf(2, [never as never]);
    const { parent, model } = familyOf({
      ...line,
      says: [calls("level1"), "my best answer"],
      is: { deadlineMs: 1_000, onLimit: "answer" },
    });
    // The parent's last line, and those of the children, are lost.
    const cut = new Map(
      [...journal.texts]
        .map(([path, whole]) => [path, withoutEnds(whole)] as const)
        .map(([path, text]) => [path, text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1)]),
    );
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

/** A journal without the marks of children that have ended, and what came after the first of them. */
function withoutEnds(text: string): string {
  const lines = text.trimEnd().split("\n");
  const at = lines.findIndex((line) => line.startsWith('{"mark"') && line.includes('"ended"'));
  return at < 0 ? text : `${lines.slice(0, at).join("\n")}\n`;
}
