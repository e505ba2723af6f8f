/** `thoughts`: the Graph of Thoughts as a reasoner, from a policy, prompts and budgets. */
import { defineReasoner, type LlmSettings, type Reasoner, ReckonerError } from "../kernel/index.js";
import type { ThoughtsContext, ThoughtsInput, ThoughtsResult } from "./context.js";
import type { Scorer } from "./functions.js";
import { thoughtsMachine } from "./machine.js";
import type { Policy } from "./policy.js";
import { defaultPrompts } from "./prompts.js";
import type { Prompts, ThoughtsSpec } from "./spec.js";
import type { Better } from "./walk.js";

/** What a reasoner of thoughts is made of. */
export interface ThoughtsDefinition {
  /** Default "thoughts". */
  readonly name?: string;
  /** What is done next: `explore(…)`, `plan([…])`, one of `plans`, or one's own. */
  readonly policy: Policy;
  /** Prompts in place of the default ones. */
  readonly prompts?: Partial<Prompts>;
  /** Scores thoughts wherever an operation says nothing else. Default: the model does. */
  readonly scorer?: Scorer;
  /** Whether high scores are good or low ones (errors, say). Default "higher". */
  readonly better?: Better;
  /** Name of the model port to ask, where the host has several. */
  readonly model?: string;
  readonly settings?: LlmSettings;
  /** How often a model call that failed is asked for again before its branch is dropped. Default 1. */
  readonly retries?: number;
  /** Thoughts in the graph, the root included. Default: the policy's; 20 for `explore`. */
  readonly maxNodes?: number;
  /** Default: the policy's; 5 for `explore`. */
  readonly maxDepth?: number;
  /** No call begins when so many tokens are spent. Default: no limit. */
  readonly tokens?: number;
  /** Model calls. Default: no limit. */
  readonly modelCalls?: number;
  /** Milliseconds from the start. Default: no limit. */
  readonly deadlineMs?: number;
}

/** A reasoner of thoughts. Its output is the best thought, and why the run ended. */
export type Thoughts = Reasoner<ThoughtsInput, ThoughtsResult, ThoughtsContext>;

/**
 * Makes a reasoner of thoughts.
 * @throws ReckonerError `thoughts.invalid`
 */
export function thoughts(definition: ThoughtsDefinition): Thoughts {
  const { name = "thoughts", policy, better = "higher", retries = 1 } = definition;
  if (policy === undefined) {
    throw new ReckonerError("thoughts.invalid", "thoughts needs a policy: explore() or plan([…]).");
  }
  const budgets = {
    maxNodes: atLeast(1, "maxNodes", definition.maxNodes) ?? policy.defaults.maxNodes,
    maxDepth: atLeast(0, "maxDepth", definition.maxDepth) ?? policy.defaults.maxDepth,
    tokens: atLeast(0, "tokens", definition.tokens) ?? null,
    modelCalls: atLeast(0, "modelCalls", definition.modelCalls) ?? null,
    deadlineMs: atLeast(0, "deadlineMs", definition.deadlineMs) ?? null,
  };
  atLeast(0, "retries", retries);
  const { model, settings, scorer } = definition;
  const prompts = { ...defaultPrompts, ...definition.prompts };
  const spec: ThoughtsSpec = {
    name,
    policy,
    prompts,
    scorer,
    better,
    model,
    settings,
    retries,
    ...budgets,
  };
  return defineReasoner<ThoughtsInput, ThoughtsResult, ThoughtsContext>({
    id: "thoughts",
    machine: thoughtsMachine(spec),
    output: (context) => context.result ?? undefined,
    error: (context) => context.error ?? undefined,
    configuration: {
      name,
      policy: [policy.name, policy.configuration],
      replaced: Object.keys(definition.prompts ?? {}).sort(),
      scorer: scorer?.name,
      better,
      model,
      settings,
      retries,
      ...budgets,
    },
  });
}

function atLeast(least: number, what: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isInteger(value) && value >= least)) return value;
  throw new ReckonerError(
    "thoughts.invalid",
    `${what} must be a whole number, ${least} or more; it is ${value}.`,
  );
}
