/** The context of a Graph-of-Thoughts run, as plain JSON. */

import type { Json, JsonObject, Table, Vector } from "../kernel/values/index.js";
import type {
  Directive,
  EffectError,
  LlmDirective,
  LlmFailed,
  LlmSucceeded,
  Usage,
} from "../kernel/vocabulary/index.js";
import type { Queue } from "./fifo.js";
import type { Graph } from "./graph/graph.js";
import type { Better } from "./graph/walk.js";
import type { OperationKind } from "./operations/operation.js";

/**
 * The input of a run: a problem's parameters, or a text where the task needs none. A text, or a `prompt`
 * among the parameters, is the root's content.
 */
export type ThoughtsInput<State extends object = JsonObject> =
  | (State & { readonly prompt?: string })
  | (Record<never, never> extends State ? string : never);

/** The reason why a run ended: by itself, or which budget it met first. */
export type Reason =
  | "success"
  | "maxNodes"
  | "maxDepth"
  | "tokens"
  | "cost"
  | "modelCalls"
  | "deadline";

/**
 * A thought as one operation hands it to the next: with the verdicts on this way. Another way through
 * the plan may score the same thought otherwise, so they are not the graph's.
 */
export interface Entry {
  readonly id: string;
  readonly score: number | null;
  readonly valid: boolean | null;
  readonly solved: boolean | null;
}

/** Tokens, and money in billionths. */
export interface Amount {
  readonly tokens: number;
  readonly cost: number;
}

/** A question to the model, as its operation remembers it. */
export interface Ask {
  /** Its path within the operation. */
  readonly path: string;
  /** The index of the input it is about. */
  readonly source: number;
  /** The thought it is about. */
  readonly thought: string;
  /** For how many thoughts room is kept. */
  readonly rooms: number;
  /** The number of times that it was repeated. */
  readonly repeated: number;
  /**
   * `held`: it waits for a budget. `asked`: the model has it. `answered`: its answer is there and waits to
   * be heard. `done`: it was heard, or no budget was left for it.
   */
  readonly status: "held" | "asked" | "answered" | "done";
  /** The request to the model; `null` once the answer was heard. */
  readonly directive: LlmDirective | null;
  /** The part of the budgets that is reserved until it is heard. */
  readonly need: Amount;
  /** The event that settled the call, while it waits to be heard. */
  readonly answer: LlmSucceeded | LlmFailed | null;
  /** The result of the answer; `null` if there is none. */
  readonly result: Json;
}

/** The version of a thought that was made last while it is validated and improved. */
export interface Version {
  /** The index of the input. */
  readonly source: number;
  /** The thought. */
  readonly id: string;
  /** The number of improvements that led to it; 0: as it came. */
  readonly tried: number;
  /** The verdict on it; `null` while there is none. */
  readonly valid: boolean | null;
}

/** An operation that has begun. */
export interface OperationState {
  readonly id: string;
  /** The policy's name for it. */
  readonly use: string;
  readonly status: "running" | "done";
  /** The treatment of its answers; an upgrade may not change it while it runs. */
  readonly manner: string;
  readonly inputs: Vector<Entry>;
  readonly asks: Table<Ask>;
  /** The number of them that were not heard. */
  readonly open: number;
  /** In a validation, by the indices of the inputs. */
  readonly versions: Table<Version>;
  readonly output: Vector<Entry>;
}

/** Something that went wrong with one thought, and not with the run. */
export interface Failure {
  readonly operation: string;
  /** The thought it happened to. */
  readonly thought: string;
  /** `model.failed`, `answer.unreadable`, `scorer.threw`, `scorer.async` and their like. */
  readonly code: string;
  /** The message of a model's provider or of an error, or the way to mend it. */
  readonly message?: string;
}

/** The limits of spending; `null`: no limit. */
export interface Budgets {
  /** Thoughts in the graph, the root included. */
  readonly maxNodes: number | null;
  readonly maxDepth: number | null;
  /** Tokens, those reserved for open questions included. */
  readonly tokens: number | null;
  /** Billionths, those reserved for open questions included. */
  readonly cost: number | null;
  /** Model calls, repeated ones included. */
  readonly modelCalls: number | null;
  /** Milliseconds since 1970. */
  readonly deadline: number | null;
}

/** The totals of the calls of one kind of operation so far, from which the next one's size is estimated. */
export interface Size {
  /** Answers so far. */
  readonly answers: number;
  /** Letters that were asked, and the tokens that they were. */
  readonly letters: number;
  readonly inputTokens: number;
  /** The longest answer, in tokens. */
  readonly outputTokens: number;
}

/** One of the thoughts that a run came to. */
export interface Final extends Omit<Entry, "id"> {
  readonly thought: string;
  readonly content: string;
  /** True when it is about the whole problem, not about parts of it. */
  readonly whole: boolean;
}

/** The result of a run. */
export interface ThoughtsResult<State extends object = JsonObject> extends Omit<Entry, "id"> {
  /** The best thought's content; `null` where there is none beside the problem. */
  readonly result: string | null;
  readonly reason: Reason;
  /** The best thought's id. */
  readonly thought: string | null;
  readonly state: State;
  /** True when it is about the whole problem. A result that a budget cut is whole, or `null`. */
  readonly whole: boolean;
  /** All that the last operations handed on, the best first. */
  readonly finals: readonly Final[];
  /** Thoughts in the graph, the root included. */
  readonly thoughts: number;
  readonly modelCalls: number;
  readonly totalTokens: number;
  /** Money, in US dollars; `null` where no price was given. */
  readonly cost: number | null;
  readonly failures: number;
}

/** The context of a run of thoughts. */
export interface ThoughtsContext<State extends object = JsonObject> {
  /** The policy's name. */
  readonly policy: string;
  readonly better: Better;
  readonly graph: Graph<State>;
  /** The operations that have begun. */
  readonly operations: Table<OperationState>;
  /** The number of them that are not done. */
  readonly running: number;
  /** Operations of which all answers were heard: they are concluded next, in this order. */
  readonly heard: Queue;
  /** The policy's memory. */
  readonly memory: Json;
  /** True when a thought has reached the score at which nothing more is asked. */
  readonly reached: boolean;
  /** True while answers are asked for as JSON of a schema; no longer once the model could not. */
  readonly structured: boolean;
  readonly budgets: Budgets;
  /** The reserves for questions that were not heard: room for thoughts, and what they may come to. */
  readonly rooms: number;
  readonly reserved: Amount;
  /** Calls that wait for a budget, and calls that were asked and not heard; by id, in order. */
  readonly held: Queue;
  readonly asked: Queue;
  readonly sizes: { readonly [K in OperationKind]?: Size };
  /** The cost of all answers that are there, heard or not: for people. */
  readonly usage: Usage;
  /** The cost of those that were heard: budgets and policies go by it. */
  readonly spent: Amount;
  /** Model calls that were asked for, repeated ones included. */
  readonly modelCalls: number;
  readonly failures: Vector<Failure>;
  /** From which each model call's own seed is drawn, where the run was given one. */
  readonly seed: string | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** The budget that was met first: from then on what needs it is left out. */
  readonly cut: Reason | null;
  readonly result: ThoughtsResult<State> | null;
  readonly error: EffectError | null;
  readonly cancelReason: string | null;
  /** The directives of the present step; empty between steps. */
  readonly outbox: readonly Directive[];
}
