// Everything that must hold before a change is taken, in the order in which a failure is cheapest
// to find out; stops at the first. CI runs this and nothing else.
//
//   npm run verify                          all of it
//   npm run verify -- --skip tests          without a part (CI: it has just run `npm test`)
//   npm run verify -- --long                and what CI has no time for
//   npm run verify -- --reports FOLDER      vitest's counts as JSON files, for CI to sum up
//
// Tests that lack something here (a Chromium, a Postgres) are skipped and counted; under CI=1 they fail it.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    long: { type: "boolean", default: false },
    skip: { type: "string", multiple: true, default: [] },
    reports: { type: "string" },
  },
});

const reports = values.reports ?? mkdtempSync(join(tmpdir(), "reckoner-verify-"));

const vitest = (name, script, ...more) => {
  const file = resolve(reports, `${name}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`];
  return ["npm", "run", script, "--", ...more, ...reporters];
};
/** Those that wait for servers and browsers most of their time leave room for a third on two cores. */
const MORE_WORKERS = `--maxWorkers=${Math.ceil(1.5 * availableParallelism())}`;

const PARTS = {
  lint: ["npm", "run", "lint"],
  typecheck: ["npm", "run", "typecheck"],
  // No room grows, and no comment says more in noun clauses: scripts/ceilings.json only goes down.
  lines: ["node", "scripts/lines.mjs", "--check"],
  words: ["node", "scripts/words.mjs", "--check"],
  // Journals of earlier builds: none is changed, and none is forgotten.
  corpus: ["node", "scripts/corpus.mjs", "--check"],
  // Made beside the types; what looks at it comes behind it.
  build: ["npm", "run", "build"],
  // What tells a contributor that it works.
  tests: vitest("tests", "test"),
  // And what takes longer: laws, growth, processes, the snippets of all pages.
  rest: vitest("rest", "test:verify", MORE_WORKERS),
  properties: vitest("properties", "properties"),
  // What is exported and says nothing about itself fails it.
  docs: ["npm", "run", "docs"],
  dist: vitest("dist", "test:dist"),
  publint: ["npx", "--no-install", "publint", "--strict"],
  attw: ["npx", "--no-install", "attw", "--pack", ".", "--profile", "esm-only"],
  // A release is one command away: it would be made of what was just built.
  release: ["npm", "run", "release", "--", "--dry-run"],
  kill: ["npm", "run", "kill", "--", "--kills", values.long ? "1000" : "100"],
  simulate: ["npm", "run", "simulate", ...(values.long ? [] : ["--", "--seconds", "10"])],
  ...(values.long && {
    long: vitest("long", "test:long"),
    explore: ["npm", "run", "explore"],
  }),
};

const unknown = values.skip.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`No part is called ${unknown.join(", ")}: ${Object.keys(PARTS).join(", ")}.`);
  process.exit(2);
}

/** Each of these keeps one core busy and needs nothing of the other. */
const SIDE_BY_SIDE = { typecheck: "build", kill: "simulate" };

/** Runs a part, and says all that it said when it is over. @returns its exit status */
function run(name) {
  const [command, ...args] = PARTS[name];
  const start = performance.now();
  const env = { ...process.env };
  // Packing would build once more what has just been built and tested.
  if (name === "attw") env.npm_config_ignore_scripts = "true";
  // A quarter of each property's runs: all of them are for `--long` and `npm run properties`.
  if (values.long) env.RECKONER_RUNS ??= "1";
  else if (name === "properties") env.RECKONER_RUNS ??= "0.25";
  const isAlone = !Object.entries(SIDE_BY_SIDE).flat().includes(name);
  const told = isAlone ? "inherit" : "pipe";
  // npm and npx are scripts on Windows, which only a shell starts.
  const child = spawn(command, args, {
    cwd: resolve(import.meta.dirname, ".."),
    env,
    stdio: ["ignore", told, told],
    shell: process.platform === "win32",
  });
  const heading = `\n== ${name}: ${[command, ...args].join(" ")}`;
  if (isAlone) console.log(heading);
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => said.push(data));
  return new Promise((done) => {
    child.on("error", (error) => said.push(`${error.message}\n`));
    child.on("close", (status) => {
      if (!isAlone) console.log(`${heading}\n${said.join("")}`);
      times.push(`${seconds(performance.now() - start)}  ${name}`);
      done(status);
    });
  });
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`.padStart(8);
const times = [];
let failed;
const begun = new Map();
for (const name of Object.keys(PARTS)) {
  if (values.skip.includes(name)) {
    times.push(`${" skipped".padStart(8)}  ${name}`);
    continue;
  }
  const other = SIDE_BY_SIDE[name];
  if (other !== undefined && !values.skip.includes(other)) begun.set(other, run(other));
  const status = await (begun.get(name) ?? run(name));
  if (status !== 0) {
    failed = name;
    break;
  }
}
await Promise.all(begun.values());

/** The names of the tests that were skipped, for want of something that is not here: a Chromium, a Postgres. */
function skippedTests() {
  const files = readdirSync(reports).filter((file) => file.endsWith(".json"));
  const read = (file) => JSON.parse(readFileSync(join(reports, file), "utf8"));
  return files
    .flatMap((file) => read(file).testResults)
    .flatMap(({ assertionResults }) => assertionResults)
    .flatMap(({ status, fullName }) => (/^(?:skipped|pending)$/.test(status) ? [fullName] : []));
}
const skipped = skippedTests();
if (values.reports === undefined) rmSync(reports, { recursive: true, force: true });

console.log(`\n${times.join("\n")}\n${seconds(performance.now())}  in all`);
if (failed !== undefined) {
  console.error(`\nverify: ${failed} failed. Again, alone: ${PARTS[failed].join(" ")}`);
  process.exit(1);
}
// CI has all that they need; what it leaves out unseen is nobody's to miss.
if (skipped.length > 0 && process.env.CI) {
  console.error(`\nverify: CI skips nothing, and skipped\n  ${skipped.join("\n  ")}`);
  process.exit(1);
}
console.log(`\nverify: all is well; ${skipped.length} tests were skipped.`);
