// Agents with everything switched on at random: behaviours, hooks, plug-ins, structured output,
// limits, conversations, and agents of their own to delegate to.
import fc from "fast-check";
import { z } from "zod";
import {
  type Agent,
  type AgentDefinition,
  agent,
  agentTool,
  type Behaviour,
  basicBehaviour,
  type Plugin,
  reactBehaviour,
} from "../src/core/agent/index.js";
import { isList, sizeOf, toArray } from "../src/core/kernel/values/index.js";
import { agentContext } from "../src/index.js";
import { rarely, toolOf, toolPlan } from "./agents.js";

/** A behaviour that touches everything it may touch. */
const busy = (recovery: "retry" | "continue" | "error"): Behaviour => ({
  ...basicBehaviour,
  name: `busy-${recovery}`,
  // A plain array, with a word of its own in front.
  buildMessages: (_spec, context) => [
    { role: "user", content: "be brief" },
    ...toArray(context.messages),
  ],
  getTools: (spec, { iteration }) => Object.values(spec.tools).slice(iteration % 2),
  initContext: (_spec, context) => agentContext.mergeDeps(context, { begun: true }),
  beforeRequest: (_spec, { iteration }, request) => ({
    ...request,
    settings: { temperature: iteration },
  }),
  afterTool: (_spec, call, context) => agentContext.mergeDeps(context, { last: call.name }),
  handleError: (_spec, error, context) =>
    recovery === "error" ? { type: "error", error } : { type: recovery, context },
});

const behaviours: { readonly [name: string]: Behaviour } = {
  react: reactBehaviour,
  retry: busy("retry"),
  continue: busy("continue"),
  error: busy("error"),
};

const judges: { readonly [name: string]: Plugin } = {
  strict: {
    name: "strict",
    beforeRequest: (_context, { messages }) =>
      (isList(messages) ? sizeOf(messages) : messages.length) > 9
        ? { type: "deny", reason: "too long" }
        : undefined,
    beforeTool: (_context, { name }) =>
      name === "t0" ? { type: "deny", reason: "not t0" } : undefined,
  },
  meddling: {
    name: "meddling",
    beforeTool: (_context, { id, input }) => ({
      type: "modify",
      input: id.endsWith("1") ? { text: "other" } : input,
    }),
    afterTool: (_context, { name }, outcome) =>
      outcome.type === "returned"
        ? { ...outcome, output: `${name} is through` }
        : { ...outcome, text: "no" },
  },
  throwing: {
    name: "throwing",
    beforeTool: () => {
      throw new Error("no idea");
    },
    afterTool: () => {
      throw new Error("no idea");
    },
  },
};

const plugins: { readonly [name: string]: Plugin } = {
  counting: {
    name: "counting",
    init: () => 0,
    systemPrompt: (_context, state) => `asked ${state} times`,
    settle: (_context, state) => ({ state: (state as number) + 1 }),
  },
  asking: {
    name: "asking",
    issue: () => [
      { type: "read", store: "s", query: {} },
      { type: "write", store: "s", operations: [] },
    ],
    settle: (_context, _state, settled) => ({
      prompt: settled.map(({ type }) => type).join(),
      deps: { asked: settled.length },
    }),
  },
  failing: {
    name: "failing",
    issue: ({ iteration }) => {
      if (iteration > 0) throw new Error("broken");
      return [{ type: "run", reasoner: "nobody", input: 1 }];
    },
    settle: () => {
      throw new Error("broken");
    },
  },
};

const outputs = {
  json: { schema: z.object({ answer: z.number() }), retries: 1 },
  tool: { schema: z.object({ text: z.string() }), via: "tool" },
} as const;

const choice = <T extends object>(of: T) => fc.constantFrom(...(Object.keys(of) as (keyof T)[]));
const often = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const parts = {
  tools: fc.array(toolPlan, { maxLength: 2 }),
  maxIterations: fc.integer({ min: 1, max: 4 }),
  sequential: rarely(fc.constant(true)),
  conversation: rarely(fc.constant(true)),
  onLimit: rarely(fc.constant("answer" as const)),
  behaviour: often(choice(behaviours)),
  judge: rarely(choice(judges)),
  plugins: fc.uniqueArray(choice(plugins), { maxLength: 2 }),
  output: rarely(choice(outputs)),
};
const limits = {
  tokenBudget: rarely(fc.integer({ min: 1, max: 120 })),
  money: rarely(
    fc.record({
      costBudget: fc.integer({ min: 1, max: 3_000_000 }).map((billionths) => billionths / 1e9),
      prices: fc.constant({ m: { inputPerMillion: 1, outputPerMillion: 5 } }),
      settings: fc.constant({ maxOutputTokens: 100 }),
    }),
  ),
  deadlineMs: often(fc.constantFrom(1, 20, 200, 100_000)),
};

/** Agents of a number of generations: those of the last one delegate to nobody. */
function fullAgents(generations: number, limited: boolean): fc.Arbitrary<Agent> {
  const children: fc.Arbitrary<Agent[]> =
    generations === 0
      ? fc.constant([])
      : fc.array(fullAgents(generations - 1, limited), { maxLength: 2 });
  return fc
    .record({ plan: fc.record({ ...parts, ...(limited ? limits : {}) }), children })
    .map(({ plan, children: delegates }) => {
      const {
        tools,
        behaviour,
        judge,
        plugins: names,
        output,
        money,
        ...rest
      } = JSON.parse(JSON.stringify(plan)) as typeof plan & { readonly money?: object };
      const made = agent({
        name: "full",
        ...rest,
        ...money,
        ...(behaviour === undefined ? {} : { behaviour: behaviours[behaviour] }),
        ...(output === undefined ? {} : { output: outputs[output] }),
        plugins: [
          ...names.map((name) => plugins[name] as Plugin),
          ...(judge === undefined ? [] : [judges[judge] as Plugin]),
        ],
        tools: [
          ...tools.map((each, i) => toolOf(each, `t${i}`)),
          ...delegates.map((child, i) => agentTool(child, { name: `child${i}` })),
        ],
      } as unknown as AgentDefinition);
      const shown = [fc.stringify(plan), ...delegates.map((child) => fc.stringify(child))];
      return { ...made, [fc.toStringMethod]: () => shown.join() } as Agent;
    });
}

/** Agents in which no budget cuts anything off: the order of answers is nothing to them. */
export const orderlyAgent: fc.Arbitrary<Agent> = fullAgents(2, false);
/** Agents with budgets of tokens and of time as well. */
export const limitedAgent: fc.Arbitrary<Agent> = fullAgents(1, true);
/** Agents that delegate to nobody, with budgets of tokens and of time as well. */
export const loneAgent: fc.Arbitrary<Agent> = fullAgents(0, true);
