// What each entry of the package costs a user who bundles all of its names: minified, and compressed
// with gzip; our own code, the same with the packages that it brings along (xstate and others), what of
// that is loaded at first where the bundler splits code, and what it adds to a program that has the root.
// Optional peers (ai, fast-check) are left out.
//
//   npm run bench:sizes            a table
//   npm run -s bench:sizes -- --json
//
// Exits with 1 where the root, or one of `agent`, `run` and `tool` alone, is over the limit at first.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { build as bundle } from "vite";
import { ensureBuilt } from "../scripts/ensure-built.mjs";
import { flagsOf } from "./flags.mjs";

const ROOT = join(import.meta.dirname, "..");
/** Bytes that may be loaded at first, minified and compressed, packages included. */
const LIMIT = 85_000;
/** What a program may take of the root alone. */
const ALONE = ["agent", "run", "tool"];

await ensureBuilt();
const { exports, dependencies, peerDependencies } = JSON.parse(
  readFileSync(join(ROOT, "package.json"), "utf8"),
);
const whole = (names) => Object.keys(names).flatMap((name) => [name, `${name}/*`]);
const peers = whole(peerDependencies);
const others = [...peers, ...whole(dependencies)];

/** A program that takes a name of each entry's file, or all of them. */
const programOf = (imports) =>
  imports
    .map(([file, name], i) => {
      const taken = name === undefined ? `* as e${i}` : `{ ${name} as e${i} }`;
      return `import ${taken} from ${JSON.stringify(file)}; globalThis.e${i} = e${i};`;
    })
    .join("\n");

const optionsFor = (external, imports) => ({
  stdin: { contents: programOf(imports), resolveDir: ROOT },
  outdir: join(ROOT, "out"),
  bundle: true,
  minify: true,
  write: false,
  format: "esm",
  platform: "neutral",
  mainFields: ["module", "main"],
  // As a browser's bundler takes it: journals by path are Node's.
  conditions: ["module", "browser"],
  external: ["node:*", ...external],
  absWorkingDir: ROOT,
  // A user has no tsconfig.json of ours, whose paths lead to the sources.
  tsconfigRaw: "{}",
  logLevel: "error",
});
const compressed = (text) => gzipSync(text, { level: 9 }).length;

/** @param imports the entries' files that one program imports, each with one of its names or with all */
async function sizeOf(external, ...imports) {
  const { outputFiles } = await build(optionsFor(external, imports));
  const [{ contents: minified }] = outputFiles;
  return { minified: minified.length, gzip: compressed(minified) };
}

/**
 * What is loaded at first, compressed, file by file: all but what `import()` brings. Vite bundles it, as it does
 * pages: unlike esbuild it drops an `import()` that no code reaches, and what it would share with the rest.
 */
async function firstOf(external, ...imports) {
  const matches = external.map((name) => new RegExp(`^${name.replace("/*", "/.*")}$`));
  const entry = join(ROOT, "sizes-entry.mjs");
  const { output } = await bundle({
    configFile: false,
    root: ROOT,
    logLevel: "silent",
    plugins: [
      {
        name: "entry",
        enforce: "pre",
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? programOf(imports) : undefined),
      },
    ],
    build: {
      write: false,
      target: "es2022",
      modulePreload: false,
      rolldownOptions: { input: entry, external: [/^node:/, ...matches] },
    },
  });
  const files = new Map(output.map((file) => [file.fileName, file]));
  const met = new Set();
  const meet = (name) => {
    if (met.has(name) || !files.has(name)) return;
    met.add(name);
    files.get(name).imports.forEach(meet);
  };
  meet(output.find(({ isEntry }) => isEntry).fileName);
  return [...met].reduce((sum, name) => sum + compressed(files.get(name).code), 0);
}

/** What each entry costs. */
export async function entrySizes() {
  const root = [exports["."].default];
  const alone = await sizeOf(peers, root);
  const rows = [];
  for (const [path, target] of Object.entries(exports)) {
    if (target.default === undefined) continue;
    const entry = path.replace(/^\./, "reckoner");
    const names = path === "." ? [undefined, ...ALONE] : [undefined];
    for (const name of names) rows.push(await rowOf(entry, [target.default, name]));
  }
  return rows;

  async function rowOf(entry, taken) {
    const own = await sizeOf(others, taken);
    const all = await sizeOf(peers, taken);
    const first = await firstOf(peers, taken);
    const both = taken[0] === root[0] ? alone : await sizeOf(peers, root, taken);
    return {
      entry: taken[1] ?? entry,
      own,
      withPackages: all,
      first,
      besideRoot: both.gzip - alone.gzip,
    };
  }
}

if (process.argv[1] === import.meta.filename) {
  const { json } = flagsOf(import.meta.filename, { json: { type: "boolean", default: false } });
  print(await entrySizes(), json);
}

function print(rows, json) {
  if (json) {
    console.log(JSON.stringify({ limit: LIMIT, entries: rows }, null, 2));
  } else {
    const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`.padStart(10);
    const line = (name, ...cells) => console.log(`${name.padEnd(24)}${cells.join("")}`);
    const heads = ["minified", "gzip", "+packages", "gzip", "at first", "+root"];
    line("entry", ...heads.map((head) => head.padStart(10)));
    for (const { entry, own, withPackages: all, first, besideRoot } of rows) {
      const cells = [own.minified, own.gzip, all.minified, all.gzip, first, besideRoot];
      line(entry, ...cells.map(kB));
    }
  }
  for (const { entry, first } of rows) {
    if (![...ALONE, "reckoner"].includes(entry) || first <= LIMIT) continue;
    console.error(`${entry} is over ${LIMIT / 1000} kB at first.`);
    process.exitCode = 1;
  }
}
