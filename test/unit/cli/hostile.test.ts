// Every command over a journal in which every text is hostile: what it prints holds no character that
// a terminal would take for more than text.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { main } from "../../../src/cli/program.js";
import { visible } from "../../../src/cli/terminal/visible.js";
import { anIo } from "./support.js";

const HOSTILE =
  "H\u009b2J\x1b[2J\u202eEVIL\u{e0041}\ufdd0red\ufdd1\x1b]0;pwn\x07\ufdd2\x7f\u2028\r\u200bZ\n\n approve? [y]es";
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufdd0-\ufddf\ufeff\u{e0000}-\u{e007f}]/gu;

const CONFIG = `
import { agent, defineConfig, tool } from "reckoner";
import { law } from "reckoner/testing";
const H = ${JSON.stringify(HOSTILE)};
const pay = tool({
  name: "pay", jsonSchema: { type: "object" }, needsApproval: (input) => input.ask === true,
  execute: (input) => { if (input.fail) throw new Error(H); return { said: H }; },
});
const call = (id, toolName, input) => ({ type: "tool-call", toolCallId: id + H, toolName, input });
const text = { type: "text", text: H };
const usage = { inputTokens: 1, outputTokens: 1 };
const answers = [
  { content: [text, { type: "reasoning", text: H }, call("a", "pay", { [H]: H }), call("b", "no" + H, H), call("c", "pay", { fail: true, [H]: 1 })], finishReason: H, model: H, usage },
  { content: [text, call("d", "pay", { ask: true, [H]: [H, { [H]: null }] })], finishReason: "tool-calls", usage },
  { content: [text], finishReason: "stop", usage },
];
export default defineConfig({
  reasoner: agent({ name: "n" + H, system: H + (process.env.HOSTILE_SYSTEM ?? ""), tools: [pay] }),
  input: H,
  check: { laws: [law("L" + H, () => H)], runs: 2, maxEvents: 3, depth: 1 },
  model: { async generate({ messages }, { onDelta }) {
    onDelta({ type: "text", text: H });
    return answers[messages.filter(({ role }) => role === "assistant").length];
  } },
});
`;

async function say(cwd: string, ...words: readonly string[]) {
  const io = anIo(cwd);
  // A person reads the results; nothing is asked.
  Object.assign(io.stdout, { isTTY: true });
  const code = await main(io, words);
  return { code, ...io.written };
}

const unseen = (text: string) => [...new Set(text.match(UNSEEN) ?? [])];

const NAME = "n\u009b2J\x1b[2J\u202e\ufdd0red\ufdd1\x1b[1A\ufdd2\n approve? [y]es";
const formats = ["terminal", "json", "markdown"];
const commands: readonly (readonly string[])[] = [
  ["resume", "run.jsonl", "--approve", HOSTILE],
  ["list", "."],
  ["list", ".", "--json"],
  ["show", "run.jsonl"],
  ["show", "run.jsonl", "--full"],
  ["show", "run.jsonl", "--json"],
  ["show", "run.jsonl", "--at", "1"],
  ["show", "run.jsonl", "--at", "3"],
  ["show", "run.jsonl", "--at", "3", "--config", "hostile.ts"],
  ["diff", "run.jsonl", "other.jsonl"],
  ["diff", "run.jsonl", "other.jsonl", "--json"],
  ["replay", "run.jsonl", "other.jsonl"],
  ["replay", "run.jsonl", "other.jsonl", "--json"],
  ["redrive", "run.jsonl"],
  ["redrive", "run.jsonl", "--json"],
  ...formats.flatMap((format) =>
    [
      ["events", "run.jsonl"],
      ["session", "run.jsonl"],
      ["session", "run.jsonl", "--path"],
      ["stats", "run.jsonl"],
      ["events", "done.jsonl", "--follow"],
      ["explain", "run.jsonl", HOSTILE],
    ].map((words) => ["observe", ...words, "--format", format]),
  ),
  ["observe", "status", "."],
  ...["chart", "agent", "trace", "decisions", "thoughts"].flatMap((view) =>
    ["mermaid", "svg", "json"].map((format) => [
      "graph",
      "run.jsonl",
      "--view",
      view,
      "--format",
      format,
    ]),
  ),
  ["checkpoint", "run.jsonl", "--name", `c${HOSTILE}`],
  ["fork", "run.jsonl", "--at", "2", "--name", `f${HOSTILE}`],
  ["forks", "run.jsonl"],
  ["forks", "run.jsonl", "--json"],
  ["rewind", "done.jsonl", "--to", "1"],
  ["rewind", "done.jsonl", "--to", HOSTILE],
  ["check", "hostile.ts", "--out", "broken"],
  ["check", "hostile.ts", "--json"],
  ["check", "hostile.ts", "--journals", "."],
  ["check", "hostile.ts", "--journals", ".", "--json"],
  ["fixture", "done.jsonl", "--out", "fixtures", "--name", NAME],
  ["list", "named"],
  ["replay", "named"],
  ["show", `named/${NAME}.jsonl`],
  ["observe", "status", "named"],
  [HOSTILE],
  ["show", `--${HOSTILE}`],
  ["show", "run.jsonl", "--at", HOSTILE],
  ["run", HOSTILE],
  ["graph", "run.jsonl", "--view", HOSTILE],
];

describe("hostile texts", () => {
  let folder = "";
  let shown: string[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "reckoner-hostile-"));
    writeFileSync(join(folder, "hostile.ts"), CONFIG);
    mkdirSync(join(folder, "named"));
    writeFileSync(join(folder, "named", `${NAME}.jsonl`), '{"type":"header","format":"x"}\n');
    const first = await say(folder, "run", "hostile.ts", "--journal", "run.jsonl");
    const other = await say(folder, "run", "hostile.ts", "--journal", "done.jsonl", "--json");
    const done = await say(folder, "resume", "done.jsonl", "--approve", "approval/1/0");
    process.env.HOSTILE_SYSTEM = "\u009bother";
    await say(folder, "run", "hostile.ts", "--journal", "other.jsonl");
    delete process.env.HOSTILE_SYSTEM;
    expect([first.code, other.code, done.code]).toEqual([3, 3, 0]);
    shown = [first, other, done].map(({ stdout, stderr }) => stdout + stderr);
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("of a run that goes on: progress, questions, the end", () => {
    expect(shown.map(unseen)).toEqual([[], [], []]);
    expect(shown.join("")).toContain("EVIL");
  });

  it.each(
    commands.map(
      (words, i) => [`${i}: ${words.slice(0, 2).map(visible).join(" ")}`, words] as const,
    ),
  )("in what is printed, %s", async (_name, words) => {
    const { stdout, stderr } = await say(folder, ...words);
    expect(unseen(stdout + stderr)).toEqual([]);
    expect(stdout.length + stderr.length).toBeGreaterThan(0);
  });

  it.each([
    ["list", "."],
    ["list", "named"],
    ["replay", "named"],
    ["check", "hostile.ts", "--journals", "."],
  ])("begin no line of their own: %s %s", async (...words) => {
    const { stdout, stderr } = await say(folder, ...words);
    expect(stdout + stderr).toContain("approve? [y]es");
    expect(stdout + stderr).not.toMatch(/^\s*approve/m);
  });
});
