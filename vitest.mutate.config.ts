// The tests that mutants are run against: the ones that need no build and start no process.
import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { entryPoints } from "./vitest.config.js";

const { MUTATE_TESTS = "test/unit/core", MUTATE_SOURCES, MUTATE_PATIENCE = "1" } = process.env;

/** The sources with all their mutants in them, by path. */
const sources: Record<string, string> =
  MUTATE_SOURCES === undefined ? {} : JSON.parse(readFileSync(MUTATE_SOURCES, "utf8"));

/** Tests of what is large: they are asked only for what survived all others. */
const LARGE = [
  "many-directives",
  "line-size",
  "scale",
  "growth",
  "long-runs",
  "flat-steps",
  "entry-size",
];
const left = MUTATE_PATIENCE === "1" ? LARGE.map((name) => `**/${name}.*.test.ts`) : [];
/** Most mutants are dead before it is the turn of these; one that passes them first has no time left. */
const SLOW =
  /\.(?:verify|long)\.test\.ts$|child-runs|runtime\/journals\/upgrade\.|upgraded-thoughts/;

const folders = MUTATE_TESTS.split(",");

/** The slow ones last, else as they are named. */
class FastestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) =>
      folders.findIndex((each) => moduleId.includes(`/${each}`)) +
      (SLOW.test(moduleId) ? folders.length : 0);
    return files.sort((a, b) => place(a) - place(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

/** One mutant alone, switched on by Stryker's own variable, is run as all tests are. */
const alone = process.env.MUTATE_ALONE !== undefined;

export default defineConfig({
  plugins: [{ name: "mutants", enforce: "pre", load: (id) => sources[id] }],
  resolve: { alias: entryPoints("src") },
  test: {
    testTimeout: 60_000,
    include: folders.map((folder) => (folder.endsWith(".ts") ? folder : `${folder}/**/*.test.ts`)),
    exclude: ["test/fixtures/**", ...left],
    // What is measured as it grows takes long, and most of all with every mutant in the sources.
    ...(MUTATE_PATIENCE === "1" && { testNamePattern: /^(?!.*\d0 000)/ }),
    ...(!alone && {
      runner: "./scripts/mutate/runner.ts",
      isolate: false,
      pool: "threads" as const,
      maxWorkers: 1,
    }),
    sequence: { sequencer: FastestFirst },
    dangerouslyIgnoreUnhandledErrors: true,
  },
});
