// Agents to draw from: tools of every kind, every option, and every way to go wrong.
import fc from "fast-check";
import { z } from "zod";
import { type Agent, agent } from "../src/core/agent/index.js";
import {
  contextUpdate,
  type Tool,
  type ToolRequest,
  tool,
  withUpdate,
} from "../src/core/kernel/vocabulary/index.js";

/** A tool as it is drawn. */
export interface ToolPlan {
  readonly kind: "execute" | "reduce" | "issue";
  readonly schema: "none" | "text" | "loose";
  readonly behaviour: "returns" | "updates" | "throws" | "odd";
  readonly idempotent?: true;
  readonly sequential?: true;
  readonly final?: true;
  readonly needsApproval?: "always" | "sometimes" | "beside" | "throws";
  readonly formatError?: "formats" | "throws";
  readonly timeoutMs?: number;
  readonly requests: readonly ToolRequest[];
}

/** One time in six: what is there too often hides everything else. */
export const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
const yes = rarely(fc.constant(true as const));
const request: fc.Arbitrary<ToolRequest> = fc.constantFrom<ToolRequest>(
  { type: "read", store: "s", query: { q: 1 } },
  { type: "write", store: "s", operations: [{ op: "put" }] },
  { type: "run", reasoner: "child", input: "go" },
);
/** Tools to draw from. */
export const toolPlan: fc.Arbitrary<ToolPlan> = fc
  .record({
    kind: fc.constantFrom(...(["execute", "execute", "execute", "reduce", "issue"] as const)),
    schema: fc.constantFrom(...(["none", "text", "loose"] as const)),
    behaviour: fc.constantFrom(
      ...(["returns", "returns", "updates", "updates", "throws", "odd"] as const),
    ),
    requests: fc.array(request, { maxLength: 2 }),
    idempotent: yes,
    sequential: yes,
    final: yes,
    needsApproval: rarely(
      fc.constantFrom(...(["always", "sometimes", "beside", "throws"] as const)),
    ),
    formatError: rarely(fc.constantFrom(...(["formats", "throws"] as const))),
    timeoutMs: rarely(fc.constantFrom(10, 1_000)),
  })
  .map((plan) => JSON.parse(JSON.stringify(plan)) as ToolPlan);

const schemas = {
  none: undefined,
  text: z.object({ text: z.string(), count: z.number().optional() }),
  loose: z.object({}).loose(),
};

/** The tool of a plan. */
export function toolOf(plan: ToolPlan, name: string): Tool {
  const { kind, behaviour, requests, needsApproval, formatError } = plan;
  const result = (context: { deps: object }, extra: unknown): unknown => {
    if (behaviour === "throws") throw new Error(`${name} does not work`);
    if (behaviour === "odd") return { when: new Date(0) };
    const output = { name, deps: Object.keys(context.deps).length, extra };
    const update = contextUpdate().append("log", name).increment("count", 1);
    return behaviour === "updates" ? withUpdate(output, update) : output;
  };
  const work = {
    execute: { execute: (_input: unknown, context: { deps: object }) => result(context, null) },
    reduce: { reduce: (input: unknown, context: { deps: object }) => result(context, input) },
    issue: {
      issue: () => requests,
      settle: (_input: unknown, context: { deps: object }, settled: readonly { type: string }[]) =>
        result(
          context,
          settled.map(({ type }) => type),
        ),
    },
  }[kind];
  const approval = {
    always: true,
    sometimes: (_input: unknown, { deps }: { deps: object }) => "log" in deps,
    // One of a tool that ends the run blocks.
    beside: plan.final === true ? true : { blocks: false },
    throws: () => {
      throw new Error("cannot say");
    },
  };
  const { idempotent, sequential, final, timeoutMs } = plan;
  const schema = schemas[plan.schema];
  return tool({
    name,
    ...(schema === undefined ? {} : { inputSchema: schema }),
    ...(idempotent && { idempotent }),
    ...(sequential && { sequential }),
    ...(final && { final }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(needsApproval === undefined ? {} : { needsApproval: approval[needsApproval] }),
    ...(formatError === undefined
      ? {}
      : {
          formatError: ({ reason }: { reason: string }) => {
            if (formatError === "throws") throw new Error("no words");
            return `it failed: ${reason} \uD800`;
          },
        }),
    ...work,
  } as never);
}

const plan = {
  tools: fc.array(toolPlan, { maxLength: 4 }),
  maxIterations: fc.integer({ min: 1, max: 5 }),
  system: rarely(fc.string()),
  sequential: yes,
  conversation: yes,
  onLimit: rarely(fc.constant("answer" as const)),
  deps: rarely(fc.constant({ count: 1, log: [] })),
};

function agentOf({ tools, ...rest }: { tools: readonly ToolPlan[] }): Agent {
  const made = agent({
    name: "any",
    ...(JSON.parse(JSON.stringify(rest)) as object),
    tools: tools.map((each, i) => toolOf(each, `t${i}`)),
  });
  const toText = () => fc.stringify({ tools, ...rest });
  return { ...made, [fc.toStringMethod]: toText } as Agent;
}

/** Agents with up to four tools. */
export const anyAgent: fc.Arbitrary<Agent> = fc.record(plan).map(agentOf);

/** Agents that may run out of time and tokens: then it matters what comes first. */
export const hurriedAgent: fc.Arbitrary<Agent> = fc
  .record({
    ...plan,
    deadlineMs: fc.constantFrom(1, 20, 1_000),
    tokenBudget: rarely(fc.nat({ max: 200 }).map((tokens) => tokens + 1)),
    onLimit: fc.constantFrom("answer" as const, "error" as const),
  })
  .map(agentOf);
