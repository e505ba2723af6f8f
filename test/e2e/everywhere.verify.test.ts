// `npm run everywhere`: the same journals and states under whatever runs JavaScript. Here, the entries
// for Node against those for everything else; the other runtimes are fetched by the command alone.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const SCRIPT = resolve(import.meta.dirname, "../../scripts/everywhere.mjs");
const hasChromium = existsSync("/usr/bin/chromium");

function everywhere(...words: string[]) {
  const said = spawnSync(process.execPath, [SCRIPT, "--each", "3", "--json", ...words], {
    encoding: "utf8",
  });
  return { code: said.status, outcomes: JSON.parse(said.stdout || "[]"), stderr: said.stderr };
}

it("records, replays and folds the same with Node's hash and with the portable one", () => {
  const { code, outcomes } = everywhere("--runtimes", "here");
  expect([code, outcomes]).toEqual([
    0,
    [{ name: "here", version: process.version, status: "same", runs: 12 }],
  ]);
});

it.runIf(hasChromium)(
  "does so in a browser",
  () => {
    expect(everywhere("--runtimes", "chromium").outcomes).toMatchObject([{ status: "same" }]);
  },
  120_000,
);

it("finds an engine that sorts by a locale, and says where it differs first", () => {
  const { code, outcomes } = everywhere("--runtimes", "here", "--plant", "order");
  const why = expect.stringMatching(/of 12 runs, first \w+-\d: \{"recorded":/);
  expect([outcomes, code]).toEqual([
    [{ name: "here", version: process.version, status: "differs", why }],
    1,
  ]);
});

it.each([
  ["--runtimes", "node7"],
  ["--plant", "nothing"],
  ["--each", "0"],
])("refuses %s %s in one line", (...words) => {
  const { code, stderr } = everywhere(...words);
  expect([code, stderr.trim().split("\n").length]).toEqual([2, 1]);
});
