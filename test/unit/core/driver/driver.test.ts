// A driver by itself: what arrives and the time go in; lines, attempts and deadlines come out. No promise
// and no clock is anywhere.
import { describe, expect, it } from "vitest";
import { assign } from "xstate";
import {
  type Arrived,
  Driver,
  type DriverOptions,
  LineLog,
  type Owed,
  openDriver,
  openFold,
} from "../../../../src/core/driver/index.js";
import type { RunEvent } from "../../../../src/core/kernel/vocabulary/index.js";
import { agent, tool } from "../../../../src/index.js";
import { issue, type SmallContext, smallReasoner } from "../../../support/small-machine.js";

const call = (id: string, name = "once") => ({ type: "tool", id, name, input: {} });
const tools = {
  once: tool({ name: "once", jsonSchema: {}, execute: () => 1, timeoutMs: 100 }),
  again: tool({ name: "again", jsonSchema: {}, idempotent: true, retries: 1, execute: () => 1 }),
};

/** A driver of a machine that issues some directives, and stays where it is. */
function driverOf(
  directives: readonly object[],
  options: Partial<DriverOptions> = {},
  on: object = { interrupt: {} },
) {
  const machine = smallReasoner({
    initial: "a",
    states: {
      a: {
        entry: issue(...directives),
        on: { "tool.succeeded": {}, "tool.failed": {}, "timer.fired": {}, ...on },
      },
      end: { type: "final" },
    },
  } as never);
  const reasoner = { ...machine, tools } as unknown as typeof machine;
  const step = reasoner.start(null as never, { at: 0, runId: "r" });
  const event: RunEvent = { type: "start", at: 0 };
  const source = { state: step.state, log: new LineLog(), start: { event, step } };
  return new Driver(reasoner, source, { approvals: "outside", snapshots: false, ...options });
}

const llm = (id: string) => ({ type: "llm", id, messages: [] });

it("refuses what nobody outside may say, and takes by hand what nobody here carries out", () => {
  const driver = driverOf(
    [call("x"), call("y"), { type: "approval", id: "ok", title: "?", subject: null }],
    { slots: 1 },
  );
  driver.take([], 0);
  for (const event of [
    { type: "tool.succeeded", id: "x", output: 1 },
    { type: "start" },
    { type: "interrupt", partial: {} },
  ]) {
    const { refused, lines } = driver.take([{ type: "event", event }], 1);
    expect([refused[0]?.why, lines]).toEqual(["forged", []]);
  }
  const origin = { by: "me" };
  const said = (id: string, type = "tool.succeeded") =>
    driver.take([{ type: "settle", settlement: { type, id, output: 1, origin } as never }], 2);
  // It runs; it is decided; it is nothing; it is of another kind.
  const none = [said("x"), said("ok"), said("z"), said("y", "read.succeeded")];
  expect(none.map(({ refused }) => refused[0]?.why)).toEqual(["stale", "stale", "stale", "stale"]);
  expect(JSON.parse(said("y").lines[0] as string).event).toMatchObject({ id: "y", origin });
});

const settled = (id: string, attempt = 1) =>
  ({
    type: "settled",
    run: "",
    id,
    attempt,
    settlement: { type: "tool.succeeded", id, output: 1 },
  }) as const;
const failed = (id: string, attempt: number, transient = true) =>
  ({
    type: "failed",
    run: "",
    id,
    attempt,
    error: { code: "c", message: "m", transient },
  }) as const;
const begun = ({ early, begin }: Owed) => [...early, ...begin].map((each) => each.id);
const kinds = ({ lines }: Owed) =>
  lines.map((line) => {
    const { event, mark, starts = [] } = JSON.parse(line);
    if (event !== undefined) return `${event.type}${"*".repeat(starts.length)}`;
    if ("interrupt" in mark) return `asked until ${mark.interrupt.until}`;
    return "failed" in mark
      ? `failed ${mark.id} ${mark.failed}`
      : `mark ${mark.id} ${mark.attempt}`;
  });

describe("what is malformed", () => {
  const once = { run: "", id: "t", attempt: 1 };
  const malformed: readonly [unknown, string][] = [
    [null, "what arrived must be an object; it is null."],
    ["settled", "what arrived must be an object; it is a string."],
    [{ type: "done", ...once }, "what arrived: type must be"],
    [{ type: "failed", ...once }, "what arrived: error is missing; it must be an object."],
    [{ type: "failed", ...once, error: "late" }, "error must be an object; it is a string."],
    [{ type: "failed", ...once, error: { code: "x" } }, "error.message is missing"],
    [{ type: "settled", ...once }, "settlement is missing; it must be an object."],
    [{ type: "settled", ...once, settlement: { type: "tool.succeeded", id: "t" } }, "output"],
    [{ type: "failed", ...once, error: { code: "x", message: "y" }, content: 5 }, "content"],
    [
      { type: "settled", ...once, settlement: { type: "read.succeeded", id: "t", value: 1 } },
      "A read.succeeded of t is no settlement of the tool t.",
    ],
    [
      { type: "settled", ...once, settlement: { type: "tool.succeeded", id: "u", output: 1 } },
      "A tool.succeeded of u is no settlement of the tool t.",
    ],
    [
      { type: "settled", ...once, settlement: { type: "tool.unknown", id: "t" } },
      "A tool.unknown of t is no settlement of the tool t.",
    ],
    [
      { type: "failed", ...once, error: { code: "x", message: "y" }, usage: { inputTokens: null } },
      "usage.inputTokens must be a number",
    ],
    [
      {
        type: "failed",
        ...once,
        error: { code: "x", message: "y" },
        usage: JSON.parse('{"__proto__":{"x":1}}'),
      },
      "usage",
    ],
    [{ type: "progress", run: "", id: "t" }, "attempt is missing"],
    [{ type: "progress", ...once, attempt: Number.POSITIVE_INFINITY }, "attempt must be a whole"],
    [{ type: "drain" }, "ms is missing"],
    [{ type: "interrupt", graceMs: Number.NaN }, "graceMs must be a number of milliseconds"],
  ];

  it("what had streamed is JSON, or it is refused", () => {
    const driver = driverOf([call("t")]);
    driver.take([], 0);
    const partial = { content: [1n], usage: {} } as never;
    const { refused } = driver.take([{ type: "stopped", ...once, partial }], 1);
    expect(refused[0]?.error?.message).toContain("what arrived: partial must be an object of JSON");
  });

  it.each(malformed)("%j is refused, and the attempt goes on", (arrived, why) => {
    const driver = driverOf([call("t")]);
    driver.take([], 0);
    const { refused, lines, broken, more } = driver.take([arrived as Arrived], 1);
    expect([broken, lines, more]).toEqual([undefined, [], false]);
    expect(refused).toMatchObject([{ why: "refused", error: { code: "event.invalid" } }]);
    expect(refused[0]?.error?.message).toContain(why);
    const settlement = { type: "tool.succeeded", id: "t", output: 1 } as const;
    const after = driver.take([{ type: "settled", ...once, settlement }], 2);
    expect([after.refused, after.lines.length]).toEqual([[], 1]);
  });

  it.each([
    '{"type":"mine","value":{"__proto__":1}}',
    '{"type":"mine","value":{"@list":1}}',
    `{"type":"mine","value":${"[".repeat(201)}${"]".repeat(201)}}`,
  ])("%s is the sender's, and what is said beside it is taken", (text) => {
    const driver = driverOf([call("t")]);
    driver.take([], 0);
    const settlement = { type: "tool.succeeded", id: "t", output: 1 } as const;
    const event = { type: "event", event: JSON.parse(text) } as const;
    const owed = driver.take([event, { type: "settled", ...once, settlement }], 1);
    expect([owed.broken, owed.lines.length]).toEqual([undefined, 1]);
    expect(owed.refused).toMatchObject([{ arrived: event, why: "refused" }]);
    expect(owed.refused[0]?.error?.code).toMatch(/^json\./);
  });

  it("is a failure of an approval, which is decided and nothing else", () => {
    const asked = { type: "approval", id: "a", title: "May I?", subject: {} } as const;
    const driver = driverOf([asked], { approvals: "host" });
    driver.take([], 0);
    const error = { code: "x", message: "y" };
    const failed = { type: "failed", run: "", id: "a", attempt: 1, error } as const;
    expect(driver.take([failed], 1)).toMatchObject({ lines: [], refused: [{ arrived: failed }] });
    const decided = driver.take([{ type: "decided", id: "a", decision: { approve: true } }], 2);
    expect([decided.refused, decided.lines.length]).toEqual([[], 1]);
  });

  it.each([
    ["runId", 5],
    ["runId", "a:b"],
    ["seed", 0],
    ["budget", { tokens: "many" }],
    ["labels", { person: 5 }],
    ["config", {}],
    ["keyId", 1],
    ["from", null],
  ])("is a run that begins with %s %j", (part, value) => {
    const run = { input: "Hello.", runId: "r", at: 0, [part]: value };
    const opened = () =>
      openDriver(agent({ name: "desk" }), run as never, { approvals: "outside" });
    expect(opened).toThrow(`openDriver: run.${part}`);
    const none = null as never;
    expect(() => openDriver(none, run as never, { approvals: "outside" })).toThrow(
      "reasoner must be",
    );
  });

  it("is no time, no options and nothing in flight", () => {
    const desk = agent({ name: "desk" });
    const run = { input: "Hello.", runId: "r", at: 0 };
    const driver = openDriver(desk, run, { approvals: "outside" });
    expect(() => driver.take([], Number.NaN)).toThrow("now must be a time in milliseconds");
    expect(driver.take([], 0).lines).toHaveLength(2);
    const odd = { approvals: "sometimes" } as never;
    expect(() => openDriver(desk, run, odd)).toThrow(
      'openDriver: options.approvals must be "host", "denied" or "outside"; it is a string.',
    );
    expect(() => openFold([desk], odd)).toThrow("openFold: options.approvals must be");
    expect(() => openFold(desk as never, { approvals: "host" })).toThrow("must be a list");
    const fold = openFold([desk], { approvals: "host" });
    const named = { run: "", id: "llm/0", attempt: 1 };
    for (const [work, why] of [
      [() => fold.driver(null as never), "fold.driver: inFlight must be an object; it is null."],
      [() => fold.driver({} as never), "inFlight.attempts is missing"],
      [
        () => fold.driver({ attempts: [{ ...named, attempt: Number.POSITIVE_INFINITY }] }),
        "attempt must be a whole",
      ],
      [() => fold.driver({ attempts: [named, named] }), "attempts[1] is of a directive that is"],
      [
        () => fold.driver({ attempts: [], behind: Number.POSITIVE_INFINITY }),
        "behind must be a number of milli",
      ],
      [() => driver.take([], 1e20), "now must be a time"],
      [() => (fold.skipTo as () => void)(), "fold.skipTo: stored must be a string"],
      [() => fold.take(undefined as never), "fold.take: line must be a string"],
      [() => fold.upgrade(Number.NaN), "now must be a time"],
    ] as const) {
      expect(work).toThrow(why);
    }
  });
});

it("refuses a word that is none, and takes those around it", () => {
  const desk = agent({ name: "desk", conversation: true });
  const driver = openDriver(desk, { input: "Hello.", runId: "r", at: 0 }, { approvals: "outside" });
  driver.take([], 0);
  const word = (event: unknown) => ({ type: "event", event }) as Arrived;
  const words = ["one", 42, undefined, "two"].map((content) => word({ type: "message", content }));
  const { refused, lines, broken } = driver.take([...words, word(undefined), word(null)], 1);
  expect(broken).toBeUndefined();
  expect(refused.map(({ arrived, error }) => [arrived, error?.code])).toEqual(
    // Malformed words are refused at the door, before any is heard.
    [word(undefined), word(null), words[1], words[2]].map((each) => [each, "event.invalid"]),
  );
  for (const content of ["one", "two"]) {
    expect(lines.some((line) => line.includes(`"content":"${content}"`))).toBe(true);
  }
});

describe("slots", () => {
  it("go in the order of issue; who begins with the line is marked in it, who waited in one of its own", () => {
    const driver = driverOf([call("x"), call("y"), call("z")], { slots: 1 });
    const first = driver.take([], 0);
    expect([kinds(first), begun(first)]).toEqual([["start*"], ["x"]]);
    const second = driver.take([settled("x")], 1);
    expect([kinds(second), begun(second)]).toEqual([["tool.succeeded", "mark y 1"], ["y"]]);
  });

  it("are given up for a back-off, after which the older comes first", () => {
    const driver = driverOf([llm("a"), llm("b")], { slots: 1 });
    expect(begun(driver.take([], 0))).toEqual(["a"]);
    const after = driver.take([failed("a", 1)], 10);
    expect([begun(after), after.show[0]]).toEqual([
      ["b"],
      expect.objectContaining({ type: "retry", id: "a", attempt: 2, delayMs: 500 }),
    ]);
    expect(driver.take([], 509).wakeAt).toBe(510);
    expect(driver.take([], 510).early).toEqual([]);
    const answered = {
      ...settled("b"),
      settlement: { type: "llm.failed", id: "b", error: { code: "c", message: "m" } },
    };
    expect(driver.take([answered as never], 511).early).toMatchObject([{ id: "a", attempt: 2 }]);
  });
});

describe("an attempt", () => {
  it("say of themselves whether they may be carried out twice", () => {
    const write = (id: string) => ({ type: "write", id, store: id, operations: [] });
    const names = [call("t"), call("again", "again"), write("plain"), write("keyed"), llm("m")];
    const stores = { plain: { name: "plain", idempotent: false }, keyed: { name: "keyed" } };
    const { early, begin } = driverOf(names, { stores }).take([], 0);
    const once = [...early, ...begin].filter((each) => each.once).map(({ id }) => id);
    expect([begin.length, once]).toEqual([4, ["t", "plain"]]);
  });

  it("that is late is stopped, and unknown where it may not be repeated", () => {
    const driver = driverOf([call("x")]);
    expect(driver.take([], 1_000).wakeAt).toBe(1_100);
    const late = driver.take([], 1_100);
    expect(late.stop).toEqual([{ run: "", id: "x", attempt: 1, why: "late" }]);
    expect(JSON.parse(late.lines[0] as string).event).toMatchObject({
      type: "tool.failed",
      reason: "unknown",
      at: 1_100,
    });
    expect(driver.take([settled("x")], 1_101).refused).toMatchObject([{ why: "late" }]);
  });

  it("is repeated at once where the tool may be, and marked again", () => {
    const driver = driverOf([call("x", "again")]);
    driver.take([], 0);
    const again = driver.take([failed("x", 1)], 5);
    expect([kinds(again), again.begin[0]?.attempt]).toEqual([["failed x 1", "mark x 2"], 2]);
    expect(kinds(driver.take([failed("x", 2)], 6))).toEqual(["tool.failed"]);
  });

  it("that its host stopped, though nobody said so, is unknown where it may not be repeated, and begins again else", () => {
    const driver = driverOf([call("x"), call("y", "again")]);
    driver.take([], 0);
    const stopped = (id: string) => ({ type: "stopped", run: "", id, attempt: 1 }) as const;
    const owed = driver.take([stopped("x"), stopped("y")], 5);
    expect(kinds(owed)).toEqual(["tool.failed", "mark y 2"]);
    expect(JSON.parse(owed.lines[0] as string).event).toMatchObject({ id: "x", reason: "unknown" });
    expect(begun(owed)).toEqual(["y"]);
    // Nothing had streamed of the one that begins.
    expect(driver.inFlight.attempts).toMatchObject([{ id: "y", attempt: 2 }]);
  });

  it("of a settled or cancelled directive is stopped", () => {
    const on = { drop: { actions: issue({ type: "cancel", target: "x" }) } };
    const driver = driverOf([call("x")], {}, on);
    driver.take([], 0);
    const { stop } = driver.take([{ type: "event", event: { type: "drop" } }], 1);
    expect(stop).toEqual([{ run: "", id: "x", attempt: 1, why: "cancelled" }]);
  });
});

describe("time", () => {
  it("where a host returns for timers, the first is looked after while something else goes on", () => {
    const later = { type: "timer", id: "t", until: 10 };
    const driver = driverOf([later, call("x")], { timers: "return" });
    expect(driver.take([], 0)).toMatchObject({ stands: "running", wakeAt: 10 });
    const alone = driverOf([later], { timers: "return" });
    expect(alone.take([], 0)).toMatchObject({ stands: "waiting", wakeAt: undefined });
  });

  it("fires what is due before what arrives at the same moment", () => {
    const driver = driverOf([
      { type: "timer", id: "t", until: 10 },
      { type: "approval", id: "ok", title: "?", subject: null },
    ]);
    driver.take([], 0);
    const owed = driver.take([{ type: "decided", id: "ok", decision: { approve: true } }], 10);
    expect(kinds(owed)).toEqual(["timer.fired", "approval.decided"]);
  });

  it("never goes back: behind a clock that was set back durations go on at its pace", () => {
    const driver = driverOf([call("x")]);
    driver.take([], 50_000);
    driver.take([{ type: "event", event: { type: "note" } }], 50_010);
    const back = driver.take([{ type: "event", event: { type: "note" } }], 7);
    expect(JSON.parse(back.lines[0] as string).event.at).toBe(50_010);
    // 90 of 100 milliseconds are left.
    expect(back.wakeAt).toBe(97);
    expect(driver.take([], 97).stop).toMatchObject([{ id: "x", why: "late" }]);
  });
});

describe("an interrupt", () => {
  const asks = { type: "llm", id: "l", messages: [] };

  it("stops models at once, lets nothing begin, and ends the turn when the grace is over", () => {
    const driver = driverOf([asks, call("x"), call("y")], { slots: 2 });
    driver.take([], 0);
    const asked = driver.take([{ type: "interrupt", graceMs: 50 }], 10);
    expect([kinds(asked), asked.stop, asked.wakeAt]).toEqual([
      ["asked until 60"],
      [{ run: "", id: "l", attempt: 1, why: "interrupted" }],
      60,
    ]);
    const partial = { content: [{ type: "text", text: "so f" }], usage: { requests: 1 } } as const;
    const stopped = { type: "stopped", run: "", id: "l", attempt: 1, partial } as const;
    expect(driver.take([stopped], 11).begin).toEqual([]);
    // What settles meanwhile has its own time.
    expect(kinds(driver.take([settled("x")], 12))).toEqual([
      "tool.succeeded",
      "interrupt",
      "mark y 1",
    ]);
  });

  it("waits for what a model had streamed, though the time is up", () => {
    const driver = driverOf([asks]);
    driver.take([], 0);
    expect(kinds(driver.take([{ type: "interrupt", graceMs: 0 }], 1))).toEqual(["asked until 1"]);
    const partial = { content: [], usage: { requests: 1 } };
    const owed = driver.take([{ type: "stopped", run: "", id: "l", attempt: 1, partial }], 2);
    expect(JSON.parse(owed.lines[0] as string).event).toMatchObject({
      type: "interrupt",
      partial: { l: partial },
    });
  });

  it("is refused where the machine has no transition for it", () => {
    const driver = driverOf([], {}, {});
    driver.take([], 0);
    const { refused } = driver.take([{ type: "interrupt", graceMs: 0 }], 1);
    expect(refused).toMatchObject([{ why: "uninterruptible" }]);
  });
});

it("a drain lets what runs settle, begins nothing, and then leaves the run", () => {
  const driver = driverOf([call("x"), call("y")], { slots: 1 });
  driver.take([], 0);
  expect(driver.take([{ type: "drain", ms: 20 }], 5)).toMatchObject({
    stands: "running",
    wakeAt: 25,
  });
  const owed = driver.take([settled("x")], 6);
  expect([kinds(owed), begun(owed), owed.stands]).toEqual([["tool.succeeded"], [], "drained"]);
});

it("what follows is bounded: a take of many denials says that there is more", () => {
  const asked = Array.from({ length: 100 }, (_, i) => ({
    type: "approval",
    id: `ok/${i}`,
    title: "?",
    subject: null,
  }));
  const driver = driverOf(asked, { approvals: "denied" }, { "approval.decided": {} });
  const first = driver.take([], 0);
  expect([first.lines.length, first.more, first.wakeAt, first.stands]).toEqual([
    65,
    true,
    0,
    "running",
  ]);
  const second = driver.take([], 0);
  expect([second.lines.length, second.more, second.stands]).toEqual([36, false, "waiting"]);
});

it("drivers that are opened alike and told alike owe the same, to the byte", () => {
  const told = [
    [],
    [failed("x", 1)],
    [{ type: "interrupt", graceMs: 5 } as const],
    [settled("x", 2)],
  ];
  const played = () => {
    const driver = driverOf([call("x", "again"), call("y")], { slots: 1 });
    return told.map((arrived, i) => JSON.stringify(driver.take(arrived, 10 * i)));
  };
  expect(played()).toEqual(played());
});

it("a driver without lines owes the same, but for lines and marks of snapshots", () => {
  const desk = agent({ name: "desk", tools: [tool({ name: "pay", execute: () => "paid" })] });
  const opened = (lines: boolean) =>
    openDriver(desk, { input: "go", runId: "r", at: 0 }, { approvals: "outside", lines });
  const content = [{ type: "tool-call", toolCallId: "c", toolName: "pay", input: {} }];
  const answered = { type: "llm.succeeded", content, finishReason: "tool-calls", usage: {} };
  const settled = (id: string, settlement: object): Arrived =>
    ({ type: "settled", run: "", id, attempt: 1, settlement: { ...settlement, id } }) as never;
  const takes: readonly (readonly Arrived[])[] = [
    [],
    [settled("llm/0", answered)],
    [settled("tool/0/0", { type: "tool.succeeded", output: "paid" })],
    [
      settled("llm/1", {
        ...answered,
        content: [{ type: "text", text: "Paid." }],
        finishReason: "stop",
      }),
    ],
  ];
  const [silent, told] = [opened(false), opened(true)];
  for (const [at, arrived] of takes.entries()) {
    const { lines, at: _at, snapshot: _due, ...owed } = told.take(arrived, at);
    const { lines: none, at: _none, snapshot, ...same } = silent.take(arrived, at);
    expect([lines.length > 0, none, snapshot]).toEqual([true, [], undefined]);
    expect(same).toEqual(owed);
  }
  expect(silent.state).toEqual(told.state);
  expect(silent.state.status).toBe("done");
  expect(silent.inFlight).toEqual(told.inFlight);
});

it("timers that set the next one for the same moment do not keep a take from its end", () => {
  const timer = (n: unknown) => ({ type: "timer", id: `t/${n}`, until: 5 });
  const machine = smallReasoner({
    initial: "a",
    context: { n: 0 },
    states: {
      a: {
        entry: issue(timer(0)),
        on: {
          "timer.fired": {
            actions: [
              assign({ n: ({ context }) => Number(context.n) + 1 }),
              {
                type: "issue",
                params: ({ context }: { context: SmallContext }) => [timer(context.n)],
              },
            ],
          },
        },
      },
    },
  } as never);
  const step = machine.start(null as never, { at: 0, runId: "r" });
  const start = { event: { type: "start", at: 0 } as RunEvent, step };
  const source = { state: step.state, log: new LineLog(), start };
  const driver = new Driver(machine, source, { approvals: "outside", snapshots: false });
  driver.take([], 0);
  const owed = driver.take([{ type: "cancel" }], 5);
  // The cancel is taken behind as many as one take has room for.
  expect([owed.lines.length, owed.stands]).toEqual([65, "ended"]);
  const other = new Driver(machine, { ...source, log: new LineLog() }, { approvals: "outside" });
  other.take([], 0);
  expect(other.take([], 5)).toMatchObject({ more: true, stands: "running", wakeAt: 5 });
});

describe("the limits of a model call", () => {
  const attempt = { run: "", id: "a", attempt: 1 } as const;
  const progress = { type: "progress", ...attempt } as const;
  const held = { type: "held", ...attempt } as const;
  const limits = { llmTimeoutMs: 100, llmTotalMs: 250, retry: { attempts: 1 } };
  const lateAt = (driver: ReturnType<typeof driverOf>, at: number) => driver.take([], at).stop;

  it("are of silence: progress puts it off, and no line says so", () => {
    const driver = driverOf([llm("a")], limits);
    expect(driver.take([], 0).wakeAt).toBe(100);
    const owed = driver.take([progress], 60);
    expect([owed.lines, owed.refused, owed.wakeAt]).toEqual([[], [], 160]);
    expect(lateAt(driver, 159)).toEqual([]);
    expect(lateAt(driver, 160)).toMatchObject([{ id: "a", why: "late" }]);
  });

  it("are of the whole, whatever progress it makes", () => {
    const driver = driverOf([llm("a")], limits);
    driver.take([], 0);
    for (const now of [90, 180, 240]) driver.take([progress], now);
    const owed = driver.take([], 250);
    expect(owed.stop).toMatchObject([{ id: "a", why: "late" }]);
    expect(owed.lines[0]).toContain("was not whole within 250 ms");
  });

  it("stand still while the host has not begun it, and begin with its first progress", () => {
    const driver = driverOf([llm("a")], limits);
    driver.take([], 0);
    expect(driver.take([held], 10).wakeAt).toBeUndefined();
    expect(driver.take([progress], 5_000).wakeAt).toBe(5_100);
    expect(lateAt(driver, 5_100)).toHaveLength(1);
  });

  it("without end stay so for the next driver", () => {
    const driver = driverOf([llm("a")], { llmTimeoutMs: Infinity, llmTotalMs: Infinity });
    driver.take([], 0);
    expect(driver.inFlight.attempts).toEqual([attempt]);
  });

  it("go on with the next driver, and nobody speaks for an attempt that is over", () => {
    const driver = driverOf([llm("a")], limits);
    driver.take([], 0);
    driver.take([progress], 60);
    expect(driver.inFlight.attempts).toEqual([{ ...attempt, until: 160, latest: 250 }]);
    driver.take([], 160);
    for (const each of [progress, held]) {
      expect(driver.take([each], 170).refused).toMatchObject([{ why: "late" }]);
    }
  });
});

it("a tool has a limit in all: progress does not move it, but begins one that was held", () => {
  const driver = driverOf([call("x")]);
  const attempt = { run: "", id: "x", attempt: 1 } as const;
  expect(driver.take([], 0).wakeAt).toBe(100);
  expect(driver.take([{ type: "progress", ...attempt }], 50).wakeAt).toBe(100);
  expect(driver.take([{ type: "held", ...attempt }], 60).wakeAt).toBeUndefined();
  expect(driver.take([{ type: "progress", ...attempt }], 300).wakeAt).toBe(400);
});
