// Ids and names with line ends: in no command's output does one begin a line of its own.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { agent, agentTool, run, scriptedModel, tool } from "../../../src/index.js";
import { checkpoint, fork, rewind } from "../../../src/time-travel.js";
import { aFolder, called } from "./support.js";

const EVIL = "x\nEVIL: done\u2028EVIL\rEVIL";
/** Of a run, whose id has no colon. */
const ID = EVIL.replace(":", "");

/** A folder with a run, its child, forks and checkpoints, of which all ids and names are hostile. */
async function hostile(): Promise<string> {
  const folder = aFolder();
  const at = join(folder, "runs");
  mkdirSync(at);
  const pay = tool({ name: "pay", execute: () => "paid" });
  const ask = tool({ name: "order", needsApproval: true, execute: () => "ordered" });
  const child = agent({ name: `child${EVIL}`, tools: [pay] });
  const boss = agent({
    name: `boss${EVIL}`,
    tools: [pay, ask, agentTool(child, { name: "child" })],
  });
  const call = (name: string, input = {}) => ({
    type: "tool-call" as const,
    toolCallId: `${name}${EVIL}`,
    toolName: name,
    input,
  });
  const model = scriptedModel(({ tools }, turn) => {
    if (turn > 1 || (turn > 0 && tools?.length === 1)) return "Done.";
    const calls = turn > 0 ? [call("order")] : [call("pay"), call("child", { prompt: "go" })];
    return {
      content: tools?.length === 1 ? [call("pay")] : calls,
      finishReason: "tool-calls",
      usage: {},
    };
  });
  for (const [file, runId] of [
    ["a", `r${ID}`],
    ["b", `s${ID}`],
  ] as const) {
    const journal = join(at, `${file}.jsonl`);
    await run(boss, "go", { model, journal, runId });
    await checkpoint(journal, { name: `c${EVIL}`, at: 1 });
    await fork(journal, { at: 1, name: `f${EVIL}`, runId: `f${ID}` });
  }
  await rewind(join(at, "b.jsonl"), { at: 1 }, { name: `w${EVIL}`, runId: `w${ID}` });
  return at;
}

const observed = ["events", "session", "stats", "status"].flatMap((name) =>
  ["terminal", "markdown"].map((format) => ["observe", name, "a.jsonl", "--format", format]),
);
const COMMANDS: readonly (readonly string[])[] = [
  ["list", "."],
  ["show", "a.jsonl"],
  ["show", "a.jsonl", "--full"],
  ["show", "a.jsonl", "--at", "2"],
  ["show", "a.jsonl", "--at", "99"],
  ["diff", "a.jsonl", "b.jsonl"],
  ["forks", "a.jsonl"],
  ["forks", "b.jsonl"],
  ["fork", "a.jsonl", "--at", "2"],
  ["fork", "a.jsonl", "--at", "2", "--name", `f${EVIL}`],
  ["fork", "a.jsonl", "--set", `tool/9/9${EVIL}=1`],
  ["checkpoint", "a.jsonl", "--name", `d${EVIL}`],
  ["checkpoint", "a.jsonl", "--name", `c${EVIL}`],
  ["rewind", "a.jsonl", "--to", `c${EVIL}`],
  ["rewind", "a.jsonl", "--to", `none${EVIL}`],
  ["salvage", "b.jsonl", "--out", "s.jsonl"],
  ["resume", "a.jsonl", "--approve", `approval/1/0${EVIL}`],
  ["replay", "."],
  ["redrive", "a.jsonl"],
  ["unlock", "a.jsonl"],
  ["observe", "explain", "a.jsonl", `tool/0/0${EVIL}`],
  ["observe", "session", "a.jsonl", "--path"],
  ...observed,
];

it("begin no line of their own in what any command prints", async () => {
  const folder = await hostile();
  const wrong: string[] = [];
  for (const words of COMMANDS) {
    const { stdout, stderr } = await called(folder, words);
    const lines = (stdout + stderr).split(/[\n\r\u2028]/).filter((line) => /^\W*EVIL/.test(line));
    if (lines.length > 0) wrong.push(`${words.slice(0, 3).join(" ")}: ${lines[0]}`);
  }
  expect(wrong).toEqual([]);
});
