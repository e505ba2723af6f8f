// Snapshots: a side file that saves time, and is never trusted over the journal.
import { describe, expect, it } from "vitest";
import { agent, sha256, tool } from "../../../src/index.js";
import { replay, resume, run, scriptedModel } from "../../../src/runtime/index.js";
import { settle, type WatchedJournal, watchedJournal } from "../../support/watched-journal.js";

const make = (system = "s") => {
  let deltas = 0;
  const one = agent({
    name: "a",
    system,
    maxIterations: 100,
    tools: [
      tool({ name: "t", execute: () => "x".repeat(5_000) }),
      tool({ name: "asks", needsApproval: true, execute: () => ++deltas }),
    ],
  });
  const model = scriptedModel((_, turn) =>
    turn < 40 ? { calls: [{ name: turn === 30 ? "asks" : "t" }] } : "done",
  );
  return { one, model };
};

/** A journal that rests at turn 30, with a snapshot beside it. */
async function rested(): Promise<WatchedJournal> {
  const { one, model } = make();
  const journal = watchedJournal();
  expect((await run(one, "go", { model, journal })).status).toBe("waiting");
  await settle();
  expect(journal.kept).toBeDefined();
  return journal;
}

/** How many lines a resume reads, and what it says of the snapshot. */
async function resumed(journal: WatchedJournal, system?: string) {
  const { one, model } = make(system);
  const froms: unknown[] = [];
  const notices: string[] = [];
  const read = journal.read;
  const watching = {
    ...journal,
    read: (from?: { lines: number; bytes: number }) => {
      froms.push(from?.lines ?? 0);
      return read.call(journal, from);
    },
  };
  const live = resume(one, watching, { model, decisions: { "approval/30/0": { approve: true } } });
  for await (const each of live) if (each.type === "notice") notices.push(each.message);
  const end = await live;
  expect(end).toMatchObject({ status: "done", output: "done" });
  expect((await replay(one, journal)).status).toBe("identical");
  return { froms, notices, end };
}

describe("a snapshot", () => {
  it("is left in the end by many short lives of a run, so that each reads a part of its journal", async () => {
    const talker = agent({ name: "talker", conversation: true });
    const model = scriptedModel(() => "x".repeat(2_000));
    const journal = watchedJournal();
    await run(talker, "hi", { model, journal });
    const read = journal.read;
    const from: number[] = [];
    const watching = {
      ...journal,
      read: (position?: { lines: number; bytes: number }) => {
        from.push(position?.lines ?? 0);
        return read.call(journal, position);
      },
    };
    for (let i = 0; i < 60; i++) await resume(talker, watching, { model, messages: ["on"] });
    expect(from[0]).toBe(0);
    expect(from.at(-1)).toBeGreaterThan(20);
    expect((await replay(talker, journal)).status).toBe("identical");
  });

  it("is used: the lines before it are not read again, and the end is the same", async () => {
    const journal = await rested();
    const { froms, notices, end } = await resumed(journal);
    expect(froms[0]).toBeGreaterThan(10);
    expect([froms.length, notices]).toEqual([1, []]);
    const without = await rested();
    without.kept = undefined;
    const whole = await resumed(without);
    expect(whole.froms).toEqual([0]);
    expect(whole.end.context).toMatchObject({
      usage: end.context.usage,
      messages: { head: end.context.messages.head },
    });
  });

  const changes: readonly (readonly [string, (text: string) => string])[] = [
    ["changed", (text) => text.replace('"iteration":', '"iteration":1')],
    ["cut off", (text) => text.slice(0, text.length / 2)],
    ["empty", () => ""],
    ["of another format", (text) => signed({ ...bodyOf(text), format: "reckoner-snapshot/9" })],
    ["of another configuration", (text) => signed({ ...bodyOf(text), fingerprint: "other" })],
    ["right in its hash and nothing else", () => signed({ format: "reckoner-snapshot/1" })],
    ["JSON of something else", () => signed([1])],
    ["no JSON at all", () => `${sha256("x")}\nx`],
  ];
  for (const [name, change] of changes) {
    it(`that is ${name} is not used, and the run goes on from its journal`, async () => {
      const journal = await rested();
      journal.kept = change(journal.kept as string);
      expect((await resumed(journal)).froms).toEqual([0]);
    });
  }

  it("of another journal is not used, and that is told", async () => {
    const [journal, other] = [await rested(), await rested()];
    journal.kept = other.kept;
    const { froms, notices } = await resumed(journal);
    expect(froms.at(-1)).toBe(0);
    expect(notices[0]).toMatch(/^The snapshot was not used: /);
  });

  it("that cannot be read is not used", async () => {
    const journal = await rested();
    const snapshot = {
      read: () => Promise.reject(new Error("no rights")),
      write: () => Promise.reject(new Error("no rights")),
    };
    const { one, model } = make();
    const decisions = { "approval/30/0": { approve: true } };
    expect((await resume(one, { ...journal, snapshot }, { model, decisions })).status).toBe("done");
  });

  it("that cannot be written costs the run nothing", async () => {
    const { one, model } = make();
    const snapshot = {
      read: async () => undefined,
      write: () => Promise.reject(new Error("full")),
    };
    const journal = { ...watchedJournal(), snapshot };
    expect((await run(one, "go", { model, journal, approvals: "deny" })).status).toBe("done");
  });

  it("is not written for a run of a few lines", async () => {
    const journal = watchedJournal();
    const { one } = make();
    await run(one, "go", { model: scriptedModel(["done"]), journal });
    await settle();
    expect(journal.kept).toBeUndefined();
  });
});

function bodyOf(text: string): object {
  return JSON.parse(text.slice(text.indexOf("\n") + 1));
}

function signed(body: object): string {
  const text = JSON.stringify(body);
  return `${sha256(text)}\n${text}`;
}
