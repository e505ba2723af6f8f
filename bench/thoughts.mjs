// The paper's methods on its tasks, on the simulated model: errors, solved rows, model calls, tokens.
// All methods get the same rows, the same seeds and the same model. What the numbers can and cannot
// say is in docs/thoughts.md.
//
//   npm run bench:thoughts                          a table, and docs/thoughts.svg
//   npm run -s bench:thoughts -- --json
//   … -- --rows 20 --seed 2 --tasks sorting-32,sets-128 --svg FILE
//   … -- --stages                           where GoT's calls and tokens go
//   … -- --equal                            all methods with the tokens that GoT needs at most
//
// Rows are the paper's where its CSV files are there, else (and for other sizes) from the seed.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { countOf, flagsOf, namesOf } from "./flags.mjs";
import { mean, median, printTable, progress, round } from "./numbers.mjs";
import { plotOf } from "./thoughts-plot.mjs";
import { load, runOne, tables, vectors } from "./thoughts-run.mjs";

const SCRIPT = import.meta.filename;
const flags = flagsOf(SCRIPT, {
  json: { type: "boolean", default: false },
  stages: { type: "boolean", default: false },
  equal: { type: "boolean", default: false },
  rows: { type: "string", default: "100" },
  seed: { type: "string", default: "1" },
  tasks: { type: "string", default: "sorting-32,sorting-64,sets-32" },
  svg: { type: "string", default: "docs/thoughts.svg" },
});

const [{ sorter, sortingCase }, { intersecter, setCase }, { simulatedModel, frailty }, cases] =
  await Promise.all([load("sorting"), load("sets"), load("simulated-model"), load("cases")]);

const METHODS = ["io", "cot", "tot", "tot2", "got"];
const kinds = {
  sorting: { make: sorter, rows: cases.sortingRows, draw: sortingCase },
  sets: { make: intersecter, rows: cases.setRows, draw: setCase },
};

const count = countOf(SCRIPT, "--rows", flags.rows);
const tasks = flags.tasks.split(",");
for (const task of tasks) {
  const [kind, size] = task.split("-");
  namesOf(SCRIPT, "--tasks", kind, Object.keys(kinds));
  countOf(SCRIPT, "--tasks", size);
}

/** The rows of a task: the paper's, where they are there. */
function taskOf(task) {
  const [kind, sizeText] = task.split("-");
  const size = Number(sizeText);
  const { make, rows, draw } = kinds[kind];
  const fromPaper = rows(size);
  const inputs =
    fromPaper?.slice(0, count) ??
    Array.from({ length: count }, (_, i) => draw(`${flags.seed}/${i}`, size));
  return { size, make, inputs, source: fromPaper === undefined ? "seed" : "paper" };
}

/** A method's runs over all rows. */
async function measure(task, method, budgets = {}) {
  const { size, make, inputs, source } = taskOf(task);
  const model = simulatedModel();
  const reasoner = make(method, size, budgets);
  const runs = [];
  for (const [i, input] of inputs.entries()) {
    runs.push(await runOne(reasoner, model, input, `${flags.seed}/${i}`));
    progress(`${task} ${method} ${i + 1} of ${inputs.length}`);
  }
  // A run without an answer has as many errors as the case has numbers.
  const errors = runs.map(({ output }) => output?.score ?? size);
  const tokens = runs.map(({ state }) => state.context.usage.totalTokens);
  return {
    row: {
      task,
      method,
      rows: runs.length,
      source,
      medianError: median(errors),
      meanError: round(mean(errors)),
      solved: runs.filter(({ output }) => output?.solved === true).length,
      modelCalls: round(mean(runs.map(({ state }) => state.context.modelCalls))),
      tokens: Math.round(mean(tokens)),
      errors,
    },
    runs,
    mostTokens: Math.max(...tokens),
  };
}

/** What a call of GoT is for, by its operation's name in the plan. */
function stageOf(id) {
  const operation = id.split("/")[1];
  const level = /^(?:merge|refine)-(\d)/.exec(operation)?.[1];
  const [stage] = operation.split("-");
  return level === undefined ? stage : `${stage} ${level}`;
}

/** What was kept after each stage. */
function keptStage(id) {
  const [, what, level] = /^(solved|merged|refined)-(\d)/.exec(id) ?? [];
  const stage = { merged: "merge", refined: "refine" }[what];
  return what === "solved" ? "solve" : stage && `${stage} ${level}`;
}

/** Calls, tokens and their share for each stage of GoT, and the errors that are left after it. */
async function stagesOf(task) {
  const { runs } = await measure(task, "got");
  const errors = new Map();
  for (const { state } of runs) {
    for (const { id, output } of tables.values(state.context.operations)) {
      const stage = keptStage(id);
      const sum = vectors.items(output).reduce((all, { score }) => all + (score ?? 0), 0);
      errors.set(stage, (errors.get(stage) ?? 0) + sum);
    }
  }
  const stages = new Map();
  for (const { id, tokens } of runs.flatMap(({ calls }) => calls)) {
    const known = stages.get(stageOf(id)) ?? { calls: 0, tokens: 0 };
    stages.set(stageOf(id), { calls: known.calls + 1, tokens: known.tokens + tokens });
  }
  const all = [...stages.values()].reduce((sum, { tokens }) => sum + tokens, 0);
  return [...stages].map(([stage, { calls, tokens }]) => ({
    task,
    stage,
    calls: round(calls / runs.length),
    tokens: Math.round(tokens / runs.length),
    each: Math.round(tokens / calls),
    share: `${Math.round((100 * tokens) / all)} %`,
    errorsLeft: errors.has(stage) ? round(errors.get(stage) / runs.length) : "",
  }));
}

/** All methods with as many tokens as GoT's dearest run. */
async function equalOf(task) {
  const got = await measure(task, "got");
  const rows = [];
  for (const method of ["best", "tot", "tot2"]) {
    const { row } = await measure(task, method, { tokens: got.mostTokens });
    rows.push({ ...row, budget: got.mostTokens });
  }
  return [...rows, { ...got.row, budget: got.mostTokens }];
}

const say = (columns, rows) => {
  progress("");
  const shown = rows.map(({ errors: _errors, ...row }) => row);
  if (!flags.json) printTable(columns, shown);
  else {
    const model = { name: "simulated", ...frailty };
    const svg = flags.stages || flags.equal ? undefined : flags.svg;
    console.log(JSON.stringify({ seed: flags.seed, model, svg, results: shown }, null, 2));
  }
};
const results = [];
const figures = ["rows", "medianError", "meanError", "solved", "modelCalls", "tokens"];

if (flags.stages) {
  for (const task of tasks) results.push(...(await stagesOf(task)));
  say(["task", "stage", "calls", "tokens", "each", "share", "errorsLeft"], results);
} else if (flags.equal) {
  for (const task of tasks) results.push(...(await equalOf(task)));
  say(["task", "method", "budget", ...figures], results);
} else {
  for (const task of tasks) {
    for (const method of METHODS) results.push((await measure(task, method)).row);
  }
  mkdirSync(dirname(flags.svg), { recursive: true });
  writeFileSync(flags.svg, await plotOf(results));
  say(["task", "method", ...figures], results);
  if (!flags.json) {
    console.log(
      `\nThe plot is in ${flags.svg}. Means and medians are over rows; tokens and calls are per row.`,
    );
  }
}
