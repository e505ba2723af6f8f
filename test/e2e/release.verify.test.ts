// What `npm run release` refuses before it changes anything. That it would go through is a part of
// `npm run verify`, behind the build.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

it.each([
  [["x"], "x is not a version such as 0.2.0."],
  [["1.2"], "1.2 is not a version such as 0.2.0."],
  [[], "say which: npm run release -- 0.2.0."],
  [["9.9.9"], 'CHANGELOG.md has no section "## 9.9.9 (unreleased)".'],
  [["9.9.9", "--dry-run"], 'CHANGELOG.md has no section "## 9.9.9 (unreleased)".'],
])("a release of %j is refused", (words, why) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, "scripts/release.mjs"), ...words],
    { encoding: "utf8" },
  );
  expect({ status, stdout, stderr }).toEqual({
    status: 1,
    stdout: "",
    stderr: `No release: ${why}\n`,
  });
});
