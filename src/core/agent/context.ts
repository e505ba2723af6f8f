/** The agent's context: all that its run knows, as plain JSON. */
import type {
  ContextOperation,
  EffectError,
  FinishReason,
  Json,
  JsonObject,
  List,
  Message,
  ToolRequest,
  ToolSettlement,
  Usage,
  UserMessage,
} from "../kernel/index.js";

/** A tool call that came to a result, as the run remembers it. */
export interface ToolCallRecord {
  /** Path of the call: `tool/<iteration>/<index>`. */
  readonly id: string;
  /** The provider's id of the call. */
  readonly callId: string;
  readonly name: string;
  /** The arguments it ran with: a person may have edited the model's. */
  readonly input: Json;
  readonly status: "succeeded" | "failed" | "rejected" | "not-executed" | "unknown";
  /** The result; for anything but `succeeded`, the text that the model read. */
  readonly output: Json;
}

/** What a call came to, before it is written into the transcript. */
export type CallOutcome =
  | {
      readonly type: "returned";
      readonly output: Json;
      readonly update: readonly ContextOperation[];
    }
  | {
      readonly type: "said";
      readonly status: Exclude<ToolCallRecord["status"], "succeeded">;
      readonly text: string;
    };

/** Where a call stands in the tool pipeline. */
export interface Call {
  readonly id: string;
  readonly callId: string;
  readonly name: string;
  readonly input: Json;
  /** Calls of one wave run side by side; a wave begins when the one before it is settled. */
  readonly wave: number;
  /**
   * `waiting` for its wave, then `asking` for approval, `ready` to be issued, `issued`, or `inline`
   * (pure: runs when its wave is settled), and in the end `settled`.
   */
  readonly status: "waiting" | "asking" | "asked" | "ready" | "issued" | "inline" | "settled";
  readonly outcome?: CallOutcome;
  /** Of an `issue` tool: what it asked for, and what settled it so far, by index. */
  readonly requests?: readonly ToolRequest[];
  readonly settlements?: { readonly [index: string]: ToolSettlement };
}

/** The tool calls of one answer. */
export interface Batch {
  readonly calls: readonly Call[];
  /** The wave that runs. */
  readonly wave: number;
}

/** An agent's context. */
export interface AgentContext<Deps = JsonObject> {
  readonly agentName: string;
  readonly systemPrompt: string | null;
  /** The transcript, without the system prompt. */
  readonly messages: List<Message>;
  /** Every tool call that came to a result, in call order. */
  readonly toolCalls: List<ToolCallRecord>;
  /** The run's own data; changed by context updates alone. */
  readonly deps: Deps;
  readonly usage: Usage;
  /** Whether the model has to be asked again. */
  readonly needsResponse: boolean;
  /** Model calls that were answered. */
  readonly iteration: number;
  readonly maxIterations: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** What the user said while the model or a tool was busy. */
  readonly queue: readonly UserMessage[];
  /** The tool calls that are being carried out. */
  readonly batch: Batch | null;
  /** The result of a `final` tool that has succeeded. */
  readonly final: { readonly output: Json } | null;
  /** Why the model stopped last. */
  readonly finishReason: FinishReason | null;
  /** Why the run failed. */
  readonly error: EffectError | null;
  /** Why the run was cancelled, where somebody said so. */
  readonly cancelReason: string | null;
}
