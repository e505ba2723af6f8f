// The corpus: journals of earlier builds, which every build reads. Its layer of the format (test/corpus/format) is
// verified, listed, shown, diffed and forked without code, by test/corpus/format.verify.test.ts; that of machines, a
// folder for each version that was, is replayed and goes on in test/corpus/machines.verify.test.ts.
//
//   node scripts/corpus.mjs            records the runs that are not there yet, and notes their hashes
//   node scripts/corpus.mjs --anew     records all of them anew: only before the layer is closed
//   node scripts/corpus.mjs --check    refuses a file that differs from its noted hash, is missing or is not noted, and a
//                                      list that has lost or changed what it had in the commit before (or in --base REF)
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt } from "./ensure-built.mjs";

const ROOT = resolve(import.meta.dirname, "..");
const CORPUS = "test/corpus";
const FOLDER = `${CORPUS}/format`;
const LIST = `${CORPUS}/hashes.json`;
const at = (path) => join(ROOT, path);

/** The files of the corpus's layers, by their paths in it. */
function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) =>
      join(each.parentPath ?? each.path, each.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
    .filter((name) => name.includes("/"))
    .sort();
}

const hashOf = (file) => createHash("sha256").update(readFileSync(file)).digest("hex");
const noted = () =>
  existsSync(at(LIST)) ? JSON.parse(readFileSync(at(LIST), "utf8")) : { closed: false, files: {} };

/** The list as a commit has it; nothing where there is no such commit, or no list in it. */
function listIn(ref) {
  try {
    const said = execFileSync("git", ["show", `${ref}:${LIST}`], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return JSON.parse(String(said));
  } catch {
    return { closed: false, files: {} };
  }
}

/** Says what is wrong with the files and their list. */
export function faults(list, before, files, hash) {
  const found = [];
  for (const [name, noted] of Object.entries(list.files)) {
    if (!files.includes(name)) found.push(`${name} is missing`);
    else if (hash(name) !== noted) found.push(`${name} was changed`);
  }
  for (const name of files) if (!(name in list.files)) found.push(`${name} is not in the list`);
  if (before.closed && !list.closed) found.push("the layer was closed, and is open again");
  if (!before.closed) return found;
  for (const [name, was] of Object.entries(before.files)) {
    if (list.files[name] !== was)
      found.push(`${name} was in the list with another hash, and is only ever added to`);
  }
  return found;
}

async function record(anew) {
  ensureBuilt();
  const { runs } = await import("./corpus-runs.mjs");
  const list = noted();
  if (anew && list.closed) throw new Error("The layer is closed: what is there stays as it is.");
  for (const name of Object.keys(runs)) {
    const to = at(`${FOLDER}/${name}`);
    if (existsSync(to) && !anew) continue;
    rmSync(to, { recursive: true, force: true });
    const folder = mkdtempSync(join(tmpdir(), "corpus-"));
    await runs[name](folder);
    mkdirSync(at(FOLDER), { recursive: true });
    cpSync(folder, to, { recursive: true });
    rmSync(folder, { recursive: true });
    console.log(`recorded ${name}`);
  }
  const files = filesIn(at(CORPUS)).map((name) => [name, hashOf(at(`${CORPUS}/${name}`))]);
  writeFileSync(
    at(LIST),
    `${JSON.stringify({ closed: list.closed, files: Object.fromEntries(files) }, null, 2)}\n`,
  );
}

function check(base) {
  const found = faults(noted(), listIn(base), filesIn(at(CORPUS)), (name) =>
    hashOf(at(`${CORPUS}/${name}`)),
  );
  for (const each of found) console.error(`corpus: ${each}.`);
  if (found.length > 0) process.exitCode = 1;
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      anew: { type: "boolean", default: false },
      check: { type: "boolean", default: false },
      base: { type: "string", default: "HEAD^" },
    },
  });
  if (values.check) check(values.base);
  else await record(values.anew);
}
