// A process that ships traces is killed with SIGKILL: before each event that its sink takes and around
// each operation on its cursor in turn, and at random moments; others go on where it was, while one of
// the journals grows. Then every event was delivered, each run's in its order, an event that came again
// is the same to the letter, and no more came again than one batch.
import { execFile } from "node:child_process";
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fileJournal } from "../../src/adapters/file-journal/index.js";
import { folderJournals } from "../../src/adapters/trace-files/index.js";
import type { TraceEvent } from "../../src/core/trace/index.js";
import { agent, scriptedModel, tool } from "../../src/index.js";
import { ship } from "../../src/runtime/index.js";
import { temporaryFolder } from "../support/duckdb.js";
import { familyOf } from "../support/family.js";
import { lived } from "../support/traced.js";

const BATCH = 3;
const RANDOM_KILLS = 6;
const CHILD = join(import.meta.dirname, "../support/ship-child.mjs");

/** Two runs, one with a child run; the other's journal is given as lines that are still to come. */
async function journals(folder: string) {
  const { parent, model } = familyOf({
    name: "parent",
    says: [{ calls: [{ name: "child", input: { prompt: "do" } }] }, "Done."],
    children: [{ name: "child", says: ["Did."] }],
  });
  const journal = fileJournal(join(folder, "family.jsonl"));
  await lived(parent as never, "go", { model, runId: "family", journal });
  const count = tool({ name: "count", jsonSchema: { type: "object" }, reduce: () => "done" });
  const counter = agent({ name: "counter", tools: [count], maxIterations: 99 });
  const growing = join(folder, "growing.jsonl");
  const turns = Array.from({ length: 20 }, () => ({ calls: [{ name: "count", input: {} }] }));
  await lived(counter as never, "go", {
    model: scriptedModel([...turns, "Done."]),
    runId: "growing",
    journal: fileJournal(growing),
  });
  const lines = readFileSync(growing, "utf8").split(/(?<=\n)/);
  writeFileSync(growing, lines.splice(0, 2).join(""));
  return { growing, lines };
}

/** Runs the process. @returns the signal that ended it */
function shipped(task: object, timeout = 0): Promise<NodeJS.Signals | null> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [CHILD, JSON.stringify(task)],
      { timeout, killSignal: "SIGKILL" },
      (error, _stdout, stderr) => {
        if (error === null || error.signal !== undefined) resolve(child.signalCode);
        else reject(new Error(stderr));
      },
    );
  });
}

it("killed at any moment, everything is delivered, in order, and at most a batch twice", async () => {
  const place = temporaryFolder();
  const folder = join(place, "runs");
  mkdirSync(folder);
  const { growing, lines } = await journals(folder);
  const [sink, cursor] = [join(place, "sink.jsonl"), join(place, "cursor")];
  writeFileSync(sink, "");
  const delivered = () =>
    readFileSync(sink, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as TraceEvent);
  const seen = new Map<string, string>();
  let known = 0;
  const goOn = async (steps?: number, timeout?: number) => {
    const signal = await shipped({ folder, sink, cursor, batchSize: BATCH, steps }, timeout);
    const now = delivered().slice(known);
    known += now.length;
    const again = now.filter(({ id }) => seen.has(id));
    expect(again.length).toBeLessThanOrEqual(BATCH);
    for (const event of now) {
      const text = JSON.stringify(event);
      expect(seen.get(event.id) ?? text).toBe(text);
      seen.set(event.id, text);
    }
    return signal;
  };

  // Three events and the cursor, which is written and put in its place, are seven steps.
  for (let steps = 0; steps < 2 * 7; steps++) {
    expect(await goOn(steps)).toBe("SIGKILL");
    appendFileSync(growing, lines.splice(0, 1).join(""));
  }
  for (let i = 0; i < RANDOM_KILLS; i++) {
    await goOn(undefined, 1 + Math.floor(Math.random() * 500));
    appendFileSync(growing, lines.splice(0, 1).join(""));
  }
  appendFileSync(growing, lines.join(""));
  expect(await goOn()).toBeNull();

  const all: TraceEvent[] = [];
  await ship(
    () => folderJournals(folder),
    (events) => void all.push(...events),
    { follow: false },
  ).done;
  expect([...seen.keys()].sort()).toEqual(all.map(({ id }) => id).sort());
  expect(all.length).toBeGreaterThan(40);
  const of = (events: Iterable<TraceEvent>, run: string) => [
    ...new Set([...events].filter(({ runId }) => runId === run).map(({ id }) => id)),
  ];
  for (const run of new Set(all.map(({ runId }) => runId))) {
    expect(of(delivered(), run)).toEqual(of(all, run));
  }
  for (const event of all) expect(JSON.parse(seen.get(event.id) as string)).toEqual(event);
  // What a kill cut off is a draft that nobody reads; the cursor is whole.
  expect(readdirSync(place).filter((name) => name.startsWith("cursor"))).toContain("cursor");
});
