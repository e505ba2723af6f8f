import { readFileSync } from "node:fs";
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

export default defineConfig({
  test: {
    // All of them: one is left free otherwise, and of two that is half.
    maxWorkers: "100%",
    projects: [
      {
        resolve: { alias: entryPoints("src") },
        test: {
          name: "tests",
          // A slow machine with every core busy is no failure.
          testTimeout: 60_000,
          hookTimeout: 120_000,
          include: ["test/**/*.test.ts"],
          // What looks at the whole build is run on it (vitest.dist.config.ts).
          exclude: ["test/fixtures/**", "test/dist/**"],
          // Some tests start the command or a built program.
          globalSetup: "scripts/ensure-built.mjs",
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
          include: ["property-tests/**/*.test.ts"],
          setupFiles: "property-tests/setup.ts",
          testTimeout: 300_000,
        },
      },
    ],
  },
});
