// Laws from whatever test runner there is: vitest (this one), node:test, and jest where JEST says where it
// is (`JEST=/there/node_modules npx vitest run test/e2e/runners.long.test.ts`): the project does not depend on
// it. Each passes where the law holds, and fails with the counterexample where it does not.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const { JEST } = process.env;

/** A project of a user's: the package, and a test that it is given. */
function aProject(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "reckoner-runners-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(ROOT, join(folder, "node_modules/reckoner"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const each of ["orders.mjs", "clerk.mjs"]) {
    copyFileSync(join(ROOT, "test/fixtures/runners", each), join(folder, each));
  }
  for (const each of ["vitest", "@jest"]) {
    symlinkSync(join(ROOT, "node_modules", each), join(folder, "node_modules", each));
  }
  writeFileSync(join(folder, "orders.test.mjs"), text);
  return folder;
}

const runners: readonly (readonly [string, string, readonly string[]])[] = [
  ["node:test", 'import { test } from "node:test";', ["--test"]],
  [
    "jest",
    'import { test } from "@jest/globals";',
    [
      "--experimental-vm-modules",
      join(JEST ?? "", "jest/bin/jest.js"),
      "--testMatch=**/*.test.mjs",
      "--no-cache",
      "--no-watchman",
    ],
  ],
  [
    "vitest",
    'import { test } from "vitest";',
    [join(ROOT, "node_modules/vitest/vitest.mjs"), "run", "--reporter=verbose"],
  ],
];

const there = runners.filter(([name]) => name !== "jest" || JEST !== undefined);

/** Runs a project's test in a runner. */
function carryOut(folder: string, words: readonly string[]) {
  const { NODE_OPTIONS: _options, VITEST: _vitest, ...env } = process.env;
  const said = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8", env });
  return { status: said.status, text: `${said.stdout}${said.stderr}` };
}

it.each(there)(
  "%s passes where the laws hold, and fails where one is broken",
  (name, take, words) => {
    const run = (broken: boolean) =>
      carryOut(
        aProject(`${take}\nimport { declare } from "./orders.mjs";\ndeclare(test, ${broken});\n`),
        words,
      );
    const holds = run(false);
    expect([name, holds.status, holds.text.match(/by a search/)?.[0]]).toEqual([
      name,
      0,
      "by a search",
    ]);
    const broken = run(true);
    expect([name, broken.status]).toEqual([name, 1]);
    expect(broken.text).toContain("nobody pays twice");
    expect(broken.text).toMatch(/pay at/);
  },
  120_000,
);

it.each(there)(
  "%s runs a recorded case in three lines, and shows both values where it differs",
  async (name, take, words) => {
    const run = (system: string) => {
      const folder = aProject(`${take}
import { testRun } from "reckoner/time-travel";
import { clerk } from "./clerk.mjs";
test("case", () => testRun(clerk(${JSON.stringify(system)}), new URL("./case.jsonl", import.meta.url)));
`);
      const recorded = spawnSync(process.execPath, ["clerk.mjs"], {
        cwd: folder,
        encoding: "utf8",
      });
      expect(recorded.stderr).toBe("");
      return carryOut(folder, words);
    };
    const holds = run("You look.");
    expect([name, holds.status]).toEqual([name, 0]);
    const differs = run("You look closely.");
    expect([name, differs.status]).toEqual([name, 1]);
    expect(differs.text).toContain('recorded "You look.", computed "You look closely."');
  },
  120_000,
);
