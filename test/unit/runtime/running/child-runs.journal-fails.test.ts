// A journal of a tree that cannot be written any more is the failure of the run, whichever run's line it
// is: nothing stays open, and whoever goes on later loses nothing.
import { describe, expect, it } from "vitest";
import type { End } from "../../../../src/index.js";
import { type JournalPort, resume, run } from "../../../../src/runtime/index.js";
import { type TextJournal, textJournal } from "../../../../src/testing/index.js";
import { familyOf, lineOf, worker } from "../../../support/family.js";
import { eventsOf } from "../../../support/tree-lines.js";
import { gate, settle } from "../../../support/watched-journal.js";

const CHILD = "tool/0/0/0";
const full = { code: "journal.write", message: expect.stringContaining("disk full") };
const yes = { approve: true } as const;

/** A journal of which lines that hold a part are refused, with the writers that are open. */
function fullDisk(port: TextJournal, refused: (line: string) => unknown) {
  const open = new Set<object>();
  const journal: JournalPort = {
    ...port,
    read: (from) => port.read(from),
    async open(mode) {
      const writer = await port.open(mode);
      const own = {
        async append(...[lines, expected]: Parameters<typeof writer.append>) {
          for (const line of lines) {
            const said = await refused(line);
            if (said === true) throw new Error("disk full");
          }
          await writer.append(lines, expected);
        },
        async close() {
          open.delete(own);
          await writer.close();
        },
      };
      open.add(own);
      return own;
    },
  };
  return { journal, open };
}

async function settled(): Promise<void> {
  for (let i = 0; i < 4; i++) await settle();
}

/** A promise's outcome, as far as it has come yet. */
function watched(promise: PromiseLike<unknown>) {
  const seen: { code?: string; message?: string; status?: string }[] = [];
  promise.then(
    (end) => seen.push(end as never),
    (thrown) => seen.push(thrown as never),
  );
  return seen;
}

describe("a run", () => {
  it.each([
    ["the beginning of its child", /"run":"tool\/0\/0\/0","seq"/],
    ["the beginning of its grandchild", /"run":"tool\/0\/0\/0:tool\/0\/0\/0","seq"/],
    ["the end of its grandchild", /"run":"tool\/0\/0\/0:tool\/0\/0\/0".*"end":/],
    ["the settlement of its child", /"run.succeeded"/],
  ])(
    "that cannot write %s closes its journal, and goes on where there is room",
    async (_what, refused) => {
      const done: string[] = [];
      const { parent, model } = familyOf(lineOf(2, [worker(done)]));
      const text = textJournal("");
      const { journal, open } = fullDisk(text, (line) => refused.test(line));
      await expect(run(parent, "go", { model, journal })).rejects.toMatchObject(full);
      expect(open.size).toBe(0);
      expect(text.text).not.toMatch(refused);
      expect(await resume(parent, text, { model })).toMatchObject({ status: "done" });
      expect(done).toHaveLength(1);
    },
  );

  it("that is refused closes its journal", async () => {
    const { parent, model } = familyOf(lineOf(2, [worker([], "pay", { needsApproval: true })]));
    const text = textJournal("");
    await run(parent, "go", { model, journal: text });
    const { journal, open } = fullDisk(text, () => false);
    const approvals = { "approval/9/9": yes };
    await expect(resume(parent, journal, { model, approvals })).rejects.toMatchObject({
      code: "approval.stale",
    });
    await expect(resume(familyOf(lineOf(1)).parent, journal, { model })).rejects.toMatchObject({
      code: "journal.configuration",
    });
    expect(open.size).toBe(0);
  });
});

describe("a run that is cancelled", () => {
  it.each([
    ["its own", /"type":"cancel","at"|"type":"cancel"/],
    ["its grandchild's", /"run":"tool\/0\/0\/0:tool\/0\/0\/0".*"type":"cancel"/],
  ])("is told that %s cancel cannot be written, and nothing of it is", async (_what, refused) => {
    const { parent, model } = familyOf(lineOf(2, [worker([], "pay", { needsApproval: true })]));
    const text = textJournal("");
    await run(parent, "go", { model, journal: text });
    const before = text.text;
    const { journal } = fullDisk(text, (line) => refused.test(line));
    const live = resume(parent, journal, { model });
    live.cancel();
    await expect(live).rejects.toMatchObject(full);
    expect(text.text).toBe(before);
    const again = resume(parent, text, { model });
    again.cancel();
    expect((await again).status).toBe("cancelled");
  });

  it("while a child works, is told so too", async () => {
    const never = { ...worker([]), execute: () => new Promise(() => {}) };
    const { parent, model } = familyOf(lineOf(1, [never as never]));
    const { journal } = fullDisk(textJournal(""), (line) => line.includes('"type":"cancel"'));
    const live = run(parent, "go", { model, journal });
    await settled();
    live.cancel();
    await expect(live).rejects.toMatchObject(full);
  });
});

describe("a run that is let go of", () => {
  it("with a child that works, by a failure of its own, says why itself failed", async () => {
    const held = gate();
    const own = { ...worker([], "own"), execute: () => held.passed };
    const never = { ...worker([]), execute: () => new Promise(() => {}) };
    const { parent, model } = familyOf({
      ...lineOf(1, [never as never]),
      tools: [own as never],
      says: [{ calls: [{ name: "level1", input: { prompt: "x" } }, { name: "own" }] }, "done"],
    });
    const { journal } = fullDisk(textJournal(""), (line) => line.includes('"tool.succeeded"'));
    const live = run(parent, "go", { model, journal });
    await settle();
    held.open();
    await expect(live).rejects.toMatchObject(full);
  });

  it("by a drain, while a child's line is on its way that cannot be written, rejects with that", async () => {
    const { parent, model } = familyOf(lineOf(1, [worker([])]));
    const held = gate();
    const { journal } = fullDisk(textJournal(""), (line) => {
      if (!line.includes('"tool.succeeded"')) return false;
      return held.passed.then(() => true);
    });
    const live = run(parent, "go", { model, journal });
    await settled();
    const told = watched(live.drain(0));
    await settled();
    expect(told).toEqual([]);
    held.open();
    await settled();
    expect(told).toMatchObject([full]);
  });

  it("by a drain, has its children go on in the next process, and those below them", async () => {
    const held = gate();
    const slow = { ...worker([]), execute: () => held.passed.then(() => "worked") };
    const { parent, model } = familyOf(lineOf(2, [slow as never]));
    const text = textJournal("");
    const live = run(parent, "go", { model, journal: text });
    await settled();
    const left: PromiseLike<End> = live.drain(1e9);
    held.open();
    expect(await left).toMatchObject({ status: "waiting", drained: true });
    // All that ran has settled, and nothing began behind it.
    const events = eventsOf(text.text, `${CHILD}:${CHILD}`);
    expect(events.map(({ type }) => type)).toEqual(["start", "llm.succeeded", "tool.succeeded"]);
    expect(await resume(parent, text, { model })).toMatchObject({ status: "done" });
  });
});
