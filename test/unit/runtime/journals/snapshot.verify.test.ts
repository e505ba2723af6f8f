// Snapshots: side files that save time, and are hostile until the line at which they stand proves them.
import { describe, expect, it } from "vitest";
import { listHead } from "../../../../src/core/kernel/values/index.js";
import { agent, tool } from "../../../../src/index.js";
import type { SnapshotStore } from "../../../../src/runtime/index.js";
import {
  replay,
  resume,
  run,
  scriptedModel,
  verifiedSnapshot,
} from "../../../../src/runtime/index.js";
import { settle, type WatchedJournal, watchedJournal } from "../../../support/watched-journal.js";

const make = (limit = 5) => {
  let paid = 0;
  const seen: unknown[] = [];
  const one = agent({
    name: "a",
    maxIterations: 100,
    deps: { limit },
    tools: [
      tool({
        name: "t",
        execute: (_input, { deps }) => {
          seen.push(deps);
          return "x".repeat(5_000);
        },
      }),
      tool({ name: "asks", needsApproval: true, execute: () => ++paid }),
    ],
  });
  const model = scriptedModel((_, turn) =>
    turn < 40 ? { calls: [{ name: turn === 30 ? "asks" : "t" }] } : "done",
  );
  return { one, model, seen, paid: () => paid };
};

/** A journal that waits at turn 30, with snapshots beside it. */
async function waitingRun(): Promise<WatchedJournal> {
  const { one, model } = make();
  const journal = watchedJournal();
  expect((await run(one, "go", { model, journal })).status).toBe("waiting");
  await settle();
  return journal;
}

/** How a run comes to its end from what is kept, and what it is told on the way. */
async function resumed(journal: WatchedJournal) {
  const { one, model, seen } = make();
  let steps = 0;
  const counting = {
    ...one,
    step: (...args: Parameters<typeof one.step>) => {
      steps += 1;
      return one.step(...args);
    },
  };
  const notices: string[] = [];
  const approvals = { "approval/30/0": { approve: true } };
  const live = resume(counting, journal, { model, approvals });
  let before = -1;
  for await (const each of live) {
    if (before < 0 && each.type === "step") before = steps;
    if (each.type === "notice") notices.push(each.message);
  }
  const end = await live;
  expect(end).toMatchObject({ status: "done", output: "done" });
  expect(await replay(one, journal)).toMatchObject({ status: "identical" });
  return { steps: before, notices, end, seen };
}

const newest = ({ kept }: WatchedJournal) => Math.max(...kept.keys());

describe("a snapshot", () => {
  it("is left wherever a run waits or ends, however short it is", async () => {
    const { one } = make();
    for (const script of [["done"], [{ calls: [{ name: "asks" }] }]]) {
      const journal = watchedJournal();
      const end = await run(one, "go", { model: scriptedModel(script as never), journal });
      expect(newest(journal)).toBe(end.state.seq);
    }
  });

  it("saves the fold of what is before it; the end is the same without", async () => {
    const journal = await waitingRun();
    expect(journal.kept.size).toBeGreaterThan(1);
    const { steps, notices, end } = await resumed(journal);
    expect([steps <= 3, notices]).toEqual([true, []]);
    const without = await waitingRun();
    without.kept.clear();
    const whole = await resumed(without);
    expect(whole.steps).toBeGreaterThan(60);
    expect(listHead(whole.end.context.messages)).toBe(listHead(end.context.messages));
    expect(whole.end.usage).toEqual(end.usage);
  });

  it("are sixteen at most, together a sixteenth of the journal, but for the newest two", async () => {
    const talker = agent({ name: "talker", conversation: true });
    const model = scriptedModel(() => "x".repeat(9_000));
    const journal = watchedJournal();
    await run(talker, "hi", { model, journal });
    for (let i = 0; i < 60; i++) await resume(talker, journal, { model, messages: ["on"] });
    const sizes = [...journal.kept].sort(([a], [b]) => a - b).map(([, text]) => text.length);
    expect(sizes.length).toBeGreaterThanOrEqual(2);
    expect(sizes.length).toBeLessThanOrEqual(17);
    const bytes = (await journal.lines()).reduce((sum, l) => sum + JSON.stringify(l).length, 0);
    const older = sizes.slice(0, -2).reduce((a, b) => a + b, 0);
    expect(older).toBeLessThanOrEqual(Math.max(32 * 1024, bytes / 16));
    expect(await replay(talker, journal)).toMatchObject({ status: "identical" });
  });
});

describe("a snapshot that is not the state of its line", () => {
  type Body = Record<"state" | "memory" | "claim", object>;
  /** A stored snapshot in which what it claims, or what it says of the root, is another. */
  const inside = (change: (body: Body) => void) => (stored: string) => {
    const [head, text] = stored.split("\n").map((part) => JSON.parse(part));
    const [root] = text.runs;
    const body: Body = { state: root.state, memory: root.memory, claim: head };
    change(body);
    text.runs = [{ ...root, state: body.state, memory: body.memory }];
    return `${JSON.stringify(body.claim)}\n${JSON.stringify(text)}`;
  };
  const changes: readonly (readonly [string, (text: string) => string])[] = [
    ["cut off", (text) => text.slice(0, text.length / 2)],
    ["empty", () => ""],
    ["no object", () => "[1]"],
    ["null", () => "null"],
    ["of another format", inside(({ claim }) => Object.assign(claim, { format: "another/9" }))],
    ["without a state", inside((body) => Object.assign(body, { state: undefined }))],
    ["without a memory", inside((body) => Object.assign(body, { memory: undefined }))],
    ["without its place", inside(({ claim }) => Object.assign(claim, { lines: undefined }))],
    ["with a state of nothing", inside((body) => Object.assign(body, { state: {} }))],
    [
      "with something outstanding that is not a directive",
      inside(({ state }) =>
        Object.assign(state as object, { outstanding: { "=table": [["approval/30/0", null]] } }),
      ),
    ],
    [
      "without what is outstanding",
      inside(({ state }) => Object.assign(state as object, { outstanding: [] })),
    ],
    [
      "with nothing issued",
      inside(({ state }) => Object.assign(state as object, { issued: { "=list": [] } })),
    ],
    [
      "with a forged dependency",
      inside(({ state }) =>
        Object.assign((state as { context: { deps: object } }).context.deps, {
          limit: 999,
        }),
      ),
    ],
    [
      "with another number of attempts",
      inside(({ memory }) =>
        Object.assign(memory as object, { begun: { "@table": [["tool/29/0", 1]] } }),
      ),
    ],
    [
      "with other spending",
      inside(({ memory }) => Object.assign((memory as { usage: object }).usage, { requests: 0 })),
    ],
    ["of another run", inside(({ state }) => Object.assign(state as object, { runId: "other" }))],
    ["of another event", inside(({ state }) => Object.assign(state as object, { seq: 3 }))],
    ["at another time", inside(({ state }) => Object.assign(state as object, { at: 3 }))],
    [
      "of another reasoner",
      inside(({ state }) => Object.assign(state as object, { reasoner: "x" })),
    ],
    ["of another version", inside(({ state }) => Object.assign(state as object, { version: 3 }))],
    ["that stands elsewhere", inside(({ claim }) => Object.assign(claim, { bytes: 77 }))],
    [
      "with a key that must not be",
      (text) => text.replace('"context":{', '"context":{"__proto__":1,'),
    ],
    ["with a collection of nothing", (text) => text.replace('"=list":[', '"=list":{},"x":[')],
  ];
  for (const [name, change] of changes) {
    it(`${name}: is not used, and that is told; the run goes on from its journal`, async () => {
      const journal = await waitingRun();
      for (const [seq, text] of journal.kept) journal.kept.set(seq, change(text));
      const { steps, notices, seen } = await resumed(journal);
      expect(steps).toBeGreaterThan(60);
      expect(notices.length).toBeGreaterThan(0);
      expect(notices.every((each) => /^The snapshot of event \d+ was not used: /.test(each))).toBe(
        true,
      );
      expect(seen.every((deps) => (deps as { limit: number }).limit === 5)).toBe(true);
    });
  }

  it("an older one is used where the newest is not", async () => {
    const journal = await waitingRun();
    journal.kept.set(newest(journal), "{}");
    const { steps, notices } = await resumed(journal);
    expect(notices).toHaveLength(1);
    expect(steps).toBeLessThan(60);
  });

  it("of another journal is not used", async () => {
    const [journal, other] = [await waitingRun(), await waitingRun()];
    journal.kept.clear();
    for (const [seq, text] of other.kept) journal.kept.set(seq, text);
    expect((await resumed(journal)).notices[0]).toMatch(/has no mark of it|ends before it/);
  });
});

describe("a store of snapshots that fails", () => {
  const fails = () => Promise.reject(new Error("no rights"));
  const store: SnapshotStore = {
    list: fails,
    read: fails,
    write: fails,
    remove: fails,
    rows: fails,
    keepRows: fails,
  };

  it("costs a resume time, and nothing else", async () => {
    const journal = await waitingRun();
    const { one, model } = make();
    const approvals = { "approval/30/0": { approve: true } };
    const end = await resume(one, { ...journal, snapshots: store }, { model, approvals });
    expect(end.status).toBe("done");
  });

  it("costs a run nothing", async () => {
    const { one, model } = make();
    const journal = { ...watchedJournal(), snapshots: store };
    expect((await run(one, "go", { model, journal, unattended: "deny" })).status).toBe("done");
  });

  it("also where a text is longer than a string can be", async () => {
    const { one, model } = make();
    const snapshots = {
      ...store,
      list: async () => [],
      write: async () => {
        throw new RangeError("Invalid string length");
      },
    };
    const journal = { ...watchedJournal(), snapshots };
    expect((await run(one, "go", { model, journal, unattended: "deny" })).status).toBe("done");
  });
});

describe("the snapshot of an event, for who has no code", () => {
  const talker = (version: number) => agent({ name: "talker", version, conversation: true });
  /** A run whose second turn is of another version. */
  async function upgraded(): Promise<WatchedJournal> {
    const journal = watchedJournal();
    const model = scriptedModel(() => "said");
    await run(talker(1), "hi", { model, journal });
    await resume(talker(2), journal, { model, messages: ["on"], upgrade: true });
    await settle();
    return journal;
  }
  const seqs = [1, 3];

  it("is given where its line proves it, before an upgrade and behind it", async () => {
    const journal = await upgraded();
    expect([...journal.kept.keys()]).toEqual(seqs);
    const found = await Promise.all(seqs.map((seq) => verifiedSnapshot(journal, seq)));
    expect(found.map((each) => [each?.runs[0]?.state.seq, each?.runs[0]?.state.version])).toEqual([
      [1, 1],
      [3, 2],
    ]);
  });

  it("is none where it is gone, is no snapshot, or is not the state of that line", async () => {
    const journal = await upgraded();
    const [first, last] = seqs.map((seq) => journal.kept.get(seq) as string) as [string, string];
    for (const wrong of [undefined, "{}", last, first.replaceAll("said", "sad")]) {
      if (wrong === undefined) journal.kept.delete(1);
      else journal.kept.set(1, wrong);
      expect(await verifiedSnapshot(journal, 1)).toBeUndefined();
    }
  });
});
