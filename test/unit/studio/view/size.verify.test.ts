// The page without the core, compressed: what the studio itself adds.
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../../../..");

/** The core and its packages, which every program of the house has. */
const CORE = /\/src\/(?:core|platform)\/|\/node_modules\/(?:xstate|immer|@noble)\//;

it("is at most 150 KiB", async () => {
  const { metafile, outputFiles } = await build({
    entryPoints: [resolve(ROOT, "src/studio/view/main.tsx")],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    jsx: "automatic",
    jsxImportSource: "preact",
    outdir: "out",
    alias: { "#platform": resolve(ROOT, "src/platform/portable.ts") },
  });
  const script = outputFiles.find(({ path }) => path.endsWith(".js"));
  const [output] = Object.values(metafile.outputs).filter(
    ({ entryPoint }) => entryPoint !== undefined,
  );
  const inputs = Object.entries(output?.inputs ?? {});
  const bytes = (wanted: boolean) =>
    inputs
      .filter(([path]) => CORE.test(`/${path}`) === wanted)
      .reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0);
  const own = bytes(false);
  const compressed =
    (gzipSync(script?.contents ?? new Uint8Array()).length * own) / (own + bytes(true));
  expect(inputs.length).toBeGreaterThan(100);
  expect(compressed).toBeGreaterThan(10_000);
  expect(compressed).toBeLessThan(150 * 1024);
});
