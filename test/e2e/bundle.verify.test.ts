/**
 * What a bundler takes of the built root: none of the other entries' parts, nor their packages; and what
 * it loads at first: nothing that reads journals.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Metafile } from "esbuild";
import { beforeAll, describe, expect, it } from "vitest";
import * as root from "../../src/index.js";
import * as timeTravel from "../../src/time-travel.js";

const DIST = join(import.meta.dirname, "../../dist");
/** Bytes that the root may have at first. */
const FIRST = 141_500;

interface Bundled {
  /** What is loaded with the entry, and what is loaded later. */
  readonly first: string;
  readonly later: string;
  /** Bytes that are loaded with the entry, compressed. */
  readonly gzip: number;
  /** The packages of which code is in it. */
  readonly packages: readonly string[];
}

/** An entry of dist bundled with all of its names, as a bundler does that splits code. */
async function bundle(entry: string, minify = false): Promise<Bundled> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(DIST, entry)],
    outdir: "out",
    bundle: true,
    splitting: true,
    minify,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    mainFields: ["module", "main"],
    // As a browser's bundler takes it.
    conditions: ["module", "browser"],
    external: ["node:*"],
    // A user has no tsconfig.json of ours, whose paths lead to the sources.
    tsconfigRaw: "{}",
    logLevel: "error",
  });
  const texts = new Map(
    Object.keys(metafile.outputs).map((path) => [
      path,
      outputFiles.find((file) => file.path.endsWith(path.replace(/^out/, "")))?.text ?? "",
    ]),
  );
  const early = withStatic(metafile, entryOf(metafile));
  const [first, later] = [true, false].map((isFirst) =>
    [...texts].filter(([path]) => early.has(path) === isFirst).map(([, text]) => text),
  ) as [string[], string[]];
  const packages = Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
  return {
    first: first.join("\n"),
    later: later.join("\n"),
    gzip: first.reduce((sum, text) => sum + gzipSync(text, { level: 9 }).length, 0),
    packages: [...new Set(packages)].sort(),
  };
}

function entryOf({ outputs }: Metafile): string {
  const entries = Object.entries(outputs).filter(([path]) => !path.includes("chunk"));
  return entries.find(([, { entryPoint }]) => entryPoint?.includes("dist/") === true)?.[0] ?? "";
}

/** A file of a bundle, and those that it imports at once. */
function withStatic({ outputs }: Metafile, path: string, met = new Set<string>()): Set<string> {
  if (met.has(path)) return met;
  met.add(path);
  for (const each of outputs[path]?.imports ?? []) {
    if (each.kind === "import-statement" && !each.external)
      withStatic({ outputs } as Metafile, each.path, met);
  }
  return met;
}

const defines = (text: string, name: string): boolean =>
  new RegExp(
    `^(?:async )?function\\*? ${name}\\(|^(?:var|let|const) ${name} = |^class ${name}\\b`,
    "m",
  ).test(text);

/** What reads and compares what a journal holds. */
const READING = [
  ..."LineStream LineDecoder Loading Replay RecordedValues UpgradeReader LinkedRuns".split(" "),
  ..."Checker OwedLines firstDifferenceOf carryOver FoldedTree openRun".split(" "),
];

describe("the root in a bundle", () => {
  let first: string;
  let later: string;
  let packages: readonly string[];
  beforeAll(async () => {
    ({ first, later, packages } = await bundle("index.js"));
  });

  it("brings XState and the hashes, and no immer", () => {
    expect(packages).toEqual(["@noble/hashes", "xstate"]);
  });

  it("holds what it exports", () => {
    // A namespace is no declaration of its own: what it holds is.
    const { agentContext, ...own } = root;
    const names = [...Object.keys(own), ...Object.keys(agentContext)];
    expect(names.filter((name) => !defines(first, name))).toEqual([]);
  });

  it("reads no journal before one is read: what that takes is loaded then", () => {
    expect(READING.filter((name) => defines(first, name))).toEqual([]);
    expect(READING.filter((name) => !defines(later, name))).toEqual([]);
  });

  it("is no heavier at first than it was", async () => {
    const { gzip } = await bundle("index.js", true);
    // Compressed. Whoever must raise it says in docs/internals.md what for.
    expect(gzip).toBeLessThan(FIRST);
  });

  it("leaves time travel to its entry", async () => {
    const text = first + later;
    // Names that nothing else in the house has; some of the others the loop itself uses.
    const theirs = ["Timeline", "checkpoint", "fixture", "forks", "redrive", "rewind"];
    expect(Object.keys(timeTravel)).toEqual(expect.arrayContaining(theirs));
    expect(theirs.filter((name) => defines(text, name))).toEqual([]);
    const away = await bundle("time-travel.js");
    expect(theirs.filter((name) => !defines(away.first, name))).toEqual([]);
  });
});

describe("an entry that is loaded", () => {
  // fast-check's table of all characters has a million entries, and costs a second wherever a law is imported.
  it.each(["testing.js", "decisions.js"])("%s builds no large tables at first", (entry) => {
    const program = `let sets = 0;
      const { set } = Map.prototype;
      Map.prototype.set = function (...given) {
        sets += 1;
        return set.apply(this, given);
      };
      await import(${JSON.stringify(join(DIST, entry))});
      console.log(sets);`;
    const words = ["--input-type=module", "--eval", program];
    const { stdout } = spawnSync(process.execPath, words, { encoding: "utf8" });
    expect(stdout).toMatch(/^\d{1,4}\n$/);
  });
});

describe("another entry in a bundle", () => {
  // A `new` or a call at the top of a module brings all that it leads to, unless it is marked as pure.
  it.each([
    "adapters/file-journal/index.js",
    "adapters/ai-sdk/index.js",
    "adapters/json-schema/index.js",
    "decisions/stores/duckdb/index.js",
    "decisions/stores/postgres/index.js",
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
    const journals = [...READING, "Recorder", "Interpreter"];
    expect(journals.filter((name) => defines(text, name))).toEqual([]);
  });
});
