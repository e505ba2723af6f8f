/**
 * The operations of the Graph-of-Thoughts paper, with the paper's parameters and defaults, and two additions
 * from Jido's Graph of Thoughts (connect, and the aggregation strategies). An operation takes the thoughts of
 * its predecessors, in their order, and outputs thoughts.
 */
import type { JsonObject } from "../../kernel/values/index.js";
import type { LlmSettings, Schema } from "../../kernel/vocabulary/index.js";
import type { Better } from "../graph/walk.js";
import type {
  CombinedScorer,
  Normaliser,
  Parser,
  Prompt,
  Reading,
  Scorer,
  Selector,
  Validator,
} from "./functions.js";

/** The place of an operation in its plan. */
interface InPlan {
  /** Default: its kind and position. Letters, digits, `.`, `_`, `-`. */
  readonly id?: string | undefined;
  /** The operations whose thoughts it takes. Default: the one before it in the list. */
  readonly after?: string | readonly string[] | undefined;
}

/** The parameters of an operation that asks a model. */
interface Asking<State extends object> extends InPlan {
  readonly prompt?: Prompt<State> | undefined;
  /** Name of the model port to ask. Default: the reasoner's. */
  readonly model?: string | undefined;
  /** Laid over the reasoner's. */
  readonly settings?: LlmSettings | undefined;
}

/** One of some parts, or none of them. */
type OneOf<Rivals> = {
  [Name in keyof Rivals]: Partial<Pick<Rivals, Name>> & {
    readonly [Other in Exclude<keyof Rivals, Name>]?: undefined;
  };
}[keyof Rivals];

/** The same without some parts, of each of several that it may be. @internal */
export type Without<T, Name extends string> = T extends unknown ? Omit<T, Name> : never;

/** The ways in which answers become values. */
interface Parsers<State extends object, Value> {
  readonly parse: Parser<State, string, Value> | undefined;
  /** Reads all answers about one thought at once, when all are there. */
  readonly parseAll: Parser<State, readonly string[], Value> | undefined;
}

/** The ways in which answers become states. */
interface StateParsers<State extends object> extends Parsers<State, Reading<NoInfer<State>>> {
  /** The answer is asked for as JSON of this schema, checked with it, and laid over the state. */
  readonly schema: Schema<Partial<NoInfer<State>>> | undefined;
}

/**
 * The way in which several thoughts become one: the most frequent, the best-weighted, or one that a model
 * makes of them.
 */
export type AggregationStrategy = "synthesis" | "voting" | "weighted";

/** Asks for new thoughts: `responses` answers for each thought, each with `branches` thoughts in it. */
export type Generate<State extends object = JsonObject> = GenerateOptions<State> &
  OneOf<StateParsers<State>>;

interface GenerateOptions<State extends object> extends Asking<State> {
  /** Answers for each thought, asked for side by side. The paper's num_branches_response. Default 1. */
  readonly responses?: number | undefined;
  /** Thoughts that the prompt asks for in one answer. The paper's num_branches_prompt. Default 1. */
  readonly branches?: number | undefined;
  /** In a plan: the thoughts of an answer are parts of the problem, of which the next merge makes a whole. */
  readonly splits?: boolean | undefined;
}

/** Scores each thought: by a function, or by a model with so many samples, of which the mean counts. */
export type Score<State extends object = JsonObject> = ScoreOptions<State> &
  OneOf<{
    readonly by: Scorer<State> | undefined;
    /** Scores all thoughts together, so that they can be compared with each other. */
    readonly byAll: CombinedScorer<State> | undefined;
  }> &
  OneOf<Parsers<State, number | readonly number[] | undefined>>;

interface ScoreOptions<State extends object> extends Asking<State> {
  /** Default 1. */
  readonly samples?: number | undefined;
  /** One call for all thoughts rather than one for each. Default false. */
  readonly combined?: boolean | undefined;
}

/** Asks once for a better version of each thought. */
export type Improve<State extends object = JsonObject> = Asking<State> &
  OneOf<Omit<StateParsers<State>, "parseAll">>;

/** Validates each thought and has it improved while it is invalid, so many times; hands the last on. */
export type ValidateAndImprove<State extends object = JsonObject> = ValidateOptions<State> &
  OneOf<Parsers<State, boolean | undefined>>;

interface ValidateOptions<State extends object> extends Asking<State> {
  readonly by?: Validator<State> | undefined;
  /** Verdicts of the model for each thought, of which the majority counts. Default 1. */
  readonly samples?: number | undefined;
  /** `false`: validate only. */
  readonly improve?:
    | false
    | { readonly prompt?: Prompt<State> | undefined; readonly parse?: StateParsers<State>["parse"] }
    | undefined;
  /** Improvements at most. Default 3. */
  readonly tries?: number | undefined;
}

/** Makes one thought of all, `responses` times where a model does it. */
export type Aggregate<State extends object = JsonObject> = AggregateOptions<State> &
  OneOf<StateParsers<State>>;

interface AggregateOptions<State extends object> extends Asking<State> {
  /** Default "synthesis". */
  readonly strategy?: AggregationStrategy | undefined;
  /** Default 1. Votes and weights give one. */
  readonly responses?: number | undefined;
  /** Returns the text by which answers are compared in a vote. Default: the text, case and spaces aside. */
  readonly normalise?: Normaliser<State> | undefined;
}

/** Hands the best on; of equals the first. A thought that is not scored comes last. */
export interface KeepBest extends InPlan {
  /** Default 1. */
  readonly n?: number | undefined;
  /** Default: the reasoner's. */
  readonly better?: Better | undefined;
}

/** Hands on what is valid, and what was not validated. */
export interface KeepValid extends InPlan {}

/** Says of each thought whether it is right. A function that throws says no. */
export interface GroundTruth<State extends object = JsonObject> extends InPlan {
  readonly by: Validator<State>;
}

/** Picks from the thoughts; where there are none, from the problem itself. */
export interface Select<State extends object = JsonObject> extends InPlan {
  readonly where: Selector<State>;
}

/** Has a model look for relations between the thoughts; adds edges and hands the thoughts on. */
export interface Connect<State extends object = JsonObject> extends Asking<State> {
  /** The newest so many thoughts are shown. Default 20. */
  readonly limit?: number | undefined;
}

/** Every operation by its kind. */
export interface Operations<State extends object = JsonObject> {
  readonly generate: Generate<State>;
  readonly score: Score<State>;
  readonly improve: Improve<State>;
  readonly validate: ValidateAndImprove<State>;
  readonly aggregate: Aggregate<State>;
  readonly keepBest: KeepBest;
  readonly keepValid: KeepValid;
  readonly groundTruth: GroundTruth<State>;
  readonly select: Select<State>;
  readonly connect: Connect<State>;
}

/** The kind of an operation. */
export type OperationKind = keyof Operations;

/** An operation as it is written in a plan. */
export type OperationSpec<State extends object = JsonObject> = {
  [K in OperationKind]: { readonly kind: K } & Operations<State>[K];
}[OperationKind];

/** An operation in its plan. */
export type Operation<
  K extends OperationKind = OperationKind,
  State extends object = JsonObject,
> = {
  [Each in K]: { readonly kind: Each } & Omit<Operations<State>[Each], "id" | "after"> & {
      readonly id: string;
      readonly after: readonly string[];
    };
}[K];

type Made<K extends OperationKind, State extends object> = {
  readonly kind: K;
} & Operations<State>[K];

/** Asks for new thoughts. */
export const generate = <State extends object = JsonObject>(
  options: Generate<State> = {},
): Made<"generate", State> => ({ kind: "generate", ...options });
/** Scores each thought. */
export const score = <State extends object = JsonObject>(
  options: Score<State> = {},
): Made<"score", State> => ({ kind: "score", ...options });
/** Asks once for a better version of each thought. */
export const improve = <State extends object = JsonObject>(
  options: Improve<State> = {},
): Made<"improve", State> => ({ kind: "improve", ...options });
/** Validates each thought, and has it improved while it is invalid. */
export const validateAndImprove = <State extends object = JsonObject>(
  options: ValidateAndImprove<State> = {},
): Made<"validate", State> => ({ kind: "validate", ...options });
/** Makes one thought of all. */
export const aggregate = <State extends object = JsonObject>(
  options: Aggregate<State> = {},
): Made<"aggregate", State> => ({ kind: "aggregate", ...options });
/** Hands the best on. */
export const keepBest = (options: KeepBest = {}): Made<"keepBest", never> => ({
  kind: "keepBest",
  ...options,
});
/** Hands on what is valid, and what was not validated. */
export const keepValid = (options: KeepValid = {}): Made<"keepValid", never> => ({
  kind: "keepValid",
  ...options,
});
/** Says of each thought whether it is right. */
export const groundTruth = <State extends object = JsonObject>(
  options: GroundTruth<State>,
): Made<"groundTruth", State> => ({ kind: "groundTruth", ...options });
/** Picks from the thoughts. */
export const select = <State extends object = JsonObject>(
  options: Select<State>,
): Made<"select", State> => ({ kind: "select", ...options });
/** Has a model look for relations between the thoughts. */
export const connect = <State extends object = JsonObject>(
  options: Connect<State> = {},
): Made<"connect", State> => ({ kind: "connect", ...options });
