/** Runs `npm run demo` and the built command in processes of their own. */
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect } from "vitest";

export const ROOT: string = resolve(import.meta.dirname, "../..");

/** What the demo prints with `--json`. */
export interface Document {
  readonly runs: readonly Record<string, unknown>[];
}

/** A process of Node, in the project's folder. */
export function node(...words: string[]) {
  // Colours are for terminals; a test runner asks for them in the environment.
  const { FORCE_COLOR: _, ...env } = process.env;
  return spawnSync(process.execPath, words, { cwd: ROOT, encoding: "utf8", env });
}

/** The built command. */
export const reckoner = (...words: string[]) => node("dist/cli/main.js", ...words);

/** Runs the demo. `journal` is that of its main run, which was killed and resumed. */
export function runDemo(): { folder: string; journal: string; document: Document } {
  const folder = mkdtempSync(join(tmpdir(), "reckoner-demo-"));
  const { stdout, stderr, status } = node("scripts/demo.mjs", "--json", "--folder", folder);
  expect(status, stderr).toBe(0);
  const document = JSON.parse(stdout) as Document;
  return { folder, journal: String(document.runs[0]?.journal), document };
}
