// The compilers that users have: the oldest TypeScript that is promised, and the newest.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

const packages = { "5.9": "typescript", "7": "typescript-7" };

/** A TypeScript, by its version. */
export type Compiler = keyof typeof packages;

export const COMPILERS = Object.keys(packages) as Compiler[];

/** What a compiler prints, line by line; none where all is well. */
export function tsc(compiler: Compiler, cwd: string, ...words: string[]): readonly string[] {
  const bin = createRequire(import.meta.url).resolve(`${packages[compiler]}/package.json`);
  const path = bin.replace(/package\.json$/, "bin/tsc");
  const { error, status, stdout } = spawnSync(
    process.execPath,
    [path, ...words, "--pretty", "false"],
    { cwd, encoding: "utf8" },
  );
  const lines = stdout.split("\n").filter((line) => line !== "");
  if (error !== undefined) throw error;
  if (status !== 0 && lines.length === 0) throw new Error(`tsc ${compiler} came to ${status}.`);
  return lines;
}
