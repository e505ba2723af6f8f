// The world that a command gives a run: the config's own observers and input, budgets over several
// runs, listeners that go with it, and commands that go on with it as it was begun.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { main } from "../../../src/cli/program.js";
import { printEnd } from "../../../src/cli/terminal/print-end.js";
import { agent, run, scriptedModel, tool } from "../../../src/index.js";
import { textJournal } from "../../../src/testing/index.js";
import { aFolder, anIo } from "./support.js";

/** A command in this process. */
async function say(folder: string, ...words: string[]) {
  const io = anIo(folder);
  return { code: await main(io, words), ...io.written, io };
}

it("a prompt stands in for the config's, and leaves the rest of its input and its observers", async () => {
  const folder = aFolder();
  writeFileSync(
    join(folder, "talker.ts"),
    `import { appendFileSync } from "node:fs";
import { agent, defineConfig, scriptedModel } from "reckoner";
export default defineConfig({
  reasoner: agent({ name: "talker", system: ({ who }) => "You talk to " + who }),
  model: scriptedModel(({ system, messages }) => system + ": " + JSON.stringify(messages.at(-1)?.content)),
  input: { prompt: "config's", deps: { who: "Ada" } },
  options: { observers: [({ type }) => appendFileSync(${JSON.stringify(join(folder, "seen"))}, type + " ")] },
});
`,
  );
  const { code, stdout } = await say(folder, "run", "talker.ts", "--prompt", "mine");
  expect([code, stdout]).toEqual([0, 'You talk to Ada: "mine"\n']);
  expect(readFileSync(join(folder, "seen"), "utf8")).toContain("step started");
  expect((await say(folder, "run", "talker.ts")).stdout).toContain("config's");
});

it("signals that come when the run is over say nothing of it", async () => {
  const { io, code } = await say(aFolder(), "run", "notes.ts", "--prompt", "x", "--json");
  expect(code).toBe(0);
  const before = io.written.stderr;
  io.interrupt();
  io.terminate();
  io.interrupt();
  expect([io.written.stderr, io.exits]).toEqual([before, []]);
});

it("a budget is one for all runs that are driven again", async () => {
  const folder = aFolder();
  await say(folder, "run", "notes.ts", "--prompt", "clean up", "--journal", "run.jsonl");
  mkdirSync(join(folder, "runs"));
  for (const name of ["a", "b"]) {
    copyFileSync(join(folder, "run.jsonl"), join(folder, "runs", `${name}.jsonl`));
  }
  const text = readFileSync(join(folder, "notes.ts"), "utf8");
  writeFileSync(join(folder, "other.ts"), text.replace("You keep a house", "You keep the house"));
  const live = ["redrive", "runs", "--config", "other.ts", "--live", "--json", "--budget"];
  const spent = async (budget: string) =>
    JSON.parse((await say(folder, ...live, budget)).stdout).journals.map(
      (each: { spent: number; live: number }) => [each.live, each.spent],
    );
  const [[, whole]] = await spent("100000");
  expect(await spent(String(whole))).toEqual([
    [expect.any(Number), whole],
    [0, 0],
  ]);
});

it("what goes on with a run that waits says all that it was begun with", async () => {
  const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
  const end = await run(agent({ name: "a", tools: [pay] }), "Pay.", {
    model: scriptedModel([{ calls: [{ name: "pay" }] }]),
    unattended: "wait",
  });
  const io = anIo(aFolder());
  const next = { journal: "it's.jsonl", config: "my config.ts", model: "openai:gpt-4o-mini" };
  expect(printEnd(io, end as never, next, false)).toBe(3);
  const command =
    "reckoner resume 'it'\\''s.jsonl' --config 'my config.ts' --model openai:gpt-4o-mini";
  expect(io.written.stdout.split("\n").slice(2, 5)).toEqual([
    `  ${command} --approve approval/0/0`,
    `  ${command} --reject approval/0/0`,
    `  ${command} --edit approval/0/0=JSON`,
  ]);
});

it("a run that waits for a moment alone is gone on with without a message", () => {
  const io = anIo(aFolder());
  const end = { status: "waiting", reason: "waiting", events: 1, approvals: [], wakeAt: 60_000 };
  expect(printEnd(io, end as never, { journal: "a.jsonl" }, false)).toBe(3);
  expect(io.written.stdout).toBe(
    "waits until 1970-01-01T00:01:00.000Z\n  reckoner resume a.jsonl\n",
  );
});

it("a run whose model is down says why, and is gone on with without a word", async () => {
  const journal = textJournal("");
  const generate = () => {
    throw new TypeError("x is not a function");
  };
  const retry = { attempts: 1 };
  const end = await run(agent({ name: "a" }), "Hi.", {
    model: { name: "m", generate },
    journal,
    retry,
  });
  const [text, data] = [anIo(aFolder()), anIo(aFolder())];
  const next = { journal: "a.jsonl" };
  expect(printEnd(text, end as never, next, false)).toBe(3);
  expect(text.written.stderr).toContain(
    "the model is down: TypeError: x is not a function [llm.failed]",
  );
  expect(text.written.stdout).not.toContain("message");
  expect(text.written.stdout).toContain("  reckoner resume a.jsonl\n");
  printEnd(data, end as never, next, true);
  expect(JSON.parse(data.written.stdout).modelDown).toMatchObject({ code: "llm.failed" });
});

it("a journal that is not there is the worst that a replay can meet, beside whatever is", async () => {
  const folder = aFolder();
  await say(folder, "run", "notes.ts", "--prompt", "clean up", "--journal", "run.jsonl");
  expect((await say(folder, "replay", "run.jsonl")).code).toBe(0);
  const { code, stdout } = await say(folder, "replay", "gone.jsonl", "run.jsonl", "--json");
  expect(code).toBe(2);
  expect(JSON.parse(stdout).summary).toMatchObject({ journals: 2, identical: 1, refused: 1 });
});

it.each([["--json"], ["--format", "json"], ["--format=json"]])(
  "whoever reads one document is told in it what was refused: %s",
  async (...flags) => {
    const command = flags[0] === "--json" ? ["show", "gone"] : ["observe", "stats", "gone"];
    const { code, stdout } = await say(aFolder(), ...command, ...flags);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: expect.any(String) } });
  },
);
