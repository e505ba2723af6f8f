// What is published declares its types well: also for a program that has its libraries checked.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly exports: { readonly [entry: string]: string | { readonly types: string } };
};

it("compiles without skipLibCheck", () => {
  const entries = Object.values(exports).flatMap((entry) =>
    typeof entry === "string" ? [] : [entry.types],
  );
  const options =
    "--noEmit --strict --target es2023 --lib es2023,dom --module nodenext --types node --pretty false";
  const { stdout } = spawnSync(process.execPath, [tsc, ...options.split(" "), ...entries], {
    cwd: ROOT,
    encoding: "utf8",
  });
  // What a dependency's own declarations lack is not ours to mend.
  expect(stdout.split("\n").filter((line) => line.startsWith("dist/"))).toEqual([]);
}, 120_000);
