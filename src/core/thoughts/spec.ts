/** A reasoner of thoughts with its defaults filled in. @internal */
import type { LlmSettings } from "../kernel/index.js";
import type { Prompt, Scorer } from "./functions.js";
import type { Policy } from "./policy.js";
import type { Better } from "./walk.js";

/** The prompts, each for one kind of question. */
export interface Prompts {
  readonly generate: Prompt;
  readonly score: Prompt;
  readonly improve: Prompt;
  readonly validate: Prompt;
  readonly aggregate: Prompt;
  readonly connect: Prompt;
}

/** What the machine is made from. */
export interface ThoughtsSpec {
  readonly name: string;
  readonly policy: Policy;
  readonly prompts: Prompts;
  readonly scorer: Scorer | undefined;
  readonly better: Better;
  readonly model: string | undefined;
  readonly settings: LlmSettings | undefined;
  readonly retries: number;
  readonly maxNodes: number | null;
  readonly maxDepth: number | null;
  readonly tokens: number | null;
  readonly modelCalls: number | null;
  readonly deadlineMs: number | null;
}
