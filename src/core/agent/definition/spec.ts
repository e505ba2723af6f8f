/**
 * The complete definition of an agent with all defaults, and the types of behaviours and plug-ins. Types and
 * defaults only.
 */

import type { Json, JsonObject, List } from "../../kernel/values/index.js";
import type {
  AssistantMessage,
  CallIdentity,
  CallOrigin,
  ChildReasoner,
  EffectError,
  LlmDirective,
  LlmSettings,
  Message,
  OnUnknown,
  Prices,
  Schema,
  Tool,
  ToolChoice,
  ToolRegistry,
  ToolRequest,
  ToolSettlement,
  UserPart,
} from "../../kernel/vocabulary/index.js";
import type { AgentContext, CallOutcome, SaidOutcome, ToolCallRecord } from "../context/context.js";

/** The number of times that an agent asks the model, by default. */
export const DEFAULT_MAX_ITERATIONS = 10;
/** The number of times that an answer which does not validate is sent back, by default. */
export const DEFAULT_OUTPUT_RETRIES = 2;
/** The number of times that an answer is asked for again which is empty, cut off, filtered or faulty. */
export const DEFAULT_ANSWER_RETRIES = 2;
/** The number of times that one iteration is repeated when the behaviour wants to retry. */
export const MAX_RETRIES = 3;

/** The input of an agent's run: a prompt, or an object. */
export type AgentInput<Deps extends object = JsonObject> =
  | string
  | {
      readonly prompt?: string | readonly UserPart[] | undefined;
      /**
       * An earlier transcript from any source: it is repaired, and observers are notified. A conversation may begin
       * with none, `[]`, and waits for the first message.
       */
      readonly messages?: readonly Message[] | undefined;
      readonly deps?: Deps | undefined;
      readonly maxIterations?: number | undefined;
    };

/** An output that is validated: as JSON in the answer's text, or as the call of a final tool. */
export interface OutputSpec<S extends Schema = Schema> {
  readonly schema: S;
  /** Default `json`. */
  readonly via?: "json" | "tool" | undefined;
  /** Name of the tool, or of the schema for the provider. Default `final_result`. */
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** JSON Schema for the model, where `schema` cannot describe itself. */
  readonly jsonSchema?: JsonObject | undefined;
  /** The number of times that an answer which does not validate is sent back. Default 2. */
  readonly retries?: number | undefined;
}

/** The spending of a run: a number in all, or so much in each turn, in all, or both. */
export type SpendingLimit =
  | number
  | { readonly perTurn?: number | undefined; readonly total?: number | undefined };

/** The limits of an agent. */
export interface Limits {
  /** Model calls in one turn. Default 10. */
  readonly maxIterations: number;
  /** Tokens; checked before each request. */
  readonly tokenBudget: SpendingLimit | undefined;
  /** Money, in billionths; reserved before each request. */
  readonly costBudget: SpendingLimit | undefined;
  /** Milliseconds for one turn. */
  readonly deadlineMs: number | undefined;
  /** At a limit: fail, or ask once more, without tools, for the best answer. */
  readonly onLimit: "error" | "answer";
  /** The number of times in one turn that an answer is asked for again which is not believed. Default 2. */
  readonly answerRetries: number;
}

/** A definition with its defaults: what behaviours and plug-ins see of their agent. */
export interface AgentSpec {
  readonly name: string;
  /** The system prompt, or how it follows from `deps`. */
  readonly system: string | ((deps: JsonObject) => string) | null;
  /** All tools: the agent's, its behaviour's, its plug-ins' and its output's. */
  readonly tools: ToolRegistry;
  readonly model: string | undefined;
  readonly settings: LlmSettings | undefined;
  readonly toolChoice: ToolChoice | undefined;
  readonly sequential: boolean;
  /**
   * The rule for calls in later waves after one with an unknown outcome, if its tool does not say.
   */
  readonly onUnknown: OnUnknown;
  readonly prices: Prices | undefined;
  readonly deps: object | undefined;
  /** The keys of `deps` that the row of a run shows. */
  readonly publicDeps: readonly string[];
  readonly behaviour: Behaviour;
  readonly plugins: readonly Plugin[];
  readonly output: (OutputSpec & { readonly json: JsonObject }) | undefined;
  readonly limits: Limits;
  readonly conversation: boolean;
  /** The number of waiting messages that a turn takes: one, or all. */
  readonly queue: "each" | "all";
  /** True if a turn ends at its calls: the model is not asked about their results. */
  readonly stopWhen: StopWhen | undefined;
  /** The rule for a call that the provider refused: fail, or tell the model. */
  readonly onRejectedCall: "error" | "tell";
}

/**
 * Judges the calls of an answer once each has its result. Where it returns true the turn ends, and the
 * model is not asked about them. Pure.
 */
export type StopWhen = (context: AgentContext, calls: readonly ToolCallRecord[]) => boolean;

/** The output of a run, or why there is none. */
export type Extracted =
  | { readonly ok: true; readonly output: Json }
  | { readonly ok: false; readonly error: string };

/**
 * The reaction to an error: ask the same iteration again (at most three times), go on as if it had been
 * answered (it counts as an iteration), or fail with an error.
 */
export type Recovery =
  | { readonly type: "retry"; readonly context: AgentContext }
  | { readonly type: "continue"; readonly context: AgentContext }
  | { readonly type: "error"; readonly error: EffectError };

/** A request that is about to be sent. */
export type Request = Omit<LlmDirective, "type" | "id">;

/** The callbacks. All are pure: the same arguments give the same result. */
export interface Behaviour {
  readonly name: string;
  /** Tools that the behaviour brings along. */
  readonly tools?: readonly Tool[] | undefined;
  /**
   * The messages for the model, without the system prompt. The context's own List costs its new
   * items at each request; anything else costs all of them, and is looked through: a call that has
   * lost its result is given one, a result that has lost its call is left out.
   */
  buildMessages(agent: AgentSpec, context: AgentContext): List<Message> | readonly Message[];
  /** Takes the model's message into the context. */
  processResponse(agent: AgentSpec, message: AssistantMessage, context: AgentContext): AgentContext;
  /** The output, once no response is needed. */
  extractOutput(agent: AgentSpec, context: AgentContext): Extracted;
  /** Returns the agent's tools that the model is shown. */
  getTools(agent: AgentSpec, context: AgentContext): readonly Tool[];
  /** Once, before the run begins. */
  initContext?(agent: AgentSpec, context: AgentContext): AgentContext;
  /** Called last before a request is sent; may change it. */
  beforeRequest?(agent: AgentSpec, context: AgentContext, request: Request): Request;
  /** After a tool call's result was written and its context update applied. */
  afterTool?(agent: AgentSpec, call: ToolCallRecord, context: AgentContext): AgentContext;
  /** After a model call failed for good. Default: the error. */
  handleError?(agent: AgentSpec, error: EffectError, context: AgentContext): Recovery;
}

/** A tool call that a hook judges. */
export interface JudgedCall extends CallIdentity {
  readonly name: string;
  readonly input: Json;
}

/** A hook's decision on a tool call. */
export type Verdict =
  | { readonly type: "allow" }
  | { readonly type: "deny"; readonly reason?: string }
  | { readonly type: "modify"; readonly input: Json };

/** The hooks of plug-ins, by which requests and tool calls are judged. */
export const HOOKS = ["beforeRequest", "beforeTool", "afterTool", "afterNoResult"] as const;

/** The result of a plug-in's step; what is left out stays unchanged. */
export interface PluginResult {
  /** The plug-in's own state. */
  readonly state?: Json;
  /** Text for the system text, as of the first request of the turn that comes. */
  readonly prompt?: string | null;
  /** Keys of `deps` to replace. */
  readonly deps?: { readonly [key: string]: Json };
}

/**
 * A plug-in. All its functions are pure. A hook (`before…`, `after…`) that throws denies; the plug-ins are
 * asked in their order, and each sees what those in front of it made of a call.
 */
export interface Plugin {
  /** Unique in an agent; its state is kept under it. */
  readonly name: string;
  /** The arguments with which it was made, as JSON; part of the agent's configuration. */
  readonly settings?: Json | undefined;
  readonly tools?: readonly Tool[] | undefined;
  /** Reasoners that its `run` requests name, beside those of the tools. */
  readonly children?: { readonly [name: string]: ChildReasoner } | undefined;
  /** Its state at the beginning of a run. */
  init?(context: AgentContext): Json;
  /**
   * Its part of the system text, where it depends on nothing but the context and its state. It is heard
   * at the first request of each turn.
   */
  systemPrompt?(context: AgentContext, state: Json): string | null;
  /** Before each request: what to read, write or run. */
  issue?(context: AgentContext, state: Json, origin: CallOrigin): readonly ToolRequest[];
  /** Gets the settlements of these directives, in order; also called if none were issued. */
  settle?(
    context: AgentContext,
    state: Json,
    settlements: readonly ToolSettlement[],
    origin: CallOrigin,
  ): PluginResult;
  /** Denying a request ends the run. */
  beforeRequest?(
    context: AgentContext,
    request: Request,
  ): undefined | { readonly type: "deny"; readonly reason: string };
  /** Before validation and approval; modified arguments are validated like the model's own. */
  beforeTool?(context: AgentContext, call: JudgedCall): undefined | Verdict;
  /**
   * After a call that ran, whether it succeeded or failed. May replace what the model reads, not
   * whether it succeeded. If it throws or returns a wrong value, the result is withheld from the
   * model.
   */
  afterTool?(
    context: AgentContext,
    call: JudgedCall,
    outcome: CallOutcome,
  ): undefined | CallOutcome;
  /**
   * After a call that did not run or whose outcome is unknown: no such tool, wrong arguments,
   * denied, rejected, not executed, unknown. May replace the text that the model reads; a failure
   * withholds it as with `afterTool`.
   */
  afterNoResult?(
    context: AgentContext,
    call: JudgedCall,
    outcome: SaidOutcome,
  ): undefined | CallOutcome;
}
