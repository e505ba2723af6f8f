import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The package's entry points, as a user imports them, each with its file: the source or dist. */
export function entryPoints(of: "src" | "dist"): { find: RegExp; replacement: string }[] {
  const { exports } = JSON.parse(readFileSync(here("package.json"), "utf8"));
  return Object.entries<{ node?: string; default?: string }>(exports).flatMap(([path, target]) => {
    const file = target.node ?? target.default;
    if (file === undefined) return [];
    const source = file.replace("./dist/", "./src/").replace(/\.js$/, ".ts");
    const find = new RegExp(`^${path.replace(".", "reckoner")}$`);
    return [{ find, replacement: here(of === "src" ? source : file) }];
  });
}

/** What a test file says that needs a process of its own: it changes what the others would share. */
const ALONE =
  /\/support\/work\.js"|\bvi\.(?:hoisted|mock|doMock|resetModules|stubGlobal|useFakeTimers)\b|\/\/ In a process of its own/;

/**
 * The unit tests that can share a process with others: what they test is loaded once then, which takes
 * longer than most of them do.
 */
export const shared: readonly string[] = readdirSync(here("test/unit"), {
  recursive: true,
  encoding: "utf8",
})
  .map((path) => `test/unit/${path.replaceAll("\\", "/")}`)
  .filter((path) => path.endsWith(".test.ts") && !ALONE.test(readFileSync(here(path), "utf8")));

const tests = {
  // A slow machine with every core busy is no failure.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  // Some tests start the command or a built program.
  globalSetup: "scripts/ensure-built.mjs",
};

export default defineConfig({
  test: {
    // All of them: one is left free otherwise, and of two that is half.
    maxWorkers: "100%",
    projects: [
      {
        resolve: { alias: entryPoints("src") },
        test: { ...tests, name: "shared", include: [...shared], isolate: false },
      },
      {
        resolve: { alias: entryPoints("src") },
        test: {
          ...tests,
          name: "tests",
          // One project behind the other: a process is kept while the next file is of its project.
          sequence: { groupOrder: 1 },
          include: ["test/**/*.test.ts"],
          // What looks at the whole build is run on it (vitest.dist.config.ts).
          exclude: ["test/fixtures/**", "test/dist/**", ...shared],
          typecheck: {
            enabled: true,
            include: ["test/types/**/*.test-d.ts"],
            checker: "node_modules/typescript-7/bin/tsc",
            tsconfig: "tsconfig.types.json",
            // A type error elsewhere is for `npm run typecheck` to report.
            ignoreSourceErrors: true,
          },
        },
      },
      {
        resolve: { alias: entryPoints("src") },
        test: {
          name: "properties",
          isolate: false,
          include: ["property-tests/**/*.test.ts"],
          setupFiles: "property-tests/setup.ts",
          testTimeout: 300_000,
        },
      },
    ],
  },
});
