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

describe("a run of a tree", () => {
  it("has its lines in order, as a journal of its own would have them", async () => {
    const root = viewOf(await aTree());
    const found = await root.child("tool/0/0/0");
    expect([root.path, found?.view.path]).toEqual(["", "tool/0/0/0"]);
    const seen: [string, readonly string[]][] = [];
    for (const view of [root, found?.view ?? root]) {
      const types: string[] = [];
      let of = "";
      for await (const { runId, line } of view.lines()) {
        of = runId;
        types.push("event" in line ? line.event.type : (Object.keys(line)[0] ?? ""));
        if ("type" in line) expect(line.runId).toBe(runId);
      }
      seen.push([of, types]);
    }
    expect(seen).toEqual([
      ["r", ["type", "start", "llm.succeeded", "run.succeeded", "llm.succeeded", "mark"]],
      ["r:tool/0/0/0", ["type", "start", "llm.succeeded"]],
    ]);
    expect(found?.header).toMatchObject({ runId: "r:tool/0/0/0", reasoner: { id: "child" } });
  });

  it("stands among the lines of all, and is none where it never began", async () => {
    const root = viewOf(await aTree());
    const runs: string[] = [];
    for await (const { line } of root.treeLines()) {
      if ("event" in line) runs.push(`${line.seq} ${line.run ?? ""}`);
    }
    const child = "tool/0/0/0";
    expect(runs).toEqual(["0 ", "1 ", `2 ${child}`, `3 ${child}`, "4 ", "5 "]);
    expect(await root.child("tool/9/9/9")).toBeUndefined();
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
