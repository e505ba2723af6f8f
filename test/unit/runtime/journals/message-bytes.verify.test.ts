// The bytes that a message to a waiting conversation writes, lines and snapshots together: the same however long the
// conversation is, since full rows of its messages are stored once.
import { expect, it } from "vitest";
import { agent } from "../../../../src/index.js";
import { memoryJournal, resume, run, scriptedModel } from "../../../../src/runtime/index.js";
import { textIn } from "../../../support/journal-text.js";

/** Messages whose bytes are put together: their number of items fills a row. */
const WINDOW = 16;

it("is the same for message 400 as for message 10, and less than five times its own lines", async () => {
  const talker = agent({ name: "talker", conversation: true });
  const model = scriptedModel(() => "an answer of some words ".repeat(20));
  const inner = memoryJournal();
  let stored = 0;
  const { snapshots } = inner as Required<typeof inner>;
  const journal = {
    ...inner,
    snapshots: {
      ...snapshots,
      write(seq: number, text: string, rows: ReadonlyMap<string, string>) {
        stored += text.length;
        for (const row of rows.values()) stored += row.length;
        return snapshots.write(seq, text, rows);
      },
    },
  };
  await run(talker, "question 0", { model, journal });
  const totals: number[] = [];
  const lines: number[] = [];
  for (let i = 1; i <= 400; i++) {
    await resume(talker, journal, { model, messages: [`question ${i} `.repeat(20)] });
    lines.push((await textIn(journal)).length);
    totals.push(stored + (lines.at(-1) as number));
  }
  const bytes = (last: number, of = totals) =>
    ((of[last - 1] as number) - (of[last - 1 - WINDOW] as number)) / WINDOW;
  expect(bytes(400) / bytes(17 + WINDOW)).toBeLessThan(1.5);
  expect(bytes(400) / bytes(400, lines)).toBeLessThan(5);
});
