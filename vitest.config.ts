import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The package's entry points, as a user imports them, each with its file: the source or dist. */
export function entryPoints(of: "src" | "dist"): { find: RegExp; replacement: string }[] {
  const { exports, imports } = JSON.parse(readFileSync(here("package.json"), "utf8"));
  const named: [path: string, file: string][] = Object.entries<{ default?: string }>(
    exports,
  ).flatMap(([path, target]) =>
    target.default === undefined ? [] : [[path.replace(".", "reckoner"), target.default]],
  );
  named.push(["#platform", imports["#platform"].node]);
  return named.map(([name, file]) => {
    const source = file.replace("./dist/", "./src/").replace(/\.js$/, ".ts");
    return { find: new RegExp(`^${name}$`), replacement: here(of === "src" ? source : file) };
  });
}

/** What a test file says that needs a process of its own: it changes what the others would share. */
const ALONE =
  /\/support\/work\.js"|\bvi\.(?:hoisted|mock|doMock|resetModules|stubGlobal|useFakeTimers)\b|\/\/ In a process of its own/;

/** When a test is run, by the end of its name: always, by `npm run verify`, by `npm run verify -- --long`. */
const PARTS = {
  "": /(?<!\.verify|\.long)\.test\.ts$/,
  verify: /\.verify\.test\.ts$/,
  long: /\.long\.test\.ts$/,
};

const files: readonly string[] = readdirSync(here("test"), { recursive: true, encoding: "utf8" })
  .map((path) => `test/${path.replaceAll("\\", "/")}`)
  .filter((path) => path.endsWith(".test.ts") && !/^test\/(?:fixtures|dist)\//.test(path));

/**
 * The unit tests that can share a process with others: what they test is loaded once then, which takes
 * longer than most of them do.
 */
export const shared: readonly string[] = files.filter(
  (path) => path.startsWith("test/unit/") && !ALONE.test(readFileSync(here(path), "utf8")),
);

/** A slow machine is no failure: the limit is there for what never ends. */
export const limits = { testTimeout: 3_600_000, hookTimeout: 3_600_000, teardownTimeout: 60_000 };

const typecheck = {
  enabled: true,
  include: ["test/types/**/*.test-d.ts"],
  checker: "node_modules/typescript-7/bin/tsc",
  tsconfig: "tsconfig.types.json",
  // A type error elsewhere is for `npm run typecheck` to report.
  ignoreSourceErrors: true,
};

const of = {
  resolve: { alias: entryPoints("src") },
  // Some tests start the command or a built program.
  test: { ...limits, globalSetup: "scripts/ensure-built.mjs" },
};

/** The projects of a part: one whose files share a process, and one behind it whose files do not. */
function projects(part: keyof typeof PARTS) {
  const own = files.filter((path) => PARTS[part].test(path));
  const named = (name: string) => [part, name].filter(Boolean).join("-");
  return [
    {
      ...of,
      test: {
        ...of.test,
        name: named("shared"),
        include: own.filter((path) => shared.includes(path)),
        isolate: false,
      },
    },
    {
      ...of,
      test: {
        ...of.test,
        name: named("tests"),
        // One project behind the other: a process is kept while the next file is of its project.
        sequence: { groupOrder: 1 },
        include: own.filter((path) => !shared.includes(path)),
        ...(part === "" && { typecheck }),
      },
    },
  ];
}

/**
 * The rooms of `src` with their unit tests, but for the long ones: `npx vitest run --project decisions`. They are there
 * where they are asked for: all their files are in the parts above as well.
 */
function rooms() {
  const asked = new Set(process.argv.flatMap((word) => word.replace(/^--project=/, "").split(",")));
  const folders = readdirSync(here("test/unit"), { withFileTypes: true });
  return folders
    .filter((each) => each.isDirectory() && asked.has(each.name))
    .map(({ name }) => {
      const include = files.filter(
        (path) => path.startsWith(`test/unit/${name}/`) && !PARTS.long.test(path),
      );
      const isolate = include.some((path) => !shared.includes(path));
      return { ...of, test: { ...of.test, name, include, isolate } };
    });
}

/** The properties of a part, which share a process. */
function properties(name: string, part: RegExp) {
  const all = readdirSync(here("property-tests"), { recursive: true, encoding: "utf8" });
  return {
    resolve: { alias: entryPoints("src") },
    test: {
      ...limits,
      name,
      isolate: false,
      include: all.filter((path) => part.test(path)).map((path) => `property-tests/${path}`),
      setupFiles: "property-tests/setup.ts",
    },
  };
}

export default defineConfig({
  test: {
    // All of them: one is left free otherwise, and of two that is half.
    maxWorkers: "100%",
    projects: [
      ...projects(""),
      ...projects("verify"),
      ...projects("long"),
      ...rooms(),
      properties("properties", PARTS[""]),
      properties("long-properties", PARTS.long),
    ],
  },
});
