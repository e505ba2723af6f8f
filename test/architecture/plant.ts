// A house of its own in a temporary folder, under the project's real configuration: a place to
// plant a violation and see it refused, without a file in src that every other tool must skip.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { cruise, type ICruiseResult, type IDependency } from "dependency-cruiser";
import extractOptions from "dependency-cruiser/config-utl/extract-depcruise-options";
import extractTsConfig from "dependency-cruiser/config-utl/extract-ts-config";

export const ROOT = resolve(import.meta.dirname, "../..");
const CONFIGURATION = [
  "package.json",
  "biome.json",
  ".biome",
  "tsconfig.json",
  "tsconfig.src.json",
  "tsconfig.core.json",
];

/** Writes the files (path → text) into a new folder, calls `use` with it, and removes it. */
export async function withHouse<T>(
  files: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "reckoner-house-"));
  try {
    for (const name of CONFIGURATION) {
      cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    }
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"), "junction");
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One import of one file, and the rules that refuse it (none: it is allowed). */
export interface Import {
  readonly from: string;
  /** As written in the source. */
  readonly specifier: string;
  readonly refusedBy: readonly string[];
}

const RULES = join(ROOT, ".dependency-cruiser.cjs");

/** The names of the project's rules about imports, sorted. */
export function ruleNames(): string[] {
  const { forbidden } = createRequire(import.meta.url)(RULES) as { forbidden: { name: string }[] };
  return forbidden.map(({ name }) => name).sort();
}

/** Every import under `src` of a folder, judged by the project's rules. */
export async function judgeImports(folder: string): Promise<Import[]> {
  const options = await extractOptions(RULES);
  const fileName = join(folder, "tsconfig.src.json");
  // Its paths begin in the folder, not where the tests are run.
  const tsConfig = extractTsConfig(fileName);
  tsConfig.options.baseUrl = folder;
  // Where the temporary folder's packages are linked from must not change what they are called.
  const { output } = await cruise(
    ["src"],
    { ...options, baseDir: folder, preserveSymlinks: true, tsConfig: { fileName } },
    {},
    { tsConfig },
  );
  return (output as ICruiseResult).modules.flatMap((module) =>
    module.dependencies.map((dependency: IDependency) => ({
      from: module.source,
      specifier: `${dependency.protocol ?? ""}${dependency.module}`,
      refusedBy: (dependency.rules ?? []).map((rule) => rule.name),
    })),
  );
}

/** Runs a tool of node_modules in the folder and gives what it printed, whatever its exit code. */
export function runTool(folder: string, bin: string, ...args: string[]): Promise<string> {
  const script = join(ROOT, "node_modules", bin);
  return new Promise((done) => {
    execFile(process.execPath, [script, ...args], { cwd: folder }, (_error, stdout, stderr) =>
      done(stdout + stderr),
    );
  });
}
