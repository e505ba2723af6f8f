// The Game of 24 by several searches, on a simulated player: how many puzzles are solved, and at how many
// calls. All get the same puzzles, the same seeds and the same player.
//
//   npm run bench:game24                    100 puzzles, each with 60 calls at most
//   npm run -s bench:game24 -- --json --puzzles 20 --calls 30 --seed 2

import { countOf, flagsOf } from "./flags.mjs";
import { mean, printTable, progress, round } from "./numbers.mjs";
import { load, runOne } from "./thoughts-run.mjs";

const SCRIPT = import.meta.filename;
const flags = flagsOf(SCRIPT, {
  json: { type: "boolean", default: false },
  puzzles: { type: "string", default: "100" },
  calls: { type: "string", default: "60" },
  seed: { type: "string", default: "1" },
});
const count = countOf(SCRIPT, "--puzzles", flags.puzzles);
const calls = countOf(SCRIPT, "--calls", flags.calls);

const [{ player, plays }, { puzzle }, { simulatedPlayer, skill }] = await Promise.all([
  load("game24/players"),
  load("game24/arithmetic"),
  load("game24/simulated-player"),
]);

const model = simulatedPlayer();
const results = [];
for (const method of plays) {
  const reasoner = player(method, calls);
  const runs = [];
  for (let i = 0; i < count; i++) {
    progress(`${method} ${i + 1} of ${count}`);
    const seed = `${flags.seed}/${i}`;
    const { output, state } = await runOne(reasoner, model, { numbers: puzzle(seed) }, seed);
    const { modelCalls, usage, error } = state.context;
    if (error !== null && error.code !== "thoughts.nothingLeft") throw new Error(error.message);
    runs.push({ solved: output?.solved === true, calls: modelCalls, tokens: usage.totalTokens });
  }
  results.push({
    method,
    puzzles: count,
    solved: runs.filter(({ solved }) => solved).length,
    calls: round(mean(runs.map(({ calls }) => calls))),
    tokens: Math.round(mean(runs.map(({ tokens }) => tokens))),
  });
}
progress("");

if (flags.json) {
  const player = { name: "simulated", ...skill };
  console.log(JSON.stringify({ seed: flags.seed, player, maxCalls: calls, results }, null, 2));
} else printTable(["method", "puzzles", "solved", "calls", "tokens"], results, 1);
