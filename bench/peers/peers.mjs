// Turns a second against peers: the same loop (one model call and one tool call a turn, both instant),
// in memory, at 20, 100 and 400 turns, all in turns within one process: A B C A B C. The peers are in
// a package of their own, so that the project does not depend on them:
//
//   npm run bench:peers             installs bench/peers where that is due
//   npm run -s bench:peers -- --json
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cpuSeconds, figure, inTurns, ratios } from "../figure.mjs";
import { countOf, countsOf, flagsOf } from "../flags.mjs";
import { printTable, progress, short } from "../numbers.mjs";
import { memoryJournal, turns as ours, worker } from "../turns.mjs";

const SCRIPT = import.meta.filename;
const flags = flagsOf(SCRIPT, {
  json: { type: "boolean", default: false },
  rounds: { type: "string", default: "5" },
  sizes: { type: "string", default: "20,100,400" },
});
const sizes = countsOf(SCRIPT, "--sizes", flags.sizes);
const rounds = countOf(SCRIPT, "--rounds", flags.rounds);

if (!existsSync(join(import.meta.dirname, "node_modules"))) {
  const words = ["ci", "--no-audit", "--no-fund", "--ignore-scripts"];
  const { status } = spawnSync("npm", words, { cwd: import.meta.dirname, stdio: [0, 2, 2] });
  if (status !== 0) throw new Error("The peers could not be installed.");
}
const { peers } = await import("./loops.mjs");

const AIMS = { 20: 2, 100: 6, 400: 15 };
// A program defines its agent once; the loops of the others define theirs for each run, which costs
// them little and us some milliseconds, so both are shown.
const own = {
  reckoner: (turns) => ours(turns, memoryJournal()),
  "reckoner, defined for each run": (turns) =>
    ours(turns, memoryJournal(), undefined, worker(turns)),
};
const all = { ...own, ...peers };

const figures = [];
for (const size of sizes) {
  const works = Object.entries(all).map(([name, loop]) => async () => {
    progress(`${size} turns: ${name}`);
    // As many runs as make some hundred turns: a short run alone is no measurement.
    const runs = Math.max(1, Math.round(400 / size));
    const took = await cpuSeconds(async () => {
      for (let i = 0; i < runs; i++) await loop(size);
    });
    return (runs * size) / took;
  });
  // The engine learns each loop before it counts.
  await inTurns(4, works);
  const rates = await inTurns(rounds, works);
  for (const [i, name] of Object.keys(all).entries()) {
    figures.push(figure(`${name}.${size}`, `${name}, ${size} turns: turns a second`, rates[i]));
  }
  const others = rates.slice(Object.keys(own).length);
  const best = rates[0].map((_, round) => Math.max(...others.map((each) => each[round])));
  figures.push(
    figure(
      `best.${size}`,
      `reckoner against the best of them, ${size} turns`,
      ratios(rates[0], best),
      {
        aim: { atLeast: AIMS[size] ?? 1 },
      },
    ),
  );
}
progress("");
if (flags.json) console.log(JSON.stringify({ node: process.version, figures }, null, 2));
else {
  const rows = figures.map(({ what, value, spread, aim, met }) => ({
    figure: what,
    median: short(value),
    "from … to": `${short(spread[0])} … ${short(spread[1])}`,
    aim: aim === undefined ? "" : `≥ ${aim.atLeast}`,
    "": met === undefined ? "" : met ? "met" : "missed",
  }));
  printTable(["figure", "median", "from … to", "aim", ""], rows, 1);
}
