// One run of a tree as a stream of lines: who reads it sees neither where its lines stand nor who reads them
// along with it.
import { describe, expect, it } from "vitest";
import type { LineFold } from "../../../../src/core/journal/index.js";
import { agent, agentTool } from "../../../../src/index.js";
import {
  type JournalPort,
  memoryJournal,
  run,
  scriptedModel,
  viewOf,
} from "../../../../src/runtime/index.js";
import { rejection } from "../../../support/thrown.js";

const child = agent({ name: "child" });
const tools = [agentTool(child, { name: "ask", description: "Asks." })];
const parent = agent({ name: "parent", tools });

async function aTree(): Promise<JournalPort> {
  const model = scriptedModel(({ tools }, turn) =>
    tools?.length === 1 && turn === 0 ? { calls: [{ name: "ask", input: { prompt: "p" } }] } : "so",
  );
  const journal = memoryJournal("tree");
  await run(parent, "go", { model, journal, runId: "r" });
  return journal;
}

/** The name of a run by its header's line. */
async function nameOf(journal: JournalPort) {
  for await (const { hash, runId } of viewOf(journal).lines()) return { hash, runId };
  throw new Error("no line");
}

describe("a run of a tree", () => {
  it("is named by the directives that lead to it, and has its lines in order", async () => {
    const root = viewOf(await aTree());
    const found = await root.child("tool/0/0/0", await nameOf(root.port));
    expect([root.path, found?.view.path]).toEqual([[], ["tool/0/0/0"]]);
    const numbers: [string, number][] = [];
    for (const view of [root, found?.view ?? root]) {
      const own: number[] = [];
      for await (const { runId, number } of view.lines()) {
        own.push(number);
        if (number === 1) numbers.push([runId, (await view.header()).at]);
      }
      expect(own).toEqual(own.map((_, i) => i + 1));
    }
    expect(numbers.map(([runId]) => runId)).toEqual(["r", "r:tool/0/0/0"]);
  });

  it("is no other run that stands in its place, and nothing where it never began", async () => {
    const journal = await aTree();
    const own = await nameOf(journal);
    const wrong = await rejection(viewOf(journal).child("tool/0/0/0", { ...own, hash: "another" }));
    expect(wrong).toMatchObject({ code: "journal.child", place: "tool/0/0/0" });
    expect(await viewOf(journal).child("tool/9/9/9", own)).toBeUndefined();
    const { child: _none, ...childless } = journal;
    expect(await viewOf(childless).child("tool/0/0/0", own)).toBeUndefined();
  });
});

describe("folds", () => {
  /** Notes the numbers of lines, each a moment later than it got it. */
  function noting(until?: number): LineFold & { readonly seen: number[] } {
    const seen: number[] = [];
    const take: LineFold["take"] = async ({ number }) => {
      await Promise.resolve();
      seen.push(number);
    };
    if (until === undefined) return { seen, take };
    return {
      seen,
      take,
      get over() {
        return seen.length >= until;
      },
    };
  }

  it("are fed in one reading, each line when all have taken the one before", async () => {
    const journal = await aTree();
    let reads = 0;
    const counted: JournalPort = {
      ...journal,
      read(from) {
        reads += 1;
        return journal.read(from);
      },
    };
    const [one, other] = [noting(), noting()];
    expect(await viewOf(counted).read(one, other)).toBe(0);
    expect(reads).toBe(1);
    expect(one.seen.length).toBeGreaterThan(3);
    expect(other.seen).toEqual(one.seen);
  });

  it("take no more when they are over; the reading ends when all are that may be", async () => {
    const [two, three, along] = [noting(2), noting(3), noting()];
    await viewOf(await aTree()).read(two, three, along);
    expect([two.seen, three.seen, along.seen].map(({ length }) => length)).toEqual([2, 3, 3]);
  });
});
