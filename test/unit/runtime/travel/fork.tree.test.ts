/** Forks of trees: whose the children's journals are, and how they go on behind the cut. */
import { describe, expect, test } from "vitest";
import { type ModelRequest, memoryJournal, run } from "../../../../src/index.js";
import { diff, fork, type JournalPort, rewind } from "../../../../src/runtime/index.js";
import { calls, familyOf, worker } from "../../../support/family.js";
import { rejection } from "../../../support/thrown.js";

const CHILD = "tool/0/0/0";

const said = ({ messages }: ModelRequest) => JSON.stringify(messages.at(-1)?.content);

/** A boss whose clerk pays when somebody says so; each passes on whether that was done. */
const { parent, model } = familyOf({
  name: "boss",
  says: (request, turn) =>
    turn === 0 ? calls("clerk") : `boss: ${/paid|kept/.exec(said(request))?.[0]}`,
  children: [
    {
      name: "clerk",
      tools: [worker([], "pay", { needsApproval: true })],
      says: (request, turn) => {
        if (turn === 0) return { calls: [{ name: "pay" }] };
        return said(request).includes("pay done") ? "paid" : "kept";
      },
    },
  ],
});

async function waiting(runId = "r"): Promise<JournalPort> {
  const journal = memoryJournal(runId);
  expect((await run(parent, "go", { model, journal, runId })).status).toBe("waiting");
  return journal;
}

describe("another run's journal in the place of a child", () => {
  test("is not forked as if it were the child's, and nothing is left behind", async () => {
    const journal = await waiting();
    const alien = (await waiting()).child?.(CHILD) as JournalPort;
    const mixed = { ...journal, child: () => alien };
    const told = {
      code: "journal.child",
      place: CHILD,
      message: expect.stringContaining("belongs to another run with that id"),
    };
    const to = memoryJournal("to");
    expect(await rejection(fork(mixed, { to }))).toMatchObject(told);
    expect(await rejection(rewind(mixed, { at: 1 }))).toMatchObject(told);
    expect((await fork(journal, { to })).children).toEqual([CHILD]);
  });

  test("is not what two runs part by", async () => {
    const ended = async (yes: boolean) => {
      const journal = memoryJournal("r");
      const approve = () => ({ approve: yes });
      expect((await run(parent, "go", { model, journal, runId: "r", approve })).status).toBe(
        "done",
      );
      return journal;
    };
    const [a, b] = [await ended(true), await ended(false)];
    expect((await diff(a, b)).parting?.child?.parting).toMatchObject({ kind: "decision" });
    const mixed = { ...b, child: (id: string) => a.child?.(id) as JournalPort };
    const told = { code: "journal.child", place: CHILD };
    expect(await rejection(diff(a, mixed))).toMatchObject(told);
    expect(await rejection(diff(mixed, a))).toMatchObject(told);
  });
});
