// The lines that sources are looked for in: a run's own, and those of the runs that it goes on from, as
// far as they are there.
import { expect, it } from "vitest";
import { isHeaderLine } from "../../../../src/core/journal/index.js";
import {
  agent,
  type JournalPort,
  memoryJournal,
  run,
  scriptedModel,
  tool,
} from "../../../../src/index.js";
import { sourceLines } from "../../../../src/trace/live/source-lines.js";
import { callSources, requestSources } from "../../../../src/trace/pure/index.js";
import { familyOf } from "../../../support/family.js";
import { textIn } from "../../../support/journal-text.js";

const talker = agent({ name: "talker" });
const model = scriptedModel(() => "Well.");
const runIds = (lines: readonly object[]) =>
  lines
    .filter((line) => isHeaderLine(line as never))
    .map((line) => (line as { runId: string }).runId);

const allLinesIn = async (port: JournalPort) =>
  (await textIn(port))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

async function chain() {
  const [one, two, three] = [memoryJournal("one"), memoryJournal("two"), memoryJournal("three")];
  await run(talker, "1", { journal: one, model, runId: "one" });
  await run(talker, "2", { journal: two, model, runId: "two", from: one });
  await run(talker, "3", { journal: three, model, runId: "three", from: two });
  return { one, two, three };
}

it("are the run's own, and of each run before it all, the earliest first", async () => {
  const { one, two, three } = await chain();
  const found = await sourceLines(three);
  expect(found.lines).toEqual(await allLinesIn(three));
  expect(found.earlier).toEqual([await allLinesIn(one), await allLinesIn(two)]);
  expect(await sourceLines(one)).toStrictEqual({ lines: await allLinesIn(one) });
});

it("are the run's own alone where the one before it is gone, or leads back to it", async () => {
  const { three, two } = await chain();
  const { follow: _none, ...alone } = three;
  expect(await sourceLines(alone)).toStrictEqual({ lines: await allLinesIn(three) });
  expect(await sourceLines({ ...three, follow: () => undefined })).not.toHaveProperty("earlier");
  const gone = { ...three, follow: () => memoryJournal("empty") };
  expect(await sourceLines(gone)).toStrictEqual({ lines: await allLinesIn(three) });
  // Two whose links lead to each other are read once, and once more where the circle closes.
  const round: typeof three = { ...three, follow: () => ({ ...two, follow: () => round }) };
  const found = await sourceLines(round);
  expect((found.earlier ?? []).map(runIds)).toEqual([["three"], ["two"]]);
});

it("are of a child run, where it is named: its input stands in the line of its start", async () => {
  const { parent, model: family } = familyOf({
    name: "parent",
    says: [{ calls: [{ name: "child", input: { prompt: "count the sheep" } }] }, "Done."],
    children: [
      {
        name: "child",
        tools: [tool({ name: "note", execute: () => "noted" })],
        says: [{ calls: [{ name: "note", input: { of: "count the sheep" } }] }, "Did."],
      },
    ],
  });
  const journal = memoryJournal("family");
  await run(parent, "go", { journal, model: family, runId: "one" });
  const runId = "one:tool/0/0/0";
  const lines = await sourceLines(journal, runId);
  expect(runIds(lines.lines)).toEqual([runId]);
  const copy = { kind: "copy", runId, eventId: `${runId}#@2`, seq: 2, path: "$.begin.input" };
  const asked = requestSources(lines, "llm/0").find(({ role }) => role === "user");
  expect(asked).toMatchObject({ value: "count the sheep", sources: [copy] });
  expect(callSources(lines, "tool/0/0")).toMatchObject([{ path: "$.of", sources: [copy] }]);
});
