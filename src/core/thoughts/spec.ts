/** The complete definition of a Graph-of-Thoughts reasoner, with all defaults. @internal */
import type { JsonObject, LlmSettings, ModelPrice, Prices } from "../kernel/index.js";
import type { Better } from "./graph/walk.js";
import type { Prompt, Scorer, Validator } from "./operations/functions.js";
import type { Policy } from "./policies/policy.js";

/** The prompts, each for one kind of question. */
export interface Prompts<State extends object = JsonObject> {
  readonly generate: Prompt<State>;
  readonly score: Prompt<State>;
  readonly improve: Prompt<State>;
  readonly validate: Prompt<State>;
  readonly aggregate: Prompt<State>;
  readonly connect: Prompt<State>;
}

/** The definition of the machine. */
export interface ThoughtsSpec {
  readonly name: string;
  readonly policy: Policy;
  readonly prompts: Prompts;
  /** The prompts that are not the default ones. */
  readonly replaced: readonly string[];
  readonly scorer: Scorer | undefined;
  readonly whole: Validator | undefined;
  readonly better: Better;
  readonly model: string | undefined;
  readonly settings: LlmSettings | undefined;
  readonly structured: boolean;
  readonly price: ModelPrice | undefined;
  readonly prices: Prices | undefined;
  readonly retries: number;
  readonly maxNodes: number | null;
  readonly maxDepth: number | null;
  readonly tokens: number | null;
  /** In billionths. */
  readonly costBudget: number | null;
  readonly modelCalls: number | null;
  readonly deadlineMs: number | null;
}
