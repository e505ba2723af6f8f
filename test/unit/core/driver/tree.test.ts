// Child runs in the driver of their root, and in its journal: what only follows is derived, and not believed.
import { describe, expect, it } from "vitest";
import {
  type Arrived,
  type DriverOptions,
  openDriver,
  openFold,
  type RunDriver,
} from "../../../../src/core/driver/index.js";
import { encodeLine } from "../../../../src/core/journal/index.js";
import type { Reasoner } from "../../../../src/core/kernel/machine/index.js";
import { tool } from "../../../../src/index.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { refusal } from "../../../support/thrown.js";

type Small = Reasoner<unknown, unknown, unknown>;

const once = tool({ name: "once", jsonSchema: {}, execute: () => 1 });
const call = (id: string) => ({ type: "tool", id, name: "once", input: {} });
const child = (id: string, more: object = {}) => ({
  type: "run",
  id,
  reasoner: "child",
  input: null,
  ...more,
});
const approval = { type: "approval", id: "ok", title: "?", subject: null };

/** A machine that issues something, waits for that event, and ends. */
function waiting(event: string, children: object, ...directives: readonly object[]): Small {
  const made = smallReasoner(
    {
      initial: "a",
      states: {
        a: {
          entry: issue(...directives),
          on: { "approval.decided": {}, "tool.failed": {}, interrupt: {}, [event]: "end" },
        },
        end: { type: "final" },
      },
    } as never,
    { children, output: () => "over" },
  );
  return { ...made, tools: { once } } as unknown as Small;
}

const below = (...directives: readonly object[]) => waiting("tool.succeeded", {}, ...directives);
const above = (of: Small, ...directives: readonly object[]) =>
  waiting("run.succeeded", { child: of }, ...directives);

const outside: DriverOptions = { approvals: "outside", snapshots: false };

function opened(reasoner: Small, options = outside): RunDriver {
  return openDriver(reasoner, { input: null, runId: "r", at: 0, seed: "s" }, options);
}

function folded(reasoner: Small, lines: readonly string[], options = outside) {
  const fold = openFold([reasoner], options);
  for (const line of lines) fold.take(line);
  return fold;
}

const settled = (run: string, id: string, attempt = 1): Arrived => ({
  type: "settled",
  run,
  id,
  attempt,
  settlement: { type: "tool.succeeded", id, output: 1 },
});

/** The events of lines, each with its run. */
function eventsIn(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const { event, run = "", seq } = JSON.parse(line);
    return event === undefined ? [] : [`${seq} ${run} ${event.type}@${event.at}`];
  });
}

describe("a child run", () => {
  it("lives in its root's lines, and its end settles its parent in the same take", () => {
    const tree = above(below(call("t")), child("x:1"));
    const driver = opened(tree);
    const first = driver.take([], 5);
    expect(eventsIn(first.lines)).toEqual(["0  start@0", "1 x%3a1 start@0"]);
    expect(first.begin).toMatchObject([
      { run: "x%3a1", id: "t", attempt: 1, runId: "r:x%3a1", through: ["child"] },
    ]);
    expect(driver.stateOf("x%3a1")).toMatchObject({ status: "active", runId: "r:x%3a1" });
    const second = driver.take([settled("x%3a1", "t")], 7);
    expect(driver.stateOf("x%3a1")).toBeUndefined();
    expect(driver.usage).toMatchObject({ toolCalls: 1 });
    expect(eventsIn(second.lines)).toEqual(["2 x%3a1 tool.succeeded@7", "3  run.succeeded@7"]);
    expect(second.stands).toBe("ended");
    const usage = JSON.parse(second.lines[1] as string).event.usage;
    expect(usage).toMatchObject({ toolCalls: 1, requests: 0 });
    expect(folded(tree, [...first.lines, ...second.lines]).state?.status).toBe("done");
  });

  it("begins with a seed of its own, which follows from its root's, whoever begins it", () => {
    const seeded = smallReasoner({
      context: ({ input }: { input: { seed?: string } }) => ({ seed: input.seed ?? "none" }),
      initial: "a",
      states: { a: { entry: issue(approval) } },
    } as never) as unknown as Small;
    const tree = above(above(seeded, child("y")), child("x"));
    const driver = opened(tree);
    const { lines } = driver.take([], 0);
    expect(driver.stateOf("x:y")?.context).toEqual({ seed: "s:x:y" });
    expect(folded(tree, lines).driver().stateOf("x:y")?.context).toEqual({ seed: "s:x:y" });
  });

  it("has its approval decided by its path, and is let go of when it is over", () => {
    const tree = above(waiting("approval.decided", {}, approval), child("x"));
    const driver = opened(tree);
    expect(driver.take([], 0).stands).toBe("waiting");
    const yes = { type: "decided", id: "ok", decision: { approve: true } } as const;
    expect(driver.take([yes], 1).refused).toMatchObject([{ why: "stale" }]);
    const { stands, lines } = driver.take([{ ...yes, run: "x" }], 2);
    expect(stands).toBe("ended");
    expect(eventsIn(lines)).toEqual(["2 x approval.decided@2", "3  run.succeeded@2"]);
  });

  it("is cancelled with its parent, and what it has spent is its parent's", () => {
    const tree = above(above(below(call("t")), child("y")), child("x"));
    const driver = opened(tree);
    driver.take([], 0);
    const { lines, stop, stands } = driver.take([{ type: "cancel", reason: "enough" }], 3);
    expect(eventsIn(lines)).toEqual(["3  cancel@3", "4 x cancel@3", "5 x:y cancel@3"]);
    expect(stop).toMatchObject([{ run: "x:y", id: "t", why: "cancelled" }]);
    expect(stands).toBe("ended");
    expect(driver.stateOf("x")).toBeUndefined();
  });

  it("leaves what it has spent to its parent, also in the next driver", () => {
    const tree = above(waiting("never", {}, call("t"), approval), child("x"));
    const driver = opened(tree);
    const lines = [...driver.take([], 0).lines, ...driver.take([settled("x", "t")], 1).lines];
    lines.push(...driver.take([{ type: "cancel" }], 2).lines);
    for (const each of [driver, folded(tree, lines).driver()]) {
      expect(each.usage).toMatchObject({ toolCalls: 1 });
      expect(each.stateOf("x")).toBeUndefined();
    }
  });

  it.each([
    ["no reasoner of that name", child("x", { reasoner: "nobody" }), outside, "port.missing"],
    ["too deep", child("x"), { ...outside, maxDepth: 0 }, "run.depth"],
  ])("that cannot begin fails: %s", (_why, directive, options, code) => {
    const { lines } = opened(above(below(), directive), options).take([], 0);
    expect(JSON.parse(lines.at(-1) as string).event).toMatchObject({
      type: "run.failed",
      error: { code },
    });
  });

  it("takes slots in the order of issue over the whole tree", () => {
    const tree = above(below(call("t1"), call("t2")), child("x"), call("own"));
    const driver = opened(tree, { ...outside, slots: 1 });
    expect(driver.take([], 0).begin.map(({ id }) => id)).toEqual(["own"]);
    const begins = (arrived: Arrived) => driver.take([arrived], 1).begin.map(({ id }) => id);
    expect(begins(settled("", "own"))).toEqual(["t1"]);
  });

  it("goes on while its root's turn is wound down: what nobody here decides is denied", () => {
    const asks = waiting("approval.decided", {}, call("t"), approval);
    const tree = waiting("run.succeeded", { child: asks }, child("x"), call("own"));
    const options = { ...outside, approvals: "denied" } as const;
    const lines = opened(tree).take([], 0).lines;
    const inFlight = {
      attempts: [
        { run: "", id: "own", attempt: 1 },
        { run: "x", id: "t", attempt: 1 },
      ],
    };
    const driver = folded(tree, lines, options).driver(inFlight);
    const { lines: more } = driver.take([{ type: "interrupt", graceMs: 50 }], 1);
    expect(eventsIn(more)).toContain("2 x approval.decided@1");
  });

  it("that a crash has cut off is unknown, as its parent's own tools are", () => {
    const tree = above(below(call("t")), child("x"));
    const { lines } = opened(tree).take([], 0);
    const { lines: more } = folded(tree, lines).driver().take([], 9);
    expect(JSON.parse(more[0] as string)).toMatchObject({
      run: "x",
      seq: 2,
      event: { type: "tool.failed", reason: "unknown" },
    });
  });

  it("goes on in the next driver, where its attempt is in flight", () => {
    const tree = above(below(call("t")), child("x"));
    const driver = opened(tree);
    const { lines } = driver.take([], 0);
    const again = folded(tree, lines).driver(JSON.parse(JSON.stringify(driver.inFlight)));
    expect(again.take([settled("x", "t")], 4).lines).toEqual(
      driver.take([settled("x", "t")], 4).lines,
    );
  });
});

describe("lines that only follow", () => {
  const tree = above(below(call("t")), child("x"));
  const driver = opened(tree);
  const whole = [...driver.take([], 0).lines, ...driver.take([settled("x", "t")], 4).lines];

  it.each([2, 4])("are written again to the very bytes, where line %d on is torn off", (cut) => {
    const inFlight = cut === 2 ? [] : [{ run: "x", id: "t", attempt: 1 }];
    const { lines } = folded(tree, whole.slice(0, cut)).driver({ attempts: inFlight }).take([], 99);
    expect(lines[0]).toBe(whole[cut]);
  });

  /** The lines with one event changed, chained anew. */
  function forged(at: number, change: (line: Record<string, never>) => object): string[] {
    let previous = "";
    return whole.map((text, i) => {
      const { hash: _hash, ...line } = JSON.parse(text);
      const { text: own, hash } = encodeLine(
        JSON.stringify(i === at ? change(line) : line).slice(0, -1),
        previous,
      );
      previous = hash;
      return own;
    });
  }

  it.each([
    ["another output", (event: object) => ({ ...event, output: "forged" })],
    ["another time", (event: object) => ({ ...event, at: 5 })],
    ["another cost", (event: object) => ({ ...event, usage: {} })],
  ])("are not believed: a child's end with %s", (_what, change) => {
    const lines = forged(4, ({ event, ...line }) => {
      // In the order of its own parts, so that it is a line.
      return Object.fromEntries(
        Object.entries({ seq: line.seq, event: change(event as never), ...line }),
      );
    });
    expect(refusal(() => folded(tree, lines))).toMatchObject({ code: "journal.diverged" });
  });

  it.each([
    ["another input", { input: "forged" }],
    ["another budget", { budget: { tokens: 1 } }],
  ])("are not believed: a child's beginning with %s", (_what, change) => {
    const lines = forged(2, ({ begin, ...line }) => {
      return { begin: { ...(begin as unknown as object), ...change }, ...line };
    });
    expect(refusal(() => folded(tree, lines))).toMatchObject({ code: "journal.diverged" });
  });

  it("name the run that is not there", () => {
    const lines = forged(3, (line) => ({ ...line, run: "z" }));
    expect(refusal(() => folded(tree, lines))).toMatchObject({
      code: "journal.format",
      place: "line 4",
    });
  });

  it("are of the configuration that began the root", () => {
    const other = { ...tree, fingerprint: "y".repeat(32) };
    expect(refusal(() => folded(other, whole).driver())).toMatchObject({
      code: "journal.configuration",
    });
  });

  it("are of the configuration that began the child", () => {
    const lines = forged(2, ({ begin, ...line }) => {
      return { begin: { ...(begin as unknown as object), fingerprint: "x".repeat(32) }, ...line };
    });
    expect(refusal(() => folded(tree, lines))).toMatchObject({ code: "journal.configuration" });
  });
});

it("a cascade without end is cut off at the bound of a take, and goes on to the same bytes", () => {
  const nested: Small = waiting("run.succeeded", {}, child("x"));
  const endless = { ...nested } as { children: object };
  endless.children = { child: endless };
  const options = { ...outside, maxDepth: 200 };
  const driver = opened(endless as never, options);
  const first = driver.take([], 0);
  expect(first).toMatchObject({ more: true, stands: "running" });
  const again = folded(endless as never, first.lines, options).driver(driver.inFlight);
  expect(again.take([], 3).lines).toEqual(driver.take([], 3).lines);
});
