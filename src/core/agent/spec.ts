/**
 * The complete definition of an agent with all defaults, and the types of behaviours, policies and
 * plug-ins. Types and defaults only.
 */
import type {
  AssistantMessage,
  CallIdentity,
  CallOrigin,
  ChildReasoner,
  EffectError,
  Json,
  JsonObject,
  List,
  LlmDirective,
  LlmSettings,
  Message,
  OnUnknown,
  Prices,
  Schema,
  shapes,
  Tool,
  ToolChoice,
  ToolRegistry,
  ToolRequest,
  ToolSettlement,
  UserPart,
} from "../kernel/index.js";
import type { AgentContext, CallOutcome, ToolCallRecord } from "./context.js";

/** How often an agent asks the model, where nothing is said. */
export const DEFAULT_MAX_ITERATIONS = 10;
/** How often an answer that does not validate is sent back, where nothing is said. */
export const DEFAULT_OUTPUT_RETRIES = 2;
/** How often one iteration is repeated when the behaviour wants to retry. */
export const MAX_RETRIES = 3;

/** What an agent's run starts from: a prompt, or a prompt with more. */
export type AgentInput<Deps extends object = JsonObject> =
  | string
  | {
      readonly prompt?: string | readonly UserPart[] | undefined;
      /** An earlier transcript, of whatever origin: it is repaired, and observers are told how. */
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
  /** How often an answer that does not validate is sent back. Default 2. */
  readonly retries?: number | undefined;
}

/** What an agent may spend. */
export interface Limits {
  /** Model calls in one turn. Default 10. */
  readonly maxIterations: number;
  /** Tokens in all; checked before each request. */
  readonly tokenBudget: number | undefined;
  /** Money in all, in billionths; set aside before each request. */
  readonly costBudget: number | undefined;
  /** Milliseconds for one turn. */
  readonly deadlineMs: number | undefined;
  /** At a limit: fail, or ask once more, without tools, for the best answer. */
  readonly onLimit: "error" | "answer";
}

/** A definition with its defaults: what behaviours, policies and plug-ins see of their agent. */
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
  /** What is begun behind a call of which nobody knows what came, where its tool does not say. */
  readonly onUnknown: OnUnknown;
  readonly prices: Prices | undefined;
  readonly deps: object | undefined;
  readonly behaviour: Behaviour;
  readonly policy: shapes.Options<Policy>;
  readonly plugins: readonly Plugin[];
  readonly output: (OutputSpec & { readonly json: JsonObject }) | undefined;
  readonly limits: Limits;
  readonly conversation: boolean;
  /** What is done about a call that the provider refused: fail, or tell the model. */
  readonly onRejectedCall: "error" | "tell";
}

/** What a behaviour makes of a run's end. */
export type Extracted =
  | { readonly ok: true; readonly output: Json }
  | { readonly ok: false; readonly error: string };

/**
 * What to do about an error: ask the same iteration again (at most three times), go on as if it had
 * been answered (it counts as an iteration), or fail with an error.
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
  /** Which of the agent's tools the model is shown. */
  getTools(agent: AgentSpec, context: AgentContext): readonly Tool[];
  /** Once, before the run begins. */
  initContext?(agent: AgentSpec, context: AgentContext): AgentContext;
  /** The last word on a request. */
  beforeRequest?(agent: AgentSpec, context: AgentContext, request: Request): Request;
  /** After a tool call's result was written and its context update applied. */
  afterTool?(agent: AgentSpec, call: ToolCallRecord, context: AgentContext): AgentContext;
  /** After a model call failed for good. Default: the error. */
  handleError?(agent: AgentSpec, error: EffectError, context: AgentContext): Recovery;
}

/** A tool call that a policy judges. */
export interface JudgedCall extends CallIdentity {
  readonly name: string;
  readonly input: Json;
}

/** What a policy says to a tool call. */
export type Verdict =
  | { readonly type: "allow" }
  | { readonly type: "deny"; readonly reason?: string }
  | { readonly type: "modify"; readonly input: Json };

/** The hooks; all pure, all optional. One that throws denies. */
export interface Policy {
  /** Denying a request ends the run. */
  beforeRequest?(
    context: AgentContext,
    request: Request,
  ): undefined | { readonly type: "deny"; readonly reason: string };
  /** Before validation and approval; modified arguments are validated like the model's own. */
  beforeTool?(context: AgentContext, call: JudgedCall): undefined | Verdict;
  /**
   * Of a call that ran, to success or failure. May replace what the model reads of it, not whether
   * it succeeded. Where it throws, or returns what is no outcome, all of it is withheld.
   */
  afterTool?(
    context: AgentContext,
    call: JudgedCall,
    outcome: CallOutcome,
  ): undefined | CallOutcome;
  /**
   * Of a call that did not run, or of which nobody knows what came: no such tool, wrong arguments,
   * denied, rejected, not executed, unknown. May replace the text that the model reads; it is
   * withheld as with `afterTool`.
   */
  afterNoResult?(
    context: AgentContext,
    call: JudgedCall,
    outcome: Extract<CallOutcome, { readonly type: "said" }>,
  ): undefined | CallOutcome;
}

/** What a plug-in's step comes to; what is left out stays as it was. */
export interface PluginResult {
  /** The plug-in's own state. */
  readonly state?: Json;
  /** Text for the system prompt, from this request on. */
  readonly prompt?: string | null;
  /** Keys of `deps` to replace. */
  readonly deps?: { readonly [key: string]: Json };
}

/** A plug-in. All its functions are pure. */
export interface Plugin {
  /** Unique in an agent; its state is kept under it. */
  readonly name: string;
  /** What it was made with, as far as it shapes a run; part of the agent's configuration. JSON. */
  readonly settings?: Json | undefined;
  readonly tools?: readonly Tool[] | undefined;
  /** Reasoners that its `run` requests name, beside those of the tools. */
  readonly children?: { readonly [name: string]: ChildReasoner } | undefined;
  /** Its state at the beginning of a run. */
  init?(context: AgentContext): Json;
  /** Its part of the system prompt, where it depends on nothing but the context and its state. */
  systemPrompt?(context: AgentContext, state: Json): string | null;
  /** Before each request: what to read, write or run. */
  issue?(context: AgentContext, state: Json, origin: CallOrigin): readonly ToolRequest[];
  /** What settled those, in their order; called also where nothing was issued. */
  settle?(
    context: AgentContext,
    state: Json,
    settlements: readonly ToolSettlement[],
    origin: CallOrigin,
  ): PluginResult;
}
