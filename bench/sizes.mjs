// What each entry of the package costs a user who bundles all of its names: minified, and compressed
// with gzip; our own code, the same with the packages that it brings along (xstate and others), and
// what it adds to a program that has the root. Optional peers (ai, fast-check) are left out.
//
//   npm run bench:sizes            a table
//   npm run -s bench:sizes -- --json
//
// Exits with 1 where our own code of the root is over its limit.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { ensureBuilt } from "../scripts/ensure-built.mjs";
import { flagsOf } from "./flags.mjs";

const ROOT = join(import.meta.dirname, "..");
/** Bytes of our own code in the root, minified and compressed. */
const LIMIT = 45_000;

await ensureBuilt();
const { exports, dependencies, peerDependencies } = JSON.parse(
  readFileSync(join(ROOT, "package.json"), "utf8"),
);
const whole = (names) => Object.keys(names).flatMap((name) => [name, `${name}/*`]);
const peers = whole(peerDependencies);
const others = [...peers, ...whole(dependencies)];

/** @param imports the entries' files that one program imports, with all of their names */
async function sizeOf(external, ...imports) {
  const contents = imports
    .map((file, i) => `import * as e${i} from ${JSON.stringify(file)}; globalThis.e${i} = e${i};`)
    .join("\n");
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    // As a browser's bundler takes it: journals by path are Node's.
    conditions: ["module", "browser"],
    external: ["node:*", ...external],
    logLevel: "error",
  });
  const [{ contents: minified }] = outputFiles;
  return { minified: minified.length, gzip: gzipSync(minified, { level: 9 }).length };
}

/** What each entry costs. */
export async function entrySizes() {
  const root = exports["."].default;
  const alone = await sizeOf(peers, root);
  const rows = [];
  for (const [path, target] of Object.entries(exports)) {
    if (target.default === undefined) continue;
    const entry = path.replace(/^\./, "reckoner");
    const own = await sizeOf(others, target.default);
    const all = await sizeOf(peers, target.default);
    const both = path === "." ? alone : await sizeOf(peers, root, target.default);
    rows.push({ entry, own, withPackages: all, besideRoot: both.gzip - alone.gzip });
  }
  return rows;
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
    const heads = ["minified", "gzip", "+packages", "gzip", "+root"];
    line("entry", ...heads.map((head) => head.padStart(10)));
    for (const { entry, own, withPackages, besideRoot } of rows) {
      const cells = [own.minified, own.gzip, withPackages.minified, withPackages.gzip, besideRoot];
      line(entry, ...cells.map(kB));
    }
  }
  if (rows[0].own.gzip > LIMIT) {
    console.error(`The root is over ${LIMIT / 1000} kB.`);
    process.exitCode = 1;
  }
}
