// Mutation testing of one slice; `npm run mutate` says which files and which tests.
const { MUTATE = "" } = process.env;

export default {
  mutate: MUTATE.split(",").filter(Boolean),
  testRunner: "vitest",
  vitest: { configFile: "vitest.mutate.config.ts", related: true },
  plugins: ["@stryker-mutator/vitest-runner"],
  coverageAnalysis: "perTest",
  ignoreStatic: true,
  concurrency: 2,
  reporters: ["json", "progress-append-only"],
  jsonReporter: { fileName: ".mutate/report.json" },
  tempDirName: ".mutate/tmp",
  ignorePatterns: ["dist", "docs/api", ".demo", ".soak", ".mutate"],
  disableTypeChecks: false,
  // What prints for people changes no behaviour that matters.
  mutator: { excludedMutations: ["StringLiteral"] },
  timeoutMS: 20_000,
};
