// The tests that mutants are run against: the ones that need no build and start no process.
import { defineConfig } from "vitest/config";
import { entryPoints } from "./vitest.config.js";

export default defineConfig({
  resolve: { alias: entryPoints("src") },
  test: {
    testTimeout: 60_000,
    include: (process.env.MUTATE_TESTS ?? "test/unit/core,property-tests")
      .split(",")
      .map((folder) => (folder.endsWith(".ts") ? folder : `${folder}/**/*.test.ts`)),
    exclude: ["test/fixtures/**"],
  },
});
