/** Forks: a beginning by link, a future of its own, and an original that nobody touches. */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { agent } from "../../../../src/core/agent/index.js";
import { toArray } from "../../../../src/core/kernel/values/index.js";
import { textOf, tool } from "../../../../src/core/kernel/vocabulary/index.js";
import {
  type JournalPort,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { fork, forks } from "../../../../src/time-travel/live/index.js";
import { textIn } from "../../../support/journal-text.js";

const folder = mkdtempSync(join(tmpdir(), "fork-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An agent that looks a thing up, then removes what it was told to; each call is written down. */
function desk() {
  const calls: string[] = [];
  const look = tool({
    name: "look",
    inputSchema: undefined as never,
    execute: (_input, { idempotencyKey }) => {
      calls.push(`look ${idempotencyKey}`);
      return "two files";
    },
  });
  const remove = tool({
    name: "remove",
    inputSchema: undefined as never,
    needsApproval: true,
    execute: (_input, { idempotencyKey }) => {
      calls.push(`remove ${idempotencyKey}`);
      return "removed";
    },
  });
  const reasoner = agent({ name: "desk", system: "You tidy up.", tools: [look, remove] });
  const model = scriptedModel((request, turn) => {
    if (turn === 0) return { calls: [{ name: "look" }] };
    if (turn === 1) return { calls: [{ name: "remove" }] };
    const said = request.messages.map((each) => JSON.stringify(each.content)).join(" ");
    return said.includes("nothing") ? "Nothing there." : "All tidy.";
  });
  return { reasoner, model, calls };
}

async function wholeRun(journal: JournalPort) {
  const { reasoner, model, calls } = desk();
  const clock = virtualClock(1_000);
  const approve = () => ({ approve: true });
  const end = await run(reasoner, "Tidy up", { model, journal, runId: "one", clock, approve });
  return { reasoner, model, calls, clock, end };
}

describe("a fork", () => {
  for (const [where, make] of [
    ["in memory", (name: string) => memoryJournal(name)],
    ["in files", (name: string) => fileJournal(join(folder, `${name}.jsonl`))],
  ] as const) {
    test(`${where}: goes on from its cut, with its own run id and keys`, async () => {
      const original = make("a");
      const { reasoner, model, calls, end } = await wholeRun(original);
      const before = await textIn(original);
      calls.length = 0;
      // Behind the first answer of the model: the tool was issued, and answered later.
      const forked = await fork(original, { at: 1, runId: "two" });
      expect(forked).toMatchObject({
        runId: "two",
        from: { runId: "one", seq: 1 },
        retained: 2,
        removed: end.events - 2,
        children: [],
        writes: {},
      });
      const again = await resume(reasoner, forked.journal, {
        model,
        approve: () => ({ approve: true }),
        clock: virtualClock(1_000),
      });
      expect(again).toMatchObject({ status: "done", output: end.status === "done" && end.output });
      // `look` was answered from the record; `remove` ran anew, under a key of the fork's own.
      expect(calls).toEqual(["remove two:tool/1/0"]);
      expect(await replay(reasoner, forked.journal)).toMatchObject({
        status: "identical",
        runId: "two",
        events: again.events,
      });
      expect(await textIn(original)).toBe(before);
      expect(await textIn(forked.journal)).not.toContain("two files".repeat(2));
      // What it shares is not copied.
      expect(await textIn(forked.journal)).not.toContain("You tidy up.");
    });

    test(`${where}: forks of forks, resumed from every line, come to the same`, async () => {
      const original = make("b");
      const { reasoner, model, end } = await wholeRun(original);
      for (let at = 0; at < end.events; at++) {
        const first = await fork(original, { at, limit: 99 });
        const second = await fork(first.journal, { at });
        const third = await fork(second.journal);
        expect(third.from).toEqual({ runId: "one", seq: at });
        for (const { journal } of [first, second, third]) {
          const options = { model, approve: () => ({ approve: true }), clock: virtualClock(1_000) };
          const again = await resume(reasoner, journal, options);
          expect(again).toMatchObject({ status: "done", events: end.events });
          expect(toArray(again.context.messages).map(textOf)).toEqual(
            toArray(end.context.messages).map(textOf),
          );
          expect(await replay(reasoner, journal)).toMatchObject({ status: "identical" });
        }
      }
    });

    test(`${where}: an answer that is set cuts just before it`, async () => {
      const original = make("c");
      const { reasoner, model, calls } = await wholeRun(original);
      calls.length = 0;
      const forked = await fork(original, { set: { "tool/0/0": "nothing" } });
      expect(forked.from.seq).toBe(1);
      const options = { model, approve: () => ({ approve: true }), clock: virtualClock(9_000) };
      const end = await resume(reasoner, forked.journal, options);
      expect(end).toMatchObject({ status: "done", output: "Nothing there." });
      const said = await textIn(forked.journal);
      expect(said).toContain('"event":{"type":"tool.succeeded","output":"nothing","id":"tool/0/0"');
      expect(await replay(reasoner, forked.journal)).toMatchObject({ status: "identical" });
    });
  }

  test("of a decision: a person says otherwise", async () => {
    const original = memoryJournal("d");
    const { reasoner, model, calls } = await wholeRun(original);
    calls.length = 0;
    const id = "approval/1/0";
    const forked = await fork(original, { set: { [id]: { approve: false, reason: "keep it" } } });
    const end = await resume(reasoner, forked.journal, { model });
    expect(end.status).toBe("done");
    expect(calls).toEqual([]);
    expect(await textIn(forked.journal)).toContain("keep it");
  });

  test("what is decided at the resume is what counts", async () => {
    const original = memoryJournal("e");
    const { reasoner, model, calls } = await wholeRun(original);
    const forked = await fork(original, { at: 3 });
    calls.length = 0;
    const approvals = { "approval/1/0": { approve: false } };
    const end = await resume(reasoner, forked.journal, { model, approvals });
    expect(end.status).toBe("done");
    expect(calls).toEqual([]);
  });

  test("siblings do not see each other, and the original's bytes stay through a hundred", async () => {
    const path = join(folder, "hundred.jsonl");
    const original = fileJournal(path);
    const { reasoner, model } = await wholeRun(original);
    const hash = () => createHash("sha256").update(readFileSync(path)).digest("hex");
    const before = hash();
    for (let i = 0; i < 100; i++) {
      const at = i % 5;
      const forked = await fork(original, { at, limit: 100, name: `f${i}` });
      if (i % 10 !== 0) continue;
      const end = await resume(reasoner, forked.journal, { model, unattended: "deny" });
      expect(end.status).toBe("done");
      expect(await replay(reasoner, forked.journal)).toMatchObject({ status: "identical" });
    }
    expect(hash()).toBe(before);
    const listed = await forks(original);
    expect(listed.forks).toHaveLength(100);
    expect(new Set(listed.forks.map(({ runId }) => runId)).size).toBe(100);
  });
});
