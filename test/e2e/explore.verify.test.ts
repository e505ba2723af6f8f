// `npm run explore`: our own machines searched through, and every plan of faults around small runs. Here
// with bounds that take seconds; the figures in docs/internals.md are of the whole.
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, it } from "vitest";

const SCRIPT = resolve(import.meta.dirname, "../../scripts/explore.mjs");

function explored(...words: string[]) {
  const said = spawnSync(process.execPath, [SCRIPT, "--json", ...words], { encoding: "utf8" });
  return { code: said.status, rows: JSON.parse(said.stdout || "[]"), stderr: said.stderr };
}

it("searches our machines, and finds that what is promised holds", () => {
  const { code, rows } = explored(
    "--states",
    "400",
    "--only",
    "agent,upgrade,parent,decisions,thoughts-plan",
  );
  expect(code).toBe(0);
  expect(rows.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok])).toEqual([
    ["agent", true],
    ["upgrade", true],
    ["parent", true],
    ["decisions", true],
    ["thoughts-plan", true],
  ]);
  for (const { states, warnings } of rows) {
    expect(states).toBeGreaterThan(100);
    // Each law met what it speaks of.
    expect(warnings.filter((each: string) => !each.includes("begins when it is approved"))).toEqual(
      [],
    );
  }
});

it("refuses what is not there, in one line", () => {
  const { code, stderr } = explored("--only", "teapot");
  expect([code, stderr.trim().split("\n").length]).toEqual([2, 1]);
});
