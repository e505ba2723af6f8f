/** The context of a Graph-of-Thoughts run, as plain JSON. */
import type {
  AnswerFlaw,
  EffectError,
  Json,
  JsonObject,
  LlmDirective,
  Table,
  Usage,
  Vector,
} from "../kernel/index.js";
import type { Graph } from "./graph.js";
import type { OperationKind } from "./operation.js";
import type { Better } from "./walk.js";

/**
 * What a run starts from: a problem's parameters, or a text where the task needs none. A text, or a
 * `prompt` among the parameters, is the root's content.
 */
export type ThoughtsInput<State extends object = JsonObject> =
  | (State & { readonly prompt?: string })
  | (Record<never, never> extends State ? string : never);

/** Why a run ended: by itself, or which budget it met first. */
export type Reason =
  | "success"
  | "maxNodes"
  | "maxDepth"
  | "tokens"
  | "cost"
  | "modelCalls"
  | "deadline";

/** What a machine of thoughts is doing while it asks a model. */
export type Activity =
  | "generating"
  | "scoring"
  | "connecting"
  | "refining"
  | "validating"
  | "aggregating";

/** What the machine is doing, or how it ended. The machine's states have these names. */
export type Phase = "idle" | Activity | "completed" | "error" | "cancelled";

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

/** A question to the model, as its operation remembers it. */
export interface Ask {
  /** Its path within the operation. */
  readonly path: string;
  /** Which of the operation's inputs it is about. */
  readonly source: number;
  /** The thought it is about. */
  readonly thought: string;
  /** For how many thoughts room is kept. */
  readonly rooms: number;
  /** How often it was repeated. */
  readonly repeated: number;
  /**
   * `held`: it waits for a budget. `open`: the model has it. `answered` and `lost`: it is over, and
   * waits for those before it to be. `left`: no budget was left for it.
   */
  readonly status: "held" | "open" | "answered" | "lost" | "left" | "done";
  /** What is kept of the budgets while the model has it. */
  readonly tokens: number;
  readonly cost: number;
  /** The answer, or why there is none, until it is processed. */
  readonly text: string | null;
  /** The flaw of the answer that was lost, where there was one. */
  readonly flaw?: AnswerFlaw;
  /** The result; `null` if there is none. */
  readonly result: Json;
}

/** Where an operation stands. */
export interface OperationState {
  readonly id: string;
  /** Its place in the order; who comes later has the last word on a score. */
  readonly index: number;
  /** The policy's name for it, and what is laid over its parameters, where it was made on the fly. */
  readonly use: string;
  readonly with: JsonObject;
  readonly status: "waiting" | "running" | "done";
  /** What it does with its answers, while it waits for some; `null` else. */
  readonly manner: string | null;
  /** How many of the operations it comes after are not done. */
  readonly missing: number;
  readonly inputs: Vector<Entry>;
  readonly asks: Table<Ask>;
  /** How many of them are not over. */
  readonly open: number;
  /** How many of them were taken in: in the order of asking, whatever the order of arrival. */
  readonly taken: number;
  readonly output: Vector<Entry>;
}

/** Something that went wrong with one thought, and not with the run. */
export interface Failure {
  readonly operation: string;
  /** The thought it happened to. */
  readonly thought: string;
  /** `model.failed`, `answer.unreadable`, `scorer.threw`, `scorer.async` and their like. */
  readonly code: string;
  /** What a model's provider said, what a function threw, or how to mend it. */
  readonly message?: string;
}

/** What may be spent; `null`: no limit. */
export interface Budgets {
  /** Thoughts in the graph, the root included. */
  readonly maxNodes: number | null;
  readonly maxDepth: number | null;
  /** Tokens, those kept for calls under way included. */
  readonly tokens: number | null;
  /** Billionths, those kept for calls under way included. */
  readonly cost: number | null;
  /** Model calls, repeated ones included. */
  readonly modelCalls: number | null;
  /** Milliseconds since 1970. */
  readonly deadline: number | null;
}

/** What calls of one kind of operation came to so far, from which the next one's size is estimated. */
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
export interface Final {
  readonly thought: string;
  readonly content: string;
  readonly score: number | null;
  readonly valid: boolean | null;
  readonly solved: boolean | null;
  /** Whether it is about the whole problem, not about parts of it. */
  readonly whole: boolean;
}

/** What a run came to. */
export interface ThoughtsResult<State extends object = JsonObject> {
  /** The best thought's content; `null` where there is none beside the problem. */
  readonly result: string | null;
  readonly reason: Reason;
  /** The best thought's id. */
  readonly thought: string | null;
  readonly state: State;
  readonly score: number | null;
  readonly valid: boolean | null;
  readonly solved: boolean | null;
  /** Whether it is about the whole problem. What a budget cut is whole, or `null`. */
  readonly whole: boolean;
  /** All that the last operations handed on, the best first. */
  readonly finals: readonly Final[];
  /** Thoughts in the graph, the root included. */
  readonly thoughts: number;
  readonly modelCalls: number;
  readonly totalTokens: number;
  /** Money, in billionths of the prices' currency; `null` where no price was given. */
  readonly cost: number | null;
  readonly failures: number;
}

/** The context of a run of thoughts. */
export interface ThoughtsContext<State extends object = JsonObject> {
  readonly name: string;
  /** The policy's name. */
  readonly policy: string;
  readonly better: Better;
  readonly graph: Graph<State>;
  readonly operations: Table<OperationState>;
  /** How many operations wait for a model, by what they do. */
  readonly running: { readonly [A in Activity]: number };
  /** How many operations were begun, and how many of all were made on the fly. */
  readonly begun: number;
  readonly made: number;
  /** Operations of a plan that an upgrade left nothing to wait for: they begin with the next answer. */
  readonly due: readonly string[];
  /** What the policy remembers. */
  readonly memory: Json;
  /** Whether a thought has reached the score at which nothing more is asked. */
  readonly reached: boolean;
  /** Whether answers are asked for as JSON of a schema; no longer once the model could not. */
  readonly structured: boolean;
  readonly budgets: Budgets;
  /** What is kept for calls under way: room for thoughts, tokens, cost. */
  readonly reserved: { readonly rooms: number; readonly tokens: number; readonly cost: number };
  /** Calls that the model has. */
  readonly inFlight: number;
  /** Calls that wait until those under way have shown what is left, and how many of them have begun. */
  readonly held: Vector<LlmDirective>;
  readonly released: number;
  /** Calls that failed, to be repeated before those that are held. */
  readonly repeats: Vector<LlmDirective>;
  readonly sizes: { readonly [K in OperationKind]?: Size };
  readonly usage: Usage;
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
  /** What the present step asks for; empty between steps. */
  readonly outbox: readonly LlmDirective[];
}
