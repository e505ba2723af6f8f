// Faults planted in machines, in what decides and in what is written: plans of faults around small runs find each,
// by the law that is about it, and find nothing where none is planted.
import fc from "fast-check";
import { agent, agentTool, tool } from "reckoner";
import { brokenUnderFaults, type FaultPlan } from "reckoner/testing";
import { afterEach, expect, it, vi } from "vitest";
import { Driver, LineLog } from "../../../src/core/driver/index.js";
import { WrittenValues } from "../../../src/core/journal/index.js";
import { listOf, toArray } from "../../../src/core/kernel/values/index.js";

// biome-ignore lint/suspicious/noExplicitAny: parts of every kind are tampered with.
type Any = any;

/** The planted fault of a module's function. */
const plant = vi.hoisted(() => ({ is: "" }));
vi.mock(import("../../../src/core/driver/may-begin.js"), async (original) => {
  const real = await original();
  return {
    ...real,
    mayBegin: (...of) => plant.is === "mayBegin" || real.mayBegin(...of),
    isMarked: (...of) => plant.is !== "isMarked" && real.isMarked(...of),
    mayTryAgain: (effect, count, ...of) =>
      (plant.is === "mayTryAgain" && count < 3) || real.mayTryAgain(effect, count, ...of),
  };
});
vi.mock(import("../../../src/core/journal/upgrade.js"), async (original) => {
  const real = await original();
  return { ...real, isOf: (...of) => plant.is === "isOf" || real.isOf(...of) };
});

afterEach(() => {
  plant.is = "";
  vi.restoreAllMocks();
});

const execute = () => null;
const tools = [
  tool({ name: "look", idempotent: true, execute }),
  tool({ name: "pay", execute }),
  tool({ name: "ask", needsApproval: true, execute }),
];
const child = agent({ name: "child", tools: [tools[1] as Any] });
const delegate = agentTool(child, { name: "delegate", description: "Has it done." });
const worker: Any = agent({ name: "worker", tools });
const parent: Any = agent({ name: "parent", tools: [delegate, tools[1] as Any] });

/** A model that calls each tool it is given, and is content with whatever comes of it. */
const settlers: Any = {
  llm({ tools: given = [], messages }: Any) {
    const said = { type: "llm.succeeded", usage: {} };
    const text = { type: "text", text: "done, at some length ".repeat(20) };
    if (messages.length > 1) return { ...said, finishReason: "stop", content: [text] };
    const content = given.map(({ name }: Any) => {
      const note = (name === "pay" ? "b" : "a").repeat(300);
      const input = name === "delegate" ? { prompt: "go" } : { note };
      return { type: "tool-call", toolCallId: name, toolName: name, input };
    });
    return { ...said, finishReason: "tool-calls", content };
  },
  tool: () => ({ type: "tool.succeeded", output: "found ".repeat(100) }),
};

const REACHED = ["nothing", "part", "all"] as const;
const plans: readonly FaultPlan[] = [
  {},
  ...[0, 1, 2, 3, 4].flatMap((at) =>
    REACHED.flatMap((reached): FaultPlan[] => [
      { crashes: [{ in: "append", at, reached }] },
      { crashes: [{ in: "call", at, reached }] },
    ]),
  ),
  ...[1, 2, 3].flatMap((at): FaultPlan[] => [
    { calls: [{ at, how: "late", ms: 60 }] },
    { calls: [{ at, how: "never" }] },
    { calls: [{ at, how: "twice" }] },
    { calls: [{ at, how: "lost" }] },
  ]),
  { decisions: [0] },
  { handovers: [2, 3, 4, 5] },
];

/** The laws that a reasoner breaks under some plan. */
function brokenBy(reasoner: Any): readonly string[] {
  const script = { moves: [], answers: [], values: [] };
  const options = { input: fc.constant("go"), settlers, confluent: true };
  const found = plans.map((plan) => brokenUnderFaults(reasoner, "go", script, plan, options));
  return [...new Set(found.map((each) => each?.law ?? ""))].filter((law) => law !== "");
}

/** A worker whose steps are changed on their way out. */
const stepping = (change: (step: Any, event: Any) => Any): Any => ({
  ...worker,
  step: (state: Any, event: Any) => change(worker.step(state, event), event),
});

/** Puts a method in the place of a class's own. */
function instead(of: Any, name: string, make: (real: Any) => Any): void {
  const real = of.prototype[name];
  vi.spyOn(of.prototype, name).mockImplementation(make(real));
}

let times = 0;

const faults: readonly (readonly [fault: string, law: RegExp, plant: () => Any])[] = [
  [
    "a machine that forgets results",
    /transcripts that are whole/,
    () =>
      stepping((step) => ({
        ...step,
        directives: step.directives.map((each: Any) => {
          if (each.type !== "llm") return each;
          const kept = toArray(each.messages as Any).filter(({ role }: Any) => role !== "tool");
          return { ...each, messages: listOf(kept as never) };
        }),
      })),
  ],
  [
    "a machine that keeps the order of answers",
    /late, come twice/,
    () =>
      stepping((step, { type, id }) => {
        if (!type.startsWith("tool.") || step.ignored !== undefined) return step;
        const { context } = step.state;
        const systemPrompt = `${context.systemPrompt} ${id}`;
        return { ...step, state: { ...step.state, context: { ...context, systemPrompt } } };
      }),
  ],
  [
    "a machine that counts outside itself",
    /replays identical/,
    () =>
      stepping((step) => {
        const context = { ...step.state.context, systemPrompt: `${times++}` };
        return { ...step, state: { ...step.state, context } };
      }),
  ],
  [
    "an effect that always begins again",
    /begins once/,
    () => {
      plant.is = "mayBegin";
    },
  ],
  [
    "attempts that are not marked",
    /begins once/,
    () => {
      plant.is = "isMarked";
    },
  ],
  [
    "a tool that is repeated though its time was up",
    /begins once/,
    () => {
      plant.is = "mayTryAgain";
    },
  ],
  [
    "marks that are not written",
    /begins once/,
    () =>
      instead(
        LineLog,
        "event",
        (real) =>
          function (this: LineLog, reasoner: Any, event: Any, step: Any, _: Any, ...of: Any[]) {
            return real.call(this, reasoner, event, step, [], ...of);
          },
      ),
  ],
  [
    "effects that begin before the lines are durable",
    /begins once/,
    () =>
      instead(
        Driver,
        "take",
        (real) =>
          function (this: Driver<Any, Any, Any>, ...of: Any[]) {
            const owed = real.apply(this, of);
            return { ...owed, early: [...owed.early, ...owed.begin], begin: [] };
          },
      ),
  ],
  [
    "a line that is not written",
    /replays identical/,
    () =>
      instead(
        LineLog,
        "take",
        (real) =>
          function (this: LineLog) {
            const { lines, at } = real.call(this);
            return { at, lines: at.lines > 3 ? lines.slice(1) : lines };
          },
      ),
  ],
  [
    "a decision that is dropped",
    /took, is not lost/,
    () =>
      instead(
        Driver,
        "take",
        (real) =>
          function (this: Driver<Any, Any, Any>, arrived: Any[], now: number) {
            return real.call(
              this,
              arrived.filter(({ type }) => type !== "decided"),
              now,
            );
          },
      ),
  ],
  [
    "values that are written each time",
    /no value is written twice/,
    () => instead(WrittenValues, "has", () => () => false),
  ],
  [
    "a configuration that is not looked at",
    /refused by its old code/,
    () => {
      plant.is = "isOf";
    },
  ],
  [
    "a driver that forgets what is in flight",
    /missed by nobody/,
    () => {
      vi.spyOn(Driver.prototype, "inFlight", "get").mockReturnValue({ attempts: [] });
    },
  ],
];

it.each([
  ["an agent", worker],
  ["a parent and its child", parent],
])("%s in which nothing is planted breaks no law", (_name, reasoner) => {
  expect(brokenBy(reasoner)).toEqual([]);
});

it.each(faults)("%s: found", (_fault, law, plantIt) => {
  const reasoner = plantIt() ?? worker;
  expect(brokenBy(reasoner).join("\n")).toMatch(law);
});

const inTrees: typeof faults = faults.filter(([, law]) =>
  /once|replays|flight|nobody/.test(String(law)),
);
it.each(inTrees)("%s: found in a tree", (_fault, law, plantIt) => {
  if (plantIt() === undefined) expect(brokenBy(parent).join("\n")).toMatch(law);
});
