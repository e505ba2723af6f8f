// Journals that others lead to and that are gone: they are told of, unless whoever asks has left them out.
import { expect, it } from "vitest";
import { agent, agentTool, memoryJournal, run, scriptedModel } from "../../../../src/index.js";
import type { JournalPort } from "../../../../src/runtime/index.js";
import { fork } from "../../../../src/time-travel.js";
import { type JournalTracesOptions, journalTraces } from "../../../../src/trace/live/index.js";
import { contentsOf } from "../../../support/traced.js";

const child = agent({ name: "child" });
const ask = agentTool(child, { name: "ask", description: "Asks." });
const parent = agent({ name: "parent", tools: [ask] });

const gone = () => memoryJournal("gone");
const calls = [{ name: "ask", input: { prompt: "p" } }];

/** A run that asked a child. */
async function lived(runId: string, from?: JournalPort): Promise<JournalPort> {
  const journal = memoryJournal(runId);
  const model = scriptedModel(({ tools }, turn) =>
    tools?.length === 1 && turn === 0 ? { calls } : "so",
  );
  const linked = from === undefined ? {} : { from };
  const end = await run(parent, "go", { model, journal, runId, ...linked });
  expect(end.status).toBe("done");
  return journal;
}

async function read(ports: readonly JournalPort[], options?: JournalTracesOptions) {
  const { runs, unread } = await contentsOf(journalTraces(ports, options));
  const errors = unread.map(({ name, error: { code, message } }) => `${name} ${code}: ${message}`);
  return { runs: runs.map(({ runId }) => runId), unread: errors };
}

it("a child is never gone: it is where its parent is, as long as it has begun", async () => {
  expect(await read([await lived("r")])).toEqual({ runs: ["r", "r:tool/0/0/0"], unread: [] });
  const journal = memoryJournal("r");
  const model = scriptedModel([{ calls }, "so"]);
  const end = await run(parent, "go", { model, journal, runId: "r", maxDepth: 0 });
  expect(end.status).toBe("done");
  expect(await read([journal])).toEqual({ runs: ["r"], unread: [] });
});

it("a run that another one goes on from", async () => {
  const first = await lived("first");
  const alone = { ...(await lived("second", first)), follow: gone };
  const told =
    "gone journal.link: The run to go on from, in gone, cannot be found: second links to it, and it is not there.";
  const runs = ["second"];
  expect(await read([alone])).toEqual({ runs, unread: [told] });
  expect((await read([alone, first])).unread).toEqual([]);
  expect(await read([alone], { links: false })).toEqual({ runs, unread: [] });
});

it("a run that was forked, also where it is read from another place", async () => {
  const first = await lived("first");
  const { journal } = await fork(first, { at: 0, to: memoryJournal("fork"), runId: "fork" });
  const alone = { ...journal, follow: gone } as JournalPort;
  const told = expect.stringMatching(/^gone journal\.link: .* fork links to it,/);
  expect(await read([alone])).toEqual({ runs: ["fork"], unread: [told] });
  expect((await read([alone, first])).unread).toEqual([told]);
  expect((await read([alone], { links: false })).unread).toEqual([]);
});

it("a run that another one goes on from, where a third one stands in its place", async () => {
  const [first, third] = [await lived("first"), await lived("third")];
  const alone = { ...(await lived("second", first)), follow: () => third };
  const told =
    "third journal.link: The run to go on from, in third, cannot be found: second links to it, and it is of run third, not first.";
  // It is none of those that were asked for.
  expect(await read([alone])).toEqual({ runs: ["second"], unread: [told] });
  expect((await read([alone, first])).unread).toEqual([]);
  expect((await read([alone], { links: false })).unread).toEqual([]);
});

it("a run that was forked, where another one stands in its place", async () => {
  const [first, third] = [await lived("first"), await lived("third")];
  const { journal } = await fork(first, { at: 0, to: memoryJournal("fork"), runId: "fork" });
  const alone = { ...journal, follow: () => third } as JournalPort;
  const told = expect.stringMatching(/^third journal\.link: .* it is of run third, not first\.$/);
  expect(await read([alone])).toEqual({ runs: ["fork"], unread: [told] });
  // What it shares is not read from elsewhere; the other run is, where it is asked for.
  const { runs, unread } = await read([third, alone, first]);
  expect(runs.filter((id) => !id.includes(":"))).toEqual(["third", "fork", "first"]);
  expect(unread).toEqual([told]);
});

it("a run that was forked, where another one with its id stands in its place", async () => {
  const [first, again] = [await lived("first"), await lived("first")];
  const { journal } = await fork(first, { at: 1, to: memoryJournal("fork"), runId: "fork" });
  const alone = { ...journal, follow: () => ({ ...again, name: "again" }) } as JournalPort;
  const told =
    "again journal.link: The run to go on from, in again, cannot be found: it does not hold event 1 of run first.";
  const traces = journalTraces([alone]);
  for (const _ of ["once", "again"]) {
    const { unread, events } = await contentsOf(traces);
    expect(unread.map(({ name, error }) => `${name} ${error.code}: ${error.message}`)).toEqual([
      told,
    ]);
    // Nothing that was under way in the other one is under way in the fork.
    expect(events.filter(({ runId }) => runId === "fork")).toEqual([]);
  }
  expect((await read([alone], { links: false })).unread).toEqual([]);
  expect((await read([journal])).unread).toEqual([]);
});
