// Trees of runs in files: one journal for all, who may write it, and a person who decides on another
// machine.

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { replay, resume, run } from "reckoner";
import { describe, expect, it, onTestFinished } from "vitest";
import { library, question, researcher, scriptedFamily } from "../../examples/researcher.js";
import { pairKey } from "../../src/core/kernel/vocabulary/index.js";
import { approvalIn, familyOf, lineOf, runIdIn, worker } from "../support/family.js";
import { rejection } from "../support/thrown.js";
import { Child } from "../unit/adapters/file-journal/child.js";
import { reckoner } from "../unit/cli/support.js";

const ROOT = join(import.meta.dirname, "../..");
const yes = { approve: true } as const;

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "reckoner-tree-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** All files of a folder, by their paths in it. */
function filesOf(folder: string): Map<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile() && !entry.parentPath.endsWith(".snapshots"))
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [path.slice(folder.length + 1), readFileSync(path, "utf8")] as const;
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** A line of agents, two deep, that waits before it pays; in a folder of its own. */
async function waitingRun() {
  const folder = aFolder();
  const done: string[] = [];
  const family = familyOf(lineOf(2, [worker(done, "pay", { needsApproval: true })]));
  const journal = join(folder, "parent.jsonl");
  const end = await run(family.parent, "go", { model: family.model, journal, runId: "r" });
  expect(end.status).toBe("waiting");
  return { ...family, folder, journal, done };
}

const PARENT = "parent.jsonl";
const ID = approvalIn(["tool/0/0/0", "tool/0/0/0"], "approval/0/0");

describe("a tree of runs in a file", () => {
  it("is one journal, and no lock is left", async () => {
    const { folder, parent } = await waitingRun();
    expect([...filesOf(folder).keys()]).toEqual([PARENT, `${PARENT}.end`]);
    expect((await replay(parent, join(folder, PARENT))).status).toBe("identical");
  });

  it("is decided on another machine: wait, copy the file, decide, go on", async () => {
    const { folder, parent, model, done } = await waitingRun();
    const elsewhere = aFolder();
    cpSync(join(folder, PARENT), join(elsewhere, PARENT));
    rmSync(folder, { recursive: true });
    const approvals = { [ID]: { ...yes, by: "somebody else" } };
    const end = await resume(parent, join(elsewhere, PARENT), { model, approvals });
    expect(end).toMatchObject({ status: "done", output: "0 done" });
    expect(done).toEqual([pairKey(runIdIn("r", ["tool/0/0/0", "tool/0/0/0"]), "tool/0/0")]);
    const files = filesOf(elsewhere);
    const thrown = await rejection(resume(parent, join(elsewhere, PARENT), { model, approvals }));
    expect(thrown).toMatchObject({ code: "approval.stale" });
    expect(filesOf(elsewhere)).toEqual(files);
  });

  it("is refused while another process holds it, and nothing runs", async () => {
    const { folder, parent, model, journal, done } = await waitingRun();
    const other = await Child.start();
    await other.open(join(folder, PARENT));
    const before = filesOf(folder);
    const thrown = await rejection(resume(parent, journal, { model, approvals: { [ID]: yes } }));
    expect(thrown).toMatchObject({ code: "journal.locked" });
    expect(filesOf(folder)).toEqual(before);
    expect(done).toEqual([]);
    // The owner is dead: its lock is taken over.
    await other.kill();
    const end = await resume(parent, journal, { model, approvals: { [ID]: yes } });
    expect(end.status).toBe("done");
    expect([...filesOf(folder).keys()]).toEqual([PARENT, `${PARENT}.end`]);
  });

  it("begins a child anew whose line was torn, to the very bytes", async () => {
    const { folder, parent, model, journal } = await waitingRun();
    const text = readFileSync(join(folder, PARENT), "utf8");
    const at = text.lastIndexOf('{"begin"');
    writeFileSync(journal, text.slice(0, at + 40));
    // As a crash leaves it, before the end was noted.
    rmSync(`${journal}.snapshots`, { recursive: true, force: true });
    rmSync(`${journal}.end`);
    const end = await resume(parent, journal, { model });
    expect(end).toMatchObject({ status: "waiting", approvals: [{ id: ID }] });
    const begun = readFileSync(journal, "utf8").slice(0, text.indexOf("\n", at));
    expect(begun).toBe(text.slice(0, text.indexOf("\n", at)));
  });
});

describe("the command line", () => {
  const CONFIG = "examples/researcher.ts";
  const PUBLISH = "tool/1/0/0:approval/0/0";

  it("runs, resumes with a child's approval, shows and replays a tree", async () => {
    const folder = aFolder();
    const journal = join(folder, "research.jsonl");
    const first = await reckoner(ROOT, ["run", CONFIG, "--journal", journal]);
    expect(first).toMatchObject({ code: 3 });
    expect(first.stdout).toContain(`waits for ${PUBLISH}: Run the tool publish?`);
    expect(first.stdout).toContain(`--approve ${PUBLISH}`);
    expect(first.stderr).toContain("tool/0/0/0 > tool/0/0 look_up");

    const wrong = await reckoner(ROOT, ["resume", journal, "--approve", "approval/0/0"]);
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("approval.stale") });

    const second = await reckoner(ROOT, ["resume", journal, "--approve", PUBLISH]);
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining("It is published.") });

    const replayed = await reckoner(ROOT, ["replay", folder]);
    expect(replayed.code).toBe(0);
    expect(replayed.stdout.match(/: identical: /g)).toHaveLength(1);

    const shown = await reckoner(ROOT, ["show", journal]);
    expect(shown).toMatchObject({ code: 0, stderr: "" });
    expect(shown.stdout).toContain("tool/1/0/0 llm.succeeded llm/0");
    const ofChild = shown.stdout.split("\n").find((line) => line.includes("tool/1/0/0 llm"));
    const at = /#(\d+)/.exec(ofChild ?? "")?.[1] ?? "";
    const state = await reckoner(ROOT, ["show", journal, "--at", at]);
    expect(state.code).toBe(0);
    expect(state.stdout).toContain("tool/1/0/0 llm.succeeded");
    const root = await reckoner(ROOT, ["show", journal, "--at", at, "--config", CONFIG]);
    expect(root.code).toBe(0);
    expect(root.stderr).toContain(`event ${at} is of the child run tool/1/0/0`);
  });
});

describe("the researcher with its journal in a folder", () => {
  it("comes to the same as in memory", async () => {
    const folder = aFolder();
    const world = { model: scriptedFamily(), services: library() };
    const journal = join(folder, "research.jsonl");
    await run(researcher, question, { ...world, journal, approve: () => yes });
    const memory = await run(researcher, question, { ...world, approve: () => yes });
    const end = await resume(researcher, journal, world);
    expect(end).toMatchObject({ status: "done", output: (memory as { output: string }).output });
  });
});
