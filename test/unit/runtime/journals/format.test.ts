// A journal of another version's format is said to be one, whatever else of it is different.
import { expect, it } from "vitest";
import { FORMAT } from "../../../../src/core/journal/index.js";
import { agent, resume, run, scriptedModel } from "../../../../src/index.js";
import { headerOf, type JournalPort, memoryJournal } from "../../../../src/runtime/index.js";
import { textIn } from "../../../support/journal-text.js";
import { rejection } from "../../../support/thrown.js";

const clerk = agent({ name: "clerk" });
const other = FORMAT.replace(/\d+$/, (n) => String(Number(n) + 1));

/** A journal with another text. */
async function turned(change: (text: string) => string): Promise<JournalPort> {
  const journal = memoryJournal("turned");
  await run(clerk, "go", { model: scriptedModel(["Done."]), journal });
  const bytes = new TextEncoder().encode(change(await textIn(journal)));
  const read: JournalPort["read"] = async function* (from = 0) {
    yield bytes.subarray(from);
  };
  return { ...journal, read };
}

it.each([
  ["with the hashes that it has there", (text: string) => text.replace(FORMAT, other)],
  ["without hashes", (text: string) => text.replace(FORMAT, other).replace(/,"hash":"[^"]*"/g, "")],
  ["with lines of another kind", () => `{"type":"header","format":"${other}","kind":5}\nnothing\n`],
])("it is named %s, and nobody says that the journal is broken", async (_how, change) => {
  const journal = await turned(change);
  for (const work of [() => headerOf(journal), () => resume(clerk, journal)]) {
    const error = await rejection(work());
    expect(error).toMatchObject({
      code: "journal.format",
      message: `The journal turned is of the format ${other}, and this version reads ${FORMAT}: it is not broken; use the version that wrote it.`,
    });
  }
});

it("a line that only looks like a header is a broken one", async () => {
  const journal = await turned((text) => text.replace(FORMAT, "reckoner-journal/x"));
  expect(await rejection(headerOf(journal))).toMatchObject({ code: "journal.chain" });
});
