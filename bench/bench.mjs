// Agent turns a second, in memory and with the file journal, and what a turn costs at 100, 1 000 and
// 10 000 turns. A turn is one model call and one tool call, both instant, so what is measured is
// reckoner alone. Machines differ and are noisy: compare the ratios within one run, not the numbers.
//
//   npm run bench            a table
//   npm run -s bench -- --json
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt } from "../scripts/ensure-built.mjs";

await ensureBuilt();
const { agent, memoryJournal, run, tool } = await import("../dist/node.js");
const { fileJournal } = await import("../dist/adapters/file-journal/index.js");

const { values: flags } = parseArgs({
  options: { json: { type: "boolean", default: false }, turns: { type: "string" } },
});
const sizes = flags.turns ? flags.turns.split(",").map(Number) : [100, 1_000, 10_000];
const folder = mkdtempSync(join(tmpdir(), "reckoner-bench-"));

const echo = tool({ name: "echo", idempotent: false, execute: () => "ok" });

/** An agent run of so many turns: each asks for one tool, the last one answers. */
async function agentRun(turns, journal) {
  const worker = agent({
    name: "worker",
    system: "Call echo until you are told to stop.",
    tools: [echo],
    maxIterations: turns + 1,
  });
  let asked = 0;
  const model = {
    name: "instant",
    generate: async () => {
      asked += 1;
      const done = asked > turns;
      return {
        content: done
          ? [{ type: "text", text: "done" }]
          : [{ type: "tool-call", toolCallId: `call-${asked}`, toolName: "echo", input: {} }],
        finishReason: done ? "stop" : "tool-calls",
        usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
      };
    },
  };
  const began = process.hrtime.bigint();
  const end = await run(worker, "go", { model, journal, runId: "bench" });
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  if (end.status !== "done") throw new Error(`The run ended in ${end.reason}.`);
  return { seconds, events: end.events };
}

/** Appends and syncs the same number of records of the same size, with nothing around it. */
function bareAppend(records, bytes) {
  const path = join(folder, "bare");
  const record = `${"x".repeat(Math.max(1, Math.round(bytes) - 1))}\n`;
  const fd = openSync(path, "w");
  const began = process.hrtime.bigint();
  for (let i = 0; i < records; i++) {
    writeSync(fd, record);
    fsyncSync(fd);
  }
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  closeSync(fd);
  rmSync(path);
  return seconds;
}

async function measure(turns, kind) {
  const path = join(folder, `${kind}-${turns}.jsonl`);
  const journal = kind === "memory" ? memoryJournal() : fileJournal(path);
  const { seconds, events } = await agentRun(turns, journal);
  const text = await textIn(journal);
  const bytes = Buffer.byteLength(text);
  const records = text.split("\n").length - 1;
  const row = {
    journal: kind,
    turns,
    turnsPerSecond: Math.round(turns / seconds),
    microsecondsPerEvent: Math.round((seconds / events) * 1e7) / 10,
    bytesPerTurn: Math.round((bytes / turns) * 10) / 10,
    bytes,
  };
  if (kind === "memory") return row;
  const bare = bareAppend(records, bytes / records);
  return {
    ...row,
    recordsPerSecond: Math.round(records / seconds),
    bareRecordsPerSecond: Math.round(records / bare),
    ofBare: Math.round((bare / seconds) * 100) / 100,
  };
}

// Warm-up: every agent has functions of its own, which the engine has to learn.
for (let i = 0; i < 3; i++) await agentRun(3_000, memoryJournal());
const rows = [];
for (const kind of ["memory", "file"])
  for (const turns of sizes) rows.push(await measure(turns, kind));
rmSync(folder, { recursive: true, force: true });

/** How the largest size compares with the smallest, where 1 is flat. */
function flatness(kind) {
  const of = rows.filter((row) => row.journal === kind);
  const [first, last] = [of[0], of.at(-1)];
  const ratio = (key) => Math.round((last[key] / first[key]) * 1000) / 1000;
  return { bytesPerTurn: ratio("bytesPerTurn"), timePerEvent: ratio("microsecondsPerEvent") };
}
const flat = { memory: flatness("memory"), file: flatness("file") };

if (flags.json) console.log(JSON.stringify({ node: process.version, rows, flat }, null, 2));
else {
  console.table(rows);
  console.log(`largest against smallest, 1 is flat: ${JSON.stringify(flat)}`);
}
