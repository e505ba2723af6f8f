// `reckoner show --at` without any code: what the lines say, and what snapshots hold.
import { join } from "node:path";
import { expect, it } from "vitest";
import { assign } from "xstate";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { main } from "../../../../src/cli/program.js";
import { type JournalPort, resume, run } from "../../../../src/index.js";
import { smallReasoner } from "../../../support/small-machine.js";
import { aFolder, anIo } from "../support.js";

async function say(cwd: string, ...words: readonly string[]) {
  const io = anIo(cwd);
  const code = await main(io, words);
  return { code, ...io.written };
}

/** A machine that makes long texts of its own, whose journal has snapshots of its last two events. */
async function aLongRun() {
  const folder = aFolder();
  const journal = fileJournal(join(folder, "long.jsonl"));
  const text = (n: number) => `${n}: ${"made by the machine itself ".repeat(4)}`;
  const long = smallReasoner({
    initial: "a",
    context: { text: text(0), other: "" },
    states: {
      a: {
        on: {
          go: { actions: assign({ text: ({ event }) => text(event.n) }) },
          note: { actions: assign({ other: ({ event }) => text(event.n) }) },
        },
      },
    },
  });
  await run(long, null, { journal });
  for (const [type, n] of Object.entries({ note: 1, go: 2 })) {
    await resume(long, journal, { events: [{ type, n }] });
  }
  const snapshots = journal.snapshots as NonNullable<JournalPort["snapshots"]>;
  await snapshots.remove(0);
  expect((await snapshots.list()).map(({ seq }) => seq).sort()).toEqual([1, 2]);
  const shown = async (at: number) =>
    JSON.parse((await say(folder, "show", "long.jsonl", "--at", `${at}`, "--json")).stdout).changes;
  return { text, shown, snapshots };
}

it("shows what only a snapshot of a later event holds", async () => {
  const { text, shown, snapshots } = await aLongRun();
  await snapshots.remove(1);
  expect(await shown(1)).toContainEqual({ path: "context.other", before: "", after: text(1) });
});

it("shows what only one of an earlier event holds, and a tag of what none does", async () => {
  const { text, shown, snapshots } = await aLongRun();
  const changed = { path: "context.text", before: text(0), after: text(2) };
  expect(await shown(2)).toContainEqual(changed);
  await snapshots.remove(2);
  const tag = { "@ref": expect.stringMatching(/^#.{5}$/) };
  expect(await shown(2)).toContainEqual({ ...changed, after: tag });
});
