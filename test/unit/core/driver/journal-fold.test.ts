// A driver that is thrown away after each take, and opened anew from the lines and the attempts that are in
// flight, writes the bytes of one that lives; and one that is opened after a crash knows what was marked.
import { describe, expect, it } from "vitest";
import {
  type Arrived,
  type Attempt,
  type DriverOptions,
  type InFlight,
  type Owed,
  openDriver,
  openFold,
  type RunDriver,
} from "../../../../src/core/driver/index.js";
import { encodeLine } from "../../../../src/core/journal/index.js";
import type { Reasoner } from "../../../../src/core/kernel/machine/index.js";
import type { Json } from "../../../../src/core/kernel/values/index.js";
import { tool } from "../../../../src/index.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { refusal } from "../../../support/thrown.js";

type Small = Reasoner<unknown, unknown, unknown>;
type Take = readonly [arrived: readonly Arrived[], now: number];

const tools = {
  once: tool({ name: "once", jsonSchema: {}, execute: () => 1, timeoutMs: 100 }),
  twice: tool({ name: "twice", jsonSchema: {}, retries: 1, execute: () => 1 }),
  again: tool({ name: "again", jsonSchema: {}, idempotent: true, retries: 2, execute: () => 1 }),
};
const call = (id: string, name = "once") => ({ type: "tool", id, name, input: {} });
const asks = (id: string) => ({ type: "llm", id, messages: [] });
const failed = (id: string, attempt: number): Arrived => ({
  type: "failed",
  run: "",
  id,
  attempt,
  error: { code: "c", message: "m", transient: true },
  usage: { inputTokens: 3 },
});
const settled = (id: string, attempt = 1): Arrived => ({
  type: "settled",
  run: "",
  id,
  attempt,
  settlement: { type: "tool.succeeded", id, output: 1 },
});
const handle = (id: string, own: Json, due?: number): Arrived => ({
  type: "handle",
  run: "",
  id,
  attempt: 1,
  handle: own,
  due,
});
const stopped = (id: string, text: string): Arrived => ({
  type: "stopped",
  run: "",
  id,
  attempt: 1,
  partial: { content: [{ type: "text", text }], usage: { requests: 1 } },
});

/** A machine that issues some directives and stays where it is. */
function issuing(directives: readonly object[]): Small {
  const heard = ["tool.succeeded", "tool.failed", "llm.failed", "timer.fired", "approval.decided"];
  const machine = smallReasoner({
    initial: "a",
    states: {
      a: {
        entry: issue(...directives),
        on: { interrupt: {}, ...Object.fromEntries(heard.map((type) => [type, {}])) },
      },
      end: { type: "final" },
    },
  } as never);
  return { ...machine, tools } as unknown as Small;
}

const run = { input: null, runId: "r", at: 0 };
const outside: DriverOptions = { approvals: "outside" };

function folded(reasoner: Small, lines: readonly string[], options = outside) {
  const fold = openFold([reasoner], options);
  for (const line of lines) fold.take(line);
  return fold;
}

/** @returns the lines that a driver writes, and what is in flight in the end */
function driven(reasoner: Small, takes: readonly Take[], anew: boolean, options = outside) {
  let driver: RunDriver = openDriver(reasoner, run, options);
  const lines: string[] = [];
  const owed: Owed[] = [];
  for (const [arrived, now] of takes) {
    const one = driver.take(arrived, now);
    owed.push(one);
    lines.push(...one.lines);
    const inFlight = JSON.parse(JSON.stringify(driver.inFlight)) as InFlight;
    if (anew) driver = folded(reasoner, lines, options).driver(inFlight);
  }
  return { lines, owed };
}

it("a slot that becomes free is the same effect's, where a delay was over before, whoever gives it away", () => {
  const delayed: DriverOptions = { ...outside, slots: 1, retry: { attempts: 2, delayMs: 10 } };
  const reasoner = issuing([asks("a"), call("x"), call("y")]);
  const takes: Take[] = [
    [[], 0],
    [[failed("a", 1)], 1],
    [[], 11],
    [[settled("x")], 20],
  ];
  const living = driven(reasoner, takes, false, delayed);
  const anew = driven(reasoner, takes, true, delayed);
  expect(living.owed.at(-1)?.early).toMatchObject([{ id: "a", attempt: 2 }]);
  expect(anew.owed.at(-1)?.early).toEqual(living.owed.at(-1)?.early);
  expect(anew.lines).toEqual(living.lines);
});

it("a model that was waited for has been so for no time where the clock was set back and nobody knows", () => {
  const waits: DriverOptions = { ...outside, modelDown: "wait", retry: { attempts: 1 } };
  const reasoner = issuing([asks("a")]);
  const takes: Take[] = [
    [[], 0],
    [[failed("a", 1)], 50_000],
  ];
  const { lines } = driven(reasoner, takes, false, waits);
  const driver = folded(reasoner, lines, waits).driver();
  const [again] = driver.take([], 10).early;
  const error = { code: "c", message: "no" };
  const settlement = { type: "llm.failed", id: "a", error } as const;
  const [line] = driver.take([{ ...(again as Attempt), type: "settled", settlement }], 20).lines;
  expect(JSON.parse(line as string).event).toMatchObject({ type: "llm.failed", waitedMs: 0 });
});

describe("a driver that is thrown away after each take", () => {
  it.each<[string, number, readonly object[], readonly Take[]]>([
    [
      "with slots that are handed on",
      1,
      [call("x"), call("y"), call("z")],
      [
        [[], 0],
        [[settled("x")], 1],
        [[settled("y")], 2],
        [[settled("z")], 3],
      ],
    ],
    [
      "in a back-off, which lasts",
      1,
      [asks("a"), asks("b")],
      [
        [[], 0],
        [[failed("a", 1)], 10],
        [[failed("b", 1)], 300],
        [[], 510],
        [[failed("a", 2)], 600],
        [[], 800],
        [[], 1_600],
        [[failed("a", 3)], 1_700],
      ],
    ],
    [
      "whose tools are late or throw",
      3,
      [call("x"), call("y", "again"), call("z", "twice")],
      [
        [[], 0],
        [[failed("y", 1), failed("z", 1)], 50],
        [[], 100],
        [[failed("z", 2)], 101],
        [[failed("y", 2)], 102],
        [[settled("y", 3)], 103],
      ],
    ],
    [
      "whose ports keep handles",
      2,
      [call("x"), call("y", "again"), asks("l")],
      [
        [[], 0],
        [[handle("x", { task: 1 }, 5_000)], 10],
        [[handle("y", "b"), handle("x", { task: 1 }, 6_000)], 20],
        [[failed("y", 1)], 30],
        [[settled("y", 2)], 40],
        [[handle("l", "batch", 9_000)], 50],
        [[], 6_000],
        [[settled("x")], 6_050],
        [[failed("l", 1)], 9_100],
      ],
    ],
    [
      "in the grace of an interrupt",
      2,
      [asks("l"), call("x"), call("y")],
      [
        [[], 0],
        [[{ type: "interrupt", graceMs: 50, reason: "why" }], 10],
        [[stopped("l", "so f")], 11],
        [[{ type: "interrupt", graceMs: 20 }], 12],
        [[], 31],
        [[], 32],
      ],
    ],
    [
      "with timers, approvals and a clock that goes back",
      1,
      [
        { type: "timer", id: "t", until: 60_000 },
        { type: "approval", id: "ok", title: "?", subject: null },
        call("x"),
      ],
      [
        [[], 50_000],
        [[{ type: "decided", id: "ok", decision: { approve: true } }], 50_010],
        [[{ type: "event", event: { type: "note" } }], 7],
        [[], 97],
        [[], 10_100],
      ],
    ],
    [
      "in a drain",
      1,
      [call("x"), call("y")],
      [
        [[], 0],
        [[{ type: "drain", ms: 20 }], 5],
        [[settled("x")], 6],
        [[], 7],
      ],
    ],
  ])("writes the same bytes: %s", (_name, slots, directives, takes) => {
    const reasoner = issuing(directives);
    const living = driven(reasoner, takes, false, { ...outside, slots });
    const anew = driven(reasoner, takes, true, { ...outside, slots });
    expect(anew.lines).toEqual(living.lines);
    for (const part of ["early", "begin", "stop", "kept", "wakeAt", "stands", "refused"] as const) {
      expect(anew.owed.map((each) => each[part])).toEqual(living.owed.map((each) => each[part]));
    }
  });

  it("goes on where what follows was cut off by the bound", () => {
    const asked = Array.from({ length: 150 }, (_, i) => ({
      type: "approval",
      id: `ok/${i}`,
      title: "?",
      subject: null,
    }));
    const reasoner = issuing(asked);
    const takes: Take[] = [
      [[], 0],
      [[], 0],
      [[], 0],
    ];
    const denied: DriverOptions = { approvals: "denied" };
    const living = driven(reasoner, takes, false, denied);
    expect(living.owed.map(({ more }) => more)).toEqual([true, true, false]);
    expect(driven(reasoner, takes, true, denied).lines).toEqual(living.lines);
  });
});

it("a model that is down is waited for by the next driver too, and asked at once after a crash", () => {
  const waits: DriverOptions = { ...outside, modelDown: "sleep", retry: { attempts: 1 } };
  const reasoner = issuing([asks("a")]);
  const takes: Take[] = [
    [[], 0],
    [[failed("a", 1)], 5],
    [[], 20_000],
    [[], 30_005],
    [[failed("a", 2)], 30_006],
  ];
  const living = driven(reasoner, takes, false, waits);
  const anew = driven(reasoner, takes, true, waits);
  expect(anew.lines).toEqual(living.lines);
  expect(anew.owed.map(({ wakeAt, early }) => [wakeAt, early.length])).toEqual([
    [300_000, 1],
    [30_005, 0],
    [30_005, 0],
    [330_005, 1],
    [90_006, 0],
  ]);
  const { early } = folded(reasoner, living.lines, waits).driver().take([], 40_000);
  expect(early).toMatchObject([{ id: "a", attempt: 3 }]);
});

it("rounds of several models go on in the next driver: whose turn it is, what passes, what was spent", () => {
  const waits: DriverOptions = {
    ...outside,
    models: ["m", "n"],
    modelDown: "sleep",
    retry: { attempts: 2 },
  };
  const reasoner = issuing([asks("a")]);
  const refused = (attempt: number): Arrived => {
    const error = { code: "c", message: "no key", transient: false };
    return { type: "failed", run: "", id: "a", attempt, error, usage: { inputTokens: 1 } };
  };
  const takes: Take[] = [
    [[], 0],
    [[failed("a", 1)], 5],
    [[refused(2)], 6],
    [[], 506],
    [[failed("a", 3)], 507],
    [[refused(4)], 508],
    [[], 30_508],
    [[refused(5)], 30_509],
    [[refused(6)], 30_510],
  ];
  const living = driven(reasoner, takes, false, waits);
  const anew = driven(reasoner, takes, true, waits);
  expect(anew.lines).toEqual(living.lines);
  const asked = anew.owed.map(({ early }) => early.map(({ model, attempt }) => [model, attempt]));
  // The second model at once, the first again after the back-off, and then when it may be up again.
  expect(asked).toEqual([
    [["m", 1]],
    [["n", 2]],
    [],
    [["m", 3]],
    [["n", 4]],
    [],
    [["m", 5]],
    [["n", 6]],
    [],
  ]);
  const lines = anew.lines.map((line) => JSON.parse(line));
  expect(lines.flatMap(({ mark }) => (mark?.failed ? [mark] : []))).toMatchObject([
    { model: "m", passing: { message: "m" } },
    { model: "n", until: 506 },
    { model: "m", passing: { message: "m" } },
    { model: "n", down: { message: "m", since: 508 } },
    { model: "m", down: { message: "m", since: 508 } },
  ]);
  // In the third round neither passes any more: the call has failed, and says what each has spent.
  expect(lines.at(-1).event ?? lines.at(-2).event).toMatchObject({
    type: "llm.failed",
    attempts: 6,
    waitedMs: 30_002,
    spent: [
      { model: "m", usage: { inputTokens: 7 } },
      { model: "n", usage: { inputTokens: 3 } },
    ],
  });
});

describe("after a crash", () => {
  const begins = (reasoner: Small, takes: readonly Take[], now: number) => {
    const { lines } = driven(reasoner, takes, false);
    return folded(reasoner, lines).driver().take([], now);
  };

  it("a tool whose throw was marked is called again, and one that had only begun is unknown", () => {
    const reasoner = issuing([call("x", "twice"), call("y", "twice")]);
    const takes: Take[] = [
      [[], 0],
      [[failed("x", 1)], 1],
    ];
    // Its second attempt had begun as well.
    const owed = begins(reasoner, takes, 2);
    expect(owed.lines.map((line) => JSON.parse(line).event?.reason)).toContain("unknown");
    // A mark of the failure alone: the line of the second attempt was torn off.
    const { lines } = driven(reasoner, takes, false, { ...outside, slots: 1 });
    const again = folded(reasoner, lines.slice(0, -1)).driver().take([], 2);
    expect(again.begin).toMatchObject([
      { id: "x", attempt: 2 },
      { id: "y", attempt: 1 },
    ]);
  });

  it("a model is asked again after its back-off, as often as is left, and all of it is paid", () => {
    const reasoner = issuing([asks("a")]);
    const takes: Take[] = [
      [[], 0],
      [[failed("a", 1)], 10],
    ];
    const { lines } = driven(reasoner, takes, false);
    const driver = folded(reasoner, lines).driver();
    expect(driver.take([], 20)).toMatchObject({ early: [], wakeAt: 510 });
    expect(driver.take([], 510).early).toMatchObject([{ id: "a", attempt: 2 }]);
    driver.take([failed("a", 2)], 511);
    driver.take([], 2_000);
    const last = driver.take([failed("a", 3)], 2_001);
    expect(JSON.parse(last.lines[0] as string).event).toMatchObject({
      type: "llm.failed",
      attempts: 3,
      usage: { inputTokens: 9 },
    });
  });

  it("an interrupt that was asked for ends the turn", () => {
    const reasoner = issuing([asks("l"), call("x")]);
    const takes: Take[] = [
      [[], 0],
      [[{ type: "interrupt", graceMs: 50, reason: "why" }], 10],
    ];
    const owed = begins(reasoner, takes, 11);
    const events = owed.lines.map((line) => JSON.parse(line).event);
    // What had begun before the crash and nobody cancels is unknown, behind it.
    expect(events).toMatchObject([
      { type: "interrupt", reason: "why" },
      { type: "tool.failed", reason: "unknown" },
    ]);
  });
});

it("a call that is settled by hand has cost what its failed attempts did", () => {
  const error = { code: "c", message: "busy", transient: true };
  const usage = { inputTokens: 5 };
  const failed: Arrived = { type: "failed", run: "", id: "l", attempt: 1, error, usage };
  for (const [type, more, sum] of [
    ["llm.failed", { error }, { inputTokens: 5 }],
    ["llm.failed", { error, usage }, { inputTokens: 10 }],
    ["llm.succeeded", { content: [], finishReason: "stop", usage }, { inputTokens: 10 }],
  ] as const) {
    const driver = openDriver(issuing([asks("l")]), run, outside);
    driver.take([], 0);
    driver.take([failed], 1);
    const settlement = { type, id: "l", origin: { by: "me" }, ...more };
    const owed = driver.take([{ type: "settle", settlement: settlement as never }], 2);
    expect(owed.refused).toEqual([]);
    expect(JSON.parse(owed.lines[0] as string).event).toMatchObject({ type, usage: sum });
  }
});

describe("a hook that throws", () => {
  const throwing = (type: string) => (event: { readonly type: string }) => {
    if (event.type === type) throw new Error("no");
    return event;
  };
  const opened = (type: string, ...directives: readonly object[]) => {
    const driver = openDriver(issuing(directives), run, { ...outside, redact: throwing(type) });
    driver.take([], 0);
    return driver;
  };
  const first = ({ lines }: Owed) => JSON.parse(lines[0] as string).event;

  it("on a settlement has it failed with its cost: the world has moved", () => {
    const answered: Arrived = {
      type: "settled",
      run: "",
      id: "l",
      attempt: 1,
      settlement: {
        type: "llm.succeeded",
        id: "l",
        content: [{ type: "text", text: "secret" }],
        finishReason: "stop",
        usage: { inputTokens: 3 },
      } as never,
    };
    expect(first(opened("llm.succeeded", asks("l")).take([answered], 1))).toMatchObject({
      type: "llm.failed",
      error: { code: "redaction.refused" },
      usage: { inputTokens: 3 },
    });
    const tooled = first(opened("tool.succeeded", call("x")).take([settled("x")], 1));
    expect(tooled).toMatchObject({ type: "tool.failed", reason: "error" });
    const late = opened("timer.fired", { type: "timer", id: "t", until: 5 }).take([], 5);
    expect(first(late)).toMatchObject({ type: "timer.fired", id: "t" });
  });

  it("on a failure leaves the reason and how long was waited: they are no texts", () => {
    const failed = {
      type: "settled",
      run: "",
      id: "x",
      attempt: 1,
      settlement: {
        type: "tool.failed",
        id: "x",
        reason: "unknown",
        error: { code: "c", message: "secret" },
        waitedMs: 7,
      } as never,
    } as const;
    expect(first(opened("tool.failed", call("x")).take([failed], 1))).toMatchObject({
      type: "tool.failed",
      reason: "unknown",
      error: { code: "redaction.refused" },
      waitedMs: 7,
    });
  });

  it("on a denial of nobody's denies: nothing runs that was not allowed", () => {
    const approval = { type: "approval", id: "ok", title: "?", subject: null };
    const redact = throwing("approval.decided");
    const options = { ...outside, approvals: "denied", redact } as const;
    const driver = openDriver(issuing([approval]), run, options);
    const events = driver.take([], 0).lines.map((line) => JSON.parse(line).event);
    expect(events).toContainEqual({
      type: "approval.decided",
      id: "ok",
      at: 0,
      approve: false,
      reason: "The redaction hook failed on approval.decided: no",
      by: "nobody",
    });
  });

  it("on an interrupt leaves out what had streamed", () => {
    const driver = opened("interrupt", asks("l"));
    driver.take([{ type: "interrupt", graceMs: 0 }], 1);
    const event = first(driver.take([stopped("l", "secret")], 1));
    expect(event).toMatchObject({ type: "interrupt", partial: { l: { content: [] } } });
  });

  it.each([
    ["cancel", { type: "cancel" }],
    ["approval.decided", { type: "decided", id: "ok", decision: { approve: true } }],
  ] as const)("on a %s from outside is told to who sent it", (type, said) => {
    const approval = { type: "approval", id: "ok", title: "?", subject: null };
    const { lines, refused } = opened(type, approval).take([said], 1);
    expect(lines).toEqual([]);
    expect(refused).toMatchObject([{ why: "refused", error: { code: "redaction.refused" } }]);
  });
});

describe("a fold refuses", () => {
  const reasoner = issuing([call("x")]);
  const { lines } = driven(reasoner, [[[], 0]], false);

  it("a line that was changed, is out of place, or of another run", () => {
    const changed = (lines[1] as string).replace('"value":"a"', '"value":"b"');
    const codes = [[lines[0], changed], [lines[1]], [lines[0], lines[0]]].map(
      (each) => refusal(() => folded(reasoner, each as string[])).code,
    );
    expect(codes).toEqual(["journal.chain", "journal.chain", "journal.chain"]);
  });

  it("code that does otherwise, with the first difference", () => {
    const other = { ...issuing([call("z")]), fingerprint: reasoner.fingerprint };
    expect(refusal(() => folded(other, lines))).toMatchObject({
      code: "journal.diverged",
      message: expect.stringContaining("directives: recorded"),
    });
  });

  it("a journal that begins in another one", () => {
    const header = JSON.parse(lines[0] as string);
    const link = { journal: "a.jsonl", runId: "q", seq: 3, hash: "h" };
    const { hash: _hash, ...own } = { ...header, from: link };
    const { text } = encodeLine(JSON.stringify(own).slice(0, -1), "");
    expect(refusal(() => folded(reasoner, [text])).code).toBe("journal.link");
  });

  it("code of another configuration, and a journal without a header", () => {
    const other = { ...reasoner, fingerprint: "other" };
    expect(refusal(() => folded(other, lines).driver()).code).toBe("journal.configuration");
    expect(refusal(() => folded(reasoner, []).driver()).code).toBe("journal.empty");
  });
});

it("a fold opens one driver, which goes on with all that was folded", () => {
  const reasoner = issuing([asks("a")]);
  const { lines } = driven(reasoner, [[[], 0]], false);
  const fold = folded(reasoner, lines);
  fold.driver();
  for (const again of [() => fold.driver(), () => fold.take(lines[1] as string)]) {
    expect(refusal(again)).toMatchObject({ code: "driver.opened" });
  }
});

describe("a fold that goes on at a snapshot", () => {
  const reasoner = issuing([{ type: "approval", id: "ok", title: "?", subject: null }]);
  const driver = openDriver(reasoner, run, outside);
  const { lines, snapshot } = driver.take([], 0);
  const stored = snapshot?.text as string;
  const [header, , mark] = lines as [string, string, string];
  const opened = () => {
    const fold = openFold([reasoner], outside);
    fold.take(header);
    return fold;
  };

  it("is where its lines lead", () => {
    const fold = opened();
    fold.skipTo(stored, new Map(), mark);
    expect([fold.lines, fold.state]).toEqual([3, driver.state]);
    const decided = { type: "decided", id: "ok", decision: { approve: true } } as const;
    expect(fold.driver().take([decided], 5).lines).toEqual(driver.take([decided], 5).lines);
  });

  it.each([
    ["its mark is another line", stored, lines[1] as string, "the line is not its mark"],
    ["its text was changed", stored.replace('"value":"a"', '"value":"b"'), mark, "is not its mark"],
    ["it is none", "none", mark, "it lacks its place"],
  ])("is refused where %s", (_why, text, line, message) => {
    expect(refusal(() => opened().skipTo(text, new Map(), line))).toMatchObject({
      code: "journal.format",
      message: expect.stringContaining(message),
    });
  });
});

describe("a snapshot", () => {
  it("is due of a tree that waits where there are lines since the last, and else by their bytes", () => {
    const big = issuing([call("x", "again"), call("y", "again")]);
    const driver = openDriver(big, run, outside);
    expect(driver.take([], 0).snapshot).toBeUndefined();
    const output = "o".repeat(70_000);
    const settlement = { type: "tool.succeeded", id: "x", output } as const;
    const large = driver.take([{ ...settled("x"), settlement } as Arrived], 1);
    expect([large.stands, large.snapshot?.seq]).toEqual(["running", 1]);
    expect(JSON.parse(large.lines.at(-1) as string).mark.size).toBeGreaterThan(0);
    const last = driver.take([settled("y")], 2);
    expect([last.stands, last.snapshot?.seq]).toEqual(["waiting", 2]);
    expect([driver.take([], 3).snapshot, driver.take([], 3).lines]).toEqual([undefined, []]);
  });

  it("is none while a child goes on that its parent has cancelled, and is due when that is over", () => {
    const asks = (id: string) => issue({ type: "approval", id, title: "?", subject: null });
    const child = smallReasoner({
      initial: "a",
      states: {
        a: { entry: asks("ok"), on: { cancel: "closing" } },
        closing: { entry: asks("really"), on: { "approval.decided": "end" } },
        end: { type: "final" },
      },
    } as never);
    const start = issue({ type: "run", id: "c", reasoner: "child", input: null });
    const root = smallReasoner(
      {
        initial: "a",
        states: {
          a: { entry: start, on: { stop: "b" } },
          b: {
            entry: [issue({ type: "cancel", target: "c" }), asks("fine")],
            on: { "approval.decided": {} },
          },
        },
      } as never,
      { children: { child } } as never,
    );
    const driver = openDriver(root as unknown as Small, run, outside);
    expect(driver.take([], 0).snapshot?.seq).toBe(1);
    const stopped = driver.take([{ type: "event", event: { type: "stop" } }], 1);
    expect([stopped.stands, stopped.snapshot]).toEqual(["waiting", undefined]);
    const decided = {
      type: "decided",
      run: "c",
      id: "really",
      decision: { approve: true },
    } as const;
    expect(driver.take([decided], 2).snapshot?.seq).toBe(4);
  });

  it("is nobody's where nobody keeps any", () => {
    const driver = openDriver(issuing([]), run, { ...outside, snapshots: false });
    const { lines, snapshot, stands } = driver.take([], 0);
    expect([lines.length, snapshot, stands]).toEqual([2, undefined, "waiting"]);
  });
});
