// `#platform` of package.json: what bundlers and Node take of the built entries. Both platforms show the
// same names; that their hashes are the same bytes is `core/kernel/values/hash.test.ts`'s to show.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Platform } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import * as node from "../../src/platform/node.js";
import * as portable from "../../src/platform/portable.js";

const ROOT = join(import.meta.dirname, "../..");
const { exports, sideEffects } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const entries = Object.values<{ default?: string }>(exports).flatMap(
  (target) => target.default ?? [],
);

const folder = mkdtempSync(join(tmpdir(), "reckoner-platform-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Bundles an entry, peers left out. @returns the text, and the paths of the modules in it and outside it */
async function bundled(entry: string, platform: Platform) {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(ROOT, entry)],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform,
    external: ["ai", "@ai-sdk/*", "@duckdb/*", "@electric-sql/*", "fast-check", "node:*"],
    absWorkingDir: ROOT,
    // A user has no tsconfig.json of ours, whose paths lead to the sources.
    tsconfigRaw: "{}",
    logLevel: "error",
  });
  const paths = Object.entries(metafile.inputs).flatMap(([path, { imports }]) => [
    path,
    ...imports.filter((each) => each.external).map((each) => each.path),
  ]);
  return { text: outputFiles[0]?.text ?? "", paths };
}

it("has the same names on both", () => {
  expect(Object.keys(portable)).toEqual(Object.keys(node));
});

it("has no effect when it is loaded", () => {
  expect(sideEffects).toBe(false);
});

describe.each(entries)("%s", (entry) => {
  it("takes in a browser nothing of Node's platform, and on Node nothing of the portable one", async () => {
    const browser = (await bundled(entry, "browser")).paths;
    const onNode = (await bundled(entry, "node")).paths;
    expect(browser.filter((path) => /platform\/node/.test(path))).toEqual([]);
    expect(onNode.filter((path) => /platform\/portable|@noble/.test(path))).toEqual([]);
    // An entry that hashes finds one.
    const hashes = (paths: string[]) => paths.some((path) => path.includes("dist/platform/"));
    expect(hashes(browser)).toBe(hashes(onNode));
  });
});

it("opens no journal by path in a browser, and says what to pass", async () => {
  const file = join(folder, "root.mjs");
  writeFileSync(file, (await bundled("dist/index.js", "browser")).text);
  const { headerOf } = await import(pathToFileURL(file).href);
  await expect(headerOf("a.jsonl")).rejects.toMatchObject({ code: "journal.noPath" });
});
