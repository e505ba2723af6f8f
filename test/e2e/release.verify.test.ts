// What `npm run release` refuses before it changes anything, and what it makes in a clone. That it would go
// through here is a part of `npm run verify`, behind the build.
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

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

it("a release is one commit and one tag, and behind it the dry run still goes through", () => {
  const clone = mkdtempSync(join(tmpdir(), "reckoner-release-"));
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
  const git = (...words: string[]) => execFileSync("git", words, { cwd: clone, encoding: "utf8" });
  execFileSync("git", ["clone", "--quiet", "--depth", "1", `file://${ROOT}`, clone]);
  cpSync(join(ROOT, "dist"), join(clone, "dist"), { recursive: true });
  const manifest = JSON.parse(readFileSync(join(clone, "package.json"), "utf8"));
  // A build for tests alone has no types: their places are what counts here.
  for (const { types } of Object.values<{ types?: string }>(manifest.exports)) {
    if (types !== undefined) appendFileSync(join(clone, types), "");
  }
  git("config", "user.name", "maintainers");
  git("config", "user.email", "maintainers@example.com");
  const { version } = manifest;
  const release = (...words: string[]) =>
    spawnSync(process.execPath, [join(clone, "scripts/release.mjs"), ...words], {
      encoding: "utf8",
    });
  expect(release(version)).toMatchObject({ status: 0, stderr: "" });
  expect(git("tag")).toBe(`v${version}\n`);
  expect(git("status", "--porcelain")).toBe("");
  const dry = release("--dry-run");
  expect(dry).toMatchObject({ status: 0, stderr: "" });
  expect(dry.stdout).toContain(`Was released: ${version}`);
});
