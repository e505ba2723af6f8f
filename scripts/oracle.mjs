// The fixtures of the oracle (test/oracle/README.md): what `run` and `resume` decide in 300 scenarios.
//
//   node scripts/oracle.mjs                     writes them, where only what is held differs
//   node scripts/oracle.mjs --all               writes them, also where something else happens
//   node scripts/oracle.mjs --show "trees 07"   prints one with all that its digests stand for
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const { values } = parseArgs({
  options: { all: { type: "boolean", default: false }, show: { type: "string" } },
});
const root = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "reckoner-oracle-"));
try {
  // The sources as they are, in one file: nothing needs to be built first.
  const outfile = join(folder, "write.mjs");
  await build({
    entryPoints: [join(root, "test/oracle/write.ts")],
    tsconfig: join(root, "tsconfig.json"),
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
  });
  const { show, write } = await import(pathToFileURL(outfile).href);
  const fixtures = join(root, "test/oracle/fixtures");
  const isDone =
    values.show === undefined
      ? await write({ folder: fixtures, all: values.all })
      : await show(values.show);
  process.exitCode = isDone ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
