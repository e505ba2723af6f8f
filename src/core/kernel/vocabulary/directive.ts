/**
 * Directives: the closed union of effects that a machine may ask for, as plain data. Each one's comment
 * says what the host must do: what must be durable before the effect begins, and what comes back. A new
 * type of directive begins here; docs/internals.md lists the other files that it concerns.
 */
import type { Json, JsonObject } from "../values/json.js";
import { isList, type List } from "../values/list.js";
import type { Message, ProviderOptions } from "./message.js";
import type { Budget } from "./prices.js";
import {
  ANYTHING,
  JSON_OBJECT,
  LIST,
  misfit,
  NUMBER,
  OBJECT,
  optionsOf,
  type Shape,
  type Shapes,
  SOMETHING,
  TEXT,
  TEXTS,
  tagged,
  whole,
} from "./shapes.js";

/** A tool as a model sees it. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject;
  /** The provider is to hold the model to the schema, where it can. */
  readonly strict?: boolean;
  /** The model is told of the tool only when it searches for it, where the provider can. */
  readonly deferLoading?: boolean;
  readonly providerOptions?: ProviderOptions;
  /** One of the provider's own tools, which it knows by this id; its schema and text are known there. */
  readonly provider?: ProviderToolId;
}

/** The name by which a provider knows one of its own tools. */
export interface ProviderToolId {
  /** `<provider>.<tool>`: `openai.web_search`. */
  readonly id: string;
  /** The arguments that set it up. */
  readonly args: JsonObject;
}

/**
 * Returns true for a tool that a provider defines and whose arguments are a text of any form and no JSON
 * object: its schema is one of a text.
 */
export function takesText({ provider, inputSchema }: ToolSchema): boolean {
  return provider !== undefined && inputSchema.type === "string";
}

/** Settings of a model call. An absent setting is the provider's default. */
export interface LlmSettings {
  readonly maxOutputTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly topK?: number | undefined;
  readonly presencePenalty?: number | undefined;
  readonly frequencyPenalty?: number | undefined;
  readonly stopSequences?: readonly string[] | undefined;
  readonly seed?: number | undefined;
  readonly providerOptions?: ProviderOptions | undefined;
}

const settings: Shapes<LlmSettings> = {
  maxOutputTokens: /* @__PURE__ */ whole(1),
  temperature: NUMBER,
  topP: NUMBER,
  topK: NUMBER,
  presencePenalty: NUMBER,
  frequencyPenalty: NUMBER,
  stopSequences: TEXTS,
  seed: NUMBER,
  providerOptions: JSON_OBJECT,
};
/** Settings of a model call. */
export const SETTINGS: Shape = /* @__PURE__ */ optionsOf(settings);

/** The tool that the model must call, if any. */
export type ToolChoice = "auto" | "none" | "required" | { readonly tool: string };

/** The form that the answer must have, where the provider can be told. */
export type ResponseFormat =
  | { readonly type: "text" }
  | { readonly type: "json"; readonly schema?: JsonObject; readonly name?: string };

/**
 * Ask a model. Before: nothing; it may begin while the event line is being written, but nobody sees
 * its deltas before that line is durable. After: one `llm.succeeded` or `llm.failed` with this id. It
 * has no effect but its cost, so it is asked again where its settlement, or that line, is lost.
 */
export interface LlmDirective {
  readonly type: "llm";
  readonly id: string;
  /** Name of the model port to ask, where the host has several; else its only one. */
  readonly model?: string;
  readonly system?: string;
  readonly messages: List<Message> | readonly Message[];
  readonly tools?: readonly ToolSchema[];
  readonly toolChoice?: ToolChoice;
  readonly responseFormat?: ResponseFormat;
  readonly settings?: LlmSettings;
}

/**
 * Run a tool's `execute`. Before: the event line and a start mark are durable. After: one
 * `tool.succeeded` or `tool.failed`. A tool that has started and not settled is run again only
 * where it is idempotent.
 */
export interface ToolDirective {
  readonly type: "tool";
  readonly id: string;
  readonly name: string;
  /** The raw arguments; the host parses them with the tool's schema before it calls. */
  readonly input: Json;
  /** The provider's id of the call, as deltas of its input carry it. */
  readonly toolCallId?: string;
}

/** Read from a store. After: `read.succeeded` or `read.failed`. Repeated where its settlement is lost. */
export interface ReadDirective {
  readonly type: "read";
  readonly id: string;
  readonly store: string;
  readonly query: Json;
}

/**
 * Write to a store: a list of operations that holds or fails as one. Before: the event line is
 * durable, and a start mark where the store does not remember keys. After: `write.succeeded` or
 * `write.failed`. The store is given the idempotency key, so that a repetition has no second effect.
 */
export interface WriteDirective {
  readonly type: "write";
  readonly id: string;
  readonly store: string;
  readonly operations: readonly Json[];
}

/** Have a person decide. After: `approval.decided`, perhaps days later and in another process. */
export interface ApprovalDirective {
  readonly type: "approval";
  readonly id: string;
  /** The question to decide, in words for a person. */
  readonly title: string;
  /** The subject that a person should see: the tool's name and arguments, say. */
  readonly subject: Json;
  /** The hash of what is decided: of a call, its tool's definition and its arguments. */
  readonly of?: string;
  /** The JSON Schema of the value that the person is to give. */
  readonly ask?: JsonObject;
  /** Of a tool call: the provider's id of it, as deltas of its input carry it. */
  readonly toolCallId?: string;
}

/** Be woken. After: `timer.fired`, at or after the time. */
export interface TimerDirective {
  readonly type: "timer";
  readonly id: string;
  /** Milliseconds since 1970, absolute. */
  readonly until: number;
  /**
   * True for a deadline: it stands still while its run waits for a model that is down, or a child of it for that or
   * for people. The settlement of that call, or child, says how long (`waitedMs`), and the machine puts the deadline off.
   */
  readonly deadline?: true;
}

/**
 * Start another reasoner as a child run, in the same journal; its run id follows from the
 * parent's and this id. After: `run.succeeded` or `run.failed`.
 */
export interface RunDirective {
  readonly type: "run";
  readonly id: string;
  /** Name under which the host knows the child's reasoner. */
  readonly reasoner: string;
  readonly input: Json;
  /** The most that the child may spend. */
  readonly budget?: Budget;
  /** Of a tool call: the provider's id of it, as deltas of its input carry it. */
  readonly toolCallId?: string;
}

/** Tell observers. Nothing is owed before or after. */
export interface NotifyDirective {
  readonly type: "notify";
  readonly topic: string;
  readonly data?: Json;
}

/** Stop an outstanding effect. Its id leaves `outstanding` at once; a later settlement is stale. */
export interface CancelDirective {
  readonly type: "cancel";
  readonly target: string;
}

/** Everything a machine may ask for. The union is closed: a host's switch ends in a `never` check. */
export type Directive =
  | LlmDirective
  | ToolDirective
  | ReadDirective
  | WriteDirective
  | ApprovalDirective
  | TimerDirective
  | RunDirective
  | NotifyDirective
  | CancelDirective;

/** A directive that expects an answer, and so has an id. */
export type Effect = Exclude<Directive, NotifyDirective | CancelDirective>;

const BUDGET_PART: Shape = whole(0);
const budget: Shapes<Budget> = { tokens: BUDGET_PART, cost: BUDGET_PART };
/** The limits of a child: tokens and cost, each a whole number. */
export const BUDGET: Shape = optionsOf(budget);

/** Returns true when a value is a budget. */
export function isBudget(value: unknown): value is Budget {
  return misfit(value, BUDGET) === undefined;
}

/** An id is a path; longer ones would make the state deep. Events and inputs have ids as keys, too. */
const MAX_ID_LENGTH = 160;
const ID: Shape = [
  (value) =>
    typeof value === "string" &&
    value !== "" &&
    value !== "__proto__" &&
    value.length <= MAX_ID_LENGTH,
  `a string of 1 to ${MAX_ID_LENGTH} characters, and not __proto__`,
];
const MESSAGES: Shape = [
  (value) => Array.isArray(value) || isList(value),
  "a List or an array of messages",
];

/** The shape of a directive's parts beside its type. @param required its parts that may not be left out */
function parts(shapes: { readonly [part: string]: Shape }, ...required: readonly string[]): Shape {
  return optionsOf({ type: ANYTHING, ...shapes }, ...required);
}

const call = { toolCallId: TEXT };
const DIRECTIVE: Shape = tagged("type", {
  llm: parts(
    {
      id: ID,
      messages: MESSAGES,
      model: TEXT,
      system: TEXT,
      tools: LIST,
      toolChoice: ANYTHING,
      responseFormat: OBJECT,
      settings: OBJECT,
    },
    "id",
    "messages",
  ),
  tool: parts({ id: ID, name: TEXT, input: SOMETHING, ...call }, "id", "name", "input"),
  read: parts({ id: ID, store: TEXT, query: SOMETHING }, "id", "store", "query"),
  write: parts({ id: ID, store: TEXT, operations: LIST }, "id", "store", "operations"),
  approval: parts(
    { id: ID, title: TEXT, subject: SOMETHING, of: TEXT, ask: OBJECT, ...call },
    "id",
    "title",
    "subject",
  ),
  timer: parts({ id: ID, until: NUMBER, deadline: ANYTHING }, "id", "until"),
  run: parts(
    { id: ID, reasoner: TEXT, input: SOMETHING, budget: BUDGET, ...call },
    "id",
    "reasoner",
    "input",
  ),
  notify: parts({ topic: TEXT, data: ANYTHING }, "topic"),
  cancel: parts({ target: TEXT }, "target"),
});

/** Returns true when a directive expects an answer. */
export function isEffect(directive: Directive): directive is Effect {
  return directive.type !== "notify" && directive.type !== "cancel";
}

/** Describes the fault of a value that should be a directive; `undefined` where it is one. */
export function directiveFault(value: unknown): string | undefined {
  return misfit(value, DIRECTIVE);
}
