/** Things that a run and its children did behind a cut: the writes they asked for, the tools they began. */
import { describe, expect, it } from "vitest";
import { encodeLine } from "../../../../src/core/journal/index.js";
import type { JournalPort } from "../../../../src/runtime/index.js";
import { fork, rewind } from "../../../../src/time-travel/live/index.js";
import { forged, forgedEvent } from "../../../support/forged.js";
import { textIn } from "../../../support/journal-text.js";
import { journalOf } from "../../../support/tree-lines.js";

const write = (id: string, store: string) => ({ type: "write", id, store, operations: [] });
const tool = (id: string) => ({ type: "tool", id, name: "pay", input: {} });
const runs = (id: string) => ({ type: "run", id, reasoner: "x", input: 1 });
const go = (seq: number, at: number, ...issued: readonly object[]) =>
  forgedEvent(seq, { type: "go", at }, { do: issued });
const begin = { reasoner: { id: "x", version: 1 }, fingerprint: "f", input: 1 };
const of = (run: string, line: object) => ({ run, ...line });
const starts = (run: string, seq: number, at: number, ...issued: readonly object[]) => ({
  begin,
  ...of(run, forgedEvent(seq, { type: "start", at }, { do: issued })),
});

/** The line of an event that ends its run. */
const ended = (line: object) => ({ ...line, end: { status: "done" } });

/** A run with a child that is over at 2, one that writes at 1, 3, 4 and 6, with a child from 3 on, and a third at 5. */
const lines = [
  forgedEvent(0, { type: "start" }, { do: [runs("a"), runs("b")] }),
  ended(starts("a", 1, 0, write("w", "over"))),
  starts("b", 2, 0),
  go(3, 1, write("w", "own")),
  of("b", go(4, 1, write("w1", "notes"))),
  forgedEvent(5, { type: "run.succeeded", id: "a", runId: "r:a", output: 1, at: 2 }),
  of("b", go(6, 3, runs("d"), write("w2", "notes"))),
  starts("b:d", 7, 3, write("w", "deep"), tool("t")),
  of("b", go(8, 4, write("w3", "notes"))),
  of("b:d", { mark: { id: "t", attempt: 1 } }),
  go(9, 5, runs("c"), write("v", "own")),
  starts("c", 10, 5, write("w", "late")),
  of("b", go(11, 6, write("w4", "own"))),
];
const tree = async () => journalOf((await forged({}, ...lines)).text, "r");

describe("the writes behind a cut", () => {
  it("are the run's own and its children's, theirs among them", async () => {
    const journal = await tree();
    expect((await fork(journal, { at: 2 })).writes).toEqual({ own: 3, notes: 3, deep: 1, late: 1 });
    expect((await fork(journal, { at: 4 })).writes).toEqual({ own: 2, notes: 2, deep: 1, late: 1 });
    expect((await fork(journal, { at: 8 })).writes).toEqual({ own: 2, late: 1 });
    expect((await fork(journal)).writes).toEqual({});
  });

  it("are cut at the time to which a run is rewound", async () => {
    expect((await rewind(await tree(), { time: 3 })).writes).toEqual({ own: 2, notes: 1, late: 1 });
    expect((await rewind(await tree(), { time: 5 })).writes).toEqual({ own: 1 });
  });

  it("are of a fork those that its children asked for since", async () => {
    const journal = await tree();
    const first = await fork(journal, { at: 9 });
    await appended(first.journal, of("b", go(10, 7, write("w9", "fork"))));
    expect((await fork(first.journal, { at: 9 })).writes).toEqual({ fork: 1 });
    // Behind a cut before it as well: what the first run has asked for since is none of its own.
    const before = await fork(first.journal, { at: 5 });
    expect(before.writes).toEqual({ own: 1, notes: 2, deep: 1, fork: 1 });
  });
});

it("the tools that began behind a cut have the ids by which the root knows them", async () => {
  const journal = await tree();
  expect((await fork(journal, { at: 7 })).effects).toEqual([{ id: "b:d:t", tool: "pay" }]);
  const behind = await fork(journal, { at: 9 });
  expect([behind.effects, behind.children]).toEqual([[], ["b", "b:d"]]);
});

/** Writes another line to a journal. */
async function appended(port: JournalPort, line: object): Promise<void> {
  const text = await textIn(port);
  const known = text.split("\n").slice(0, -1);
  const { hash } = JSON.parse(known.at(-1) as string);
  const writer = await port.open("append");
  const encoded = encodeLine(JSON.stringify(line).slice(0, -1), hash);
  const bytes = new TextEncoder().encode(text).length;
  await writer.append([encoded.text], { lines: known.length, bytes });
  await writer.close();
}
