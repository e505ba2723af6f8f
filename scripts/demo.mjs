// Shows an agent at work that is killed, resumed and replayed, a graph of thoughts that sorts a list,
// and an agent that plans with a decision graph, without network and without a key.
//
//   npm run demo                       told for a person
//   npm run -s demo -- --json          one JSON document on standard output
//   npm run demo -- --folder FOLDER    where the journals go; default .demo
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { decisionsRun, tellDecisions } from "./demo/decisions.mjs";
import { filesRun } from "./demo/files.mjs";
import { ROOT } from "./demo/process.mjs";
import { tell } from "./demo/tell.mjs";
import { tellThoughts, thoughtsRun } from "./demo/thoughts.mjs";
import { ensureBuilt } from "./ensure-built.mjs";

/** The runs of the demo: each makes its journal in a folder of its own, gives its row, and is told. */
const RUNS = {
  files: [filesRun, tell],
  thoughts: [thoughtsRun, tellThoughts],
  decisions: [decisionsRun, tellDecisions],
};

const { values } = parseArgs({
  options: { json: { type: "boolean", default: false }, folder: { type: "string" } },
});

ensureBuilt();
// Of the last demo, in its own place. A folder that the caller names is his.
if (values.folder === undefined) rmSync(join(ROOT, ".demo"), { recursive: true, force: true });
const folder = resolve(values.folder ?? join(ROOT, ".demo"));
mkdirSync(folder, { recursive: true });
if (values.folder === undefined) writeFileSync(join(folder, ".gitignore"), "*\n");

const runs = [];
try {
  for (const [name, [make]] of Object.entries(RUNS)) runs.push(await make(join(folder, name)));
} catch (error) {
  console.error(`demo: ${error.message.trim()}`);
  process.exit(1);
}

if (values.json) {
  const rows = runs.map(({ reasoner, status, events, journal, resumedFrom, replay }) => ({
    reasoner,
    status,
    events,
    journal,
    resumedFrom,
    replay,
  }));
  console.log(JSON.stringify({ runs: rows }, null, 2));
} else {
  for (const [i, [, told]] of Object.values(RUNS).entries()) told(runs[i]);
}
const well = runs.every(({ status, replay }) => status === "done" && replay.status === "identical");
process.exitCode = well ? 0 : 1;
