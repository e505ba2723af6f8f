// What is observed leads to a journal that is gone, or to another run's: it is said, and the exit code
// is 2.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { graphCommand } from "../../../../src/cli/graph/graph.js";
import { eventsCommand, statusCommand } from "../../../../src/cli/observe/observe.js";
import { agent, resume, run, scriptedModel, tool } from "../../../../src/index.js";
import { fork } from "../../../../src/time-travel.js";
import { journalTraces } from "../../../../src/trace/live/index.js";
import { contentsOf } from "../../../support/traced.js";
import { aFolder, anIo } from "../support.js";

const look = tool({ name: "look", execute: () => 1 });
const looker = agent({ name: "a", tools: [look] });

/** A folder with a run that was cut from another one, whose journal is taken away. */
async function forked(): Promise<{ folder: string; original: string }> {
  const folder = aFolder();
  const [original, to] = [join(folder, "a.jsonl"), join(folder, "f.jsonl")];
  const model = scriptedModel([{ calls: [{ name: "look", input: {} }] }, "Done."]);
  await run(looker, "go", { model, journal: original, runId: "a" });
  await fork(original, { at: 1, to });
  await resume(looker, to, { model: scriptedModel(["Done again."]) });
  rmSync(original);
  return { folder, original };
}

/** A folder with a journal alone that leads to another one. */
const ALONE: readonly (readonly [
  what: string,
  journal: string,
  code: string,
  make: () => Promise<string>,
])[] = [
  [
    "the run that a fork was cut from",
    "f.jsonl",
    "journal.link",
    async () => (await forked()).folder,
  ],
  [
    "the run that a fork was cut from, where another one stands in its place",
    "f.jsonl",
    "journal.link",
    async () => {
      const { folder, original: journal } = await forked();
      await run(looker, "go", { model: scriptedModel(["Done."]), journal, runId: "b" });
      return folder;
    },
  ],
];

it.each(ALONE)("%s", async (_, journal, code, make) => {
  const folder = await make();
  const { unread } = await contentsOf(journalTraces(fileJournal(join(folder, journal))));
  expect(unread.map(({ error }) => error.code)).toEqual([code]);
  for (const path of [journal, "."]) {
    const io = anIo(folder);
    expect(await eventsCommand(io, path, {})).toBe(2);
    expect(io.written.stderr).toContain(`[${code}]`);
  }
  const status = anIo(folder);
  expect(await statusCommand(status, journal, { format: "json" })).toBe(2);
  expect(JSON.parse(status.written.stdout)).toMatchObject({ unread: [{ code }] });
  const graph = anIo(folder);
  expect(await graphCommand(graph, journal, { view: "trace" })).toBe(2);
  expect(graph.written.stderr).toContain(`[${code}]`);
});
