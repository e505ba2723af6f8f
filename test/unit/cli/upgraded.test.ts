// Runs that other code has gone on with: what `replay`, `check` and `resume` say of them.
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { fileJournal } from "../../../src/adapters/file-journal/index.js";
import { main } from "../../../src/cli/program.js";
import { agent, run, scriptedModel } from "../../../src/index.js";
import { aFolder, anIo } from "./support.js";

let folder = "";

async function say(...words: readonly string[]) {
  const io = anIo(folder);
  const code = await main(io, words);
  return { code, ...io.written };
}

/** One agent in three versions, a run of the first, and one that the second has gone on with. */
beforeEach(async () => {
  folder = aFolder();
  for (const version of [1, 2, 3]) {
    writeFileSync(
      join(folder, `v${version}.ts`),
      `import { agent, defineConfig, scriptedModel } from "reckoner";
const reasoner = agent({ name: "desk", conversation: true, system: "I am v${version}.", version: ${version} });
export default defineConfig({ reasoner, model: scriptedModel(({ system }) => "hi from " + system) });
`,
    );
  }
  for (const name of ["parked", "upgraded"]) {
    await say("run", "v1.ts", "--prompt", "a", "--journal", `${name}.jsonl`);
  }
  await say("resume", "upgraded.jsonl", "--config", "v2.ts", "--upgrade", "--message", "b");
});

it("a run that is not upgraded yet is replayed with the older code that is named", async () => {
  const old = ["--config", "v2.ts", "--old", "v1.ts"];
  const { code, stdout } = await say("replay", "parked.jsonl", "upgraded.jsonl", ...old, "--json");
  expect([code, JSON.parse(stdout).summary]).toMatchObject([0, { identical: 2, diverged: 0 }]);
  const newest = ["--config", "v3.ts", "--old", "v2.ts", "--old", "v1.ts"];
  expect((await say("replay", "parked.jsonl", "upgraded.jsonl", ...newest)).code).toBe(0);
  expect((await say("replay", "parked.jsonl", "--config", "v2.ts")).code).toBe(1);
  const other = await say("replay", "parked.jsonl", "--config", "v2.ts", "--old", "v3.ts");
  expect([other.code, other.stdout]).toEqual([
    1,
    expect.stringMatching(/^parked\.jsonl: diverged/),
  ]);
});

it("a run that goes on from one of older code is replayed and shown, and so is its fork", async () => {
  const journal = fileJournal(join(folder, "linked.jsonl"));
  const first = agent({ name: "desk", conversation: true, system: "I am v1." });
  const from = fileJournal(join(folder, "parked.jsonl"));
  await run(first, "b", { model: scriptedModel(["again"]), journal, from });
  rmSync(join(folder, "parked.jsonl.snapshots"), { recursive: true });
  expect((await say("fork", "linked.jsonl", "--out", "fork.jsonl")).code).toBe(0);
  await say("resume", "fork.jsonl", "--config", "v1.ts", "--message", "c");
  const both = ["--config", "v2.ts", "--old", "v1.ts"];
  const { code, stdout } = await say("replay", "linked.jsonl", "fork.jsonl", ...both, "--json");
  expect([code, JSON.parse(stdout).summary]).toMatchObject([0, { identical: 2 }]);
  for (const name of ["linked", "fork"]) {
    const shown = await say("show", `${name}.jsonl`, "--config", "v2.ts");
    expect([shown.code, shown.stderr]).toEqual([0, ""]);
  }
});

it("laws are not broken by what other code wrote; where nothing was judged, none was shown to hold", async () => {
  mkdirSync(join(folder, "runs"));
  renameSync(join(folder, "parked.jsonl"), join(folder, "runs/parked.jsonl"));
  const nothing = await say("check", "v2.ts", "--journals", "runs");
  expect([nothing.code, nothing.stdout]).toEqual([
    1,
    expect.stringContaining("nothing was judged"),
  ]);
  await say("run", "v2.ts", "--prompt", "c", "--journal", "runs/own.jsonl");
  const some = await say("check", "v2.ts", "--journals", "runs");
  expect(some.stdout).toContain("1 judged up to where the code differs");
  expect([some.code, some.stdout]).toEqual([
    0,
    expect.stringContaining("every law holds in what was judged"),
  ]);
  const json = await say("check", "v2.ts", "--journals", "runs", "--json");
  expect([json.code, JSON.parse(json.stdout).ok]).toEqual([0, true]);
});

it("earlier code is told that the later one goes on, and not to upgrade", async () => {
  const { code, stderr } = await say("resume", "upgraded.jsonl", "--message", "c");
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(
      /version 2 became 1.*does not lead back: pass the later code \(--config\)/,
    ),
  ]);
});
