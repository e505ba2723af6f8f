// `graph --at`: a run as it stood after one of its events. What is not an event of the run is refused, by
// every view alike.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fileJournal } from "../../../../src/adapters/file-journal/index.js";
import { main } from "../../../../src/cli/program.js";
import { memoryDecisions } from "../../../../src/decisions.js";
import { agent, resume, run, scriptedModel } from "../../../../src/index.js";
import { fork } from "../../../../src/time-travel.js";
import { track } from "../../../support/decision-agent.js";
import { familyOf } from "../../../support/family.js";
import { aFolder, anIo } from "../support.js";

async function say(cwd: string, ...words: readonly string[]) {
  const io = anIo(cwd);
  const code = await main(io, words);
  return { code, ...io.written };
}

/** A folder with a run of eight events, the last of them the answer to `llm/2`. */
function aFolderWithDesk() {
  const folder = aFolder();
  copyFileSync("test/fixtures/journals/desk.jsonl", join(folder, "desk.jsonl"));
  return folder;
}

const trace = (path: string, ...more: string[]) => ["graph", path, "--view", "trace", ...more];
const json = ["--format", "json"];

it("draws a trace as it was: what was under way has neither an end nor a duration", async () => {
  const folder = aFolderWithDesk();
  const { nodes, title } = JSON.parse((await say(folder, ...trace("desk.jsonl", ...json))).stdout);
  expect(title).toBe("Trace of desk.jsonl");
  const at = async (seq: number) => {
    const { code, stdout } = await say(folder, ...trace("desk.jsonl", ...json, "--at", `${seq}`));
    expect(code).toBe(0);
    return JSON.parse(stdout);
  };
  const begun = await at(0);
  expect(begun.title).toBe("Trace of desk.jsonl, event 0");
  expect(begun.nodes.map(({ id }: { id: string }) => id)).toEqual([
    "run-desk#@0",
    "run-desk#llm/0",
  ]);
  expect(JSON.stringify(begun)).not.toMatch(/took|15 tokens/);
  expect((await at(7)).nodes).toEqual(nodes);
});

it("draws child runs as they were then, by the one count of events that a journal has", async () => {
  const folder = aFolder();
  const { parent, model } = familyOf({
    name: "parent",
    says: [{ calls: [{ name: "child", input: { prompt: "do" } }] }, "Done."],
    children: [{ name: "child", says: ["Did."] }],
  });
  await run(parent, "go", { model, journal: join(folder, "tree.jsonl"), runId: "one" });
  const at = async (...more: string[]) => {
    const { stdout } = await say(folder, ...trace("tree.jsonl", ...json, ...more));
    return JSON.parse(stdout).nodes.map(({ id }: { id: string }) => id);
  };
  const above = ["one#@0", "one#llm/0", "one#tool/0/0", "one#tool/0/0/0"];
  expect(await at("--at", "1")).toEqual(above);
  const begun = [...above, "one:tool/0/0/0#@2", "one:tool/0/0/0#llm/0"];
  expect(await at("--at", "2")).toEqual(begun);
  expect(await at("--at", "3")).toEqual(begun);
  expect(await at()).toEqual(expect.arrayContaining([...begun, "one#llm/1"]));
});

it("draws where a run with children stood, by the same count", async () => {
  const folder = aFolder();
  writeFileSync(
    join(folder, "tree.ts"),
    `import { agent, agentTool, defineConfig, scriptedModel } from "reckoner";
const child = agentTool(agent({ name: "child", system: "child" }), { name: "child" });
const calls = [{ name: "child", input: { prompt: "do" } }];
const model = scriptedModel(({ system }, turn) => (system === "parent" && turn === 0 ? { calls } : "Done."));
export default defineConfig({ reasoner: agent({ name: "parent", system: "parent", tools: [child] }), model });
`,
  );
  await say(folder, "run", "tree.ts", "--prompt", "go", "--journal", "tree.jsonl");
  const chart = ["graph", "tree.jsonl", "--config", "tree.ts"];
  const drawn = await say(folder, ...chart);
  // The journal alone says the same, and nobody's code is run.
  rmSync(join(folder, "tree.ts"));
  const alone = await say(folder, "graph", "tree.jsonl");
  expect(alone).toEqual({ ...drawn, stderr: "" });
  chart.splice(2);
  expect((await say(folder, ...chart)).stdout).toContain('"parent, after event 5"');
  expect((await say(folder, ...chart, "--at", "3")).stdout).toContain('"parent, after event 3"');
  const past = await say(folder, ...chart, "--at", "6");
  expect(past.stderr).toContain("--at 6 is past the last event, 5. [cli.usage]");
});

it("names the last event there is, of a trace and of decisions", async () => {
  const folder = aFolderWithDesk();
  const said = (at: string) => `desk.jsonl: --at ${at} is past the last event, 7. [cli.usage]`;
  const late = await say(folder, ...trace("desk.jsonl", "--at", "8"));
  expect(late).toMatchObject({ code: 2, stdout: "", stderr: `reckoner: ${said("8")}\n` });

  await track(memoryDecisions(), [[["add_goal", { label: "Auth" }]], "ok"], undefined, {
    journal: fileJournal(join(folder, "run.jsonl")),
  });
  const decisions = ["graph", "run.jsonl", "--view", "decisions", "--at"];
  expect((await say(folder, ...decisions, "4")).code).toBe(0);
  const past = await say(folder, ...decisions, "400");
  expect(past).toMatchObject({ code: 2, stdout: "" });
  expect(past.stderr).toMatch(/--at 400 is past the last event, \d+\. \[cli\.usage\]/);
});

it("refuses an event before a fork's own first one, and one of a folder", async () => {
  const folder = aFolderWithDesk();
  const greeter = agent({ name: "greeter" });
  const model = scriptedModel(["Hello.", "Good day."]);
  await run(greeter, "Hi", { model, journal: join(folder, "run.jsonl") });
  const forked = fileJournal(join(folder, "fork.jsonl"));
  await fork(join(folder, "run.jsonl"), { at: 0, to: forked });
  await resume(greeter, forked, { model });
  expect((await say(folder, ...trace("fork.jsonl", "--at", "1"))).code).toBe(0);
  const early = await say(folder, ...trace("fork.jsonl", "--at", "0"));
  expect(early).toMatchObject({ code: 2, stdout: "" });
  expect(early.stderr).toContain("--at 0 is before the run's own first event, 1. [cli.usage]");
  mkdirSync(join(folder, "runs"));
  copyFileSync(join(folder, "desk.jsonl"), join(folder, "runs", "desk.jsonl"));
  const all = await say(folder, ...trace("runs", "--at", "2"));
  expect(all).toMatchObject({ code: 2, stdout: "" });
  expect(all.stderr).toContain("--at 2 needs a journal; runs is a folder.");
});
