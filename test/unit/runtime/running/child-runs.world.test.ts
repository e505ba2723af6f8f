// What reaches a child of the world of its parent, and what does not.

import { describe, expect, it } from "vitest";
import { pairKey } from "../../../../src/core/kernel/vocabulary/index.js";
import {
  type HostOptions,
  type Observation,
  replay,
  resume,
  run,
  type SnapshotStore,
  type Tool,
  toArray,
  tool,
  virtualClock,
} from "../../../../src/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { resultsOf } from "../../../support/agent-events.js";
import { driven } from "../../../support/every-way.js";
import { calls, familyOf, lineOf, type Member, runIdIn, worker } from "../../../support/family.js";
import { eventsIn } from "../../../support/journal-text.js";
import { issue, smallReasoner, timer } from "../../../support/small-machine.js";
import { beginOf, textOf, treeLines } from "../../../support/tree-lines.js";
import { gate, settle, watchedJournal } from "../../../support/watched-journal.js";

const yes = { approve: true } as const;

describe("a child", () => {
  it("is given the parent's services, clock and model", async () => {
    const seen: unknown[] = [];
    const look = tool({
      name: "look",
      execute: (_input: unknown, { services }) => {
        seen.push(services);
        return "seen";
      },
    });
    const { parent, model } = familyOf(lineOf(2, [look]));
    const clock = virtualClock(5_000);
    const journal = textJournal("");
    const services = { handle: () => {} };
    await run(parent, "go", { model, clock, journal, services });
    expect(seen).toEqual([services]);
    expect(seen[0]).toBe(services);
    for (const { event } of treeLines(journal.text).slice(1)) {
      if (event !== undefined) expect(event.at).toBe(5_000);
    }
  });

  it("is observed through its parent, its own children too", async () => {
    const { parent, model } = familyOf(lineOf(2));
    const seen: Observation[] = [];
    const observers = [(each: Observation) => void seen.push(each)];
    await run(parent, "go", { model, runId: "r", observers });
    const children = seen.flatMap((each) => (each.type === "child" ? [each] : []));
    expect(new Set(children.map(({ runId }) => runId))).toEqual(new Set(["r:tool/0/0/0"]));
    const inner = children.flatMap(({ observation }) =>
      observation.type === "child" ? [observation] : [],
    );
    expect(new Set(inner.map(({ runId }) => runId))).toEqual(
      new Set([runIdIn("r", ["tool/0/0/0", "tool/0/0/0"])]),
    );
    expect(inner.map(({ observation }) => observation.type)).toContain("delta");
    expect(inner.at(-1)?.observation).toMatchObject({ type: "step", state: { status: "done" } });
  });

  it("whose observer throws goes on", async () => {
    const { parent, model } = familyOf(lineOf(1));
    const observers = [
      (each: Observation) => {
        if (each.type === "child") throw new Error("no");
      },
    ];
    expect((await run(parent, "go", { model, observers })).status).toBe("done");
  });

  it("has what it says redacted before it is written or observed", async () => {
    const { parent, model } = familyOf({
      name: "parent",
      says: [{ calls: [{ name: "child", input: { prompt: "the word is hush" } }] }, "done"],
      children: [{ name: "child", says: ["I say hush"] }],
    });
    const journal = textJournal("");
    const seen: Observation[] = [];
    const redact: HostOptions["redact"] = (value) =>
      JSON.parse(JSON.stringify(value).replaceAll("hush", "***"));
    const observers = [(each: Observation) => void seen.push(each)];
    const end = await run(parent, "go", { model, journal, redact, observers });
    expect(resultsOf(end.context)).toEqual(["I say ***"]);
    expect(beginOf(journal.text, "tool/0/0/0")?.input).toBe("the word is ***");
    expect(JSON.stringify([journal.text, seen])).not.toContain("hush");
    expect((await replay(parent, journal)).status).toBe("identical");
  });

  it("is not told what the user says to its parent", async () => {
    const { parent, model } = familyOf({
      ...lineOf(1, [worker([], "pay", { needsApproval: true })]),
      says: [calls("level1"), "done", "heard"],
    });
    const journal = textJournal("");
    await run(parent, "go", { model, journal });
    const approvals = { "tool/0/0/0:approval/0/0": yes };
    const end = await resume(parent, journal, { model, approvals, messages: ["and now?"] });
    expect(end.status).toBe("done");
    expect(textOf(journal.text, "")).toContain("and now?");
    expect(textOf(journal.text, "tool/0/0/0")).not.toContain("and now?");
  });

  it("shares the places of its tree: with one, children take turns, and none is blocked", async () => {
    const held = gate();
    const log: string[] = [];
    const slow = {
      ...worker(log),
      execute: (_input: unknown, { idempotencyKey }: { idempotencyKey: string }) => {
        log.push(idempotencyKey);
        return held.passed;
      },
    };
    const child = (name: string): Member => ({
      name,
      tools: [slow as Tool],
      says: [{ calls: [{ name: "work" }, { name: "work" }] }, `${name} done`],
    });
    const { parent, model } = familyOf({
      name: "parent",
      says: [calls("a", "b"), "done"],
      children: [child("a"), child("b")],
    });
    const live = run(parent, "go", { model, concurrency: 1, runId: "r" });
    await settle();
    await settle();
    expect(log).toEqual([pairKey(runIdIn("r", ["tool/0/0/0"]), "tool/0/0")]);
    held.open();
    expect((await live).status).toBe("done");
    expect(log).toHaveLength(4);
  });

  it("has its run id and its seed of its root's, also when it begins after a resume", async () => {
    const seeds: unknown[] = [];
    const child = smallReasoner(
      {
        context: ({ input }: { input: { seed?: string } }) => ({ seed: input.seed }),
        initial: "a",
        states: { a: { type: "final" } },
      } as never,
      { output: () => "over" },
    );
    const ask = { type: "approval", id: "ok", title: "?", subject: null };
    const parent = smallReasoner(
      {
        initial: "a",
        states: {
          a: { entry: issue(ask), on: { "approval.decided": "b" } },
          b: {
            entry: issue({ type: "run", id: "x:1", reasoner: "child", input: null }),
            on: { "run.succeeded": "over" },
          },
          over: { type: "final" },
        },
      } as never,
      { children: { child } },
    );
    const journal = textJournal("");
    const observers = [
      (each: Observation) => {
        if (each.type === "child" && each.observation.type === "step") {
          seeds.push([each.runId, each.observation.state.context]);
        }
      },
    ];
    await run(parent, null, { journal, seed: "s", runId: "r%1" });
    const end = await resume(parent, journal, { approvals: { ok: yes }, observers });
    expect(end.status).toBe("done");
    expect(seeds).toEqual([["r%251:x%3a1", { seed: "s:x%3a1" }]]);
  });
});

describe("a child's timers", () => {
  const slow = (ms: number, clock: { sleep(ms: number): Promise<void> }) => ({
    ...worker([]),
    timeoutMs: 1e9,
    execute: () => clock.sleep(ms).then(() => "at last"),
  });

  it("end its turn at its deadline, on the parent's clock", async () => {
    const clock = virtualClock();
    const { parent, model } = familyOf({
      name: "parent",
      says: [calls("child"), "done"],
      children: [
        {
          name: "child",
          tools: [slow(60_000, clock)],
          says: [{ calls: [{ name: "work" }] }],
          is: { deadlineMs: 1_000 },
        },
      ],
    });
    const end = await driven(clock, run(parent, "go", { model, clock }));
    expect(end.status).toBe("done");
    expect(clock.now()).toBe(1_000);
    expect(resultsOf(end.context)[0]).toContain("did not finish before its deadline");
  });

  /** A machine that waits for a person until a timer fires. */
  const asking = smallReasoner(
    {
      initial: "asks",
      states: {
        asks: {
          entry: issue(timer("t", 1_500), {
            type: "approval",
            id: "ok",
            title: "?",
            subject: null,
          }),
          on: { "timer.fired": "late" },
        },
        late: { type: "final" },
      },
    } as never,
    { output: () => "too late" },
  );

  /** The parent of such a child, which does something beside it. */
  const above = (...beside: readonly object[]) => {
    const child = { type: "run", id: "x", reasoner: "child", input: null };
    return smallReasoner(
      {
        initial: "waits",
        states: {
          waits: { entry: issue(child, ...beside), on: { "run.succeeded": "over" } },
          over: { type: "final" },
        },
      } as never,
      { children: { child: asking }, output: () => "over" },
    );
  };

  it("are told with the parent's end, and fire where it is resumed too late", async () => {
    const parent = above();
    for (const timers of ["sleep", "return"] as const) {
      const clock = virtualClock(500);
      const journal = textJournal("");
      const waiting = await driven(clock, run(parent, "go", { clock, timers, journal }));
      expect(waiting).toMatchObject({ status: "waiting", wakeAt: 1_500 });
      const later = { clock: virtualClock(9_000) };
      const end = await driven(later.clock, resume(parent, journal, later));
      expect(end.status).toBe("done");
      expect(textOf(journal.text, "x")).toContain('"type":"timer.fired"');
    }
  });

  it("wake it where its parent is still at work", async () => {
    const clock = virtualClock();
    const parent = above({ type: "tool", id: "y", name: "slow", input: {} });
    const tools = { slow: { ...slow(5_000, clock), name: "slow" } };
    const journal = textJournal("");
    const own = { ...parent, tools } as unknown as typeof parent;
    const end = await driven(clock, run(own, "go", { clock, journal }));
    expect(end.status).toBe("done");
    expect(textOf(journal.text, "x")).toContain('"at":1500');
  });
});

describe("snapshots", () => {
  it("hold the tree: they are left and used while a child waits, and when it is over", async () => {
    const pages = { ...worker([], "page"), execute: () => "page ".repeat(5_000) };
    const many = Array.from({ length: 4 }, () => ({ name: "page" }));
    const { parent, model } = familyOf({
      name: "parent",
      tools: [pages, worker([], "own", { needsApproval: true })],
      says: [
        { calls: many },
        calls("child"),
        { calls: many },
        { calls: [{ name: "own" }] },
        "done",
      ],
      children: [
        {
          name: "child",
          tools: [pages, worker([], "pay", { needsApproval: true })],
          says: [{ calls: many }, { calls: [{ name: "pay" }] }, "paid"],
        },
      ],
    });
    const reads: number[] = [];
    const journal = watchedJournal();
    const { snapshots } = journal;
    const read = (seq: number) => {
      reads.push(seq);
      return snapshots?.read(seq) as Promise<string | undefined>;
    };
    const port = { ...journal, snapshots: { ...snapshots, read } as SnapshotStore };
    const notices: Observation[] = [];
    const host = {
      model,
      observers: [(each: Observation) => void (each.type === "notice" && notices.push(each))],
    };
    expect((await run(parent, "go", { ...host, journal: port })).status).toBe("waiting");
    const waits = Math.max(...journal.kept.keys());
    expect(waits).toBe((await eventsIn(journal)).length - 1);
    const before = { "tool/1/0/0:approval/1/0": yes };
    expect((await resume(parent, port, { ...host, approvals: before })).status).toBe("waiting");
    expect(reads).toEqual([waits]);
    const over = (await eventsIn(journal)).findIndex(({ event }) => event.type === "run.succeeded");
    const last = Math.max(...journal.kept.keys());
    expect(last).toBeGreaterThanOrEqual(over);
    reads.length = 0;
    const approvals = { "approval/3/0": yes };
    const end = await resume(parent, port, { ...host, approvals });
    expect(end.status).toBe("done");
    expect([reads[0], notices]).toEqual([last, []]);
    expect(toArray(end.context.toolCalls)).toHaveLength(10);
    expect(end.usage.requests).toBe(8);
    expect((await replay(parent, journal)).status).toBe("identical");
  });
});
