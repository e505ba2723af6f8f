// P1 to P7 under plans of faults: crashes in writes and calls, a journal that fails, a second process,
// answers late, twice and never, a clock that jumps and stands still, decisions that arrive as a run comes to wait, an
// upgrade on the way; on agents whose tools may not be repeated, and on machines of one's own.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { check, order } from "../examples/refunds.js";
import { type AgentContext, agent, agentTool } from "../src/core/agent/index.js";
import type { Reasoner, RunState, Step } from "../src/core/kernel/machine/index.js";
import { listOf, toArray } from "../src/core/kernel/values/index.js";
import { type Directive, type IncomingEvent, tool } from "../src/core/kernel/vocabulary/index.js";
import { decisions } from "../src/decisions/agent/index.js";
import {
  agentInput,
  brokenUnderFaults,
  type FaultPlan,
  faultLaws,
  faultPlan,
  surviving,
  worldScript,
} from "../src/testing/index.js";
import { plannedReasoner } from "./arbitrary-machine.js";
import { holds } from "./setup.js";

const worker = agent({
  name: "worker",
  tools: [
    tool({ name: "a", execute: () => 1 }),
    tool({ name: "b", needsApproval: true, execute: () => 1 }),
  ],
  maxIterations: 3,
});
const few = worldScript({ maxMoves: 6 });
const input = agentInput(["a", "b"]);
holds(
  "an agent",
  faultLaws(worker as never, { input: input as never, script: few, confluent: true }),
  16,
);
holds(
  "a machine of one's own",
  faultLaws(order as never, { ...check, input: fc.constant(100) } as never),
  8,
);
holds(
  "generated machines",
  faultLaws(plannedReasoner(), { input: fc.nat({ max: 2 }), bound: 25, script: few }),
  12,
);

const child = agent({
  name: "child",
  tools: [tool({ name: "c", needsApproval: true, execute: () => 1 })],
  maxIterations: 2,
});
const parent = agent({
  name: "parent",
  tools: [agentTool(child, { name: "delegate", description: "Has it done." })],
  maxIterations: 2,
});
holds(
  "a parent and its child",
  faultLaws(parent as never, { input: fc.constant("go") as never, script: few }),
  8,
);

const recorder = agent({
  name: "recorder",
  plugins: [decisions({ store: "d" })],
  maxIterations: 3,
});
const nothing = { goals: [], goalCount: 0, decisions: [], truncated: false };
holds(
  "an agent that writes decisions",
  faultLaws(
    recorder as never,
    {
      input: fc.constant("go"),
      script: few,
      stores: ["d"],
      settlers: {
        llm: (_directive: unknown, choose: (options: number) => number) => {
          const call = { type: "tool-call", toolCallId: "c", toolName: "add_goal" };
          const calls = [
            { ...call, input: { label: "a" } },
            { ...call, input: { label: "b" } },
          ];
          const content = calls.slice(0, choose(3));
          return {
            type: "llm.succeeded",
            content: content.length === 0 ? [{ type: "text", text: "done" }] : content,
            finishReason: content.length === 0 ? "stop" : "tool-calls",
            usage: {},
          };
        },
        read: () => ({ type: "read.succeeded", value: nothing }),
      },
    } as never,
  ),
  8,
);

describe("a plan of faults", () => {
  it("is drawn with every kind of fault, each alone and beside others", () => {
    const met = new Map<string, number>();
    for (const plan of fc.sample(faultPlan(), { numRuns: 500, seed: 1 })) {
      for (const fault of Object.keys(plan)) met.set(fault, (met.get(fault) ?? 0) + 1);
    }
    expect([...met.keys()].toSorted()).toEqual([
      "calls",
      "crashes",
      "decisions",
      "handovers",
      "jumps",
      "stands",
      "takeover",
      "upgrade",
    ]);
    expect(Math.min(...met.values())).toBeGreaterThan(100);
  });

  const plans: readonly [string, FaultPlan, RegExp][] = [
    ["lets a process die", { crashes: [{ in: "append", at: 1, reached: "part" }] }, /^undefined/],
    ["lets another process go on", { takeover: 1 }, /ends elsewhere/],
  ];
  it.each(plans)("%s, and the run goes on", (_name, plan, said) => {
    const script = { moves: [], answers: [], values: [] };
    const options = { input: input as never };
    const { processes, last } = surviving(worker as never, "go" as never, script, plan, options);
    const ends = processes.map(({ status, thrown }) => String(thrown ?? status));
    expect(ends.join(" ")).toMatch(said);
    expect(last.status).toBe("done");
  });

  const plainly = { moves: [], answers: [], values: [] };
  // A call, and an answer that is not cut off.
  const acts = { ...plainly, answers: [4] };
  const inEach: readonly [string, FaultPlan, (string | undefined)[]][] = [
    ["a call that is never answered", { calls: [{ at: 0, how: "never" }] }, ["done", "done"]],
    [
      "a death before a call",
      { crashes: [{ in: "call", at: 0, reached: "nothing" }] },
      [undefined, "done"],
    ],
    [
      "a death as something is seen",
      { crashes: [{ in: "observation", at: 0, reached: "all" }] },
      [undefined, "done"],
    ],
    ["a clock that stands still", { stands: [0, 1_000] }, ["done"]],
    ["an upgrade", { calls: [], upgrade: 1 }, ["done", "done"]],
    ["a driver that is dropped", { handovers: [1, 2] }, ["done", "done"]],
  ];
  it.each(inEach)("%s", (_name, plan, ends) => {
    const options = { input: input as never };
    const { processes } = surviving(worker as never, "go" as never, plainly, plan, options);
    expect(processes.map(({ status }) => status)).toEqual(ends);
  });

  it("has decisions race with the rest: taken or too late, by so many steps", () => {
    const told = (steps: number) => {
      const { processes } = surviving(
        parent as never,
        "go" as never,
        acts,
        { decisions: [steps] },
        { input: input as never },
      );
      return processes[0]?.inputs.length;
    };
    expect(told(0)).toBe(1);
    expect(told(2_000)).toBe(0);
  });
});

/** The agent with its steps changed on their way out. */
const planted = (change: (step: Step<AgentContext>, event: IncomingEvent) => Step<AgentContext>) =>
  ({
    ...worker,
    step: (state: RunState<AgentContext>, event: IncomingEvent) =>
      change((worker as never as Reasoner<never, unknown, AgentContext>).step(state, event), event),
  }) as never;

describe("the laws under faults find what they are about", () => {
  const faults: readonly [string, string, never][] = [
    [
      "a result is forgotten",
      "reads transcripts that are whole",
      planted((step) => ({
        ...step,
        directives: step.directives.map((each): Directive => {
          if (each.type !== "llm") return each;
          const messages = toArray(each.messages as AgentContext["messages"]);
          return { ...each, messages: listOf(messages.filter(({ role }) => role !== "tool")) };
        }),
      })),
    ],
    [
      "the order of answers is kept",
      "late, come twice",
      planted((step, event) => {
        if (!event.type.startsWith("tool.") || step.ignored !== undefined) return step;
        const { context } = step.state;
        const systemPrompt = `${context.systemPrompt} ${String((event as { id?: string }).id)}`;
        return { ...step, state: { ...step.state, context: { ...context, systemPrompt } } };
      }),
    ],
  ];
  it.each(faults)("%s: %s", (_fault, words, reasoner) => {
    const plans = fc.nat({ max: 3 }).map((at): FaultPlan => {
      return { calls: [{ at, how: "late", ms: 60 }] };
    });
    const options = { input: input as never, script: few, confluent: true };
    const laws = faultLaws(reasoner, options, plans);
    const law = laws.find(({ name }) => name.includes(words));
    const property = law?.property as fc.IProperty<unknown>;
    expect(() => fc.assert(property, { seed: 1 })).toThrow(
      /seed: 1, [\s\S]*plan[\s\S]*process 0: [\s\S]*#0 start at 1000\n/,
    );
  });

  it.each(faults)("%s: by one plan and all laws at once", (_fault, words, reasoner) => {
    const options = { input: input as never, confluent: true };
    // Calls in an answer that is not cut off; the second of two results comes before the first.
    const script = { moves: [], answers: [7], values: [] };
    const plan: FaultPlan = { calls: [{ at: 1, how: "late", ms: 60 }] };
    const broken = brokenUnderFaults(reasoner, "go" as never, script, plan, options);
    expect(broken?.law).toContain(words);
    expect(broken?.text).toMatch(/^process 0: [\s\S]*#0 start at 1000\n/);
    const sound = brokenUnderFaults(worker as never, "go" as never, script, plan, options);
    expect(sound).toBeUndefined();
  });
});
