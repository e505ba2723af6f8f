// A tree of runs is upgraded whole; killed at any write of it nothing is lost.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openFold } from "../../../../src/driver.js";
import { agent, agentTool, type Migrations, toArray, tool } from "../../../../src/index.js";
import {
  type JournalPort,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { type TextJournal, textJournal } from "../../../../src/testing/index.js";
import { textIn } from "../../../support/journal-text.js";
import { refusal, rejection } from "../../../support/thrown.js";
import { beginOf, firstLines, textOf, treeLines, upTo } from "../../../support/tree-lines.js";
import { watchedJournal } from "../../../support/watched-journal.js";

/** A parent whose child waits for an approval; the child's prompt is the parent's affair too. */
function family(
  prompt: string,
  tools: readonly string[] = ["pay"],
  more: { readonly version?: number; readonly migrations?: Migrations } = {},
) {
  // With a question mark, a tool that asks a person instead.
  const made = tools.map((name) =>
    name.endsWith("?")
      ? tool({ name: name.slice(0, -1), ask: z.string() })
      : tool({ name, needsApproval: true, execute: () => "paid" }),
  );
  const child = agent({ name: "child", system: `child ${prompt}`, tools: made });
  const ask = agentTool(child, { name: "ask" });
  return agent({ name: "parent", system: `parent ${prompt}`, tools: [ask], ...more });
}

const model = scriptedModel(({ system = "", messages }) => {
  const turns = messages.filter(({ role }) => role === "assistant").length;
  const name = system.startsWith("parent") ? "ask" : "pay";
  const input = name === "ask" ? { prompt: "pay" } : {};
  return turns === 0 ? { calls: [{ name, input }] } : `${system} is done`;
});

/** That code, and the code of before. */
const both = (...now: Parameters<typeof family>) => [family(...now), family("1")];

async function parked() {
  const journal = textJournal("");
  const end = await run(family("1"), "go", { model, journal, runId: "r" });
  if (end.status !== "waiting") throw new Error(end.status);
  return { journal, approvals: { [end.approvals[0]?.id as string]: { approve: true } } };
}

const CHILD = "tool/0/0/0";

/** The runs whose upgrades a journal holds, in the order of their lines. */
const upgradesOf = ({ text }: TextJournal) =>
  treeLines(text).flatMap(({ upgrade, run: path = "" }) => (upgrade === undefined ? [] : [path]));

describe("a fold that is upgraded", () => {
  const at = 5_000;

  it("owes the lines that resume writes, for the children too", async () => {
    const { journal } = await parked();
    const lines = journal.text.split("\n").slice(0, -1);
    const fold = openFold(both("2") as never, { approvals: "outside", snapshots: false });
    for (const line of lines) fold.take(line);
    fold.upgrade(at);
    // It is under it by now.
    fold.upgrade(at + 1);
    const driver = fold.driver();
    const owed = driver.take([], at);
    await resume(both("2") as never, journal, { model, clock: virtualClock(at), upgrade: true });
    const written = journal.text.split("\n").slice(lines.length, -1);
    expect(upgradesOf(journal)).toEqual([CHILD, ""]);
    expect(owed.lines).toEqual(written.slice(0, owed.lines.length));
    expect(owed.lines.length).toBeGreaterThanOrEqual(2);
    expect(driver.stateOf(CHILD)?.context).toMatchObject({ systemPrompt: "child 2" });
  });

  it("is refused without the code of before, and where the run has left it; nothing changes", async () => {
    const { journal } = await parked();
    const lines = journal.text.split("\n").slice(0, -1);
    const lost = openFold([family("2")] as never, { approvals: "outside" });
    for (const line of lines) lost.take(line);
    expect(refusal(() => lost.upgrade(at)).code).toBe("upgrade.refused");
    await resume(both("2") as never, journal, { model, clock: virtualClock(at), upgrade: true });
    const back = openFold([family("1"), family("2")] as never, { approvals: "outside" });
    for (const line of journal.text.split("\n").slice(0, -1)) back.take(line);
    expect(refusal(() => back.upgrade(at)).message).toContain("does not lead back");
    expect(
      refusal(() => openFold([family("1")] as never, { approvals: "outside" }).upgrade(at)).code,
    ).toBe("journal.empty");
  });
});

describe("a parent and its child", () => {
  it("are upgraded together, and the child's prompt is the new one", async () => {
    const { journal, approvals } = await parked();
    expect((await rejection(resume(family("2"), journal, { model }))).code).toBe(
      "journal.configuration",
    );
    const end = await resume(both("2"), journal, { model, upgrade: true, approvals });
    expect(end).toMatchObject({ status: "done", output: "parent 2 is done" });
    expect(upgradesOf(journal)).toEqual([CHILD, ""]);
    expect(textOf(journal.text, CHILD)).toContain("child 2 is done");
    const report = await replay(both("2"), journal);
    expect([report.status, report.segments.map(({ checked }) => checked)]).toEqual([
      "identical",
      [true, true],
    ]);
    expect((await replay(family("2"), journal)).status).toBe("identical");
  });

  it("are upgraded again, by the code of each upgrade", async () => {
    const { journal, approvals } = await parked();
    expect(await resume(both("2"), journal, { model, upgrade: true })).toMatchObject({
      status: "waiting",
    });
    const code = [family("3"), family("2")];
    const end = await resume(code, journal, { model, upgrade: true, approvals });
    expect(end).toMatchObject({ status: "done", output: "parent 3 is done" });
    expect(upgradesOf(journal)).toEqual([CHILD, "", CHILD, ""]);
    expect((await replay([...code, family("1")], journal)).status).toBe("identical");
  });

  it("are upgraded where the child's code alone is another", async () => {
    const of = (prompt: string) => {
      const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
      const child = agent({ name: "child", system: `child ${prompt}`, tools: [pay] });
      return agent({
        name: "parent",
        system: "parent",
        tools: [agentTool(child, { name: "ask" })],
      });
    };
    const journal = textJournal("");
    await run(of("1"), "go", { model, journal });
    expect((await rejection(resume(of("2"), journal, { model }))).code).toBe(
      "journal.configuration",
    );
    const approvals = { [`${CHILD}:approval/0/0`]: { approve: true } };
    const code = [of("2"), of("1")];
    await resume(code, journal, { model, upgrade: true, approvals });
    expect(upgradesOf(journal)).toEqual([CHILD, ""]);
    expect(textOf(journal.text, CHILD)).toContain("child 2 is done");
    expect((await replay(code, journal)).status).toBe("identical");
  });

  it("of the same name as the one below it is upgraded as itself", async () => {
    const leaf = agent({
      name: "same",
      system: "leaf",
      tools: [tool({ name: "pay", needsApproval: true, execute: () => "paid" })],
    });
    const of = (system: string) => {
      const child = agent({ name: "same", system, tools: [agentTool(leaf, { name: "same" })] });
      return agent({ name: "root", system, tools: [agentTool(child, { name: "same" })] });
    };
    const says = scriptedModel(({ system = "", tools = [] }, turn) => {
      if (turn > 0) return `${system} is done`;
      const pays = tools.some(({ name }) => name === "pay");
      return { calls: [pays ? { name: "pay" } : { name: "same", input: { prompt: "go" } }] };
    });
    const journal = textJournal("");
    await run(of("before"), "go", { model: says, journal });
    const approvals = { [`${CHILD}:${CHILD}:approval/0/0`]: { approve: true } };
    const code = [of("now"), of("before")];
    const end = await resume(code, journal, { model: says, upgrade: true, approvals });
    expect(end).toMatchObject({ status: "done", output: "now is done" });
    expect(textOf(journal.text, CHILD)).toContain("now is done");
    expect(textOf(journal.text, `${CHILD}:${CHILD}`)).toContain("leaf is done");
    expect((await replay(code, journal)).status).toBe("identical");
  });

  it("stay as they were, both, where the new code has no child of that name", async () => {
    const { journal } = await parked();
    const before = journal.text;
    const bare = agent({ name: "parent", system: "parent 2" });
    const error = await rejection(
      resume([bare, family("1")], journal, { model, upgrade: true } as never),
    );
    expect([error.code, journal.text]).toEqual(["upgrade.refused", before]);
    expect(error.message).toContain(CHILD);
  });

  it("and those below them are upgraded, each behind the one above it", async () => {
    const of = (prompt: string) => {
      const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
      const low = agent({ name: "low", system: `low ${prompt}`, tools: [pay] });
      const middle = agent({
        name: "middle",
        system: `middle ${prompt}`,
        tools: [agentTool(low, { name: "ask" })],
      });
      return agent({
        name: "top",
        system: `parent ${prompt}`,
        tools: [agentTool(middle, { name: "ask" })],
      });
    };
    const says = scriptedModel(({ system = "", tools = [] }, turn) => {
      if (turn > 0) return `${system} is done`;
      const pays = tools.some(({ name }) => name === "pay");
      return { calls: [pays ? { name: "pay" } : { name: "ask", input: { prompt: "go" } }] };
    });
    const journal = textJournal("");
    await run(of("1"), "go", { model: says, journal });
    const id = `${CHILD}:${CHILD}:approval/0/0`;
    const code = [of("2"), of("1")];
    const waiting = await resume(code, journal, { model: says, upgrade: true });
    expect(waiting).toMatchObject({ status: "waiting", approvals: [{ id }] });
    expect(upgradesOf(journal)).toEqual([CHILD, `${CHILD}:${CHILD}`, ""]);
    const approvals = { [id]: { approve: true } };
    const end = await resume(of("2"), journal, { model: says, approvals });
    expect(end).toMatchObject({ status: "done", output: "parent 2 is done" });
    expect(end.usage.requests).toBe(6);
    expect(textOf(journal.text, CHILD)).toContain("middle 2 is done");
    expect(textOf(journal.text, `${CHILD}:${CHILD}`)).toContain("low 2 is done");
    expect((await replay(code, journal)).status).toBe("identical");
  });

  it("stay as they were, both, where the child cannot be carried over", async () => {
    const { journal, approvals } = await parked();
    const before = journal.text;
    const code = both("2", ["pay?"]);
    const error = await rejection(resume(code, journal, { model, upgrade: true, approvals }));
    expect(error.code).toBe("upgrade.refused");
    expect(error.message).toContain("pay does it in another way now (ask)");
    expect(journal.text).toBe(before);
    const end = await resume(family("1"), journal, { model, approvals });
    expect(end.status).toBe("done");
  });

  it("stay as they were, both, where a migration makes of the parent what cannot be recorded", async () => {
    const { journal, approvals } = await parked();
    const before = journal.text;
    const long = "x".repeat(9 * 1024 * 1024);
    const code = both("2", ["pay"], {
      version: 2,
      migrations: {
        2: (state) => ({ ...state, context: { ...(state.context as object), deps: { long } } }),
      },
    });
    const error = await rejection(resume(code, journal, { model, upgrade: true, approvals }));
    expect(error.code).toBe("upgrade.refused");
    expect(error.message).toContain("context/deps holds a value of");
    expect(journal.text).toBe(before);
    const end = await resume(family("1"), journal, { model, approvals });
    expect(end.status).toBe("done");
  });

  it("stay as they were, both, where what the resume was given is refused", async () => {
    const { journal } = await parked();
    const before = journal.text;
    const approvals = { "approval/9/9": { approve: true } };
    const error = await rejection(resume(both("2"), journal, { model, upgrade: true, approvals }));
    expect([error.code, journal.text]).toEqual(["approval.stale", before]);
  });

  it("whose upgrade was torn behind any of its lines, or in one, come to the same", async () => {
    const { journal, approvals } = await parked();
    const before = journal.text;
    const long = "x".repeat(5 * 1024 * 1024);
    const code = both("2", ["pay"], {
      version: 2,
      migrations: {
        // So long that the parent's upgrade takes a line of its own before the last.
        2: (state) => ({ ...state, context: { ...(state.context as object), deps: { long } } }),
      },
    });
    const clock = virtualClock(4_000_000_000_000);
    await resume(code, journal, { model, upgrade: true, clock });
    const lines = journal.text.slice(before.length).split("\n").slice(0, -1);
    expect(lines.length).toBeGreaterThan(2);
    for (let kept = 0; kept <= lines.length; kept++) {
      for (const isTorn of [false, true]) {
        const whole =
          before +
          lines
            .slice(0, kept)
            .map((line) => `${line}\n`)
            .join("");
        const next = isTorn ? (lines[kept] ?? "").slice(0, (lines[kept] ?? "").length / 2) : "";
        const copy = textJournal(whole + next);
        const waiting = await resume(code, copy, { model, upgrade: true });
        expect([kept, waiting.status]).toEqual([kept, "waiting"]);
        const end = await resume(code, copy, { model, approvals });
        expect(end).toMatchObject({ status: "done", output: "parent 2 is done" });
        expect((await replay(code, copy)).status).toBe("identical");
        // One whose last line was not written has none of it.
        expect(upgradesOf(copy).filter((path) => path === "")).toHaveLength(1);
      }
    }
  });

  it("killed at any write of the upgrade, it is upgraded by the next resume, once", async () => {
    const { journal, approvals } = await parked();
    for (let writes = 0; writes < 6; writes++) {
      let left = writes;
      const copy = textJournal(journal.text);
      const failing: JournalPort = {
        ...copy,
        async open(mode) {
          const writer = await copy.open(mode);
          const append: typeof writer.append = (lines, expected) => {
            left -= 1;
            if (left < 0) throw new Error("the disk is full");
            return writer.append(lines, expected);
          };
          return { ...writer, append };
        },
      };
      const code = both("2");
      await Promise.resolve(resume(code, failing, { model, upgrade: true, approvals })).catch(
        () => {},
      );
      const waiting = await resume(code, copy, { model, upgrade: true });
      const end =
        waiting.status === "waiting"
          ? await resume(code, copy, { model, upgrade: true, approvals })
          : waiting;
      expect([writes, end.status, "output" in end && end.output]).toEqual([
        writes,
        "done",
        "parent 2 is done",
      ]);
      expect(upgradesOf(copy)).toEqual([CHILD, ""]);
    }
  });
});

describe("a parent whose child is there", () => {
  it("is upgraded with it by the new code alone, where a snapshot of the tree is kept", async () => {
    const journal = memoryJournal();
    const waits = await run(family("1"), "go", { model, journal, runId: "r" });
    const [asked] = waits.status === "waiting" ? waits.approvals : [];
    const approvals = { [asked?.id as string]: { approve: true } };
    const end = await resume(family("2"), journal, { model, upgrade: true, approvals });
    expect(end).toMatchObject({ status: "done", output: "parent 2 is done" });
    const text = await textIn(journal);
    expect(treeLines(text).flatMap(({ upgrade, run: of = "" }) => (upgrade ? [of] : []))).toEqual([
      CHILD,
      "",
    ]);
    expect((await replay(both("2"), journal)).status).toBe("identical");
  });

  it("is not upgraded by the new code alone where no snapshot is kept", async () => {
    const { journal } = await parked();
    const before = journal.text;
    const error = await rejection(resume(family("2"), journal, { model, upgrade: true }));
    expect([error.code, journal.text]).toEqual(["upgrade.refused", before]);
    expect(error.message).toContain("resume([now, before], …, { upgrade: true })");
  });

  it.each([0, 1])("is upgraded with it where it was drained (%d ms to settle)", async (ms) => {
    const clock = virtualClock();
    const inner = memoryJournal();
    const journal = watchedJournal(inner);
    journal.before = async (lines) => {
      if (!lines.some((line) => line.includes('"approval"'))) return;
      void live.drain(ms);
      clock.advance(ms);
      await new Promise(setImmediate);
    };
    const live = run(family("1"), "go", { model, journal, runId: "r", clock });
    expect((await live).reason).toBe("drained");
    const approve = () => ({ approve: true }) as const;
    const end = await resume(both("2"), inner, { model, upgrade: true, approve });
    expect(end).toMatchObject({ status: "done", output: "parent 2 is done" });
    expect((await replay(both("2"), inner)).status).toBe("identical");
  });
});

describe("a parent whose child has ended, killed before it noted so", () => {
  it("takes the end that the child came to under the earlier code, once upgraded", async () => {
    const { journal, approvals } = await parked();
    await resume(family("1"), journal, { model, approvals });
    const left = textJournal(upTo(journal.text, '"type":"run.succeeded"'));
    const end = await resume(both("2"), left, { model, upgrade: true });
    expect(end).toMatchObject({ status: "done", output: "parent 2 is done" });
    expect(toArray(end.context.toolCalls)[0]?.output).toBe("child 1 is done");
    expect((await replay(both("2"), left)).status).toBe("identical");
    expect((await replay(family("2"), left)).status).toBe("identical");
  });
});

describe("a child that had not begun", () => {
  it.each([2, 3])("begins under the new code, where %d lines were left", async (kept) => {
    const { journal, approvals } = await parked();
    const copy = textJournal(firstLines(journal.text, kept));
    const end = await resume(both("2"), copy, { model, upgrade: true });
    expect(end.status).toBe("waiting");
    expect(upgradesOf(copy)).toEqual([""]);
    expect(await resume(family("2"), copy, { model, approvals })).toMatchObject({ status: "done" });
    expect(textOf(copy.text, CHILD)).toContain("child 2 is done");
    expect((await replay(both("2"), copy)).status).toBe("identical");
    expect((await replay(family("2"), copy)).status).toBe("identical");
  });

  it("has its share of its parent's budget under the new code too", async () => {
    const of = (prompt: string) => {
      const pay = tool({ name: "pay", needsApproval: true, execute: () => "paid" });
      const tokenBudget = 10_000;
      const child = agent({ name: "child", system: `child ${prompt}`, tools: [pay], tokenBudget });
      const tools = [agentTool(child, { name: "ask" })];
      return agent({ name: "parent", system: `parent ${prompt}`, tools, tokenBudget });
    };
    const journal = textJournal("");
    await run(of("1"), "go", { model, journal });
    for (const kept of [firstLines(journal.text, 3), journal.text]) {
      const copy = textJournal(kept);
      const code = [of("2"), of("1")];
      const approvals = { [`${CHILD}:approval/0/0`]: { approve: true } };
      expect((await resume(code, copy, { model, upgrade: true })).status).toBe("waiting");
      expect(beginOf(copy.text, CHILD)).toHaveProperty("budget.tokens");
      expect((await resume(of("2"), copy, { model, approvals })).status).toBe("done");
      expect((await replay(code, copy)).status).toBe("identical");
    }
  });
});
