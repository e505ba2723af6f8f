/**
 * Directives: the closed union of effects that a machine may ask for, as plain data. Each one's
 * comment says what the host must do: what must be durable before the effect begins, and what comes
 * back. A new type of directive begins here; then `event.ts` (its settlements),
 * `settlement-fault.ts`, `runtime/effects/effects.ts`.
 */
import type { Json, JsonObject } from "../values/json.js";
import { isList, type List } from "../values/list.js";
import type { Message, ProviderOptions } from "./message.js";
import type { Budget } from "./prices.js";
import { shownBriefly } from "./size-limits.js";

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

/** The kind of a part; with `?` it may be missing. */
type Kind = "text" | "number" | "array" | "messages" | "object" | "budget" | "any";

/** For each directive, its parts beside `type` and `id`. */
const parts: Record<Directive["type"], { readonly [part: string]: Kind | `${Kind}?` }> = {
  llm: {
    messages: "messages",
    model: "text?",
    system: "text?",
    tools: "array?",
    toolChoice: "any?",
    responseFormat: "object?",
    settings: "object?",
  },
  tool: { name: "text", input: "any", toolCallId: "text?" },
  read: { store: "text", query: "any" },
  write: { store: "text", operations: "array" },
  approval: { title: "text", subject: "any", of: "text?", ask: "object?", toolCallId: "text?" },
  timer: { until: "number", deadline: "any?" },
  run: { reasoner: "text", input: "any", budget: "budget?", toolCallId: "text?" },
  notify: { topic: "text", data: "any?" },
  cancel: { target: "text" },
};

const isKind: Record<Kind, (value: Json) => boolean> = {
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  array: (value) => Array.isArray(value),
  messages: (value) => Array.isArray(value) || isList(value),
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  budget: (value) => isBudget(value),
  any: () => true,
};

/** Returns true when a value is a budget: tokens and cost, each a whole number from 0 on. */
export function isBudget(value: unknown): value is Budget {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(
    ([part, most]) =>
      (part === "tokens" || part === "cost") && Number.isSafeInteger(most) && (most as number) >= 0,
  );
}

interface Check {
  readonly name: string;
  readonly kind: Kind;
  readonly required: boolean;
  readonly is: (value: Json) => boolean;
}
const checks = Object.fromEntries(
  Object.entries(parts).map(([type, known]) => [
    type,
    Object.entries(known).map(([name, kind]): Check => {
      const needed = kind.replace("?", "") as Kind;
      return { name, kind: needed, required: kind === needed, is: isKind[needed] };
    }),
  ]),
) as unknown as Record<Directive["type"], readonly Check[]>;

/** An id is a path; longer ones would make the state deep. */
const MAX_ID_LENGTH = 160;

/** Returns true when a directive expects an answer. */
export function isEffect(directive: Directive): directive is Effect {
  return directive.type !== "notify" && directive.type !== "cancel";
}

/** Describes the fault of a value that should be a directive; `undefined` where it is one. */
export function directiveFault(value: Json): string | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return "is not an object";
  const directive = value as JsonObject;
  const type = String(directive.type);
  const known = Object.hasOwn(parts, type) ? parts[type as Directive["type"]] : undefined;
  if (known === undefined) {
    return `has type ${shownBriefly(directive.type)}; one of ${Object.keys(parts).join(", ")} is needed`;
  }
  const answered = directive.type !== "notify" && directive.type !== "cancel";
  if (answered) {
    const id = directive.id;
    if (typeof id !== "string" || id === "") return "has no id";
    if (id.length > MAX_ID_LENGTH) return `has an id of more than ${MAX_ID_LENGTH} characters`;
    // Events and inputs have ids as keys, too.
    if (id === "__proto__") return "has the id __proto__, which cannot be a key";
  }
  const rows = checks[type as Directive["type"]];
  let seen = answered ? 2 : 1;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as Check;
    const part = directive[row.name];
    if (part === undefined) {
      if (row.required) return `lacks ${row.name}`;
      continue;
    }
    seen += 1;
    if (!row.is(part)) return `has ${row.name} that is not ${row.kind}`;
  }
  let count = 0;
  for (const name in directive) if (directive[name] !== undefined) count += 1;
  if (count === seen) return undefined;
  const more = Object.keys(directive).find(
    (name) => name !== "type" && !(name === "id" && answered) && !Object.hasOwn(known, name),
  );
  return more === undefined ? undefined : `has a part ${more}, which ${type} does not know`;
}
