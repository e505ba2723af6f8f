// What reckoner costs, measured: every figure in several rounds, its median and spread, the aim beside
// it. Machines differ and are noisy, so what matters is measured as a ratio of two things taken in
// turns in one process.
//
//   npm run bench                       a table; `npm run -s bench -- --json` one JSON document
//   … -- --rows turns,replay            some of the rows in bench/rows
//   … -- --rounds 3 --longest 1000      sooner, and rougher
//   … -- --check                        compares the ratios with bench/baseline.json: exits with 1
//                                       where one has lost more than 20 %, twice in a row
//   … -- --write                        writes bench/baseline.json
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { ensureBuilt } from "../scripts/ensure-built.mjs";
import { lost } from "./baseline.mjs";
import { countOf, flagsOf, namesOf } from "./flags.mjs";
import { printTable, progress, short } from "./numbers.mjs";

const FOLDER = join(import.meta.dirname, "rows");
const BASELINE = join(import.meta.dirname, "baseline.json");

const SCRIPT = import.meta.filename;
const flags = flagsOf(SCRIPT, {
  json: { type: "boolean", default: false },
  check: { type: "boolean", default: false },
  write: { type: "boolean", default: false },
  rows: { type: "string" },
  rounds: { type: "string", default: "5" },
  longest: { type: "string", default: "100000" },
});
const known = readdirSync(FOLDER).map((file) => file.replace(/\.mjs$/, ""));
const names = flags.rows === undefined ? known : namesOf(SCRIPT, "--rows", flags.rows, known);
const options = {
  rounds: countOf(SCRIPT, "--rounds", flags.rounds),
  longest: countOf(SCRIPT, "--longest", flags.longest),
};

/** The figures of a row, measured in a process of its own. */
function measured(name) {
  progress(name);
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--expose-gc", join(import.meta.dirname, "row.mjs"), name, JSON.stringify(options)],
    { stdio: ["ignore", "pipe", 2], maxBuffer: 2 ** 26 },
  );
  progress("");
  if (status !== 0) throw new Error(`The row ${name} failed.`);
  return JSON.parse(stdout);
}

await ensureBuilt();
const load = [loadavg()[0]];
const figures = names.flatMap((name) => measured(name).map((figure) => ({ row: name, ...figure })));
load.push(loadavg()[0]);
const machine = {
  node: process.version,
  processor: cpus()[0]?.model ?? "unknown",
  cores: availableParallelism(),
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  // Of the last minute, before and after: above the number of cores others were at work as well.
  load,
};
const result = { machine, options, figures };

if (flags.json) console.log(JSON.stringify(result, null, 2));
else print(result);

if (flags.write) {
  const old = names === known ? {} : JSON.parse(readFileSync(BASELINE, "utf8")).ratios;
  const ratios = Object.fromEntries(
    figures.filter(({ kept }) => kept).map(({ id, value }) => [id, Number(value.toPrecision(4))]),
  );
  writeFileSync(
    BASELINE,
    `${JSON.stringify({ machine, ratios: { ...old, ...ratios } }, null, 2)}\n`,
  );
}
if (flags.check) {
  const { ratios } = JSON.parse(readFileSync(BASELINE, "utf8"));
  const once = lost(figures, ratios);
  // A busy moment is no loss: only what is lost once more is.
  const again = [...new Set(once.map(({ row }) => row))].flatMap((row) =>
    measured(row).map((figure) => ({ row, ...figure })),
  );
  const twice = lost(again, ratios).filter(({ id }) => once.some((each) => each.id === id));
  for (const { what, value, id } of twice) {
    console.error(`Lost: ${what} is ${short(value)}, and was ${short(ratios[id])} (${id}).`);
  }
  if (twice.length > 0) process.exitCode = 1;
  else console.error("Nothing has lost more than 20 %.");
}

function print({
  machine: {
    node,
    processor,
    cores,
    memoryGiB,
    load: [before, after],
  },
}) {
  console.log(
    `${processor}, ${cores} cores, ${memoryGiB} GiB, Node ${node}; load ${short(before)} before, ${short(after)} after`,
  );
  const rows = figures.map(({ what, value, spread, aim, met, rounds }) => ({
    figure: what,
    median: short(value),
    "from … to": rounds === 1 ? "" : `${short(spread[0])} … ${short(spread[1])}`,
    aim:
      aim === undefined
        ? ""
        : aim.atLeast === undefined
          ? `≤ ${short(aim.atMost)}`
          : `≥ ${short(aim.atLeast)}`,
    "": met === undefined ? "" : met ? "met" : "missed",
  }));
  printTable(["figure", "median", "from … to", "aim", ""], rows, 1);
}
