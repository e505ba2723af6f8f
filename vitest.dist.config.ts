// The tests once more, against what is published: every test that reaches the project through its
// entry points alone (`import … from "reckoner"`), but for the slow ones, with those entry points taken from dist. A test
// that looks behind them, itself or through a helper, would mix two copies of the core.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { entryPoints, limits, shared } from "./vitest.config.js";

const SRC = resolve(import.meta.dirname, "src");
const IMPORT = /(?:from|import)\s*\(?\s*"([^"]+)"/g;

function imports(file: string): string[] {
  return [...readFileSync(file, "utf8").matchAll(IMPORT)].map((match) => match[1] ?? "");
}

function looksBehind(file: string, seen: Set<string> = new Set()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  return imports(file).some((specifier) => {
    if (!specifier.startsWith(".")) return false;
    const target = resolve(dirname(file), specifier.replace(/\.js$/, ".ts"));
    if (target.startsWith(SRC)) return true;
    return target.endsWith(".ts") && looksBehind(target, seen);
  });
}

const tests = readdirSync("test", { recursive: true, encoding: "utf8" })
  .map((path) => `test/${path.replaceAll("\\", "/")}`)
  .filter(
    (path) => /(?<!\.long|\.verify)\.test\.ts$/.test(path) && !path.startsWith("test/fixtures/"),
  )
  .filter((path) => imports(path).some((name) => /^reckoner(?:$|\/)/.test(name)))
  .filter((path) => !looksBehind(resolve(path)));

const of = {
  resolve: { alias: entryPoints("dist") },
  test: limits,
};
const isShared = new Set(shared);

export default defineConfig({
  test: {
    maxWorkers: "100%",
    projects: [
      {
        ...of,
        test: {
          ...of.test,
          name: "dist, shared",
          include: tests.filter((path) => isShared.has(path)),
          isolate: false,
        },
      },
      {
        ...of,
        test: {
          ...of.test,
          name: "dist",
          sequence: { groupOrder: 1 },
          // And what needs the whole build, the declarations too.
          include: ["test/dist/**/*.test.ts", ...tests.filter((path) => !isShared.has(path))],
        },
      },
    ],
  },
});
