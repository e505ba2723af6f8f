// `reckoner observe`: its commands, flags and formats, and what is refused.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agent, agentTool, run, scriptedModel } from "../../../../src/index.js";
import { checkMermaid } from "../../pictures/support.js";
import { aFolder, called } from "../support.js";

const DESK = readFileSync("test/fixtures/journals/desk.jsonl", "utf8");
const LAMP = readFileSync("test/fixtures/journals/lamp.jsonl", "utf8");

/** A folder with two journals. */
function journals(): string {
  const folder = aFolder();
  writeFileSync(join(folder, "desk.jsonl"), DESK);
  writeFileSync(join(folder, "lamp.jsonl"), LAMP);
  return folder;
}
const observe = (folder: string, ...words: string[]) => called(folder, ["observe", ...words]);

describe("observe events", () => {
  it("lists what the flags choose, in each format", async () => {
    const folder = journals();
    const { code, stdout, stderr } = await observe(folder, "events", "desk.jsonl");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n")).toHaveLength(12);
    expect(stdout).toContain("[2023-11-14 22:13:20Z] tool_call    look (0ms)  (tool/0/0)\n");
    const json = async (...words: string[]) =>
      JSON.parse((await observe(folder, "events", ".", "--format", "json", ...words)).stdout);
    expect(await json("--agent", "lamp")).toHaveLength(8);
    expect(await json("--run", "run-desk", "--type", "tool_call,error")).toHaveLength(6);
    expect(await json("--session", "run-lamp", "--limit", "2")).toHaveLength(2);
    expect(await json("--agent", "desk", "--from", "2023-11-15T00:00:00Z")).toHaveLength(2);
    expect(await json("--agent", "desk", "--to", "2023-11-15T00:00:00Z")).toHaveLength(9);
    const table = await observe(folder, "events", "lamp.jsonl", "--format", "markdown");
    expect(table.stdout).toMatch(/^\| Timestamp \| Type \|/);
    const none = await observe(folder, "events", "desk.jsonl", "--agent", "nobody");
    expect(none.stdout).toBe("No events found.\n");
  });

  it.each([
    ["that are under way", 3],
    ["that have not begun", 0],
  ])("follows runs %s until all have ended", async (_name, there) => {
    const folder = aFolder();
    const lines = DESK.split("\n").map((line) => `${line}\n`);
    const path = join(folder, "desk.jsonl");
    writeFileSync(path, lines.slice(0, there).join(""));
    const following = observe(folder, "events", "desk.jsonl", "--follow", "--format", "json");
    await new Promise((resolve) => setImmediate(resolve));
    appendFileSync(path, lines.slice(there, -1).join(""));
    const { code, stdout } = await following;
    expect(code).toBe(0);
    const ids = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).id);
    expect(ids).toHaveLength(11);
    expect(new Set(ids).size).toBe(11);
  });
});

describe("observe explain", () => {
  it("says what led to an event, what followed, and where it has its arguments from", async () => {
    const folder = journals();
    const { stdout } = await observe(folder, "explain", "desk.jsonl", "tool/1/0", "--sources");
    expect(stdout).toMatch(
      /^Causal Chain:\n\nInput: start \(Tidy up, please\.\) {2}\(@0\)\n {2}-> LLM/,
    );
    expect(stdout).toContain("It also waited for:");
    expect(stdout).toContain("What followed:");
    expect(stdout).toContain("copied from approval/1/0, event 5 at $.event.input.thing");
    const json = await observe(
      folder,
      "explain",
      "desk.jsonl",
      "llm/2",
      "--sources",
      "--format",
      "json",
    );
    const { chain, sources, inputs } = JSON.parse(json.stdout);
    expect(chain.at(-1).eventId).toBe("run-desk#llm/2");
    expect(inputs).toHaveLength(1);
    expect(sources.every((each: { sources: object[] }) => each.sources.length > 0)).toBe(true);
  });

  it("means the run whose journal is named, and names what is of another one whole", async () => {
    const folder = aFolder();
    const path = join(folder, "up.jsonl");
    const child = agent({ name: "child" });
    const parent = agent({
      name: "parent",
      tools: [agentTool(child, { name: "child", description: "answers" })],
    });
    const ask = { calls: [{ name: "child", input: { prompt: "Which books are on the shelf?" } }] };
    const said = { model: scriptedModel([ask, "There are seven books.", "Seven books it is."]) };
    await run(parent, "How many books?", { ...said, journal: path, runId: "p" });
    const whole = await observe(folder, "events", "up.jsonl");
    expect(whole.stdout).toMatch(/\(p#llm\/0\)\n[\s\S]*\(p:tool\/0\/0\/0#llm\/0\)\n/);
    const followed = await observe(folder, "events", "up.jsonl", "--follow");
    expect(followed.stdout.split("\n").sort()).toEqual(whole.stdout.split("\n").sort());
    const own = await observe(folder, "explain", "up.jsonl", "llm/0");
    expect([own.code, own.stderr]).toEqual([0, ""]);
    expect(own.stdout).toContain("Input: start (How many books?)  (@0)\n");
    expect(own.stdout).toContain("(p:tool/0/0/0#llm/0)\n");
    expect((await observe(folder, "explain", ".", "llm/0")).stderr).toContain("[trace.ambiguous]");
    const picture = ["graph", "up.jsonl", "--view", "trace", "--explain", "llm/0"];
    expect((await called(folder, picture)).code).toBe(0);

    const next = { model: scriptedModel(["Still seven."]), from: path, runId: "n" };
    await run(parent, "And now?", { ...next, journal: join(folder, "next.jsonl") });
    const words = ["explain", "next.jsonl", "llm/0", "--sources"];
    const { stdout } = await observe(folder, ...words);
    expect(stdout).toMatch(/"How many books\?"\n {6}copied from p#@0, /);
    expect(stdout).toMatch(/"And now\?"\n {6}copied from @0, /);
  });

  it("refuses what is not there, or is several", async () => {
    const folder = journals();
    for (const [words, code] of [
      [["desk.jsonl", "nobody"], "trace.missing"],
      [["desk.jsonl", "llm"], "trace.ambiguous"],
      [["desk.jsonl", "@0", "--sources"], "cli.usage"],
      [["desk.jsonl", "llm/0", "--format", "xml"], "cli.usage"],
    ] as const) {
      const refused = await observe(folder, "explain", ...words);
      expect([refused.code, refused.stdout === "" || code === "cli.usage"]).toEqual([2, true]);
      expect(refused.stderr).toContain(`[${code}]`);
    }
  });
});

describe("observe session", () => {
  it("prints a session as a tree, or its critical path", async () => {
    const folder = journals();
    const { stdout } = await observe(folder, "session", "desk.jsonl");
    expect(stdout).toMatch(/^Session: run-desk\nEvents: 1 root\(s\), depth: 7\n├─ Input: start/);
    const tree = await observe(folder, "session", ".", "run-lamp", "--format", "json");
    expect(JSON.parse(tree.stdout)).toMatchObject({
      session: "run-lamp",
      rootEventId: "run-lamp#@0",
    });
    const path = await observe(folder, "session", "desk.jsonl", "--path");
    expect(path.stdout).toContain("Critical path of run-desk: 86400000ms (person 86400000ms)");
    const json = await observe(folder, "session", "desk.jsonl", "--path", "--format", "json");
    expect(JSON.parse(json.stdout)).toMatchObject([{ runId: "run-desk", ms: 86_400_000 }]);
  });

  it("refuses a session that there is not, and asks which where there are several", async () => {
    const folder = journals();
    const unknown = await observe(folder, "session", ".", "nobody");
    expect([unknown.code, unknown.stdout]).toEqual([2, ""]);
    expect(unknown.stderr).toContain("There is no session nobody; there is run-desk, run-lamp.");
    expect((await observe(folder, "session", ".")).code).toBe(2);
  });
});

describe("observe stats and status", () => {
  it("count", async () => {
    const folder = journals();
    const counts = await observe(folder, "stats", "desk.jsonl", "--agent", "desk");
    expect(counts.stdout).toMatch(
      /^Agent: desk\nTotal Events: 11\n {2}Tool Calls: {3}5 {2}\(avg 0ms\)\n/,
    );
    const json = await observe(folder, "stats", ".", "--format", "json");
    expect(JSON.parse(json.stdout)).toMatchObject({ totalEvents: 19, toolCalls: 5, errors: 1 });
  });

  it("list the runs, and tell of what cannot be read", async () => {
    const folder = journals();
    const { stdout, code } = await observe(folder, "status", ".");
    expect(code).toBe(0);
    // Those of their journals: no trace is derived.
    expect(stdout).toContain("2 runs in 2 sessions, 16 events");
    writeFileSync(join(folder, "bad.jsonl"), DESK.replace("two drawers", "ten drawers"));
    const worse = await observe(folder, "status", ".", "--format", "json");
    expect(worse.code).toBe(2);
    expect(JSON.parse(worse.stdout)).toMatchObject({
      // What stands before the fault is shown.
      runs: [
        { runId: "run-desk", journal: "bad.jsonl", ended: false },
        { runId: "run-desk", ended: true },
        { runId: "run-lamp" },
      ],
      unread: [{ name: "bad.jsonl", code: "journal.chain" }],
    });
    expect(worse.stderr).toContain("[journal.chain]");
    expect((await observe(folder, "events", "missing.jsonl")).code).toBe(2);
  });

  it("show nothing that a model hides", async () => {
    const folder = aFolder();
    const { lived } = await import("../../../support/traced.js");
    const { agent, scriptedModel } = await import("../../../../src/index.js");
    const { fileJournal } = await import("../../../../src/adapters/file-journal/index.js");
    await lived(agent({ name: "a" }) as never, "\u001b]0;owned\u0007 \u202ehi", {
      journal: fileJournal(join(folder, "a.jsonl")),
      model: scriptedModel(["\u001b[2J"]),
    });
    for (const words of [["events"], ["session"], ["stats"], ["status"]]) {
      const { stdout } = await observe(folder, ...words, "a.jsonl");
      for (const hidden of ["\u001b", "\u0007", "\u202e"]) expect(stdout).not.toContain(hidden);
    }
  });
});

describe("graph --view trace", () => {
  it("draws a journal's trace without its config, with an event that stands out", async () => {
    const folder = journals();
    const words = ["graph", "desk.jsonl", "--view", "trace"];
    const { code, stdout } = await called(folder, words);
    expect(code).toBe(0);
    checkMermaid(stdout);
    const json = await called(folder, [...words, "--format", "json", "--explain", "tool/1/0"]);
    const { nodes, edges } = JSON.parse(json.stdout);
    expect(nodes).toHaveLength(11);
    const out = nodes.filter(({ border }: { border?: string }) => border === "thick");
    expect(out).toHaveLength(9);
    expect(edges.some(({ line }: { line: string }) => line === "dashed")).toBe(true);
    const early = await called(folder, [...words, "--format", "json", "--at", "0"]);
    expect(JSON.parse(early.stdout).nodes).toHaveLength(2);
    const wrong = await called(folder, ["graph", "desk.jsonl", "--explain", "x"]);
    expect(wrong.stderr).toContain("--explain goes with --view trace");
  });
});
