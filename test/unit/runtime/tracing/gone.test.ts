// Journals that others lead to and that are gone: they are told of, unless whoever asks has left them out.
import { expect, it } from "vitest";
import { agent, agentTool, memoryJournal, run, scriptedModel } from "../../../../src/index.js";
import {
  type JournalPort,
  type JournalTracesOptions,
  journalTraces,
} from "../../../../src/runtime/index.js";
import { fork } from "../../../../src/time-travel.js";

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
  const { runs, unread } = await journalTraces(ports, options).read({}, {});
  const errors = unread.map(({ name, error: { code, message } }) => `${name} ${code}: ${message}`);
  return { runs: runs.map(({ runId }) => runId), unread: errors };
}

it("a child that has begun", async () => {
  const journal = await lived("r");
  expect(await read([journal])).toEqual({ runs: ["r", "r:tool/0/0/0"], unread: [] });
  const alone = { ...journal, child: gone };
  expect(await read([alone])).toEqual({
    runs: ["r"],
    unread: [
      "gone journal.child: The child run tool/0/0/0 has begun, and its journal gone is not there; put it back beside r, where it lay.",
    ],
  });
  // It lies in another place.
  const own = journal.child?.("tool/0/0/0") as JournalPort;
  expect(await read([own, alone])).toEqual({ runs: ["r:tool/0/0/0", "r"], unread: [] });
});

it("another run's journal in the place of a child", async () => {
  const [journal, other] = [await lived("r"), await lived("r")];
  const own = journal.child?.("tool/0/0/0") as JournalPort;
  // Its ids are the child's: an earlier run had the parent's id.
  const alien = { ...(other.child?.("tool/0/0/0") as JournalPort), name: "alien" };
  const mixed = { ...journal, child: () => alien };
  const told =
    "alien journal.child: The journal alien, where the child run tool/0/0/0 of run r would be, belongs to another run with that id. Move it away, or run in another place.";
  expect(await read([mixed])).toEqual({ runs: ["r"], unread: [told] });
  expect(await read([mixed, own])).toEqual({ runs: ["r", "r:tool/0/0/0"], unread: [] });
  // The other one is there, and still is not this one's.
  expect(await read([mixed, alien])).toEqual({ runs: ["r", "r:tool/0/0/0"], unread: [told] });
  const elsewhere = { ...journal, child: () => other };
  expect((await read([elsewhere])).unread).toEqual([
    expect.stringMatching(/^r journal\.child: .* is that of run r\./),
  ]);
});

it("a child that has not begun is nothing that is gone", async () => {
  const journal = memoryJournal("r");
  const model = scriptedModel([{ calls }, "so"]);
  const end = await run(parent, "go", { model, journal, runId: "r", maxDepth: 0 });
  expect(end.status).toBe("done");
  expect(await read([{ ...journal, child: gone }])).toEqual({ runs: ["r"], unread: [] });
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
  let text: string | undefined;
  const index = {
    load: async () => text,
    save: async (saved: string) => {
      text = saved;
    },
  };
  for (const _ of ["derived", "kept"]) {
    const traces = journalTraces([alone], { index });
    for (const __ of ["once", "again"]) {
      const { unread, events } = await traces.read({}, {});
      expect(unread.map(({ name, error }) => `${name} ${error.code}: ${error.message}`)).toEqual([
        told,
      ]);
      // Nothing that was under way in the other one is under way in the fork.
      expect(events.filter(({ runId }) => runId === "fork")).toEqual([]);
    }
  }
  expect((await read([alone], { links: false })).unread).toEqual([]);
  expect((await read([journal])).unread).toEqual([]);
});

it.each(["gone", "another run's"])("what was kept tells of a child that is %s", async (how) => {
  const alien = (await lived("r")).child?.("tool/0/0/0") as JournalPort;
  const journal = { ...(await lived("r")), child: how === "gone" ? gone : () => alien };
  let text: string | undefined;
  const index = {
    load: async () => text,
    save: async (saved: string) => {
      text = saved;
    },
  };
  for (const _ of ["derived", "kept"]) {
    expect((await read([journal], { index })).unread).toEqual([
      expect.stringContaining("journal.child"),
    ]);
  }
});
