// One bit of a journal has rotted: what stands before it can be read and forked, and is not gone on with.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agent, fold, replay, resume, run, scriptedModel, tool } from "../../../../src/index.js";
import { fork, rewind, salvage, Timeline } from "../../../../src/time-travel.js";
import { rejection } from "../../../support/thrown.js";
import { aFolder, called } from "../../cli/support.js";

const paid: string[] = [];
const pay = tool({
  name: "pay",
  execute: (_input, { id }) => {
    paid.push(id);
    return "paid";
  },
});
const asked = tool({ name: "order", needsApproval: true, execute: () => paid.push("order") });
const clerk = agent({ name: "clerk", tools: [pay, asked] });
const words = () =>
  scriptedModel([
    { calls: [{ name: "pay" }, { name: "pay" }] },
    { calls: [{ name: "order" }] },
    "Done.",
    "Done.",
  ]);
const approve = () => ({ approve: true }) as const;

/** A run in a file, and the line of which a bit is changed: the first that holds a text. */
async function rotten(at: string) {
  const folder = aFolder();
  const path = join(folder, "run.jsonl");
  paid.length = 0;
  await run(clerk, "go", { model: words(), journal: path, runId: "r1", approve, concurrency: 1 });
  paid.length = 0;
  const text = readFileSync(path, "latin1");
  const lines = text.split("\n");
  const line = lines.findIndex((each) => each.includes(at));
  const before = lines
    .slice(0, line)
    .map((each) => `${each}\n`)
    .join("");
  const bytes = Buffer.from(text, "latin1");
  bytes[before.length + 30] = (bytes[before.length + 30] as number) ^ 1;
  writeFileSync(path, bytes);
  const events = lines.slice(0, line).flatMap((each) => JSON.parse(each).seq ?? []);
  return { folder, path, bytes, line: line + 1, last: Math.max(...events) };
}

const SECOND = '"type":"tool.succeeded","id":"tool/0/1"';
const DECIDED = '"type":"approval.decided"';
const fault = (line: number) => ({ code: "journal.chain", place: `line ${line}` });

describe("a journal with a rotten bit", () => {
  it("is refused by whoever goes on with it or replays it, and left as it is", async () => {
    const { path, bytes, line } = await rotten(SECOND);
    for (const work of [
      () => resume(clerk, path, { model: words() }),
      () => replay(clerk, path),
      () => fold(clerk, path),
      () => fork(path, { name: "f" }),
    ]) {
      expect(await rejection(work())).toMatchObject(fault(line));
    }
    expect(paid).toEqual([]);
    expect(readFileSync(path)).toEqual(bytes);
  });

  it("is read before it: folded, stepped through, forked, rewound", async () => {
    const { path, line, last } = await rotten(SECOND);
    for (let at = 0; at <= last; at++) {
      expect((await fold(clerk, path, at)).state?.seq).toBe(at);
      const { retained, fault: said } = await fork(path, { at, name: `f${at}` });
      expect([retained, said]).toEqual([at + 1, expect.stringContaining(`Line ${line} `)]);
    }
    expect(await rejection(fold(clerk, path, last + 1))).toMatchObject(fault(line));
    expect(await rejection(fork(path, { at: last + 1, name: "g" }))).toMatchObject(fault(line));
    const timeline = await Timeline.open(clerk, path);
    expect([timeline.events, timeline.fault]).toMatchObject([last + 1, fault(line)]);
    expect((await timeline.at(last)).same).toBe(true);
    expect(await rejection(timeline.at(last + 1))).toMatchObject(fault(line));
    expect((await rewind(path, { at: 1 })).retained).toBe(2);
  });

  it("is salvaged by a fork behind the last sound line: what may have begun behind it is unknown", async () => {
    const { path, bytes, last, folder } = await rotten('"type":"tool.succeeded","id":"tool/0/0"');
    const to = join(folder, "saved.jsonl");
    const { from, fault: said } = await salvage(path, { to });
    expect([from.seq, said]).toEqual([last, expect.stringContaining("was changed")]);
    // With one call at a time the second had not begun at the last sound line; behind it, it had.
    const end = await resume(clerk, to, { model: words(), approve });
    expect(end.status).toBe("done");
    expect(paid).toEqual(["order"]);
    const text = readFileSync(to, "utf8");
    expect(text).toContain("Tool pay had started in run r1");
    expect(text).toContain("Tool pay may have started in run r1");
    expect((await replay(clerk, to)).status).toBe("identical");
    expect(readFileSync(path)).toEqual(bytes);
    // A fork of the fork, and its timeline, go through the damaged journal as well.
    const again = await fork(to, { at: last + 1, to: join(folder, "again.jsonl") });
    expect((await Timeline.open(clerk, again.journal)).events).toBe(last + 2);
  });

  it("asks nobody again for what was allowed and may have begun behind it", async () => {
    const { path, folder } = await rotten('"type":"tool.succeeded","id":"tool/1/0"');
    const to = join(folder, "saved.jsonl");
    const { undecided } = await salvage(path, { to });
    expect(undecided).toEqual([]);
    expect((await resume(clerk, to, { model: words() })).status).toBe("done");
    expect(paid).toEqual([]);
  });

  it("that says how a person decided asks again, since nobody can read it", async () => {
    const { path, folder } = await rotten(DECIDED);
    const to = join(folder, "saved.jsonl");
    await salvage(path, { to });
    expect((await resume(clerk, to, { model: words() })).status).toBe("waiting");
    expect(paid).toEqual([]);
  });

  it("is salvaged where it is too short as well, and not where nothing is wrong with it", async () => {
    const { path, folder, line } = await rotten(SECOND);
    // The rotten line and all behind it are cut by hand: that is noticed.
    const kept = readFileSync(path, "utf8")
      .split("\n")
      .slice(0, line - 1);
    writeFileSync(path, kept.map((each) => `${each}\n`).join(""));
    rmSync(`${path}.snapshots`, { recursive: true });
    const refused = { code: "journal.short", place: path };
    expect(await rejection(resume(clerk, path, { model: words() }))).toMatchObject(refused);
    const to = join(folder, "saved.jsonl");
    await salvage(path, { to });
    expect((await resume(clerk, to, { model: words(), approve })).status).toBe("done");
    expect(paid).toEqual(["order"]);
    expect(await rejection(salvage(to, { name: "x" }))).toMatchObject({ code: "fork.point" });
  });
});

describe("the commands", () => {
  it("show and fork what stands before a fault, with a notice, and replay and list say the line", async () => {
    const { folder, line, last } = await rotten(SECOND);
    const say = (...given: string[]) => called(folder, given);
    const at = await say("show", "run.jsonl", "--at", String(last));
    expect(at).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`Line ${line} was changed`),
    });
    expect(at.stdout).toContain(`#${last} tool.succeeded tool/0/0`);
    const whole = await say("show", "run.jsonl");
    expect(whole).toMatchObject({ code: 2, stderr: expect.stringContaining("[journal.chain]") });
    expect(whole.stdout).toContain(`#${last} `);
    expect((await say("show", "run.jsonl", "--at", String(last + 1))).code).toBe(2);
    const list = await say("list", ".");
    expect(list).toMatchObject({ code: 2, stdout: expect.stringContaining("[journal.chain]") });
    const cut = await say("fork", "run.jsonl", "--at", "0", "--out", "f.jsonl");
    expect(cut).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("has a fault behind event 0"),
    });
    const saved = await say("salvage", "run.jsonl", "--out", "s.jsonl");
    expect(saved).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`behind event ${last}`),
    });
    expect((await say("salvage", "s.jsonl", "--out", "t.jsonl")).stderr).toContain("[fork.point]");
  });

  it("compare what stands before a fault, and do not say that the rest is the same", async () => {
    const { folder, path, line } = await rotten(SECOND);
    const sound = join(folder, "sound.jsonl");
    const other = join(folder, "other.jsonl");
    await run(clerk, "go", {
      model: words(),
      journal: sound,
      runId: "r2",
      approve,
      concurrency: 1,
    });
    await run(clerk, "leave", { model: words(), journal: other, runId: "r3", approve });
    const same = await called(folder, ["diff", path, sound]);
    expect(same).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("do not differ before the fault"),
    });
    expect(same.stderr).toContain(`${path}: Line ${line} was changed`);
    expect(same.stderr.trim().split("\n")).toHaveLength(1);
    const different = await called(folder, ["diff", path, other]);
    expect(different).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("they part by an input"),
    });
  });

  it("refuse a journal that is too short with one line", async () => {
    const folder = aFolder();
    const path = join(folder, "run.jsonl");
    await run(clerk, "go", { model: words(), journal: path, approve });
    const lines = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, `${lines.slice(0, 3).join("\n")}\n`);
    for (const command of ["show", "list"]) {
      const { code, stderr } = await called(folder, [command, "run.jsonl"]);
      expect([code, stderr]).toEqual([
        2,
        expect.stringMatching(/^reckoner: [^\n]*ends behind line 3, [^\n]*\[journal\.short\]\n$/),
      ]);
    }
  });
});
