// Mutation testing of the core and the runtime, slice by slice, with Stryker: a slice takes about ten
// minutes. What a slice came to is kept in .mutate/results.json, by file; a slice whose files and tests
// have not changed since is not run again.
//
//   npm run mutate                      the next slice that has no result
//   npm run mutate -- --all             one after the other, for hours
//   npm run mutate -- --slice NAME      that one, again
//   npm run mutate -- --list            the slices
//   npm run mutate -- --report          what is killed, by folder, and what survived
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";

const ROOT = resolve(import.meta.dirname, "..");
const RESULTS = join(ROOT, ".mutate/results.json");
const REPORT = join(ROOT, ".mutate/report.json");
/** Bytes of source in a slice: some two hundred mutants. */
const SLICE = 14_000;
const AIM = 90;

/** The tests that a folder is held by, the longest prefix first. */
const TESTS = [
  ["core/kernel/values", ["test/unit/core/kernel/values", "property-tests/canonical.test.ts"]],
  ["core/kernel/vocabulary", ["test/unit/core/kernel", "test/unit/core/agent"]],
  ["core/kernel", ["test/unit/core/kernel", "property-tests/machines.test.ts"]],
  ["core/journal/travel", ["test/unit/runtime/travel", "test/unit/core/journal"]],
  [
    "core/journal",
    ["test/unit/core/journal", "test/unit/runtime/journals", "test/unit/runtime/upgrade"],
  ],
  ["core/agent", ["test/unit/core/agent", "test/transcripts"]],
  ["core/thoughts", ["test/unit/core/thoughts", "property-tests/thoughts.oracle.test.ts"]],
  ["core/decisions", ["test/unit/core/decisions", "test/unit/runtime/stores"]],
  ["core/trace", ["test/unit/core/trace", "test/unit/runtime/tracing"]],
  ["runtime/journals", ["test/unit/runtime/journals", "test/unit/runtime/upgrade"]],
  ["runtime/children", ["test/unit/runtime/children"]],
  ["runtime/stores", ["test/unit/runtime/stores"]],
  ["runtime/effects", ["test/unit/runtime/effects", "test/unit/runtime/running"]],
  ["runtime/tracing", ["test/unit/runtime/tracing"]],
  ["runtime/travel", ["test/unit/runtime/travel"]],
  [
    "runtime",
    ["test/unit/runtime/running", "test/unit/runtime/effects", "test/unit/runtime/children"],
  ],
];

const { values } = parseArgs({
  options: {
    slice: { type: "string" },
    all: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    report: { type: "boolean", default: false },
  },
});

const filesIn = (folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && each.name.endsWith(".ts"))
    .map((each) => join(each.parentPath, each.name).slice(ROOT.length + 1))
    .sort();

/** All slices: files of one folder, as many as are mutated in ten minutes. */
function slices() {
  const made = [];
  const byFolder = grouped(["src/core", "src/runtime"].flatMap(filesIn));
  for (const [folder, files] of byFolder) {
    let slice;
    let size = 0;
    // What only names other files has nothing to mutate.
    for (const file of files.filter((each) => !each.endsWith("/index.ts"))) {
      const { length } = readFileSync(join(ROOT, file));
      if (slice === undefined || size + length > SLICE) {
        const number = made.filter((each) => each.folder === folder).length + 1;
        slice = { name: `${folder.slice(4)}:${number}`, folder, files: [] };
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

/** Runs Stryker on a slice, and keeps what it came to. */
function mutate(slice) {
  console.log(`${slice.name}: ${slice.files.join(", ")}`);
  const { status } = spawnSync("npx", ["--no-install", "stryker", "run"], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, MUTATE: slice.files.join(","), MUTATE_TESTS: testsOf(slice).join(",") },
  });
  if (status !== 0) throw new Error(`Stryker ended with ${status}.`);
  const { files } = JSON.parse(readFileSync(REPORT, "utf8"));
  const kept = {};
  for (const [file, { mutants, source }] of Object.entries(files)) {
    const lines = source.split("\n");
    const of = (...statuses) => mutants.filter((each) => statuses.includes(each.status));
    kept[file] = {
      killed: of("Killed", "Timeout", "RuntimeError").length,
      survived: of("Survived", "NoCoverage").map(
        ({ mutatorName, replacement, location, status }) => ({
          at: `${location.start.line}:${location.start.column}`,
          mutator: mutatorName,
          line: lines[location.start.line - 1].trim(),
          replacement,
          ...(status === "NoCoverage" ? { covered: false } : {}),
        }),
      ),
    };
  }
  results[slice.name] = { stamp: stampOf(slice), files: kept };
  mkdirSync(dirname(RESULTS), { recursive: true });
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 1)}\n`);
  console.log(lineOf(slice));
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
  return `${slice.name.padEnd(30)} ${share.toFixed(1).padStart(5)} %: ${killed} killed, ${survived} survived${old}`;
}

const all = slices();
if (values.list) {
  for (const slice of all) console.log(lineOf(slice));
} else if (values.report) {
  for (const slice of all) {
    const result = results[slice.name];
    if (result === undefined) continue;
    console.log(lineOf(slice));
    for (const [file, { survived }] of Object.entries(result.files)) {
      for (const { at, mutator, line, replacement } of survived) {
        console.log(
          `  ${file}:${at} ${mutator}: ${line} → ${String(replacement).replace(/\s+/g, " ").slice(0, 80)}`,
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
  mutate(slice);
} else {
  const due = all.filter((slice) => results[slice.name]?.stamp !== stampOf(slice));
  if (due.length === 0) console.log("Every slice has its result; --report shows them.");
  for (const slice of values.all ? due : due.slice(0, 1)) mutate(slice);
}
