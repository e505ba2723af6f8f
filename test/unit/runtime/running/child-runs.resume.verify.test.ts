// A tree of runs whose process died: resumed from every prefix of its journal, it comes to the same end,
// and nothing that was settled runs again.

import { describe, expect, it } from "vitest";
import { ofChild } from "../../../../src/core/journal/index.js";
import { pairKey } from "../../../../src/core/kernel/vocabulary/index.js";
import {
  type Agent,
  type End,
  type JournalPort,
  type ModelPort,
  replay,
  resume,
  run,
  tool,
  virtualClock,
  type Waiting,
} from "../../../../src/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { calls, familyOf, lineOf, type Member, worker } from "../../../support/family.js";
import { rejection } from "../../../support/thrown.js";
import { firstLines, textOf, treeLines, upTo } from "../../../support/tree-lines.js";

const yes = { approve: true } as const;

/** A parent with two children, of which one has a child that asks before it pays. */
function tree(done: string[]) {
  const note = tool({
    name: "note",
    idempotent: true,
    execute: (_input, { idempotencyKey }) => {
      done.push(idempotencyKey);
      return "noted";
    },
  });
  const pay = {
    ...note,
    name: "pay",
    schema: { ...note.schema, name: "pay" },
    needsApproval: true,
  };
  const line: Member = {
    ...lineOf(1, [note, pay]),
    name: "line",
    says: [calls("level1"), "the line is through"],
  };
  const short: Member = {
    name: "short",
    tools: [note],
    says: [{ calls: [{ name: "note" }] }, "short is through"],
  };
  return familyOf({
    name: "parent",
    says: [calls("line", "short"), calls("short"), "all is done"],
    children: [line, short],
  });
}

/** What a run comes to, with everything decided that it waits for. */
async function through(
  { parent, model }: { parent: Agent; model: ModelPort },
  journal: JournalPort,
  first: "run" | "resume" = "resume",
): Promise<End> {
  let end: End =
    first === "run"
      ? await run(parent, "go", { model, journal, runId: "r" })
      : await resume(parent, journal, { model });
  while (end.status === "waiting") {
    const { approvals: asked } = end as Waiting<unknown, unknown>;
    const approvals = Object.fromEntries(asked.map(({ id }) => [id, yes]));
    expect(asked).not.toEqual([]);
    end = await resume(parent, journal, { model, approvals });
  }
  return end;
}

const outcome = ({ status, reason, context }: End) => ({ status, reason, context });

/** The tools that are settled in a journal, by their idempotency keys. */
function settledIn(text: string): Set<string> {
  const settled = treeLines(text).flatMap(({ run: path = "", event }) => {
    if (event === undefined || !/^tool\.(?:succeeded|failed)$/.test(event.type)) return [];
    const runId = path === "" ? "r" : ofChild("r", path);
    return [pairKey(runId, (event as { readonly id: string }).id)];
  });
  return new Set(settled);
}

async function resumedFrom(text: string, expected: End, place: string) {
  const done: string[] = [];
  const family = tree(done);
  const journal = textJournal(text);
  const before = settledIn(text);
  expect(outcome(await through(family, journal)), place).toEqual(outcome(expected));
  for (const key of done) expect(before.has(key), `${key} again, ${place}`).toBe(false);
  const kept = text.slice(0, text.lastIndexOf("\n") + 1);
  expect(journal.text.startsWith(kept), place).toBe(true);
  expect((await replay(family.parent, journal)).status, place).toBe("identical");
}

describe("a tree whose process died", () => {
  it("is resumed behind each of its lines, and in the middle of each", async () => {
    const journal = textJournal("");
    const end = await through(tree([]), journal, "run");
    expect(end.status).toBe("done");
    const lines = journal.text.split("\n").slice(0, -1);
    expect(new Set(treeLines(journal.text).map(({ run: path }) => path ?? "")).size).toBe(5);
    // Without its header the run never began.
    for (let kept = 1; kept < lines.length; kept++) {
      const whole = firstLines(journal.text, kept);
      const torn = (lines[kept] as string).slice(0, (lines[kept] as string).length / 2);
      await resumedFrom(whole, end, `after line ${kept} of ${lines.length}`);
      await resumedFrom(whole + torn, end, `in line ${kept + 1} of ${lines.length}`);
    }
  });

  it("writes to the byte what only follows from the lines that were left", async () => {
    const clock = virtualClock(1_000);
    const done: string[] = [];
    const { parent, model } = familyOf(lineOf(2, [worker(done)]));
    const journal = textJournal("");
    await run(parent, "go", { model, journal, runId: "r", clock });
    const follows = treeLines(journal.text).flatMap(({ begin, event }, at) => {
      return begin !== undefined || event?.type === "run.succeeded" ? [at] : [];
    });
    expect(follows).toHaveLength(4);
    for (const at of follows) {
      const again = textJournal(firstLines(journal.text, at));
      await resume(parent, again, { model, clock: virtualClock(2_000) });
      const [derived = ""] = journal.text.split("\n").slice(at);
      expect(again.text).toContain(`${derived}\n`);
    }
    expect(new Set(done).size).toBe(1);
  });

  it("with a child that had started what may not be repeated: it is unknown to the child alone", async () => {
    const done: string[] = [];
    const family = familyOf(lineOf(1, [worker(done)]));
    const journal = textJournal("");
    await run(family.parent, "go", { model: family.model, journal, runId: "r" });
    const again = textJournal(upTo(journal.text, '"tool.succeeded"'));
    expect((await resume(family.parent, again, { model: family.model })).status).toBe("done");
    expect(done).toHaveLength(1);
    expect(textOf(again.text, "tool/0/0/0")).toContain('"reason":"unknown"');
  });
});

describe("a resume that is refused", () => {
  /** A tree that waits: a child asks, and a sibling of it has a tool to run again. */
  async function waitingRun() {
    const done: string[] = [];
    const journal = textJournal("");
    const family = tree(done);
    await run(family.parent, "go", { model: family.model, journal, runId: "r" });
    done.length = 0;
    return { ...family, done, journal };
  }

  it("where a child has another configuration: with what differs, nothing destroyed", async () => {
    const { journal } = await waitingRun();
    const done: string[] = [];
    const other = tree(done);
    const { text } = journal;
    const changed = {
      ...other.parent,
      children: {
        ...other.parent.children,
        line: familyOf({ ...lineOf(1), name: "line", is: { system: "changed" } }).parent,
      },
    };
    const thrown = await rejection(resume(changed as never, journal, { model: other.model }));
    expect(thrown).toMatchObject({ code: "journal.configuration" });
    expect(thrown).toHaveProperty("message", expect.stringContaining("system differs"));
    expect(journal.text).toBe(text);
    expect(done).toEqual([]);
  });

  it("where a child's line is broken: with its line, nothing destroyed", async () => {
    const { journal, parent, model, done } = await waitingRun();
    const broken = journal.text.replace("level1, go", "level1, no");
    const again = textJournal(broken);
    expect(await rejection(resume(parent, again, { model }))).toMatchObject({
      code: "journal.chain",
    });
    expect([again.text, done]).toEqual([broken, []]);
  });
});
