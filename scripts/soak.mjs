// For hours: processes killed at random moments, hostile input, properties with fresh seeds, and one long
// run; round after round, until so many kills are done. What was done is kept in .soak/summary.json after
// each round, and gone on with from there.
//
//   npm run soak                              until 10 000 kills
//   npm run soak -- --kills 500               until 500
//   npm run soak -- --only kills,fuzz         some of it; there are kills, fuzz, properties, long, engines
//   npm run soak -- --fresh                   from the beginning
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt } from "./ensure-built.mjs";

const ROOT = resolve(import.meta.dirname, "..");
const PARTS = ["kills", "fuzz", "properties", "long", "engines"];
const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "10000" },
    round: { type: "string", default: "250" },
    cases: { type: "string", default: "3000" },
    events: { type: "string", default: "100000" },
    only: { type: "string", default: PARTS.join(",") },
    seed: { type: "string", default: String(Date.now() % 1_000_000_000) },
    out: { type: "string", default: join(ROOT, ".soak") },
    fresh: { type: "boolean", default: false },
  },
});
const only = values.only.split(",");
const unknown = only.filter((part) => !PARTS.includes(part));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(", ")}; there are ${PARTS.join(", ")}.`);
  process.exit(2);
}

await ensureBuilt();
const file = join(values.out, "summary.json");
if (values.fresh) rmSync(file, { force: true });
mkdirSync(values.out, { recursive: true });
writeFileSync(join(values.out, ".gitignore"), "*\n");
const summary = existsSync(file)
  ? JSON.parse(readFileSync(file, "utf8"))
  : {
      seed: Number(values.seed),
      rounds: 0,
      kills: 0,
      cases: 0,
      properties: 0,
      engines: { runs: 0, kills: 0, executed: 0, unknown: 0, repeated: 0 },
      seconds: 0,
      longRun: null,
      deployed: null,
      wrong: [],
    };

/** Whole or not at all: a soak is killed too. */
function keep() {
  writeFileSync(`${file}.new`, `${JSON.stringify(summary, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

function does(what, command, words, env = {}) {
  const said = spawnSync(command, words, {
    cwd: ROOT,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    env: { ...process.env, NO_COLOR: "1", ...env },
  });
  if (said.status === 0) return said.stdout;
  const text = `${said.stdout}\n${said.stderr}`.trim().split("\n").slice(-60).join("\n");
  summary.wrong.push({
    round: summary.rounds,
    what,
    repeat: [command, ...words].join(" "),
    env,
    text,
  });
  console.error(`${what}: ${text}`);
  return said.stdout;
}

const vitest = (path, env) => [
  "npx",
  ["--no-install", "vitest", "run", "--project", "properties", path],
  env,
];
const wanted = Number(values.kills);
do {
  const begun = performance.now();
  const seed = (summary.seed + summary.rounds * 104_729) % 1_000_000_000;
  if (only.includes("kills")) {
    const kills = Math.min(Number(values.round), wanted - summary.kills);
    if (kills > 0) {
      does("kills", process.execPath, [
        "scripts/kill.mjs",
        "--no-plant",
        "--kills",
        String(kills),
        "--seed",
        String(seed),
      ]);
      summary.kills += kills;
    }
  }
  if (only.includes("fuzz")) {
    does(
      "fuzz",
      ...vitest("property-tests/fuzz.test.ts", {
        RECKONER_SEED: String(seed),
        FUZZ_CASES: values.cases,
      }),
    );
    summary.cases += Number(values.cases);
  }
  if (only.includes("properties")) {
    does("properties", ...vitest("property-tests", { RECKONER_SEED: String(seed) }));
    summary.properties += 1;
  }
  if (only.includes("engines")) {
    const words = [
      "test/engines/kill-restate.mjs",
      "--runs",
      "40",
      "--turns",
      "20",
      "--kills",
      "20",
    ];
    const said = does("engines", process.execPath, [...words, "--seed", String(seed)]);
    const { server, worker, both, ...done } = JSON.parse(said.trim() || "{}");
    const engines = { runs: 0, kills: 0, executed: 0, unknown: 0, repeated: 0, ...summary.engines };
    for (const name of ["runs", "executed", "unknown", "repeated"])
      engines[name] += done[name] ?? 0;
    engines.kills += (server ?? 0) + (worker ?? 0) + (both ?? 0);
    summary.engines = engines;
    // Newer code under a thousand runs that wait.
    if ((summary.deployed ?? null) === null) {
      const many = ["test/engines/kill-restate.mjs", "--runs", "1000", "--kills", "0"];
      const told = does("deploy", process.execPath, [...many, "--turns", "0", "--seed", "1"]);
      summary.deployed = JSON.parse(told.trim() || "null");
    }
  }
  if (only.includes("long") && summary.longRun === null) {
    const words = ["--expose-gc", "scripts/soak/long-run.mjs", "--events", values.events];
    const said = does("long", process.execPath, words);
    summary.longRun = JSON.parse(said.trim().split("\n").at(-1) || "null");
  }
  summary.rounds += 1;
  summary.seconds += Math.round((performance.now() - begun) / 1_000);
  keep();
  console.log(
    `round ${summary.rounds}: ${summary.kills} kills, ${summary.cases} hostile cases of each kind, ${summary.properties} rounds of properties, ${summary.wrong.length} wrong, ${summary.seconds} s`,
  );
} while (only.includes("kills") && summary.kills < wanted && summary.wrong.length === 0);
console.log(file);
process.exitCode = summary.wrong.length === 0 ? 0 : 1;
