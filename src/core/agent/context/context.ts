/** The agent's context: all data of its run, as plain JSON. */

import type { Json, JsonObject, List, Vector } from "../../kernel/values/index.js";
import type {
  AnswerFlaw,
  ContextOperation,
  EffectError,
  FinishReason,
  LlmDirective,
  Message,
  NotifyDirective,
  ProviderOptions,
  ToolContentPart,
  ToolFailureReason,
  ToolRequest,
  ToolSettlement,
  TurnFailure,
  Usage,
  UserMessage,
} from "../../kernel/vocabulary/index.js";

/** The changes of a person to a call. */
export interface EditedCall {
  /** The model's own arguments. */
  readonly from: Json;
  readonly by?: string;
}

/** A tool call that came to a result, as the run remembers it. */
export interface ToolCallRecord {
  /** Path of the call: `tool/<iteration>/<index>`. */
  readonly id: string;
  /** The provider's id of the call. */
  readonly callId: string;
  readonly name: string;
  /** The arguments it ran with: a person may have edited the model's. */
  readonly input: Json;
  readonly status:
    | "succeeded"
    | "failed"
    | "rejected"
    | "denied"
    | "not-executed"
    | "unknown"
    /** A person was asked, and the turn went on: a later record with this id has what came of it. */
    | "asked";
  /** The model's arguments, where a person edited them, and who did. */
  readonly edited?: EditedCall;
  /** The result; for anything but `succeeded`, the text that the model read. */
  readonly output: Json;
  /** The tool's error, or the reason why its result is lost: the model need not have read it. */
  readonly error?: EffectError;
}

/** The outcome of a call, before it is written into the transcript. */
export type CallOutcome =
  | {
      readonly type: "returned";
      readonly output: Json;
      readonly update: readonly ContextOperation[];
      /** The parts that the model reads instead of `output`. */
      readonly content?: readonly ToolContentPart[];
    }
  | {
      readonly type: "said";
      readonly status: Exclude<ToolCallRecord["status"], "succeeded">;
      /** The reason why the tool has no result, where it was asked for one. */
      readonly reason?: ToolFailureReason;
      readonly text: string;
      /** The parts that the model reads behind `text`. */
      readonly content?: readonly ToolContentPart[];
      /** The tool's error, or the reason why its result is lost. */
      readonly error?: EffectError;
    };
/** The outcome of a call without a result: what the model reads in its place. */
export type SaidOutcome = Extract<CallOutcome, { readonly type: "said" }>;

/** A call's place in the tool pipeline. */
export interface Call extends Pick<ToolCallRecord, "id" | "callId" | "name" | "input" | "edited"> {
  /** The number of times that a person was asked anew, since the tool was defined otherwise. */
  readonly renewed?: number;
  /** The provider's question of a call that it carries out itself. */
  readonly approvalId?: string;
  /** The provider's, of the call; they go on its result. */
  readonly providerOptions?: ProviderOptions;
  /** Calls of one wave run side by side; a wave begins when the one before it is settled. */
  readonly wave: number;
  /**
   * `waiting` for its wave, then `asking` a person, `issued`, or `inline` (pure: runs when its wave is
   * settled), and in the end `settled`.
   */
  readonly status: "waiting" | "asking" | "issued" | "inline" | "settled";
  readonly outcome?: CallOutcome;
  /** Of an `issue` tool: what it asked for, and what settled it so far, in the order of the requests. */
  readonly requests?: readonly ToolRequest[];
  readonly settlements?: Vector<ToolSettlement | null>;
  /** The number of its requests that are not settled. */
  readonly unsettled?: number;
}

/** The tool calls of one answer. */
export interface Batch {
  readonly calls: Vector<Call>;
  /** The wave that runs: the calls from the first index on, up to the second. */
  readonly from: number;
  readonly until: number;
  /** The number of the wave's calls that are not settled, and of these the ones that wait for a person. */
  readonly open: number;
  readonly asking: number;
  /** The calls, by index, whose directives are issued in the step that led here. */
  readonly due: readonly number[];
  /** The reservations of the wave's child runs, and what those that have ended have spent. */
  readonly reserved: Reserve;
}

/** The calls that a person was asked about while the turn went on, and what runs of them since a yes. */
export interface PendingCalls {
  readonly calls: readonly Call[];
  /** The calls, by index, whose directives are issued in the step that led here. */
  readonly due: readonly number[];
}

/** The part of an agent's budgets that is set aside. */
export interface Reserve {
  readonly tokens: number;
  readonly cost: number;
}

/** The settled answers of a plug-in's step before a request, and those still to come. */
export interface Preparing {
  /** Index of the plug-in in the agent's list. */
  readonly plugin: number;
  readonly requests: readonly ToolRequest[];
  readonly settlements: Vector<ToolSettlement | null>;
  /** The number of its requests that are not settled. */
  readonly unsettled: number;
  readonly issued: boolean;
}

/** A plug-in's own state, and the text that it adds to the system text. */
export interface PluginState {
  readonly state: Json;
  readonly prompt: string | null;
  /** The reason why the plug-in was disabled. */
  readonly failed: string | null;
  /** Observers know that it failed. */
  readonly told: boolean;
  /** The keys of `deps` that its steps have set, where there are any. */
  readonly keys?: readonly string[];
  /** Notices about the keys that it set in this step. */
  readonly notices?: readonly NotifyDirective[];
}

/** A limit of an agent. */
export type Limit = "maxIterations" | "tokenBudget" | "costBudget" | "deadline";

/**
 * The fault of an answer: one of {@link AnswerFlaw}, its output did not validate, or its
 * provider refused its calls.
 */
export type Flaw = AnswerFlaw | "output" | "rejected";

/** A model request, but for its id; or why there is none. */
export type BuiltRequest =
  | {
      readonly type: "built";
      readonly directive: Omit<LlmDirective, "type" | "id">;
      /** The notices about its messages. */
      readonly notices: readonly NotifyDirective[];
    }
  | { readonly type: "denied"; readonly reason: string }
  /** It may cost more than is left; in billionths. */
  | { readonly type: "unaffordable"; readonly cost: number };

/** Up to where the transcript was checked and is valid. */
export interface ValidTranscript {
  readonly size: number;
  readonly head: string;
  /** Of its texts, for what a request may cost. */
  readonly characters: number;
}

/** The system text of a run, which is read at its first request and stays. */
export interface Instructions {
  /** The turn in which its sources were heard last. */
  readonly turn: number;
  readonly system: string;
  /** The last text of each of its sources: `system`, `plugins.<name>`, `plugins.<name>.prompt`. */
  readonly said: readonly { readonly by: string; readonly text: string }[];
}

/** The last request, with which the next one begins. */
export interface SentRequest {
  readonly system: string;
  /** Digests of the tools. */
  readonly tools: readonly string[];
  readonly size: number;
  /** Of the chain over its messages. */
  readonly head: string;
}

/** The deadline of a turn: its timer, or the milliseconds that are left while people alone are waited for. */
export type TurnDeadline =
  | { readonly timer: string; readonly until: number }
  /** `again`: the model call that was just heard had begun it, under its own id. */
  | { readonly timer: null; readonly left: number; readonly again?: true };

/** The budgets of a run as a whole. */
export interface TotalBudgets {
  readonly tokens: number | null;
  readonly cost: number | null;
}

/** A message that waits, with its sender's name for it where it has one. */
export type QueuedMessage = UserMessage & { readonly id?: string };

/** An agent's context. */
export interface AgentContext<Deps = JsonObject> {
  /** The run's id; empty where a context belongs to no run. */
  readonly runId: string;
  readonly agentName: string;
  readonly systemPrompt: string | null;
  /** The transcript, without the system prompt. */
  readonly messages: List<Message>;
  /** Every tool call that came to a result, in call order. */
  readonly toolCalls: List<ToolCallRecord>;
  /** The run's own data; changed by context updates and behaviours alone. */
  readonly deps: Deps;
  readonly usage: Usage;
  /** True when the model has to be asked again. */
  readonly needsResponse: boolean;
  /** Model calls that were answered. */
  readonly iteration: number;
  /** The number of iterations allowed in one turn. */
  readonly maxIterations: number;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Messages that arrived while the model or a tool was working. */
  readonly queue: List<QueuedMessage>;
  /** The tool calls that are being carried out. */
  readonly batch: Batch | null;
  /** Calls whose approval does not block; `null` where there are none. */
  readonly pending: PendingCalls | null;
  /** The result of a `final` tool that has succeeded. */
  readonly final: { readonly output: Json } | null;
  /** The output of the last answer. */
  readonly answer: { readonly output: Json } | null;
  /** The reason why the model stopped last. */
  readonly finishReason: FinishReason | null;
  /** The last error. */
  readonly error: EffectError | null;
  /** The reason why the turn that ended last failed, in a conversation; `null` where it did not. */
  readonly failure: TurnFailure | null;
  /** The reason why the last model call failed, where the behaviour went on all the same. */
  readonly modelError: EffectError | null;
  /** The model that answered last, as its provider names it. */
  readonly model: string | null;
  /** Tokens that the run may have spent by the end of this turn. */
  readonly tokenBudget: number | null;
  /** Money likewise, in billionths. */
  readonly costBudget: number | null;
  /** The budgets of the run as a whole: the agent's, or its shares of its parent's where these are less. */
  readonly budgets: TotalBudgets;
  /** The amounts that were spent when this turn began. */
  readonly turnSpent: Reserve;
  /** The reason why the run was cancelled, where somebody said so. */
  readonly cancelReason: string | null;
  /** The limit that was reached. */
  readonly limit: Limit | null;
  /** Finished turns of the conversation, and the iteration at which this one began. */
  readonly turn: number;
  readonly turnIteration: number;
  /** This turn's deadline; `null` before its first effect. */
  readonly deadline: TurnDeadline | null;
  /** The number of times that this iteration was asked again after an error. */
  readonly retry: number;
  /** The fault of the last answer: it is asked for again, or the run has ended for it. */
  readonly flaw: Flaw | null;
  /** Answers that were sent back in this turn. */
  readonly answerTries: number;
  /** Up to where the transcript was checked, if a behaviour may have changed it. */
  readonly checked: ValidTranscript | null;
  /** Notices that this step issues. */
  readonly notices: readonly NotifyDirective[];
  /** The request that is about to be issued. */
  readonly request: BuiltRequest | null;
  /** The states of plug-ins, by name. */
  readonly plugins: { readonly [name: string]: PluginState };
  /** The plug-in whose step before the request is running. */
  readonly preparing: Preparing | null;
  /** The number of messages when this turn began. */
  readonly turnMessages: number;
  /** The system text, where more than the definition says it. */
  readonly instructions: Instructions | null;
  /** The last request, where a behaviour makes requests of its own. */
  readonly sent: SentRequest | null;
}
