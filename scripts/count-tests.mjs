// Sums vitest's JSON reports of a folder and prints `N passed, N failed`: the last line of CI.
//
//   node scripts/count-tests.mjs FOLDER STATUS     STATUS: the exit code of what was run
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder, status] = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const name of readdirSync(folder).filter((file) => file.endsWith(".json"))) {
  const report = JSON.parse(readFileSync(join(folder, name), "utf8"));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  // A file that could not even be loaded has no tests to count.
  failed += report.testResults.filter(
    (file) => file.status === "failed" && file.assertionResults.length === 0,
  ).length;
}
// What failed was no test: lint, types, the build. It shows here all the same.
if (status !== "0" && failed === 0) failed = 1;
console.log(`${passed} passed, ${failed} failed`);
