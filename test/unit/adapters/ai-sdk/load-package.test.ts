// A package of the user's: found in the folder or beside our own, missing, or there and broken; with
// Node's loader and where there is none.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadPackage } from "../../../../src/adapters/ai-sdk/load-package.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "reckoner-packages-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function install(name: string, text: string, manifest: object = {}): void {
  const home = join(folder, "node_modules", name);
  mkdirSync(home, { recursive: true });
  writeFileSync(
    join(home, "package.json"),
    JSON.stringify({ name, main: "index.cjs", ...manifest }),
  );
  writeFileSync(join(home, "index.cjs"), text);
}

describe("a package in the folder", () => {
  it("is loaded from there, a scoped one and a subpath too", async () => {
    install("plain", "exports.a = 1;");
    install("@acme/scoped", "exports.a = 2;");
    writeFileSync(join(folder, "node_modules/plain/sub.cjs"), "exports.a = 3;");
    expect(await loadPackage("plain", folder)).toMatchObject({ a: 1 });
    expect(await loadPackage("@acme/scoped", folder)).toMatchObject({ a: 2 });
    expect(await loadPackage("plain/sub.cjs", folder)).toMatchObject({ a: 3 });
  });

  it.each([
    ["that throws, though it names itself", `throw new Error("Cannot use 'broken' here");`],
    ["whose own need is missing", 'require("what-broken-needs");'],
    ["that throws no error", "throw null;"],
  ])("%s, is not one that is missing", async (_, text) => {
    install("broken", text);
    const missing = await loadPackage("broken", folder).then(
      (found) => found === undefined,
      () => false,
    );
    expect(missing).toBe(false);
  });

  it("that is for import alone is looked for beside our own", async () => {
    install("zod", "exports.mine = 1;", { exports: { ".": { import: "./index.cjs" } } });
    const found = await loadPackage("zod", folder);
    expect(found).toHaveProperty("z");
    expect(found).not.toHaveProperty("mine");
  });
});

describe("a package that is in neither place", () => {
  it.each(["nowhere", "@acme/nowhere", "nowhere/sub", "@acme/nowhere/sub"])(
    "is undefined: %s",
    async (name) => {
      expect(await loadPackage(name, folder)).toBeUndefined();
    },
  );
});

describe("where Node's loader is not to be had", () => {
  const { process: real } = globalThis;
  afterEach(() => {
    globalThis.process = real;
  });

  it.each([
    ["no process", undefined],
    ["a process of somebody else's making", { env: {}, cwd: () => "/" }],
  ])("a package is imported: %s", async (_, stand) => {
    const loading = (name: string) => {
      globalThis.process = stand as never;
      const loaded = loadPackage(name);
      globalThis.process = real;
      return loaded;
    };
    expect(await loading("zod")).toHaveProperty("z");
    expect(await loading("nowhere")).toBeUndefined();
  });
});
