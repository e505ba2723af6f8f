// What reaches a child of the world of its parent, and what does not.

import { describe, expect, it } from "vitest";
import { pairKey } from "../../../../src/core/kernel/index.js";
import {
  type HostOptions,
  memoryJournal,
  type Observation,
  replay,
  resume,
  run,
  type Tool,
  toArray,
  tool,
  virtualClock,
} from "../../../../src/index.js";
import { textJournal } from "../../../../src/testing/index.js";
import { resultsOf } from "../../../support/agent-events.js";
import { driven } from "../../../support/every-way.js";
import { calls, familyOf, lineOf, type Member, runIdIn, worker } from "../../../support/family.js";
import { textIn } from "../../../support/journal-text.js";
import { issue, smallReasoner, timer } from "../../../support/small-machine.js";
import { gate, settle, watchedJournal } from "../../../support/watched-journal.js";

const yes = { approve: true } as const;
const headerOf = (text = "") => JSON.parse(text.split("\n")[0] ?? "");

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
    for (const text of journal.texts.values()) expect(headerOf(text).at).toBe(5_000);
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
    expect(headerOf(journal.texts.get("tool/0/0/0")).input).toBe("the word is ***");
    expect(JSON.stringify([[...journal.texts], seen])).not.toContain("hush");
    expect((await replay(parent, journal.child("tool/0/0/0"))).status).toBe("identical");
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
    expect(journal.text).toContain("and now?");
    expect(journal.texts.get("tool/0/0/0")).not.toContain("and now?");
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

  it("says in its header where it comes from, also when it begins after a resume", async () => {
    const { parent, model } = familyOf({
      name: "parent",
      tools: [worker([], "first", { needsApproval: true })],
      says: [{ calls: [{ name: "first" }] }, calls("child"), "done"],
      children: [{ name: "child", says: ["hm"] }],
    });
    const journal = textJournal("");
    const given = { config: "a/config.ts", seed: "s", runId: "r" };
    await run(parent, "go", { model, journal, ...given });
    const approvals = { "approval/0/0": yes };
    expect((await resume(parent, journal, { model, approvals })).status).toBe("done");
    expect(headerOf(journal.texts.get("tool/1/0/0"))).toMatchObject({
      config: "a/config.ts",
      seed: "s:tool/1/0/0",
      runId: "r:tool/1/0/0",
      parent: { runId: "r", id: "tool/1/0/0", path: ["child"] },
    });
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

  it("are told with the parent's rest, and fire where it is resumed too late", async () => {
    const parent = above();
    for (const timers of ["sleep", "rest"] as const) {
      const clock = virtualClock(500);
      const journal = textJournal("");
      const rest = await driven(clock, run(parent, "go", { clock, timers, journal }));
      expect(rest).toMatchObject({ status: "waiting", wakeAt: 1_500 });
      const later = { clock: virtualClock(9_000) };
      const end = await driven(later.clock, resume(parent, journal, later));
      expect(end.status).toBe("done");
      expect(journal.texts.get("x")).toContain('"type":"timer.fired"');
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
    expect(journal.texts.get("x")).toContain('"at":1500');
  });
});

describe("snapshots", () => {
  it("of parent and child are enough to resume both", async () => {
    const pages = { ...worker([], "page"), execute: () => "page ".repeat(5_000) };
    const many = Array.from({ length: 4 }, () => ({ name: "page" }));
    const { parent, model } = familyOf({
      name: "parent",
      tools: [pages],
      says: [{ calls: many }, { calls: many }, calls("child"), calls("child"), "done"],
      children: [
        {
          name: "child",
          tools: [pages, worker([], "pay", { needsApproval: true })],
          says: [{ calls: many }, { calls: many }, { calls: [{ name: "pay" }] }, "paid"],
        },
      ],
    });
    const child = watchedJournal();
    const second = memoryJournal();
    const journal = watchedJournal({
      ...memoryJournal(),
      child: (id) => (id === "tool/2/0/0" ? child : second),
    });
    const given = { config: "c.ts", seed: "s", runId: "r" };
    await run(parent, "go", { model, journal, ...given });
    expect([journal.kept, child.kept].map((each) => each.size > 0)).toEqual([true, true]);
    const approvals = { "tool/2/0/0:approval/2/0": yes };
    const notices: Observation[] = [];
    const observers = [(each: Observation) => void notices.push(each)];
    await resume(parent, journal, { model, approvals, observers });
    expect(notices.filter(({ type }) => type === "notice")).toEqual([]);
    // The second child began in a process that had not read its parent's header.
    expect(headerOf(await textIn(second))).toMatchObject({ config: "c.ts", seed: "s:tool/3/0/0" });
    for (const each of [journal, child, second]) {
      expect((await replay(parent, each)).status).toBe("identical");
    }
    const next = { "tool/3/0/0:approval/2/0": yes };
    const end = await resume(parent, journal, { model, approvals: next });
    expect(end.status).toBe("done");
    expect(toArray(end.context.toolCalls)).toHaveLength(10);
  });
});
