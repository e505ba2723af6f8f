// Mutation testing of core, runtime, adapters, capabilities and the wings, slice by slice. The mutants are
// Stryker's, all of a slice in one copy of the sources, each behind a switch; the tests are run in one
// process, each once for every mutant that it passes and that is alive (scripts/mutate/runner.ts):
// minutes for a slice.
// What a slice came to is kept in .mutate/results.json, by file; a slice whose files and tests
// have not changed since is not run again.
//
//   npm run mutate                      the next slice that has no result
//   npm run mutate -- --all             one after the other, for hours
//   npm run mutate -- --slice NAME      that one, again
//   npm run mutate -- --list            the slices
//   npm run mutate -- --report          what is killed, by folder, and what survived
//   npm run mutate -- --survivors       with --slice: only what survived there before, and with patience
//   npm run mutate -- --confirm         with --slice: each that survived there alone, in a run of its own
//                                       without any limit of time: what lives then, no test kills
//   npm run mutate -- --sample N        with any of these: whole folders instead of slices, and of each
//     [--seed S]                        folder N mutants that the seed draws, from each file its share
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { instrument } from "./mutate/instrument.mjs";
import { randomFrom } from "./random.mjs";

const ROOT = resolve(import.meta.dirname, "..");
const RESULTS = join(ROOT, ".mutate/results.json");
/** What the tests of one slice are run with, and what they say. */
const SOURCES = join(ROOT, ".mutate/sources.json");
const LOG = join(ROOT, ".mutate/log.txt");
/** The same where one is tried alone: another slice may be under way. */
const ALONE = join(ROOT, ".mutate/alone.json");
/** A test that says nothing for so long never will. */
const SILENCE_MS = 40_000;
/** A run of all tests of a slice that has not ended by then never will. */
const ENDLESS_MS = 600_000;
/** Bytes of source in a slice: some two hundred mutants. */
const SLICE = 14_000;
const AIM = 90;

/** The tests that a folder is held by, the nearest first; the longest prefix first. */
const TESTS = [
  [
    "core/kernel/values",
    [
      "test/unit/core/kernel/values",
      "property-tests/canonical.test.ts",
      "test/unit/core/kernel",
      "test/unit/core/journal",
    ],
  ],
  [
    "core/kernel/vocabulary",
    [
      "test/unit/core/kernel/vocabulary",
      "test/unit/core/kernel",
      "test/unit/core/agent",
      "test/unit/runtime/effects",
    ],
  ],
  [
    "core/kernel/machine",
    [
      "test/unit/core/kernel/machine",
      "test/unit/core/kernel",
      "test/unit/pictures/chart.test.ts",
      "test/unit/testing/checking/check.verify.test.ts",
      "test/unit/runtime/journals/upgrade.migrations.test.ts",
      "test/unit/runtime/running/hooks.test.ts",
      "property-tests/machines.test.ts",
    ],
  ],
  ["core/kernel", ["test/unit/core/kernel", "property-tests/machines.test.ts"]],
  ["time-travel/pure", ["test/unit/time-travel"]],
  ["time-travel/live", ["test/unit/time-travel/live"]],
  ["core/journal", ["test/unit/core/journal", "test/unit/runtime/journals"]],
  [
    "core/agent",
    [
      "test/unit/core/agent",
      "test/transcripts",
      "test/unit/runtime/running",
      "property-tests/agent.test.ts",
      "property-tests/repair.test.ts",
      "property-tests/serialize.test.ts",
    ],
  ],
  [
    "core/thoughts",
    [
      "test/unit/core/thoughts",
      "property-tests/thoughts.oracle.test.ts",
      "property-tests/thoughts.laws.test.ts",
    ],
  ],
  ["decisions/pure", ["test/unit/decisions/pure", "test/unit/decisions/stores"]],
  ["decisions/agent", ["test/unit/decisions/agent"]],
  ["decisions/laws", ["test/unit/decisions/laws"]],
  ["trace/pure", ["test/unit/trace/pure", "test/unit/trace/live", "property-tests/trace.test.ts"]],
  ["trace/live", ["test/unit/trace/live", "test/unit/trace/agent"]],
  ["trace/agent", ["test/unit/trace/agent"]],
  [
    "runtime/journals",
    [
      "test/unit/runtime/journals",
      "test/unit/core/journal/compare-step.verify.test.ts",
      "test/unit/time-travel",
      "test/unit/runtime/running/child-runs.resume.verify.test.ts",
      "test/unit/runtime/running/cancelled-tree.test.ts",
    ],
  ],
  [
    "adapters/file-journal",
    [
      ...[
        "open-files",
        "open",
        "note-files",
        "owner",
        "sync",
        "append",
        "faults",
        "read",
        "laws",
      ].map((name) => `test/unit/adapters/file-journal/${name}.test.ts`),
      "test/unit/adapters/file-journal",
    ],
  ],
  ["adapters/ai-sdk", ["test/unit/adapters/ai-sdk"]],
  ["adapters/json-schema", ["test/unit/adapters/json-schema"]],
  [
    "decisions/stores/postgres",
    [
      "test/unit/decisions/stores/sql/options.test.ts",
      "test/unit/decisions/stores/postgres/client.verify.test.ts",
      "test/unit/decisions/stores/postgres/pglite.test.ts",
      "test/unit/decisions/stores/postgres/transactions.verify.test.ts",
      "test/unit/decisions/stores/postgres",
    ],
  ],
  [
    "decisions/stores/duckdb",
    [
      "test/unit/decisions/stores/duckdb/property-graph.test.ts",
      "test/unit/decisions/stores/duckdb/driver.test.ts",
      "test/unit/decisions/stores/sql/options.test.ts",
      "test/unit/decisions/stores/duckdb/database.verify.test.ts",
      "test/unit/decisions/stores/duckdb",
    ],
  ],
  // DuckDB is in the process, so the stores' laws can be asked of it for each mutant.
  [
    "decisions/stores",
    [
      "test/unit/decisions/stores/sql",
      "test/unit/decisions/stores/duckdb/laws.verify.test.ts",
      "test/unit/decisions/stores",
    ],
  ],
  ["capabilities", ["test/unit/capabilities"]],
  ["runtime/effects", ["test/unit/runtime/effects", "test/unit/runtime/running"]],
  [
    "runtime",
    ["test/unit/runtime/running", "test/unit/runtime/effects", "test/unit/runtime/journals"],
  ],
];

const { values } = parseArgs({
  options: {
    slice: { type: "string" },
    all: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    report: { type: "boolean", default: false },
    survivors: { type: "boolean", default: false },
    confirm: { type: "boolean", default: false },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
  },
});
/** How many mutants of a folder are taken: all, where none are drawn. */
const SAMPLE = values.sample === undefined ? undefined : Number(values.sample);
if (SAMPLE !== undefined && !(SAMPLE >= 1)) {
  console.error("--sample takes the number of mutants to draw from each folder, such as 100.");
  process.exit(2);
}

const filesIn = (folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && each.name.endsWith(".ts"))
    .map((each) => join(each.parentPath, each.name).slice(ROOT.length + 1))
    .sort();

const FOLDERS = [
  "core",
  "runtime",
  "adapters",
  "capabilities",
  "decisions",
  "trace",
  "time-travel",
].map((name) => `src/${name}`);

/** All slices: files of one folder, as many as are mutated in ten minutes; all, where some are drawn. */
function slices() {
  const made = [];
  const byFolder = grouped(FOLDERS.flatMap(filesIn));
  for (const [folder, files] of byFolder) {
    let slice;
    let size = 0;
    // What only names other files has nothing to mutate.
    for (const file of files.filter((each) => !each.endsWith("/index.ts"))) {
      const { length } = readFileSync(join(ROOT, file));
      if (slice === undefined || (SAMPLE === undefined && size + length > SLICE)) {
        const number = made.filter((each) => each.folder === folder).length + 1;
        const part = SAMPLE === undefined ? `:${number}` : "";
        slice = { name: `${folder.slice(4)}${part}`, folder, files: [] };
        made.push(slice);
        size = 0;
      }
      slice.files.push(file);
      size += length;
    }
  }
  return made;
}

function grouped(files) {
  const groups = new Map();
  for (const file of files) {
    const folder = dirname(file);
    groups.set(folder, [...(groups.get(folder) ?? []), file]);
  }
  return groups;
}

const testsOf = ({ folder }) => TESTS.find(([prefix]) => folder.startsWith(`src/${prefix}`))[1];

/** What a result depends on: the slice's files, and the tests. */
function stampOf(slice) {
  const hash = createHash("sha256");
  const tests = testsOf(slice).flatMap((path) => (path.endsWith(".ts") ? [path] : filesIn(path)));
  for (const file of [...slice.files, ...tests]) hash.update(readFileSync(join(ROOT, file)));
  return hash.digest("base64url").slice(0, 16);
}

const results = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")) : {};

/** What is drawn of a folder's mutants: of each file its share, and of each at least one. */
function drawn(mutants) {
  if (SAMPLE === undefined || mutants.length <= SAMPLE) return mutants;
  const random = randomFrom(Number(values.seed));
  return [...new Set(mutants.map(({ fileName }) => fileName))].flatMap((name) => {
    const own = mutants.filter(({ fileName }) => fileName === name);
    const shuffled = own.map((mutant) => ({ mutant, place: random() }));
    shuffled.sort((a, b) => a.place - b.place);
    const share = Math.max(1, Math.round((SAMPLE * own.length) / mutants.length));
    return shuffled.slice(0, share).map(({ mutant }) => mutant);
  });
}

/** What a mutant is known by though lines may have moved, and what is said of it. */
function described({ location: { start, end }, mutatorName, replacement }, lines) {
  const line = lines[start.line].trim();
  const at = `${start.line + 1}:${start.column + 1}`;
  // A condition and the first part of it begin at one place.
  const until = `${end.line - start.line}:${end.column + 1}`;
  return { at, until, mutator: mutatorName, line, replacement };
}

const keyOf = ({ at, until, mutator, line, replacement }) =>
  [at.split(":")[1], until, mutator, line, replacement].join("\n");

/** Runs the tests on a slice's mutants, and keeps what came of them. */
async function mutate(slice) {
  console.log(`${slice.name}: ${slice.files.join(", ")}`);
  mkdirSync(dirname(RESULTS), { recursive: true });
  const { sources, mutants: all } = await instrument(slice.files.map((file) => join(ROOT, file)));
  const old = values.survivors ? results[slice.name] : undefined;
  const texts = new Map(slice.files.map((file) => [file, readFileSync(join(ROOT, file), "utf8")]));
  const of = (file) => {
    const lines = texts.get(file).split("\n");
    const before = old?.files[file];
    const known = new Set(before?.survived.map(keyOf));
    const own = (old === undefined ? drawn(all) : all)
      .filter(({ fileName }) => fileName === join(ROOT, file))
      .map((mutant) => ({ id: mutant.id, isTop: mutant.isTop, ...described(mutant, lines) }));
    return before === undefined ? own : own.filter((mutant) => known.has(keyOf(mutant)));
  };
  const chosen = new Map(slice.files.map((file) => [file, of(file)]));
  const taken = new Set([...chosen.values()].flat().map(({ id }) => id));
  const left = all.map(({ id }) => id).filter((id) => !taken.has(id));
  writeFileSync(SOURCES, JSON.stringify(sources));
  const stamp = stampOf(slice);
  const { passed, atLoad, killed, notes } = await runTests(slice, left);
  for (const note of notes) console.log(`  ${note}`);
  const kept = {};
  for (const [file, mutants] of chosen) {
    // What is done when a module is loaded is done once, whichever mutant is on.
    const own = mutants.filter(({ id, isTop }) => !isTop && (passed.has(id) || !atLoad.has(id)));
    const before = old?.files[file] ?? { killed: 0, notRun: 0 };
    kept[file] = {
      killed: before.killed + own.filter(({ id }) => killed.has(id)).length,
      survived: own
        .filter(({ id }) => !killed.has(id))
        .map(({ id, isTop: _, ...mutant }) => ({
          ...mutant,
          ...(!passed.has(id) && { reached: false }),
        })),
      notRun: before.notRun + mutants.length - own.length,
    };
  }
  results[slice.name] = {
    stamp,
    drawn: old?.drawn ?? taken.size,
    of: all.length,
    first: old === undefined ? shareOf(kept) : (old.first ?? shareOf(old.files)),
    files: kept,
  };
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 1)}\n`);
  console.log(lineOf(slice));
}

/** Runs the tests until no mutant keeps them from their end: one that does is dead. */
async function runTests(slice, left) {
  const passed = new Set();
  const atLoad = new Set();
  const killed = new Set();
  const notes = [];
  for (let ended = false; !ended; ) {
    writeFileSync(LOG, "");
    ended = await runOnce(slice, [...killed, ...left]);
    let tried;
    for (const line of readFileSync(LOG, "utf8").split("\n")) {
      const [what, id] = line.split(" ");
      if (what === "passed") passed.add(id);
      else if (what === "loaded") atLoad.add(id);
      else if (what === "killed") killed.add(id);
      else if (what === "try") tried = id;
      else if (what !== "" && what !== "lived") notes.push(line);
    }
    if (ended || tried === undefined || killed.has(tried)) break;
    killed.add(tried);
    notes.push(`endless ${tried}`);
  }
  return { passed, atLoad, killed, notes };
}

/** What vitest is told of a slice, and where its mutated sources lie. */
function envOf(slice, sources) {
  return {
    ...process.env,
    CI: "1",
    MUTATE_TESTS: testsOf(slice).join(","),
    MUTATE_SOURCES: sources,
    MUTATE_LOG: LOG,
  };
}

/** @returns whether it came to its end; not where nothing happens for a long time */
function runOnce(slice, done) {
  const env = {
    ...envOf(slice, SOURCES),
    MUTATE_DONE: done.join(","),
    // Of properties a few runs: each is asked again for every mutant.
    RECKONER_RUNS: "0.05",
    MUTATE_PATIENCE: values.survivors ? "2" : "1",
  };
  const args = [
    "--no-install",
    "vitest",
    "run",
    "--config",
    "vitest.mutate.config.ts",
    "--reporter=dot",
  ];
  const child = spawn("npx", args, { cwd: ROOT, env, stdio: "ignore", detached: true });
  return new Promise((resolve) => {
    let heard = Date.now();
    let size = 0;
    const watch = setInterval(() => {
      const now = statSync(LOG).size;
      if (now !== size) [size, heard] = [now, Date.now()];
      // A test may be long by itself; under a mutant it is given up when it is late.
      const under = readFileSync(LOG, "utf8").trimEnd().split("\n").at(-1).startsWith("try ");
      const patience = under ? SILENCE_MS : 10 * SILENCE_MS;
      if (Date.now() - heard > patience) process.kill(-child.pid, "SIGKILL");
    }, 1_000);
    child.on("exit", (_, signal) => {
      clearInterval(watch);
      resolve(signal === null);
    });
  });
}

/** Runs the tests of a slice for each survivor alone, and notes which of them die after all. */
async function confirm(slice) {
  const old = results[slice.name];
  if (old === undefined) throw new Error(`${slice.name} has not been run.`);
  const { sources, mutants } = await instrument(slice.files.map((file) => join(ROOT, file)));
  writeFileSync(ALONE, JSON.stringify(sources));
  // Else whatever keeps a test from passing here would kill them all.
  if (await failsAlone(slice, NONE))
    throw new Error(`${slice.name}: a test fails without mutants.`);
  const first = old.first ?? shareOf(old.files);
  const files = {};
  for (const [file, before] of Object.entries(old.files)) {
    const lines = readFileSync(join(ROOT, file), "utf8").split("\n");
    const own = mutants.filter(({ fileName }) => fileName === join(ROOT, file));
    const survived = [];
    let killed = before.killed;
    for (const one of before.survived) {
      const planted = own.find((mutant) => keyOf(described(mutant, lines)) === keyOf(one));
      // What has been taken out or written anew is nobody's survivor.
      if (planted === undefined) continue;
      // Twice: on a busy machine a test may fail for itself.
      if ((await failsAlone(slice, planted.id)) && (await failsAlone(slice, planted.id)))
        killed += 1;
      else survived.push(one);
      console.log(`  ${survived.at(-1) === one ? "lives" : "dead "} ${file}:${one.at} ${one.line}`);
    }
    files[file] = { ...before, killed, survived };
  }
  results[slice.name] = { ...old, stamp: stampOf(slice), first, files };
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 1)}\n`);
  console.log(lineOf(slice));
}

/** The id of no mutant. */
const NONE = "none";

/**
 * Whether the tests fail where one mutant is on from the first line that is loaded. What costs more
 * than it should is counted too, for which all tests are run by the engine's slow way.
 */
function failsAlone(slice, id) {
  const env = {
    ...envOf(slice, ALONE),
    MUTATE_LOG: undefined,
    MUTATE_ALONE: "1",
    // The tests of what is large as well.
    MUTATE_PATIENCE: "2",
    RECKONER_RUNS: "0.2",
    __STRYKER_ACTIVE_MUTANT__: id,
  };
  const args = ["--no-install", "vitest", "run", "--config", "vitest.mutate.config.ts", "--bail=1"];
  const child = spawn("npx", args, { cwd: ROOT, env, stdio: "ignore", detached: true });
  return new Promise((resolve) => {
    const endless = setTimeout(() => process.kill(-child.pid, "SIGKILL"), ENDLESS_MS);
    child.on("exit", (code) => {
      clearTimeout(endless);
      resolve(code !== 0);
    });
  });
}

function shareOf(files) {
  const each = Object.values(files);
  const killed = each.reduce((sum, file) => sum + file.killed, 0);
  const survived = each.reduce((sum, file) => sum + file.survived.length, 0);
  return {
    killed,
    survived,
    share: killed + survived === 0 ? 100 : (100 * killed) / (killed + survived),
  };
}

function lineOf(slice) {
  const result = results[slice.name];
  if (result === undefined) return `${slice.name.padEnd(30)} not run`;
  const { killed, survived, share } = shareOf(result.files);
  const old = result.stamp === stampOf(slice) ? "" : ", changed since";
  const { first = shareOf(result.files) } = result;
  const before = first.killed === killed ? "" : ` (at first ${first.share.toFixed(1)} %)`;
  const part = result.drawn < result.of ? `, drawn ${result.drawn} of ${result.of}` : "";
  return `${slice.name.padEnd(30)} ${share.toFixed(1).padStart(5)} %${before}: ${killed} killed, ${survived} survived${part}${old}`;
}

const all = slices();
if (values.list) {
  for (const slice of all)
    console.log(`${lineOf(slice)}  ${slice.files.map((file) => basename(file, ".ts")).join(" ")}`);
} else if (values.report) {
  for (const slice of all) {
    const result = results[slice.name];
    if (result === undefined) continue;
    console.log(lineOf(slice));
    for (const [file, { survived }] of Object.entries(result.files)) {
      for (const { at, mutator, line, replacement, reached } of survived) {
        console.log(
          `  ${reached === false ? "not reached: " : ""}${file}:${at} ${mutator}: ${line} → ${String(replacement).replace(/\s+/g, " ").slice(0, 80)}`,
        );
      }
    }
  }
  const run = all.filter(({ name }) => results[name] !== undefined);
  const total = shareOf(Object.assign({}, ...run.map(({ name }) => results[name].files)));
  console.log(
    `${run.length} of ${all.length} slices: ${total.share.toFixed(1)} % of ${total.killed + total.survived}; the aim is ${AIM} %`,
  );
} else if (values.slice !== undefined) {
  const slice = all.find(({ name }) => name === values.slice);
  if (slice === undefined) {
    console.error(`There is no slice ${values.slice}; npm run mutate -- --list names them.`);
    process.exit(2);
  }
  await (values.confirm ? confirm(slice) : mutate(slice));
} else {
  const due = all.filter((slice) => results[slice.name]?.stamp !== stampOf(slice));
  if (due.length === 0) console.log("Every slice has its result; --report shows them.");
  for (const slice of values.all ? due : due.slice(0, 1)) await mutate(slice);
}
