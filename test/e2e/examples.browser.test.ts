// The example in a browser page: it bundles without a module of Node's, runs where nothing but the web
// is, and in a headless Chromium where there is one.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createContext, runInContext } from "node:vm";
import { type BuildResult, build, type Metafile } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  (path) => existsSync(path),
);
const SAID = [
  "says I roll. ",
  "calls roll",
  "says It is between 1 and 6: true.",
  "done after 4 events",
  "replay: identical",
];

let bundle: BuildResult<{ write: false; metafile: true }>;
let text: string;

beforeAll(async () => {
  bundle = await build({
    entryPoints: [join(ROOT, "examples/browser/page.ts")],
    bundle: true,
    write: false,
    metafile: true,
    platform: "browser",
    format: "iife",
    globalName: "page",
    // What a bundler takes of the package where it builds for a browser: the default entry.
    alias: {
      reckoner: join(ROOT, "src/index.ts"),
      "reckoner/kernel": join(ROOT, "src/kernel.ts"),
    },
    logLevel: "silent",
  });
  text = bundle.outputFiles[0]?.text ?? "";
});

describe("the page's bundle", () => {
  test("is made for a browser without an error or a warning, of no module of Node's", () => {
    expect(bundle.errors).toEqual([]);
    expect(bundle.warnings).toEqual([]);
    const { inputs }: Metafile = bundle.metafile;
    const imports = Object.values(inputs).flatMap((each) => each.imports.map(({ path }) => path));
    expect(imports.filter((path) => path.startsWith("node:"))).toEqual([]);
    const outward = Object.keys(inputs).filter((path) =>
      /src\/(adapters|cli|testing|platform\/node)/.test(path),
    );
    expect(outward).toEqual([]);
  });

  test("runs where there is nothing but what every browser and worker has", async () => {
    const lines: string[] = [];
    const web = {
      AbortController,
      AbortSignal,
      TextDecoder,
      TextEncoder,
      crypto,
      setTimeout,
      clearTimeout,
    };
    const context = createContext({ ...web });
    runInContext(`${text};globalThis.page = page;`, context);
    expect(runInContext("typeof process + typeof require + typeof Buffer", context)).toBe(
      "undefined".repeat(3),
    );
    const { tell } = (context as { page: { tell(say: (line: string) => void): Promise<void> } })
      .page;
    await tell((line) => lines.push(line));
    expect(lines).toEqual(SAID);
  });

  test("runs in a page of a headless Chromium", ({ skip }) => {
    if (CHROMIUM === undefined) {
      skip("There is no Chromium here; install it (apt-get install -y chromium) to run this.");
      return;
    }
    const folder = mkdtempSync(join(tmpdir(), "reckoner-page-"));
    try {
      copyFileSync(join(ROOT, "examples/browser/index.html"), join(folder, "index.html"));
      writeFileSync(join(folder, "page.js"), text);
      const { stdout, status } = spawnSync(
        CHROMIUM,
        [
          "--headless",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-dev-shm-usage",
          `--user-data-dir=${join(folder, "profile")}`,
          "--virtual-time-budget=10000",
          "--dump-dom",
          pathToFileURL(join(folder, "index.html")).href,
        ],
        { encoding: "utf8", timeout: 600_000 },
      );
      expect(status).toBe(0);
      const log = /<pre id="log">([\s\S]*?)<\/pre>/.exec(stdout)?.[1] ?? stdout;
      expect(log.trimEnd().split("\n")).toEqual(SAID);
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  });
});
