// The commands that list a folder read its index, and no journal that is as its row says: here each is spoiled
// behind their backs, with its size and its time as they were.
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { agent, resume, run, scriptedModel } from "../../../../src/index.js";
import { anApi } from "../studio/support.js";
import { aFolder, called } from "../support.js";

const DAY = 86_400;
const talker = agent({ name: "talker", conversation: true });
let folder = "";

/** Gives each journal of a folder a time without fractions. */
function settleTimes(runs: string): readonly string[] {
  const names = readdirSync(runs).filter((name) => name.endsWith(".jsonl"));
  for (const name of names) utimesSync(join(runs, name), DAY, DAY);
  return names;
}

/** Spoils journals, so that whoever opens one is refused. */
function spoil(runs: string, names: readonly string[]): void {
  for (const name of names) {
    writeFileSync(join(runs, name), "x".repeat(statSync(join(runs, name)).size));
    utimesSync(join(runs, name), DAY, DAY);
  }
}

beforeEach(async () => {
  folder = aFolder();
  for (const runId of ["a", "b", "c", "d"]) {
    const journal = join(folder, `${runId}.jsonl`);
    await run(talker, `I am ${runId}.`, { model: scriptedModel(["Hello."]), journal, runId });
  }
  const next = { model: scriptedModel(["Again."]), from: join(folder, "a.jsonl"), runId: "e" };
  await resume(talker, join(folder, "d.jsonl"), { model: scriptedModel(["Hm."]), messages: ["?"] });
  await run(agent({ name: "asker" }), "And?", { ...next, journal: join(folder, "e.jsonl") }).catch(
    () => {},
  );
});

it.each([
  [["list", "."]],
  [["list", ".", "--json"]],
  [["observe", "status", "."]],
  [["observe", "status", ".", "--format", "json"]],
])("%j opens no journal that is as its row says", async (words) => {
  const names = settleTimes(folder);
  const before = await called(folder, words);
  expect(before).toMatchObject({ code: 0, stderr: "" });
  spoil(folder, names);
  expect(await called(folder, words)).toEqual(before);
  // The index is one of theirs all: they show the same rows.
  const { stdout } = await called(folder, ["list", ".", "--json"]);
  expect(
    JSON.parse(stdout)
      .runs.map(({ runId }: { runId: string }) => runId)
      .sort(),
  ).toEqual(names.map((name) => name.replace(".jsonl", "")));
  for (const name of names) utimesSync(join(folder, name), 2 * DAY, 2 * DAY);
  const again = await called(folder, ["list", ".", "--json"]);
  expect(again.code).toBe(2);
  expect(JSON.parse(again.stdout)).toMatchObject({ runs: [] });
});

it.each([
  [["events", ".", "--run", "b"], /I am b/],
  [["events", ".", "--session", "b"], /I am b/],
  [["stats", ".", "--run", "b"], /LLM Calls: +1/],
  [["session", ".", "b"], /I am b/],
  [["explain", ".", "b#llm/0"], /I am b/],
])("observe %j reads the journals of that session alone", async (words, shown) => {
  const names = settleTimes(folder);
  await called(folder, ["list", "."]);
  spoil(
    folder,
    names.filter((name) => name !== "b.jsonl"),
  );
  const { code, stdout, stderr } = await called(folder, ["observe", ...words]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(shown);
  // A run that no row has may be anywhere: all are read.
  const other = await called(folder, ["observe", "events", ".", "--run", "nobody"]);
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining("[journal.format]")]);
});

it("reads a folder session by session, and says of all what it says of each", async () => {
  const each = new Set<string>();
  for (const name of settleTimes(folder)) {
    const { stdout } = await called(folder, ["observe", "events", name, "--format", "json"]);
    for (const { id } of JSON.parse(stdout)) each.add(id);
  }
  const all = await called(folder, ["observe", "events", ".", "--format", "json"]);
  const found: { id: string; at: number }[] = JSON.parse(all.stdout);
  expect(found.map(({ id }) => id).sort()).toEqual([...each].sort());
  expect(found.map(({ at }) => at)).toEqual(found.map(({ at }) => at).sort((a, b) => a - b));
  const last = await called(folder, ["observe", "events", ".", "--format", "json", "--limit", "3"]);
  expect(JSON.parse(last.stdout)).toEqual(found.slice(-3));
});

it("is no journal to any command, and what the studio shows", async () => {
  settleTimes(folder);
  const words = ["replay", ".", "--config", "notes.ts", "--json"];
  const before = await called(folder, words);
  await called(folder, ["list", "."]);
  expect(await called(folder, words)).toEqual(before);

  const { cwd, json } = await anApi();
  const first = await json("GET", "runs");
  const index = readFileSync(join(cwd, ".reckoner-rows"), "utf8");
  expect(index).toContain("Run the tool refund?");
  const listed = await called(cwd, ["list", ".", "--json"]);
  expect(JSON.parse(listed.stdout).runs).toHaveLength(2);
  expect(readFileSync(join(cwd, ".reckoner-rows"), "utf8")).toBe(index);
  expect(await json("GET", "runs")).toEqual(first);
});
