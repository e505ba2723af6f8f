// What `npm run demo` makes and tells beside its main job: pictures, decisions, traces, journals that
// cannot be forged.
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
// For the compiler to look at: nothing else imports it.
import type {} from "../../scripts/demo/config.js";
import type {} from "../../scripts/demo/plan.js";
import { fileJournal } from "../../src/adapters/file-journal/index.js";
import { journalTraces } from "../../src/trace/live/index.js";
import { explain } from "../../src/trace/pure/index.js";
import { type Document, node, ROOT, reckoner, runDemo } from "../support/demo.js";
import { isLong } from "../support/is-long.js";
import { tracesAre } from "../support/trace-check.js";

let folder: string;
let journal: string;
let document: Document;

beforeAll(() => {
  ({ folder, journal, document } = runDemo());
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("npm run demo -- --json", () => {
  test("a list is sorted by thoughts, replayed in a process of its own, and drawn", () => {
    const run = document.runs[1] as { journal: string; events: number; replay: unknown };
    const { events } = run;
    expect(run.replay).toEqual({
      journal: run.journal,
      status: "identical",
      events,
      notices: [],
    });
    const svg = readFileSync(join(dirname(run.journal), "thoughts.svg"), "utf8");
    expect(svg).toMatch(/^<svg[\s\S]*<\/svg>\s*$/);
    expect(readFileSync(join(dirname(run.journal), "thoughts.mmd"), "utf8")).toContain("flowchart");
  });

  test("a plan is written once, whatever was killed, and drawn as it is told", () => {
    const run = document.runs[2] as { journal: string };
    const at = (name: string) => join(dirname(run.journal), name);
    const writes = readFileSync(at("writes.log"), "utf8").trimEnd().split("\n");
    const keys = writes.map((line) => line.split(" ")[0] ?? "");
    const changes = writes.map((line) => /change (\d+)/.exec(line)?.[1]);
    // The third was carried out by the process that was killed, and repeated by the one after it.
    expect(keys[2]).toBe(keys[3]);
    expect(changes[2]).toBe(changes[3]);
    const processes = writes.map((line) => line.split(" ").at(-1));
    expect(processes[2]).not.toBe(processes[3]);
    expect(new Set(keys).size).toBe(writes.length - 1);
    expect(new Set(changes).size).toBe(writes.length - 1);
    const drawn = reckoner("graph", at("plan.duckdb"), "--view", "decisions", "--format", "json");
    const { nodes } = JSON.parse(drawn.stdout) as { nodes: { label: string; border?: string }[] };
    expect(nodes.map(({ label }) => label).sort()).toEqual([
      "Keep sessions in Redis",
      "Log in through a third party only",
      "Log-in works, 14 tests pass",
      "Plan and implement user authentication",
      "Use JWT tokens",
      "Use sessions on the server",
    ]);
    expect(nodes.find(({ label }) => label === "Use JWT tokens")?.border).toBe("dashed");
    expect(readFileSync(at("decisions.svg"), "utf8")).toMatch(/^<svg[\s\S]*<\/svg>\s*$/);
    const second = reckoner("show", at("second.jsonl"), "--json");
    expect(second.stdout).toContain("## Active Goals");
  });
});

test("each of the demo's events is traced once, and each call of a tool back to what was asked", async () => {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const journals = files
    .filter((file) => file.endsWith(".jsonl"))
    .map((file) => join(folder, file));
  expect(journals.length).toBeGreaterThanOrEqual(3);
  for (const file of journals) {
    const traces = journalTraces(fileJournal(file));
    const counts = await tracesAre(traces, [readFileSync(file, "utf8")], (id) => id !== "thoughts");
    const { trace } = await traces.read();
    const { events } = trace;
    const calls = events.filter(({ type }) => type === "tool_call");
    expect(calls).toHaveLength(counts.tool_call ?? 0);
    for (const { id, runId } of calls) {
      const { chain } = explain(trace, id);
      expect(chain[0]).toMatchObject({ eventId: `${runId}#@0`, type: "input" });
    }
  }
});

describe("the demo's journal", () => {
  const copy = () => {
    const path = join(folder, "copy.jsonl");
    cpSync(journal, path);
    return path;
  };

  test("replays in a process of its own", () => {
    const { status, stdout } = reckoner("replay", journal);
    expect(status).toBe(0);
    expect(stdout).toContain("identical");
  });

  test("is refused where a byte of any line is changed, with the line, and left as it is", () => {
    const bytes = readFileSync(journal);
    const path = copy();
    let start = 0;
    const lines = bytes.toString("latin1").split("\n").slice(0, -1);
    const picked = [0, 4, lines.length - 1];
    for (const [i, line] of lines.entries()) {
      const middle = start + Math.floor(line.length / 2);
      start += line.length + 1;
      if (!picked.includes(i)) continue;
      const changed = Buffer.from(bytes);
      changed[middle] = (changed[middle] ?? 0) ^ 1;
      writeFileSync(path, changed);
      const { status, stderr } = reckoner("replay", path);
      expect(status, stderr).toBe(2);
      expect(stderr).toContain(`ine ${i + 1}`);
      expect(readFileSync(path).equals(changed)).toBe(true);
    }
  });

  test("is read without its last line where that is torn", () => {
    const path = copy();
    writeFileSync(path, readFileSync(journal).subarray(0, -20));
    const { status, stderr } = reckoner("replay", path);
    expect(status, stderr).toBe(0);
    expect(stderr).toContain("torn");
  });

  test("diverges from an agent whose system prompt was changed, and both texts are shown", () => {
    const config = join(folder, "changed.ts");
    const tools = JSON.stringify(join(ROOT, "examples/files/tools.ts"));
    writeFileSync(
      config,
      `import { agent } from "reckoner";
       import { tools } from ${tools};
import { contentsOf } from "../support/traced.js";
       export default agent({ name: "reader", system: "You guess.", tools, deps: { findings: [] } });`,
    );
    const { status, stdout, stderr } = reckoner("replay", journal, "--config", config);
    expect(status, stderr).toBe(1);
    expect(stdout).toContain("You guess.");
    expect(stdout).toContain("You answer questions about the files of a project.");
  });

  test("is shown", () => {
    const { status, stdout } = reckoner("show", journal);
    expect(status).toBe(0);
    expect(stdout).toContain("tool.failed tool/1/2");
  });
});

if (isLong) {
  test("npm run demo tells it to a person, without colours where there is no terminal", () => {
    const { status, stdout } = node("scripts/demo.mjs", "--folder", join(folder, "told"));
    expect(status).toBe(0);
    expect(stdout).not.toContain("\u001b");
    const told = [
      /The question\n\n {2}What happens to a journal/,
      /SIGKILL +while read and note were running/,
      /5 events in 6 lines, up to number 4: list and search settled/,
      /note +not run again: it had started, and nobody knew what came of it {2}\(begun once in all\)/,
      /read +run again: it is idempotent {2}\(begun twice in all\)/,
      /report +approved, and run {2}\(begun once in all\)/,
      /The answer \(done\)/,
      /identical: 12 events/,
      /npx --no reckoner show .+journal\.jsonl/,
    ];
    for (const line of told) expect(stdout).toMatch(line);
  });
}
