// Builds dist where it is missing or older than what it is made from, so that the demo, the
// benchmarks, the kill script and the tests work straight after `npm ci`. JavaScript only: whoever
// needs the declarations as well runs `npm run build`.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");
const BUILT = join(ROOT, "dist/index.js");
const MADE_FROM = [
  "src",
  "package.json",
  "tsup.config.ts",
  "scripts/third-party.mjs",
  "tsconfig.json",
  "tsconfig.src.json",
];

function newest(path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** Throws where the build fails. */
export function ensureBuilt() {
  const made = existsSync(BUILT) ? statSync(BUILT).mtimeMs : 0;
  if (MADE_FROM.every((path) => newest(join(ROOT, path)) <= made)) return;
  const tsup = join(createRequire(import.meta.url).resolve("tsup/package.json"), "../dist");
  // Nothing is cleaned: another process may be running what is there. Standard output is the
  // caller's own.
  const { status } = spawnSync(
    process.execPath,
    [join(tsup, "cli-default.js"), "--no-dts", "--no-clean", "--silent"],
    { cwd: ROOT, stdio: ["ignore", 2, 2] },
  );
  if (status !== 0) throw new Error("The build failed: `npm run build` says more.");
}

/** For vitest's globalSetup: tests that need no build run where it fails; the others say so. */
export default function setup() {
  try {
    ensureBuilt();
  } catch (error) {
    rmSync(join(ROOT, "dist"), { recursive: true, force: true });
    console.error(`${error.message} Tests that start a built program will fail.`);
  }
}

if (process.argv[1] === import.meta.filename) ensureBuilt();
