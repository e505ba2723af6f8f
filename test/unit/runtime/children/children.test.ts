// The children of a live run by themselves, with children that do as they are told: which decisions
// reach whom, who is told of those that do not, what is marked, and that nobody listens afterwards.
import { describe, expect, it } from "vitest";
import { noUsage, pairKey, type RunDirective } from "../../../../src/core/kernel/index.js";
import type { ChildRun, ChildRuns } from "../../../../src/runtime/children/child-runs.js";
import { ABANDONED, CANCELLED, Children } from "../../../../src/runtime/children/children.js";
import { virtualClock } from "../../../../src/runtime/index.js";
import type { End } from "../../../../src/runtime/running/end.js";
import { LazyAbort } from "../../../../src/runtime/running/lazy-abort.js";
import { settle } from "../../../support/watched-journal.js";

const yes = { approve: true } as const;
const no = { approve: false } as const;
const directive = (id: string) =>
  ({ type: "run", id, reasoner: "child", input: null }) as RunDirective;
const approval = (id: string) => ({ type: "approval", id, title: id, subject: null });

const waiting = (approvals: readonly string[], more: object = {}) =>
  ({
    status: "waiting",
    runId: "r:c",
    usage: { ...noUsage, requests: 1 },
    approvals: approvals.map(approval),
    ...more,
  }) as unknown as End;
const done = { status: "done", runId: "r:c", usage: noUsage, output: "ok" } as unknown as End;
const cancelled = {
  status: "cancelled",
  runId: "r:c",
  usage: { ...noUsage, requests: 7 },
} as unknown as End;
const succeeded = (id: string) => ({
  type: "run.succeeded",
  id,
  runId: "r:c",
  usage: noUsage,
  output: "ok",
});

/** A child that ends when it is told to, and says what was asked of it. */
class Fake implements ChildRun {
  readonly log: string[] = [];
  said: ReturnType<ChildRun["decide"]> = "taken";
  waits: readonly string[] = [];
  settleWith: (end: End) => void = () => {};
  failWith: (thrown: unknown) => void = () => {};
  readonly end: Promise<End> = new Promise((resolve, reject) => {
    this.settleWith = resolve;
    this.failWith = reject;
  });

  decide(id: string, { approve }: { readonly approve: boolean }) {
    this.log.push(`${approve ? "yes" : "no"} ${id}`);
    return this.said;
  }
  approvals() {
    return this.waits;
  }
  cancel() {
    this.log.push("cancel");
    this.settleWith(cancelled);
  }
  hold() {
    this.log.push("hold");
  }
  drain(ms: number) {
    this.log.push(`drain ${ms}`);
  }
  abandon() {
    this.log.push("abandon");
    this.failWith(ABANDONED);
  }
}

function family(
  more: {
    owed?: readonly string[];
    orphans?: string[];
    sleeps?: boolean;
    path?: readonly string[];
  } = {},
) {
  const opened: Fake[] = [];
  const taken: [id: string, child: Fake][] = [];
  const log: unknown[] = [];
  const failed: unknown[] = [];
  const resting = new Set<string>();
  const owed = new Set(more.owed);
  const clock = virtualClock(100);
  let refused = false;
  const runs: ChildRuns = {
    open() {
      if (refused) return { code: "run.depth", message: "too deep" };
      opened.push(new Fake());
      return opened.at(-1) as Fake;
    },
    owed: (id) => owed.has(id),
    approvals: (id) => (owed.has(id) ? ["before"] : []),
    orphans: () => more.orphans ?? [],
    take(id) {
      if (!owed.has(id) && more.orphans?.includes(id) !== true) return undefined;
      owed.delete(id);
      taken.push([id, new Fake()]);
      return taken.at(-1)?.[1];
    },
  };
  const children = new Children({
    runs,
    clock,
    path: more.path ?? [],
    sleeps: more.sleeps ?? true,
    onRest(id, rests) {
      if (rests) resting.add(id);
      else resting.delete(id);
      if (rests) log.push("rest");
    },
    notice: (message) => void log.push(message),
    mark: async (mark) => void log.push(mark),
    fail: (thrown) => void failed.push(thrown),
  });
  const refuse = () => {
    refused = true;
  };
  return { children, opened, taken, log, failed, clock, refuse, resting };
}

const late = (child: string, id: string) =>
  `The decision on ${JSON.stringify(pairKey(child, id))} came when that approval no longer waited, and was dropped.`;
const last = (fakes: readonly Fake[]) => fakes.at(-1) as Fake;

describe("a child", () => {
  it("runs to its end: its settlement is all that is left of it", async () => {
    const { children, opened, log, failed } = family();
    const stop = new LazyAbort();
    const settled = children.run(directive("c"), stop);
    children.hold("c");
    children.hold("another");
    last(opened).settleWith(done);
    expect(await settled).toEqual(succeeded("c"));
    expect([last(opened).log, log, failed, stop.listeners]).toEqual([["hold"], [], [], 0]);
    children.each(() => log.push("there is one"));
    await children.ended();
    expect([log, children.decide("c", "a", yes)]).toEqual([[], false]);
  });

  it("that cannot be is a failed one", async () => {
    const { children, refuse } = family();
    refuse();
    expect(await children.run(directive("c"), new LazyAbort())).toEqual({
      type: "run.failed",
      id: "c",
      error: { code: "run.depth", message: "too deep" },
    });
  });

  it("that cannot be has what was decided in it told of", async () => {
    const { children, refuse, log } = family({ owed: ["c"] });
    refuse();
    expect(children.decide("c", "a", yes)).toBe(true);
    expect(await children.run(directive("c"), new LazyAbort())).toMatchObject({
      type: "run.failed",
    });
    expect(log).toEqual([late("c", "a")]);
  });

  it("whose journal fails fails the run, once; that it was let go of does not", async () => {
    const { children, opened, failed } = family();
    const first = children.run(directive("c"), new LazyAbort());
    last(opened).failWith("disk full");
    expect([await first, failed]).toEqual([undefined, ["disk full"]]);
    const stop = new LazyAbort();
    const second = children.run(directive("d"), stop);
    stop.abort(ABANDONED);
    expect([await second, failed, last(opened).log]).toEqual([
      undefined,
      ["disk full"],
      ["abandon"],
    ]);
  });

  it("that is cancelled has its end marked, with what it has spent", async () => {
    const { children, opened, log } = family();
    const stop = new LazyAbort();
    const settled = children.run(directive("c"), stop);
    stop.abort(CANCELLED);
    expect([await settled, last(opened).log]).toEqual([undefined, ["cancel"]]);
    expect(log).toEqual([{ id: "c", child: "ended", usage: { ...noUsage, requests: 7 } }]);
  });

  it("that ends though it was let go of is not marked: whoever goes on with it reads its end", async () => {
    const { children, opened, log } = family();
    const stop = new LazyAbort();
    const settled = children.run(directive("c"), stop);
    last(opened).settleWith(done);
    stop.abort(ABANDONED);
    expect([await settled, log]).toEqual([undefined, []]);
  });
});

describe("a child at rest", () => {
  async function rested(end = waiting(["a", "b"]), more: { sleeps?: boolean } = {}) {
    const made = family(more);
    const stop = new LazyAbort();
    const settled = made.children.run(directive("c"), stop);
    last(made.opened).settleWith(end);
    await settle();
    return { ...made, stop, settled };
  }

  it("says so, and what it waits for and has spent", async () => {
    const { children, log, resting } = await rested(waiting(["a"], { wakeAt: 300 }));
    const other = children.run(directive("d"), new LazyAbort());
    void other;
    expect([log, [...resting]]).toEqual([["rest"], ["c"]]);
    const effects = ["d", "c", "e"].map(directive) as never;
    expect(children.waits(effects)).toEqual({
      approvals: [{ ...approval("a"), id: pairKey("c", "a") }],
      usage: { ...noUsage, requests: 1 },
      wakeAt: 300,
    });
    expect(children.waits([])).toStrictEqual({ approvals: [], usage: noUsage });
  });

  it("beside others says the first time at which one is due, and what all have spent", async () => {
    const { children, opened } = family();
    for (const [id, wakeAt] of [
      ["c", 500],
      ["d", 300],
      ["e", 400],
    ] as const) {
      void children.run(directive(id), new LazyAbort());
      last(opened).settleWith(waiting([], { wakeAt }));
    }
    await settle();
    expect(children.waits(["c", "d", "e"].map(directive) as never)).toEqual({
      approvals: [],
      usage: { ...noUsage, requests: 3 },
      wakeAt: 300,
    });
  });

  it("goes on with what is decided; what does not wait is refused", async () => {
    const { children, opened, stop, settled, log, resting } = await rested();
    expect(children.decide("c", "x", yes)).toBe(false);
    expect(opened).toHaveLength(1);
    expect(children.decide("c", "a", yes)).toBe(true);
    expect([...resting]).toEqual([]);
    // Before it goes on others may come, each once.
    expect(children.decide("c", "a", no)).toBe(false);
    expect(children.decide("c", "b", no)).toBe(true);
    await settle();
    expect([opened.length, last(opened).log]).toEqual([2, ["yes a", "no b"]]);
    expect(stop.listeners).toBe(1);
    last(opened).settleWith(done);
    expect([await settled, log, stop.listeners]).toEqual([succeeded("c"), ["rest"], 0]);
  });

  it("again takes nothing of what it was told before", async () => {
    const { children, opened } = await rested();
    children.decide("c", "a", yes);
    await settle();
    last(opened).settleWith(waiting(["b"]));
    await settle();
    children.decide("c", "b", no);
    await settle();
    expect(opened.map(({ log }) => log)).toEqual([[], ["yes a"], ["no b"]]);
  });

  it("is woken when its timer is due, on the clock, unless somebody is faster", async () => {
    const { clock, opened, children } = await rested(waiting(["a"], { wakeAt: 300 }));
    expect(clock.sleepers).toBe(1);
    clock.advance(199);
    await settle();
    expect(opened).toHaveLength(1);
    clock.advance(1);
    await settle();
    expect([opened.length, last(opened).log, clock.sleepers]).toEqual([2, [], 0]);
    // One that is overdue is woken at once, and a decision takes the timer back.
    last(opened).settleWith(waiting(["a"], { wakeAt: 5 }));
    await settle();
    expect(clock.sleepers).toBe(1);
    children.decide("c", "a", yes);
    expect(clock.sleepers).toBe(0);
    await settle();
    last(opened).settleWith(waiting(["b"], { wakeAt: 5 }));
    await settle();
    clock.advance(0);
    await settle();
    expect(opened).toHaveLength(4);
  });

  it("is not woken by its timer where the run itself rests, is drained, or has none", async () => {
    const { clock, opened, resting } = await rested(waiting(["a"], { wakeAt: 300 }), {
      sleeps: false,
    });
    expect([clock.sleepers, [...resting]]).toEqual([0, ["c"]]);
    const other = family();
    void other.children.run(directive("c"), new LazyAbort());
    other.children.drain(50);
    last(other.opened).settleWith(waiting(["a"], { wakeAt: 300 }));
    await settle();
    expect([last(other.opened).log, other.clock.sleepers]).toEqual([["drain 50"], 0]);
    const none = await rested(waiting(["a"]));
    expect([none.clock.sleepers, opened.length]).toEqual([0, 1]);
  });

  it("is woken to be cancelled, and its end is marked", async () => {
    const { stop, settled, opened, log, clock } = await rested(waiting(["a"], { wakeAt: 300 }));
    stop.abort(CANCELLED);
    expect(await settled).toBeUndefined();
    expect(opened.map((each) => each.log)).toEqual([[], ["cancel"]]);
    expect(log).toEqual(["rest", { id: "c", child: "ended", usage: cancelled.usage }]);
    expect([stop.listeners, clock.sleepers]).toEqual([0, 0]);
  });

  it("is left as it is where the run lets go of it, or it can be no more", async () => {
    const { stop, settled, opened, log } = await rested();
    stop.abort(ABANDONED);
    expect([await settled, opened.length, log]).toEqual([undefined, 1, ["rest"]]);
    const other = await rested();
    other.refuse();
    other.stop.abort(CANCELLED);
    expect([await other.settled, other.log]).toEqual([undefined, ["rest"]]);
  });

  it("that was decided and stopped before it went on: the decision is told of", async () => {
    const { children, stop, settled, log } = await rested();
    children.decide("c", "a", yes);
    stop.abort(ABANDONED);
    expect([await settled, log]).toEqual([undefined, ["rest", late("c", "a")]]);
  });
});

describe("a decision for a child", () => {
  it("that is live is the child's to take, or to refuse as stale", async () => {
    const { children, opened, log } = family();
    const settled = children.run(directive("c"), new LazyAbort());
    const [child] = opened as [Fake];
    expect(children.decide("c", "a", yes)).toBe(true);
    child.said = "stale";
    expect(children.decide("c", "b", no)).toBe(false);
    child.said = "over";
    expect(children.decide("c", "d", no)).toBe(true);
    expect(child.log).toEqual(["yes a", "no b", "no d"]);
    expect(children.decide("other", "a", yes)).toBe(false);
    child.settleWith(done);
    await settled;
    // Nobody is told of what was taken, or refused at once.
    expect(log).toEqual([late("c", "d")]);
  });

  it("that took nothing any more is delivered where it rests and waits for it, or told of", async () => {
    const { children, opened, log } = family();
    void children.run(directive("c"), new LazyAbort());
    const [child] = opened as [Fake];
    child.said = "over";
    for (const id of ["a", "x", "a"]) children.decide("c", id, yes);
    child.settleWith(waiting(["a", "b"]));
    await settle();
    // It goes on at once, and so does not come to rest.
    expect([opened.length, last(opened).log]).toEqual([2, ["yes a"]]);
    expect(log).toEqual([late("c", "x"), late("c", "a")]);
  });

  it("that took nothing any more and ended, or was stopped, is told of", async () => {
    for (const stops of [false, true]) {
      const { children, opened, log } = family();
      const stop = new LazyAbort();
      const settled = children.run(directive("c"), stop);
      last(opened).said = "over";
      children.decide("c", "a", yes);
      if (stops) stop.abort(CANCELLED);
      else last(opened).settleWith(done);
      await settled;
      expect(log[0]).toBe(late("c", "a"));
      expect(log).toHaveLength(stops ? 2 : 1);
    }
  });

  it("that has not gone on yet is kept for it, in order, and given once", async () => {
    const { children, opened, log } = family({ owed: ["c"] });
    expect(children.decide("c", "a", yes)).toBe(true);
    expect(children.decide("c", "b", no)).toBe(true);
    expect(children.decide("d", "a", yes)).toBe(false);
    const settled = children.run(directive("c"), new LazyAbort());
    expect(last(opened).log).toEqual(["yes a", "no b"]);
    last(opened).settleWith(done);
    await settled;
    await children.ended();
    expect(log).toEqual([]);
  });

  it("deep in a tree that is told of has the id by which the root knows it", async () => {
    const { children, log } = family({ owed: ["c"], path: ["top", "middle"] });
    children.decide("c", "a", yes);
    await children.ended();
    expect(log).toEqual([late("top", pairKey("middle", pairKey("c", "a")))]);
  });

  it("may be one of those that wait: at rest, live, or not gone on yet", async () => {
    const { children, opened } = family({ owed: ["owed"] });
    void children.run(directive("rests"), new LazyAbort());
    last(opened).settleWith(waiting(["a", "b"]));
    await settle();
    void children.run(directive("live"), new LazyAbort());
    last(opened).waits = ["x:y"];
    const ids = ["owed", "none", "live", "rests"];
    expect(children.approvals(ids.map(directive) as never)).toEqual([
      pairKey("owed", "before"),
      pairKey("live", "x:y"),
      pairKey("rests", "a"),
      pairKey("rests", "b"),
    ]);
    children.decide("rests", "a", yes);
    expect(children.approvals([directive("rests")] as never)).toEqual([pairKey("rests", "b")]);
  });

  it("that does not go on here is told of when all is over", async () => {
    const { children, log } = family({ owed: ["c", "d"] });
    children.decide("c", "a", yes);
    children.decide("c", "b", yes);
    children.decide("d", "a", yes);
    await children.ended();
    await children.ended();
    expect(log).toEqual([late("c", "a"), late("c", "b"), late("d", "a")]);
  });
});

describe("a child that had begun in another process", () => {
  const ended = (id: string) => ({ id, child: "ended", usage: cancelled.usage });

  it("is cancelled where its directive is, once, and what was decided in it is told of", async () => {
    const { children, taken, log } = family({ owed: ["c"] });
    children.decide("c", "a", yes);
    children.cancelOwed("c");
    children.cancelOwed("c");
    await children.ended();
    expect(taken.map(([id, child]) => [id, child.log])).toEqual([["c", ["cancel"]]]);
    expect(log).toEqual([late("c", "a"), ended("c")]);
  });

  it("and goes on here is not taken from itself", () => {
    const { children, taken } = family({ owed: ["c"] });
    void children.run(directive("c"), new LazyAbort());
    children.cancelOwed("c");
    expect(taken).toEqual([]);
  });

  it("is brought to its end where it was cancelled there", async () => {
    const { children, taken, log } = family({ orphans: ["c", "d"] });
    children.cancelOrphans();
    await children.ended();
    expect(taken.map(([id, child]) => [id, child.log])).toEqual([
      ["c", ["cancel"]],
      ["d", ["cancel"]],
    ]);
    expect(log).toEqual([ended("c"), ended("d")]);
  });
});
