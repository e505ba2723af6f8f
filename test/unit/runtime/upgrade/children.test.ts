// A tree of runs is upgraded whole, children first; killed at any write of it nothing is lost.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  agent,
  agentTool,
  type Migrations,
  summaryOf,
  toArray,
  tool,
} from "../../../../src/index.js";
import {
  type JournalPort,
  type JournalPosition,
  memoryJournal,
  replay,
  resume,
  run,
  scriptedModel,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { type TextJournal, textJournal } from "../../../../src/testing/index.js";
import { rejection } from "../../../support/thrown.js";

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

async function parked() {
  const journal = textJournal("");
  const end = await run(family("1"), "go", { model, journal, runId: "r" });
  if (end.status !== "waiting") throw new Error(end.status);
  return { journal, approvals: { [end.approvals[0]?.id as string]: { approve: true } } };
}

const upgradesOf = (journal: TextJournal) =>
  [...journal.texts].map(([id, text]) => [id, text.split('\n{"upgrade"').length - 1]);

describe("a parent and its child", () => {
  it("are upgraded together, and the child's prompt is the new one", async () => {
    const { journal, approvals } = await parked();
    expect((await rejection(resume(family("2"), journal, { model }))).code).toBe(
      "journal.configuration",
    );
    const both = [family("2"), family("1")];
    const end = await resume(both, journal, { model, upgrade: true, approvals });
    expect(end).toMatchObject({ status: "done", output: "parent 2 is done" });
    expect(upgradesOf(journal)).toEqual([
      ["", 1],
      ["tool/0/0/0", 1],
    ]);
    const child = journal.child("tool/0/0/0");
    expect(child.text).toContain("child 2 is done");
    expect((await replay(both, child)).segments.map(({ checked }) => checked)).toEqual([
      true,
      true,
    ]);
  });

  it("stay as they were, both, where the child cannot be carried over", async () => {
    const { journal, approvals } = await parked();
    const before = new Map(journal.texts);
    const both = [family("2", ["pay?"]), family("1")];
    const error = await rejection(resume(both, journal, { model, upgrade: true, approvals }));
    expect(error.code).toBe("upgrade.refused");
    expect(error.message).toContain("pay does it in another way now (ask)");
    expect(journal.texts).toEqual(before);
    const end = await resume(family("1"), journal, { model, approvals });
    expect(end.status).toBe("done");
  });

  it("stay as they were, both, where a migration makes of the parent what cannot be recorded", async () => {
    const { journal, approvals } = await parked();
    const before = new Map(journal.texts);
    const long = "x".repeat(9 * 1024 * 1024);
    const large = family("2", ["pay"], {
      version: 2,
      migrations: {
        2: (state) => ({ ...state, context: { ...(state.context as object), deps: { long } } }),
      },
    });
    const both = [large, family("1")];
    const error = await rejection(resume(both, journal, { model, upgrade: true, approvals }));
    expect(error.code).toBe("upgrade.refused");
    expect(error.message).toContain("context/deps holds a value of");
    expect(journal.texts).toEqual(before);
    const end = await resume(family("1"), journal, { model, approvals });
    expect(end.status).toBe("done");
  });

  it("killed at any write of the upgrade, it is upgraded by the next resume, once", async () => {
    const { journal, approvals } = await parked();
    for (let writes = 0; writes < 6; writes++) {
      const copy = textJournal(new Map(journal.texts));
      const failing = failingAfter(copy, writes);
      const both = [family("2"), family("1")];
      await Promise.resolve(resume(both, failing, { model, upgrade: true, approvals })).catch(
        () => {},
      );
      const end = await resume(both, copy, { model, upgrade: true }).then((rests) =>
        rests.status === "waiting"
          ? resume(both, copy, { model, upgrade: true, approvals })
          : rests,
      );
      expect([writes, end.status, "output" in end && end.output]).toEqual([
        writes,
        "done",
        "parent 2 is done",
      ]);
      for (const [, count] of upgradesOf(copy)) expect(count).toBe(1);
    }
  });
});

describe("a parent that is drained while its child's line is written", () => {
  it.each([0, 1])("is upgraded with it, by the new code alone (%d ms to settle)", async (ms) => {
    const clock = virtualClock();
    const journal = memoryJournal();
    const slow = {
      ...journal,
      child: (id: string) => {
        const child = journal.child?.(id) as JournalPort;
        const open = async (mode: "create" | "append") => {
          const writer = await child.open(mode);
          const append = async (lines: readonly string[], expected: JournalPosition) => {
            if (lines.some((line) => line.includes('"approval"'))) {
              void live.drain(ms);
              clock.advance(ms);
              await new Promise(setImmediate);
            }
            await writer.append(lines, expected);
          };
          return { append, close: () => writer.close() };
        };
        return { ...child, open };
      },
    };
    const live = run(family("1"), "go", { model, journal: slow, runId: "r", clock });
    expect((await live).reason).toBe("drained");
    const approve = () => ({ approve: true }) as const;
    const end = await resume(family("2"), journal, { model, upgrade: true, approve });
    expect(end).toMatchObject({ status: "done", output: "parent 2 is done" });
    expect((await replay([family("2"), family("1")], journal)).status).toBe("identical");
  });
});

/** A parent whose child has ended, and that was killed before it noted so. */
async function notNoted() {
  const { journal, approvals } = await parked();
  await resume(family("1"), journal, { model, approvals });
  const lines = journal.text.split("\n");
  const noted = lines.findIndex((line) => line.includes('"type":"run.succeeded"'));
  const kept = `${lines.slice(0, noted).join("\n")}\n`;
  return textJournal(new Map([...journal.texts].map(([id, text]) => [id, id ? text : kept])));
}

describe("a parent whose child has ended, killed before it noted so", () => {
  it("once upgraded, goes on without the flag and without the earlier code", async () => {
    const journal = await notNoted();
    const both = [family("2"), family("1")];
    // The upgrades are written, and nothing behind them.
    await rejection(resume(both, failingAfter(journal, 2), { model, upgrade: true }));
    expect(upgradesOf(journal)).toEqual([
      ["", 1],
      ["tool/0/0/0", 1],
    ]);
    const end = await resume(family("2"), journal, { model });
    expect(end).toMatchObject({ status: "done", output: "parent 2 is done" });
    expect(toArray(end.context.toolCalls)[0]?.output).toBe("child 1 is done");
    expect((await summaryOf(journal.child("tool/0/0/0"))).status).toBe("done");
    for (const port of [journal, journal.child("tool/0/0/0")]) {
      expect((await replay(both, port)).status).toBe("identical");
      expect((await replay(family("2"), port)).status).toBe("identical");
    }
  });
});

/** A journal of which all writes fail after so many, in the whole tree. */
function failingAfter(journal: TextJournal, writes: number) {
  let left = writes;
  const wrap = (port: TextJournal): TextJournal =>
    new Proxy(port, {
      get(target, name) {
        if (name === "child") return (id: string) => wrap(target.child(id));
        if (name !== "open") return Reflect.get(target, name);
        return async (mode: "create" | "append") => {
          const writer = await target.open(mode);
          return {
            ...writer,
            close: () => writer.close(),
            append(lines: readonly string[], expected: never) {
              left -= 1;
              if (left < 0) throw new Error("the disk is full");
              return writer.append(lines, expected);
            },
          };
        };
      },
    });
  return wrap(journal);
}
