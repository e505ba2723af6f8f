// Laws from whatever test runner there is: vitest (this one), node:test, and jest where JEST says where it
// is (`JEST=/there/node_modules npx vitest run test/e2e/runners.test.ts`): the project does not depend on
// it. Each passes where the law holds, and fails with the counterexample where it does not.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const { JEST } = process.env;

/** A project of a user's: the package, and a test that holds or is broken. */
function aProject(take: string, broken: boolean): string {
  const folder = mkdtempSync(join(tmpdir(), "reckoner-runners-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(ROOT, join(folder, "node_modules/reckoner"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  copyFileSync(join(ROOT, "test/fixtures/runners/orders.mjs"), join(folder, "orders.mjs"));
  const text = `${take}\nimport { declare } from "./orders.mjs";\ndeclare(test, ${broken});\n`;
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

it.each(there)(
  "%s passes where the laws hold, and fails where one is broken",
  (name, take, words) => {
    const run = (broken: boolean) => {
      const folder = aProject(take, broken);
      for (const each of ["vitest", "@jest"]) {
        symlinkSync(join(ROOT, "node_modules", each), join(folder, "node_modules", each));
      }
      const { NODE_OPTIONS: _options, VITEST: _vitest, ...env } = process.env;
      const said = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8", env });
      return { status: said.status, text: `${said.stdout}${said.stderr}` };
    };
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
