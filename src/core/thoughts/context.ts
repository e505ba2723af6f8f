/** What a run of thoughts knows, as plain JSON. */
import type {
  EffectError,
  Json,
  JsonObject,
  LlmDirective,
  Table,
  Usage,
  Vector,
} from "../kernel/index.js";
import type { Graph } from "./graph.js";
import type { Better } from "./walk.js";

/** What a run starts from: a prompt, or a problem's parameters, with a prompt among them or not. */
export type ThoughtsInput = string | ({ readonly prompt?: string } & JsonObject);

/** Why a run ended: by itself, or which budget it met first. */
export type Reason = "success" | "maxNodes" | "maxDepth" | "tokens" | "modelCalls" | "deadline";

/** What the machine is doing, or how it ended. The machine's states have these names. */
export type Phase =
  | "idle"
  | "generating"
  | "scoring"
  | "connecting"
  | "refining"
  | "validating"
  | "aggregating"
  | "completed"
  | "error"
  | "cancelled";

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
  /** Whether its answer makes a thought, for which there must be room. */
  readonly makes: boolean;
  /** How often it was repeated. */
  readonly repeated: number;
  readonly open: boolean;
  /** What came of it; `null` where nothing did. */
  readonly result: Json;
}

/** Where an operation stands. */
export interface OperationState {
  readonly id: string;
  readonly status: "waiting" | "running" | "done";
  /** How many of the operations it comes after are not done. */
  readonly missing: number;
  readonly inputs: readonly Entry[];
  readonly asks: Table<Ask>;
  /** How many of them are not answered. */
  readonly open: number;
  readonly output: readonly Entry[];
}

/** Something that went wrong with one thought, and not with the run. */
export interface Failure {
  readonly operation: string;
  /** The thought it happened to. */
  readonly thought: string;
  /** `model.failed`, `answer.unreadable`, `scorer.threw`, `scorer.notANumber` and their like. */
  readonly code: string;
  /** What a model's provider said. */
  readonly message?: string;
}

/** What may be spent; `null`: no limit. */
export interface Budgets {
  /** Thoughts in the graph, the root included. */
  readonly maxNodes: number | null;
  readonly maxDepth: number | null;
  /** No call begins when so many tokens are spent; calls under way may pass it. */
  readonly tokens: number | null;
  /** Model calls, repeated ones included. */
  readonly modelCalls: number | null;
  /** Milliseconds since 1970. */
  readonly deadline: number | null;
}

/** What a run came to. */
export interface ThoughtsResult {
  /** The best thought's content; `null` where there is none beside the problem. */
  readonly result: string | null;
  readonly reason: Reason;
  /** The best thought's id. */
  readonly thought: string | null;
  readonly state: JsonObject;
  readonly score: number | null;
  readonly valid: boolean | null;
  readonly solved: boolean | null;
  /** Thoughts in the graph, the root included. */
  readonly thoughts: number;
  readonly modelCalls: number;
  readonly totalTokens: number;
  readonly failures: number;
}

/** The context of a run of thoughts. */
export interface ThoughtsContext {
  readonly name: string;
  /** The policy's name. */
  readonly policy: string;
  readonly better: Better;
  readonly phase: Phase;
  readonly graph: Graph;
  readonly operations: Table<OperationState>;
  /** Operations that wait for a model, in the order in which they began. */
  readonly running: readonly string[];
  /** Room that is kept for thoughts being asked for. */
  readonly reserved: number;
  readonly budgets: Budgets;
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
  readonly result: ThoughtsResult | null;
  readonly error: EffectError | null;
  readonly cancelReason: string | null;
  /** What the present step asks for; empty between steps. */
  readonly outbox: readonly LlmDirective[];
}
