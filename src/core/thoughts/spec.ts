/** The definition of a Graph-of-Thoughts reasoner, as it is given and with all defaults. */

import type { Migrations } from "../kernel/machine/index.js";
import type * as shapes from "../kernel/shapes.js";
import type { JsonObject } from "../kernel/values/index.js";
import type { LlmSettings, ModelPrice, Prices } from "../kernel/vocabulary/index.js";
import type { Better } from "./graph/walk.js";
import type { Prompt, Validator } from "./operations/functions.js";
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

/**
 * The definition of a reasoner of thoughts.
 * @typeParam State the task's state: the input, and what parsers lay over it
 */
export interface ThoughtsDefinition<State extends object = JsonObject> {
  /** Default "thoughts". Two names are two reasoners: a journal of one is refused by the other. */
  readonly name?: string | undefined;
  /** A whole number of your own, raised when you change what a recorded run means. Default 1. */
  readonly version?: number | undefined;
  /** Contexts of earlier versions as ones of later, by the version that each leads to. */
  readonly migrations?: Migrations | undefined;
  /**
   * The policy that decides the next operations: `beamSearch(…)`, `plan([…])`, one of `plans`, or one's
   * own by `policy(…)`.
   */
  readonly policy: Policy<State>;
  /** Prompts in place of the default ones. */
  readonly prompts?: shapes.Options<Partial<Prompts<State>>> | undefined;
  /**
   * Returns true when a thought is an answer to the whole problem, not to a part of it. Default: by how
   * it was made (see `splits`, and the merges of a plan).
   */
  readonly whole?: Validator<State> | undefined;
  /** The direction of good scores: low ones where they count errors, say. Default "higher". */
  readonly better?: Better | undefined;
  /** Name of the model port to ask, where the host has several. */
  readonly model?: string | undefined;
  readonly settings?: LlmSettings | undefined;
  /**
   * True when scores and verdicts are asked for as JSON of a schema, where the default prompts are used;
   * a model that cannot is asked for a text. Default true.
   */
  readonly structured?: boolean | undefined;
  /** The prices of models, by their name in `model` or by its beginning. */
  readonly prices?: Prices | undefined;
  /** The price of a model that `prices` does not name. */
  readonly price?: ModelPrice | undefined;
  /**
   * The number of times that a model call that failed is asked for again before its branch is dropped.
   * Default 1.
   */
  readonly retries?: number | undefined;
  /** Thoughts in the graph, the root included. Default: the policy's; 20 for `beamSearch`. */
  readonly maxNodes?: number | undefined;
  /** Default: the policy's; 5 for `beamSearch`. */
  readonly maxDepth?: number | undefined;
  /** Tokens; no call begins that would pass them. Default: no limit. */
  readonly tokens?: number | undefined;
  /** Money, in US dollars; no call begins that would pass it. Default: no limit. */
  readonly costBudget?: number | undefined;
  /** Model calls. Default: no limit. */
  readonly modelCalls?: number | undefined;
  /** Milliseconds from the start. Default: no limit. */
  readonly deadlineMs?: number | undefined;
}

/** The options that are values once the defaults are filled in. */
type Filled = "name" | "policy" | "better" | "structured" | "retries";
/** The limits; `null`: none. */
type Limit = "maxNodes" | "maxDepth" | "tokens" | "costBudget" | "modelCalls" | "deadlineMs";

/** The definition of the machine: all options, with their defaults. */
export type ThoughtsSpec = {
  readonly [Name in Filled]-?: Exclude<ThoughtsDefinition[Name], undefined>;
} & { readonly [Name in Limit]: number | null } & Omit<
    ThoughtsDefinition,
    Filled | Limit | "prompts" | "version" | "migrations"
  > & {
    readonly prompts: Prompts;
    /** The prompts that are not the default ones. */
    readonly replaced: readonly string[];
  };
