/** What a bundler takes of the built root: none of the other entries' parts, nor their packages. */
import { join } from "node:path";
import { build } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import * as contexts from "../../src/contexts.js";
import * as root from "../../src/index.js";
import * as timeTravel from "../../src/time-travel.js";

const DIST = join(import.meta.dirname, "../../dist");

/** An entry of dist bundled with all of its names: its text, and the packages of which code is in it. */
async function bundle(entry: string): Promise<{ text: string; packages: string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(DIST, entry)],
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    external: ["node:*"],
    logLevel: "error",
  });
  const packages = Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return { text: outputFiles[0]?.text ?? "", packages: [...new Set(packages)].sort() };
}

const defines = (text: string, name: string): boolean =>
  new RegExp(`function\\*? ${name}\\(|\\b(?:var|let|const) ${name} = |\\bclass ${name}\\b`).test(
    text,
  );

describe("the root in a bundle", () => {
  let text: string;
  let packages: string[];
  beforeAll(async () => {
    ({ text, packages } = await bundle("index.js"));
  });

  it("brings XState and the hashes, and no immer", () => {
    expect(packages).toEqual(["@noble/hashes", "xstate"]);
  });

  it("holds what it exports", () => {
    expect(Object.keys(root).filter((name) => !defines(text, name))).toEqual([]);
  });

  it("leaves time travel and contexts by hand to their entries", async () => {
    // Names that nothing else in the house has; some of the others the loop itself uses.
    const theirs = ["Timeline", "checkpoint", "fixture", "forks", "redrive", "rewind"];
    expect(Object.keys(timeTravel)).toEqual(expect.arrayContaining(theirs));
    expect(theirs.filter((name) => defines(text, name))).toEqual([]);
    const away = await bundle("time-travel.js");
    expect(theirs.filter((name) => !defines(away.text, name))).toEqual([]);
    const byHand = ["deserialize", "serialize", "fromRunContext"];
    expect(Object.keys(contexts)).toEqual(expect.arrayContaining(byHand));
    expect(byHand.filter((name) => defines(text, name))).toEqual([]);
  });
});

describe("another entry in a bundle", () => {
  // A `new` or a call at the top of a module brings all that it leads to, unless it is marked as pure.
  it.each([
    "adapters/file-journal/index.js",
    "adapters/ai-sdk/index.js",
    "adapters/json-schema/index.js",
    "adapters/duckdb/index.js",
    "adapters/postgres/index.js",
    "contexts.js",
    "decisions.js",
  ])("%s brings nothing that reads, replays or writes journals", async (entry) => {
    const { outputFiles } = await build({
      entryPoints: [join(DIST, entry)],
      bundle: true,
      write: false,
      format: "esm",
      platform: "neutral",
      packages: "external",
      external: ["node:*"],
      logLevel: "error",
    });
    const text = outputFiles[0]?.text ?? "";
    const journals = ["LineStream", "Loading", "Replay", "Recorder", "LinkedRuns", "Interpreter"];
    expect(journals.filter((name) => defines(text, name))).toEqual([]);
  });
});
