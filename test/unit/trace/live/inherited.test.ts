// The trace of a fork has what it shares with the run it was forked from, as far as that can be read.
import { expect, it } from "vitest";
import { ReckonerError } from "../../../../src/core/kernel/values/index.js";
import { agent, memoryJournal, run, scriptedModel } from "../../../../src/index.js";
import type { JournalPort } from "../../../../src/runtime/index.js";
import { fork } from "../../../../src/time-travel.js";
import { journalTraces } from "../../../../src/trace/live/index.js";
import { contentsOf } from "../../../support/traced.js";

const greeter = agent({ name: "a" });

async function forked() {
  const parent = memoryJournal("parent");
  await run(greeter, "go", { journal: parent, model: scriptedModel(["Done."]), runId: "r" });
  const { journal } = await fork(parent, { at: 0, runId: "f" });
  return { parent, child: journal as JournalPort };
}

/** The child, whose parent cannot be read. */
const leadingTo = (child: JournalPort, thrown: unknown): JournalPort => ({
  ...child,
  follow: () => ({
    ...memoryJournal("gone"),
    // biome-ignore lint/correctness/useYield: nothing can be read
    async *read() {
      throw thrown;
    },
  }),
});
const idsOf = async (port: JournalPort) =>
  (await contentsOf(journalTraces(port, { links: false }))).events.map(({ id }) => id);

it("has the start that the two share", async () => {
  const { child } = await forked();
  expect(await idsOf(child)).toContain("f#llm/0");
});

it("has the fork's own lines where the other one is damaged", async () => {
  const { child } = await forked();
  for (const thrown of [new ReckonerError("journal.chain", "It was changed."), new Error("EIO")]) {
    const { events, unread } = await contentsOf(
      journalTraces(leadingTo(child, thrown), {
        links: false,
      }),
    );
    expect([events.map(({ runId }) => runId), unread]).toEqual([[], []]);
  }
});
