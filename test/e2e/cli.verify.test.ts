// The command as a user has it, in a folder outside the project: some as a child process, the others in this one,
// which says the same and sooner.
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { aFolder, called, reckoner } from "../unit/cli/support.js";

const RUN = ["run", "notes.ts", "--prompt", "clean up", "--journal", "run.jsonl"];

/** A folder with a journal that waits for an approval. */
async function aWaitingRun(): Promise<string> {
  const folder = aFolder();
  expect((await called(folder, RUN)).code).toBe(3);
  return folder;
}

/** A folder with the journal of a run that is done. */
async function aDoneRun(): Promise<string> {
  const folder = await aWaitingRun();
  const words = ["resume", "run.jsonl", "--approve", "approval/1/0"];
  expect((await called(folder, words)).code).toBe(0);
  return folder;
}

describe("reckoner run", () => {
  it("prints the output and nothing else on standard output", async () => {
    const { code, stdout, stderr } = await reckoner(aFolder(), RUN.slice(0, 4));
    expect({ code, stdout }).toEqual({ code: 0, stdout: "The shelf is clean.\n" });
    expect(stderr).toContain('tool/0/0 look: "there is dust at shelf"');
    // The script tells 10 tokens of each request; the last is too long for so few, and is charged 14.
    expect(stderr).toContain("done (answered): 7 events, 3 model calls, 49 tokens");
  });

  it("says what it waits for, and the command that decides it does", async () => {
    const folder = aFolder();
    const { code, stdout } = await called(folder, RUN);
    expect(code).toBe(3);
    expect(stdout).toContain(
      'waits for approval/1/0: Run the tool wipe?\n  {"tool":"wipe","input":{"at":"shelf"}}\n',
    );
    const [, ...words] = (/reckoner resume .* --approve .*/.exec(stdout)?.[0] ?? "").split(" ");
    const resumed = await called(folder, words);
    expect(resumed).toMatchObject({ code: 0, stdout: "The shelf is clean.\n" });
  });

  it("prints one JSON document with --json", async () => {
    const { code, stdout } = await called(aFolder(), [...RUN, "--json"]);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toEqual({
      status: "waiting",
      reason: "acting",
      runId: expect.any(String),
      approvals: [
        {
          type: "approval",
          id: "approval/1/0",
          title: "Run the tool wipe?",
          subject: { tool: "wipe", input: { at: "shelf" } },
          toolCallId: "call-1-0",
          of: expect.stringMatching(/^[\w-]{32}$/),
        },
      ],
      usage: expect.objectContaining({ requests: 2, totalTokens: 30 }),
      finishReason: "tool-calls",
      events: 5,
      journal: "run.jsonl",
    });
  });

  it("exits 1 where the run failed, with the error in the document", async () => {
    const { code, stdout } = await called(aFolder(), ["run", "plain.mjs", "--json"]);
    expect(code).toBe(1);
    // The code is that of the config's own ModelError: there is one copy of the package.
    expect(JSON.parse(stdout)).toMatchObject({ status: "failed", error: { code: "test.down" } });
  });

  it("records where the config lay, and takes its input from a file", async () => {
    const folder = aFolder();
    writeFileSync(join(folder, "input.json"), '{ "prompt": "from a file" }');
    const words = ["run", "./notes.ts", "--input", "@input.json", "--journal", "run.jsonl"];
    expect((await called(folder, words)).code).toBe(3);
    const [header = ""] = readFileSync(join(folder, "run.jsonl"), "utf8").split("\n");
    expect(JSON.parse(header)).toMatchObject({
      config: "notes.ts",
      input: { prompt: "from a file" },
    });
  });

  it("refuses a journal that is there already, and leaves it", async () => {
    const folder = await aWaitingRun();
    const before = readFileSync(join(folder, "run.jsonl"));
    const { code, stderr } = await called(folder, RUN);
    expect(code).toBe(2);
    expect(stderr).toMatch(/run\.jsonl .*\[journal\.exists\]\n$/);
    expect(readFileSync(join(folder, "run.jsonl"))).toEqual(before);
  });
});

describe("reckoner resume", () => {
  it("takes a rejection with its reason, and other arguments", async () => {
    const rejected = await aWaitingRun();
    const reject = ["resume", "run.jsonl", "--reject", "approval/1/0", "--reason", "no dust"];
    expect((await called(rejected, reject)).code).toBe(0);
    expect((await called(rejected, ["show", "run.jsonl"])).stdout).toContain("no dust");
    const edited = await aWaitingRun();
    const edit = ["resume", "run.jsonl", "--edit", 'approval/1/0={"at":"floor"}'];
    expect((await called(edited, edit)).code).toBe(0);
    expect((await called(edited, ["show", "run.jsonl"])).stdout).toContain("wiped floor");
  });

  it("refuses an approval that is not waiting, before anything runs", async () => {
    const folder = await aWaitingRun();
    const words = ["resume", "run.jsonl", "--approve", "approval/9/9"];
    const { code, stderr } = await called(folder, words);
    expect(code).toBe(2);
    expect(stderr).toMatch(/\nreckoner: run\.jsonl: .*approval\/9\/9.*\[approval\.stale\]\n$/);
  });

  it("gives the end of an ended run again", async () => {
    const { code, stdout } = await called(await aDoneRun(), ["resume", "run.jsonl"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "The shelf is clean.\n" });
  });

  it("loads no config from outside the working folder unasked, by whatever link", async () => {
    const folder = aFolder();
    const inside = join(folder, "inside");
    mkdirSync(inside);
    const run = ["run", "../notes.ts", "--prompt", "x", "--journal", "run.jsonl"];
    const waiting = await called(inside, run);
    expect(waiting.code).toBe(3);
    expect(waiting.stdout).toContain("reckoner resume run.jsonl --config ../notes.ts --approve");
    const refused = await called(inside, ["resume", "run.jsonl"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/outside the working folder.*--config.*\[config\.outside\]\n$/);
    const named = ["resume", "run.jsonl", "--config", "../notes.ts"];
    expect((await called(inside, named)).code).toBe(3);
  });
});

describe("reckoner replay", () => {
  it("says that a run is identical", async () => {
    const { code, stdout, stderr } = await called(await aDoneRun(), ["replay", "run.jsonl"]);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: "run.jsonl: identical: 8 events\n",
      stderr: expect.stringMatching(/^reckoner: loading .*notes\.ts, which the journal names\n$/),
    });
  });

  it("shows both texts of a system prompt that was changed", async () => {
    const folder = await aDoneRun();
    const env = { NOTES_SYSTEM: "You keep a ship clean, and say what you did." };
    const { code, stdout } = await reckoner(folder, ["replay", "run.jsonl"], env);
    expect(code).toBe(1);
    expect(stdout).toContain("event 0 (start), directives[0].system");
    expect(stdout).toContain('recorded: "You keep a house clean, and say what you did."');
    expect(stdout).toContain('computed: "You keep a ship clean, and say what you did."');
    const { stdout: json } = await reckoner(folder, ["replay", "run.jsonl", "--json"], env);
    expect(JSON.parse(json).journals).toMatchObject([
      {
        journal: "run.jsonl",
        status: "diverged",
        events: 0,
        difference: { seq: 0, path: "directives[0].system", computed: env.NOTES_SYSTEM },
      },
    ]);
  });

  it("refuses a journal with one byte changed, names the line, and leaves the file", async () => {
    const folder = await aDoneRun();
    const path = join(folder, "run.jsonl");
    const whole = readFileSync(path);
    const lines = whole.toString("latin1").split("\n").length - 1;
    const broken = [0, Math.floor(whole.length / 2), whole.length - 2, whole.length - 1];
    for (const at of broken) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] as number) ^ 1;
      writeFileSync(path, bytes);
      const line = Math.min(lines, whole.subarray(0, at).toString("latin1").split("\n").length);
      const { code, stdout, stderr } = await called(folder, ["replay", "run.jsonl"]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(
        new RegExp(`^reckoner: run\\.jsonl: Line ${line} .*\\[journal\\..*\n$`),
      );
      expect(readFileSync(path)).toEqual(bytes);
    }
    expect(readdirSync(folder).filter((name) => name.startsWith("run.jsonl"))).toEqual([
      "run.jsonl",
      "run.jsonl.end",
      "run.jsonl.snapshots",
    ]);
  });

  it("leaves a torn last line out with a notice, and the file as it is", async () => {
    const folder = await aDoneRun();
    const path = join(folder, "run.jsonl");
    truncateSync(path, statSync(path).size - 9);
    // As a crash in the middle of the write leaves it: before the end was noted.
    rmSync(`${path}.end`);
    const before = readFileSync(path);
    const { code, stdout, stderr } = await called(folder, ["replay", "run.jsonl"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "run.jsonl: identical: 8 events\n" });
    expect(stderr).toContain("torn");
    expect(readFileSync(path)).toEqual(before);
  });

  it("replays folders, goes on past what is refused, and exits with the worst", async () => {
    const folder = await aDoneRun();
    mkdirSync(join(folder, "deep/er"), { recursive: true });
    copyFileSync(join(folder, "run.jsonl"), join(folder, "deep/er/copy.jsonl"));
    copyFileSync(join(folder, "run.jsonl"), join(folder, "a-broken.jsonl"));
    appendFileSync(join(folder, "a-broken.jsonl"), "more\n");
    const { code, stdout } = await called(folder, ["replay", ".", "missing.jsonl", "--json"]);
    expect(code).toBe(2);
    expect(JSON.parse(stdout).journals).toMatchObject([
      { journal: "a-broken.jsonl", status: "refused", error: { code: "journal.format" } },
      { journal: "deep/er/copy.jsonl", status: "identical", events: 8 },
      { journal: "run.jsonl", status: "identical", events: 8, notices: [] },
      { journal: "missing.jsonl", status: "refused", error: { code: "journal.missing" } },
    ]);
  });
});

describe("reckoner show", () => {
  it("prints the steps with their directives, and without the config as recorded", async () => {
    const folder = await aDoneRun();
    const { code, stdout } = await called(folder, ["show", "run.jsonl"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/#5 approval\.decided approval\/1\/0.*\n.*\n {4}approve: true\n/);
    const alone = aFolder();
    copyFileSync(join(folder, "run.jsonl"), join(alone, "other.jsonl"));
    const env = { NOTES_SYSTEM: "changed" };
    const named = ["show", "other.jsonl", "--config", "notes.ts"];
    const changed = await reckoner(alone, named, env);
    expect(changed.stderr).toContain("from event 0 on");
    mkdirSync(join(alone, "empty"));
    const recorded = await called(join(alone, "empty"), ["show", "../other.jsonl"]);
    // Nothing that a journal names is loaded to show it.
    expect([recorded.code, recorded.stderr]).toEqual([0, ""]);
    expect(recorded.stdout).toContain("You keep a house clean");
    expect(recorded.stdout).toMatch(/→ answered\n {4}The shelf is clean\.\ndone/);
  });

  it("prints header and steps as one document, every value in its place", async () => {
    const { stdout } = await called(await aDoneRun(), ["show", "run.jsonl", "--json"]);
    const { header, steps } = JSON.parse(stdout);
    expect(header).toMatchObject({ type: "header", config: "notes.ts", input: "clean up" });
    expect(steps.length).toBe(8);
    expect(steps[0].directives[0]).toMatchObject({
      type: "llm",
      id: "llm/0",
      parts: {
        system: "You keep a house clean, and say what you did.",
        messages: { size: 1, items: [{ role: "user", content: "clean up" }] },
      },
    });
    expect(stdout).not.toContain("@hash");
    expect(steps[7].end).toEqual({ status: "done", output: "The shelf is clean." });
  });

  it("prints the state after an event, with the messages", async () => {
    const folder = await aDoneRun();
    const { stdout } = await called(folder, [
      "show",
      "run.jsonl",
      "--at",
      "4",
      "--json",
      "--config",
      "notes.ts",
    ]);
    const { state } = JSON.parse(stdout);
    expect(state).toMatchObject({ seq: 4, value: "acting", outstanding: [{ type: "approval" }] });
    expect(state.context.messages.map((each: { role: string }) => each.role)).toEqual([
      "user",
      "assistant",
      "tool",
      "tool",
      "assistant",
    ]);
    const text = await called(folder, ["show", "run.jsonl", "--at", "7"]);
    expect(text.stdout).toContain('wiped":"shelf"');
  });
});
