// Figures of the studio in a Chromium of this machine: first paint, a step of the slider, memory. Others on the
// machine make it slower: the work of the page's own thread is told beside that.
//
//   node bench/studio.mjs            prints a table; needs npm run build, and RECKONER_CHROMIUM where it lies elsewhere
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileJournal } from "/work/wt/studio5/dist/adapters/file-journal/index.js";
import { agent, memoryJournal, run, scriptedModel, tool } from "/work/wt/studio5/dist/index.js";
import { beamSearch, thoughts } from "/work/wt/studio5/dist/thoughts.js";
import { copyJournal } from "/work/wt/studio5/dist/time-travel.js";

const ROOT = "/work/wt/studio5";
const folder = "/tmp/sfix";

const look = tool({ name: "look", idempotent: true, execute: ({ text = "" }) => `seen ${text}` });

/** A run of so many turns, each with calls side by side. @param size characters of each argument */
async function ofTurns(journal, turns, size, calls = 2) {
  const own = agent({
    name: "looker",
    system: "You look.",
    tools: [look],
    maxIterations: turns + 1,
  });
  const model = scriptedModel((_request, turn) =>
    turn < turns
      ? {
          calls: Array.from({ length: calls }, (_each, n) => ({
            name: "look",
            input: { text: `${turn} ${n} ${"x".repeat(size)}` },
          })),
        }
      : "That is all.",
  );
  await written(journal, (port) => run(own, "Look.", { model, journal: port }));
}

/** Records in memory first: no line waits for the disk. */
async function written(path, record) {
  const port = memoryJournal();
  await record(port);
  await copyJournal(port, fileJournal(path));
}

/** A run of about so many thoughts. */
async function ofThoughts(journal, count) {
  const own = thoughts({
    name: "thinker",
    policy: beamSearch({
      rounds: Math.ceil(count / 100),
      branching: 10,
      beam: 10,
      score: { by: ({ content }) => content.length % 10 },
      connect: false,
      aggregate: false,
    }),
    maxNodes: count,
  });
  let asked = 0;
  const model = scriptedModel(() => `Thought ${"x".repeat(asked++ % 7)} ${asked}.`);
  await written(journal, (port) => run(own, "Think.", { model, journal: port }));
}

const cases = [
  ["10 000 events", "large.jsonl", () => ofTurns(join(folder, "large.jsonl"), 100, 20, 99)],
  ["200 MB", "huge.jsonl", () => ofTurns(join(folder, "huge.jsonl"), 170, 30_000, 20)],
  [
    "2 000 runs",
    "many",
    async () => {
      mkdirSync(join(folder, "many"));
      for (let i = 0; i < 2_000; i++) await ofTurns(join(folder, "many", `${i}.jsonl`), 3, 20);
    },
  ],
  ["500 thoughts", "thoughts.jsonl", () => ofThoughts(join(folder, "thoughts.jsonl"), 500)],
];

for (const [,word,make] of cases) if (process.argv.slice(2).includes(word)) await make();
