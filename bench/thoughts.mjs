// The paper's methods on its tasks, on the simulated model: errors, solved rows, model calls, tokens.
// All methods get the same rows, the same seeds and the same model. What the numbers can and cannot
// say is in docs/thoughts.md.
//
//   npm run bench:thoughts                          a table, and bench/thoughts.svg
//   npm run -s bench:thoughts -- --json
//   … -- --rows 20 --seed 2 --tasks sorting-32,sets-128 --svg FILE
//
// Rows are the paper's where its CSV files are there, else (and for other sizes) from the seed.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { createJiti } from "jiti";
import { ensureBuilt } from "../scripts/ensure-built.mjs";
import { plotOf } from "./thoughts-plot.mjs";

await ensureBuilt();
const dist = new URL("../dist/node.js", import.meta.url).pathname;
const jiti = createJiti(import.meta.url, { alias: { reckoner: dist } });
const load = (name) => jiti.import(`../examples/thoughts/${name}.ts`);
const [{ sorter, sortingCase }, { intersecter, setCase }, { simulatedModel, frailty }, cases] =
  await Promise.all([load("sorting"), load("sets"), load("simulated-model"), load("cases")]);

const { values: flags } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    rows: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    tasks: { type: "string", default: "sorting-32,sorting-64,sets-32" },
    svg: { type: "string", default: "bench/thoughts.svg" },
  },
});

const METHODS = ["io", "cot", "tot", "tot2", "got"];
const kinds = {
  sorting: { make: sorter, rows: cases.sortingRows, draw: sortingCase },
  sets: { make: intersecter, rows: cases.setRows, draw: setCase },
};

/** One run, stepped by hand: no journal is needed here. */
async function runOne(reasoner, model, input, seed) {
  const signal = new AbortController().signal;
  let { state, directives } = reasoner.start(input, { at: 0, runId: "bench", seed });
  const queue = [...directives];
  for (let i = 0; i < queue.length && state.status === "active"; i++) {
    const { id, messages, settings } = queue[i];
    const answer = await model.generate({ messages, settings }, { signal });
    const event = { type: "llm.succeeded", id, at: i, ...answer };
    ({ state, directives } = reasoner.step(state, event));
    queue.push(...directives);
  }
  return reasoner.output(state);
}

const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};
const mean = (numbers) => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;
const round = (n) => Math.round(n * 100) / 100;

async function measure(task) {
  const [kind, sizeText] = task.split("-");
  const size = Number(sizeText);
  const { make, rows, draw } = kinds[kind] ?? {};
  if (make === undefined) throw new Error(`There is no task ${task}.`);
  const count = Number(flags.rows);
  const fromPaper = rows(size);
  const inputs =
    fromPaper?.slice(0, count) ??
    Array.from({ length: count }, (_, i) => draw(`${flags.seed}/${i}`, size));
  const model = simulatedModel();
  const results = [];
  for (const method of METHODS) {
    const reasoner = make(method, size);
    const outputs = [];
    for (const [i, input] of inputs.entries()) {
      const output = await runOne(reasoner, model, input, `${flags.seed}/${i}`);
      // A run in which every branch was dropped has as many errors as the case has numbers.
      outputs.push(
        output ?? { score: size, solved: false, modelCalls: Number.NaN, totalTokens: 0 },
      );
      if (process.stderr.isTTY)
        process.stderr.write(`\r${task} ${method} ${i + 1} of ${inputs.length}   `);
    }
    const errors = outputs.map(({ score }) => score ?? size);
    results.push({
      task,
      method,
      rows: outputs.length,
      source: fromPaper === undefined ? "seed" : "paper",
      medianError: median(errors),
      meanError: round(mean(errors)),
      solved: outputs.filter(({ solved }) => solved).length,
      modelCalls: mean(outputs.map(({ modelCalls }) => modelCalls)),
      tokens: Math.round(mean(outputs.map(({ totalTokens }) => totalTokens))),
      errors,
    });
  }
  return results;
}

const results = [];
for (const task of flags.tasks.split(",")) results.push(...(await measure(task)));
if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");

mkdirSync(dirname(flags.svg), { recursive: true });
writeFileSync(flags.svg, plotOf(results));

const shown = results.map(({ errors: _errors, ...row }) => row);
if (flags.json) {
  const model = { name: "simulated", ...frailty };
  console.log(JSON.stringify({ seed: flags.seed, model, svg: flags.svg, results: shown }, null, 2));
} else {
  const columns = [
    "task",
    "method",
    "rows",
    "medianError",
    "meanError",
    "solved",
    "modelCalls",
    "tokens",
  ];
  const table = [columns, ...shown.map((row) => columns.map((name) => String(row[name])))];
  const widths = columns.map((_, i) => Math.max(...table.map((row) => row[i].length)));
  for (const row of table) {
    console.log(
      row.map((cell, i) => (i < 2 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join("  "),
    );
  }
  console.log(
    `\nThe plot is in ${flags.svg}. Means and medians are over rows; tokens and calls are per row.`,
  );
}
