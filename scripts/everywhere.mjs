// The same everywhere: a corpus of runs is recorded by this Node, and then recorded, replayed and folded
// again by each runtime that can be had; their journals have to be the same bytes, and their states the
// same digests. Runtimes come from the npm registry, into a folder that is kept; Chromium is taken where
// the machine has one.
//
//   npm run everywhere                           all of them
//   npm run everywhere -- --runtimes node22,bun  some
//   npm run everywhere -- --runtimes here        this Node with the entries for everything else
//   npm run everywhere -- --each 3               a smaller corpus
//   npm run everywhere -- --plant order          runtimes that sort by a locale: they have to be found
//   npm run everywhere -- --json                 what each came to, as one JSON document
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { ensureBuilt } from "./ensure-built.mjs";

const ROOT = resolve(import.meta.dirname, "..");
const KEPT = join(ROOT, "node_modules/.cache/reckoner-runtimes");
const CHROMIUMS = ["chromium", "chromium-browser", "google-chrome"].map(
  (name) => `/usr/bin/${name}`,
);

/** Faults of an engine. As a locale sorts, and the same where an engine knows no locale. */
const PLANTS = {
  "": "",
  order: `const { sort } = Array.prototype;
     const small = (text) => String(text).toLowerCase();
     const byLetter = (a, b) => (small(a) < small(b) ? -1 : small(a) > small(b) ? 1 : 0);
     Array.prototype.sort = function (compare) {
       return sort.call(this, compare ?? byLetter);
     };`,
};

/** How each runtime runs a module, or why it cannot be had. */
const RUNTIMES = {
  here: (module) => ran(process.execPath, [], module),
  node20: fromNpm("node@20", "node/bin/node"),
  node22: fromNpm("node@22", "node/bin/node"),
  node24: fromNpm("node@24", "node/bin/node"),
  node26: fromNpm("node@26", "node/bin/node"),
  bun: fromNpm("bun@1", ".bin/bun"),
  deno: fromNpm("deno@2", ".bin/deno", ["run", "--allow-read"]),
  chromium: inChromium,
};

const { values } = parseArgs({
  options: {
    runtimes: { type: "string", default: Object.keys(RUNTIMES).join(",") },
    each: { type: "string", default: "25" },
    plant: { type: "string", default: "" },
    json: { type: "boolean" },
  },
});
const wanted = values.runtimes.split(",");
const unknown = wanted.filter((name) => !(name in RUNTIMES));
if (unknown.length > 0) {
  console.error(
    `No runtime is called ${unknown.join(", ")}; there are ${Object.keys(RUNTIMES).join(", ")}.`,
  );
  process.exit(2);
}

if (!(values.plant in PLANTS)) {
  console.error(`No fault is called ${values.plant}; there is order.`);
  process.exit(2);
}
const each = Number(values.each);
if (!Number.isSafeInteger(each) || each < 1) {
  console.error(`--each ${values.each} is not a number of runs; write --each 25.`);
  process.exit(2);
}

await ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), "reckoner-everywhere-"));
const outcomes = [];
try {
  const { digests, record } = await bundled("fold.mjs", "node");
  const corpus = await record(each);
  const corpusFile = join(folder, "corpus.json");
  writeFileSync(corpusFile, JSON.stringify(corpus));
  const reference = await digests(corpus, each);
  const module = join(folder, "everywhere.mjs");
  writeFileSync(join(folder, "plant.mjs"), PLANTS[values.plant]);
  writeFileSync(
    join(folder, "entry.mjs"),
    `import "./plant.mjs";
     import { digests } from ${JSON.stringify(join(ROOT, "scripts/everywhere/fold.mjs"))};
     import corpus from ${JSON.stringify(corpusFile)};
     globalThis.found = digests(corpus, ${each}).then((found) => {
       const text = JSON.stringify(found);
       if (typeof document === "undefined") console.log(text);
       else document.body.textContent = text;
     });`,
  );
  await bundle(join(folder, "entry.mjs"), module, "browser");
  for (const name of wanted) outcomes.push(compared(name, RUNTIMES[name](module), reference));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (values.json) console.log(JSON.stringify(outcomes, null, 2));
else for (const each of outcomes) console.log(said(each));
const came = (status) => outcomes.some((outcome) => outcome.status === status);
// Where no runtime could be had, nothing was shown.
process.exitCode = came("differs") || !came("same") ? 1 : 0;

/** Bundles a module into one file, as a bundler does for a platform. @param platform node or browser */
function bundle(entry, outfile, platform) {
  const entries = ["index", "kernel", "thoughts"].map((name) => [
    name === "index" ? "reckoner" : `reckoner/${name}`,
    join(ROOT, "dist", `${name}.js`),
  ]);
  return build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: "esm",
    platform,
    nodePaths: [join(ROOT, "node_modules")],
    alias: Object.fromEntries(entries),
    // A user has no tsconfig.json of ours, whose paths lead to the sources.
    tsconfigRaw: "{}",
    logLevel: "error",
  });
}

async function bundled(name, platform) {
  const outfile = join(folder, `${platform}-${name}`);
  await bundle(join(ROOT, "scripts/everywhere", name), outfile, platform);
  return import(outfile);
}

/** A runtime that is a package of the registry. @returns how it runs a module */
function fromNpm(name, bin, words = []) {
  return (module) => {
    const home = join(KEPT, name.replace("@", "-"));
    const file = join(home, "node_modules", bin);
    if (!existsSync(file)) {
      mkdirSync(home, { recursive: true });
      writeFileSync(join(home, "package.json"), '{ "private": true }');
      const { status, stderr } = spawnSync("npm", ["install", "--no-audit", "--no-fund", name], {
        cwd: home,
        encoding: "utf8",
      });
      if (status !== 0 || !existsSync(file))
        return { missing: `npm could not install ${name}: ${lastLine(stderr)}` };
    }
    return ran(file, words, module);
  };
}

/** What a runtime prints of a module. */
function ran(file, words, module) {
  const version = spawnSync(file, ["--version"], { encoding: "utf8" });
  if (version.status !== 0)
    return { missing: `${file} does not start: ${lastLine(version.stderr)}` };
  const { stdout, stderr } = spawnSync(file, [...words, module], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  return { version: version.stdout.split("\n")[0].trim(), text: stdout, error: lastLine(stderr) };
}

/** A page that prints what it found. */
function inChromium(module) {
  const file = CHROMIUMS.find((path) => existsSync(path));
  if (file === undefined) return { missing: `no Chromium is there (${CHROMIUMS.join(", ")})` };
  const page = join(folder, "page.html");
  writeFileSync(
    page,
    `<!doctype html><body></body><script type="module" src="./${module.split("/").at(-1)}"></script>`,
  );
  const words = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--allow-file-access-from-files",
    "--virtual-time-budget=600000",
    "--dump-dom",
    `file://${page}`,
  ];
  const version = spawnSync(file, ["--version"], { encoding: "utf8" }).stdout.trim();
  const { stdout, stderr } = spawnSync(file, words, {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    timeout: 300_000,
  });
  const text = /<body>(.*)<\/body>/s.exec(stdout)?.[1]?.trim() ?? "";
  return {
    version,
    text: text.replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
    error: lastLine(stderr),
  };
}

function lastLine(text) {
  return (text ?? "").trim().split("\n").at(-1) ?? "";
}

function compared(name, ran, reference) {
  if (ran.missing !== undefined) return { name, status: "missing", why: ran.missing };
  let found;
  try {
    found = JSON.parse(ran.text);
  } catch {
    return {
      name,
      version: ran.version,
      status: "differs",
      why: `it printed no digests: ${ran.error}`,
    };
  }
  const runs = Object.keys(reference);
  const others = runs.filter(
    (run) => JSON.stringify(found[run]) !== JSON.stringify(reference[run]),
  );
  if (others.length === 0) return { name, version: ran.version, status: "same", runs: runs.length };
  const [first] = others;
  const why = `${others.length} of ${runs.length} runs, first ${first}: ${JSON.stringify(found[first])} and not ${JSON.stringify(reference[first])}`;
  return { name, version: ran.version, status: "differs", why };
}

function said({ name, version, status, why, runs }) {
  const what = status === "same" ? `the same journals and states in ${runs} runs` : why;
  return `${name.padEnd(9)} ${(version ?? "").padEnd(24)} ${status}: ${what}`;
}
