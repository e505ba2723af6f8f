/**
 * The operations of the Graph-of-Thoughts paper, with its parameters and defaults, and two of the
 * seed's (connect, and the aggregation strategies). An operation takes the thoughts of the operations
 * it comes after, in their order, and hands thoughts on.
 */
import type {
  Normaliser,
  Parser,
  Prompt,
  ScoreParser,
  Scorer,
  Selector,
  Validator,
  VerdictParser,
} from "./functions.js";
import type { Better } from "./walk.js";

/** Where an operation stands in its plan. */
interface Place {
  /** Default: its kind and position. Letters, digits, `.`, `_`, `-`. */
  readonly id?: string;
  /** The operations whose thoughts it takes. Default: the one before it in the list. */
  readonly after?: string | readonly string[];
}

/** How several thoughts become one: the most frequent, the best-weighted, or what a model makes of them. */
export type AggregationStrategy = "synthesis" | "voting" | "weighted";

/** Asks for new thoughts: `responses` answers for each thought, each with `branches` thoughts in it. */
export interface Generate extends Place {
  readonly prompt?: Prompt;
  readonly parse?: Parser;
  /** Answers for each thought, asked for side by side. The paper's num_branches_response. Default 1. */
  readonly responses?: number;
  /** Thoughts that the prompt asks for in one answer. The paper's num_branches_prompt. Default 1. */
  readonly branches?: number;
}

/** Scores each thought: by a function, or by a model with so many samples, of which the mean counts. */
export interface Score extends Place {
  readonly by?: Scorer;
  readonly prompt?: Prompt;
  readonly parse?: ScoreParser;
  /** Default 1. */
  readonly samples?: number;
  /** One call for all thoughts rather than one for each. Default false. */
  readonly combined?: boolean;
}

/** Asks once for a better version of each thought. */
export interface Improve extends Place {
  readonly prompt?: Prompt;
  readonly parse?: Parser;
}

/** Validates each thought and has it improved while it is invalid, so many times; hands the last on. */
export interface ValidateAndImprove extends Place {
  readonly by?: Validator;
  /** How a model validates, where no function does. */
  readonly prompt?: Prompt;
  readonly parse?: VerdictParser;
  /** Verdicts of the model for each thought, of which the majority counts. Default 1. */
  readonly samples?: number;
  /** `false`: validate only. */
  readonly improve?: false | { readonly prompt?: Prompt; readonly parse?: Parser };
  /** Improvements at most. Default 3. */
  readonly tries?: number;
}

/** Makes one thought of all, `responses` times where a model does it. */
export interface Aggregate extends Place {
  /** Default "synthesis". */
  readonly strategy?: AggregationStrategy;
  readonly prompt?: Prompt;
  readonly parse?: Parser;
  /** Default 1. Votes and weights give one. */
  readonly responses?: number;
  /** How answers are compared in a vote. Default: the text, case and spaces aside. */
  readonly normalise?: Normaliser;
}

/** Hands the best on; of equals the first. What is not scored comes last. */
export interface KeepBest extends Place {
  /** Default 1. */
  readonly n?: number;
  /** Default: the reasoner's. */
  readonly better?: Better;
  /** Whether the thoughts are those of the operations before, or the graph's leaves. @internal */
  readonly from?: "inputs" | "leaves";
}

/** Hands on what is valid, and what was not validated. */
export interface KeepValid extends Place {}

/** Says of each thought whether it is right. A function that throws says no. */
export interface GroundTruth extends Place {
  readonly by: Validator;
}

/** Picks from the thoughts; where there are none, from the problem itself. */
export interface Select extends Place {
  readonly where: Selector;
}

/** Has a model look for relations between the thoughts; adds edges and hands the thoughts on. */
export interface Connect extends Place {
  readonly prompt?: Prompt;
  /** The newest so many thoughts are shown. Default 20. */
  readonly limit?: number;
  /** Whether the thoughts are those of the operations before, or all. @internal */
  readonly from?: "inputs" | "graph";
}

/** Every operation by its kind. */
export interface Operations {
  readonly generate: Generate;
  readonly score: Score;
  readonly improve: Improve;
  readonly validate: ValidateAndImprove;
  readonly aggregate: Aggregate;
  readonly keepBest: KeepBest;
  readonly keepValid: KeepValid;
  readonly groundTruth: GroundTruth;
  readonly select: Select;
  readonly connect: Connect;
}

/** The kind of an operation. */
export type OperationKind = keyof Operations;

/** An operation as it is written in a plan. */
export type OperationSpec = {
  [K in OperationKind]: { readonly kind: K } & Operations[K];
}[OperationKind];

/** An operation in its place. */
export type Operation<K extends OperationKind = OperationKind> = {
  [Each in K]: { readonly kind: Each } & Omit<Operations[Each], "id" | "after"> & {
      readonly id: string;
      readonly after: readonly string[];
      /** Its place in the plan's order; who comes later has the last word on a score. */
      readonly index: number;
    };
}[K];

/** Asks for new thoughts. */
export const generate = (options: Generate = {}): OperationSpec => ({
  kind: "generate",
  ...options,
});
/** Scores each thought. */
export const score = (options: Score = {}): OperationSpec => ({ kind: "score", ...options });
/** Asks once for a better version of each thought. */
export const improve = (options: Improve = {}): OperationSpec => ({ kind: "improve", ...options });
/** Validates each thought, and has it improved while it is invalid. */
export const validateAndImprove = (options: ValidateAndImprove = {}): OperationSpec => ({
  kind: "validate",
  ...options,
});
/** Makes one thought of all. */
export const aggregate = (options: Aggregate = {}): OperationSpec => ({
  kind: "aggregate",
  ...options,
});
/** Hands the best on. */
export const keepBest = (options: Omit<KeepBest, "from"> = {}): OperationSpec => ({
  kind: "keepBest",
  ...options,
});
/** Hands on what is valid, and what was not validated. */
export const keepValid = (options: KeepValid = {}): OperationSpec => ({
  kind: "keepValid",
  ...options,
});
/** Says of each thought whether it is right. */
export const groundTruth = (options: GroundTruth): OperationSpec => ({
  kind: "groundTruth",
  ...options,
});
/** Picks from the thoughts. */
export const select = (options: Select): OperationSpec => ({
  kind: "select",
  ...options,
});
/** Has a model look for relations between the thoughts. */
export const connect = (options: Omit<Connect, "from"> = {}): OperationSpec => ({
  kind: "connect",
  ...options,
});
