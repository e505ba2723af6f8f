/**
 * Events: everything that can happen to a run. A settlement, in the past tense, answers one
 * directive; other events come from outside. All have `at`, in milliseconds since 1970: the core
 * has no clock.
 */

import type { Json, JsonObject } from "../values/json.js";
import type { ContextOperation } from "./context-update.js";
import type { Directive } from "./directive.js";
import type { AssistantPart, ProviderOptions, ToolContentPart, UserPart } from "./message.js";
import type { Usage } from "./usage.js";

/** The reason why an effect failed, as data. */
export interface EffectError {
  /** A stable code of ours, or one of the provider's or the tool's own. */
  readonly code: string;
  readonly message: string;
  /** HTTP status, where there was one. */
  readonly status?: number;
  /** The time that the other side asked to wait, in milliseconds. */
  readonly retryAfterMs?: number;
  /** True when another attempt might succeed. */
  readonly transient?: boolean;
  /** The other side's own words, as far as they are JSON; of a thrown object, its fields. */
  readonly detail?: Json;
  /** The name of the thrown error, where it is more than "Error". */
  readonly name?: string;
  /** The stack, up to 8 Ki characters. No two processes need agree on it. */
  readonly stack?: string;
  /** The cause of the thrown error, or a list of the causes. */
  readonly cause?: Json;
}

/** The reason why a turn of a run failed that goes on. */
export interface TurnFailure {
  readonly code: string;
  readonly message: string;
  /** The id of the model request that failed, where one did. */
  readonly directive?: string;
}

/** A run in words, as its row has it. */
export interface Description {
  /** The name that a person would give the run; at most 200 characters are kept. Default: its prompt. */
  readonly title?: string;
  /** Its last words; at most 200 characters are kept. Default: its output so far, where that is a text. */
  readonly words?: string;
  /** Data that whoever sees the list of runs may see. */
  readonly data?: JsonObject;
  /** The failure of the last turn, where it waits after it. */
  readonly failure?: TurnFailure;
}

/**
 * The reason why the model stopped. `paused`: its provider has not finished its own tools, and is to be
 * asked again. `unknown`: nobody said.
 */
export type FinishReason =
  | "stop"
  | "length"
  | "content-filter"
  | "tool-calls"
  | "paused"
  | "error"
  | "other"
  | "unknown";

/** The one outside who said something, as the host that lets them knows them. */
export interface Origin {
  readonly by: string;
  readonly role?: string | undefined;
}

interface Settled {
  /** Id of the directive that this settles. */
  readonly id: string;
  readonly at: number;
  /** Of a settlement that nobody here carried out: who gave it. */
  readonly origin?: Origin;
  /** The number of attempts it took, where more than one. */
  readonly attempts?: number;
  /**
   * Of a model call the time since the model was down, of a child run that in which it waited for people alone, or for a
   * model that was down; in milliseconds.
   */
  readonly waitedMs?: number;
}

/** The usage of failed attempts that asked one model. */
export interface SpentByModel {
  /** The name of its port. */
  readonly model: string;
  readonly usage: Partial<Usage>;
}

/** A model answered. `usage` counts all attempts. */
export interface LlmSucceeded extends Settled {
  readonly type: "llm.succeeded";
  readonly content: readonly AssistantPart[];
  readonly finishReason: FinishReason;
  readonly usage: Partial<Usage>;
  /** The part of `usage` that failed attempts have, by their models; where the call asked several. */
  readonly spent?: readonly SpentByModel[];
  /** The model that answered, as the provider names it. */
  readonly model?: string;
  /** The name of the port that was asked, where the answer names no model, or the call may ask several. */
  readonly port?: string;
  /** The provider's id of the response. */
  readonly responseId?: string;
  /** The provider's metadata of the whole answer. */
  readonly providerMetadata?: ProviderOptions;
  readonly warnings?: readonly Json[];
}

/** A model call failed, and is not retried. */
export interface LlmFailed extends Settled {
  readonly type: "llm.failed";
  readonly error: EffectError;
  /** The usage of its attempts, as far as the provider reported it. */
  readonly usage?: Partial<Usage>;
  /** The same by the models that were asked, where there were several. */
  readonly spent?: readonly SpentByModel[];
}

/** A tool returned. */
export interface ToolSucceeded extends Settled {
  readonly type: "tool.succeeded";
  readonly output: Json;
  /** The parts that the model reads instead of `output`. */
  readonly content?: readonly ToolContentPart[];
  /** Changes to the run's `deps`, applied in call order. */
  readonly update?: readonly ContextOperation[];
}

/**
 * The reason why a tool has no result: it threw, timed out, returned something that is not JSON, does not
 * exist, got arguments that its schema refuses; or it had started and its outcome is unknown.
 */
export type ToolFailureReason =
  | "error"
  | "timeout"
  | "result"
  | "missing"
  | "arguments"
  | "unknown";

/** A tool failed. */
export interface ToolFailed extends Settled {
  readonly type: "tool.failed";
  readonly reason: ToolFailureReason;
  readonly error: EffectError;
  /** The error's message was written for the model: it is that of a `ToolError`. */
  readonly forModel?: true;
  /** The parts that the model reads beside the error's text. */
  readonly content?: readonly ToolContentPart[];
}

/** A store answered a read. */
export interface ReadSucceeded extends Settled {
  readonly type: "read.succeeded";
  readonly value: Json;
}
/** A store did not answer a read. */
export interface ReadFailed extends Settled {
  readonly type: "read.failed";
  readonly error: EffectError;
}
/** A store wrote all operations. */
export interface WriteSucceeded extends Settled {
  readonly type: "write.succeeded";
  readonly value?: Json;
}
/** A store wrote none of the operations; with `store.unknown` or `store.result` it may have. */
export interface WriteFailed extends Settled {
  readonly type: "write.failed";
  readonly error: EffectError;
}

/** The decision on an approval: yes, no with a reason, or yes with other arguments. */
export interface ApprovalDecision {
  readonly approve: boolean;
  /** Other arguments than the model's, with `approve: true`. */
  readonly input?: Json | undefined;
  readonly reason?: string | undefined;
  /** The value for a tool that asks for one, with `approve: true`. */
  readonly value?: Json | undefined;
  /** The `of` of the approval that the person saw; the decision is for no other. */
  readonly of?: string | undefined;
  /** The person who decided. */
  readonly by?: string | undefined;
}

/** A person decided. */
export interface ApprovalDecided extends Settled, ApprovalDecision {
  readonly type: "approval.decided";
}
/** A timer's time has come. */
export interface TimerFired extends Settled {
  readonly type: "timer.fired";
}
/** A child run ended with an output. */
export interface RunSucceeded extends Settled {
  readonly type: "run.succeeded";
  readonly runId: string;
  readonly output: Json;
  readonly usage?: Partial<Usage>;
}
/** A child run ended without an output, or could not be started. */
export interface RunFailed extends Settled {
  readonly type: "run.failed";
  readonly runId?: string;
  readonly error: EffectError;
  readonly usage?: Partial<Usage>;
}

/** The answer to a directive. */
export type Settlement =
  | LlmSucceeded
  | LlmFailed
  | ToolSucceeded
  | ToolFailed
  | ReadSucceeded
  | ReadFailed
  | WriteSucceeded
  | WriteFailed
  | ApprovalDecided
  | TimerFired
  | RunSucceeded
  | RunFailed;

/** A user says something, at any moment. */
export interface MessageEvent {
  readonly type: "message";
  readonly at: number;
  /** The sender's name for it, by which it can be changed while it waits. */
  readonly id?: string;
  readonly content: string | readonly UserPart[];
}
/** A message that waits says something else. */
export interface MessageEditedEvent {
  readonly type: "message.edited";
  readonly at: number;
  readonly id: string;
  readonly content: string | readonly UserPart[];
}
/** A message that waits is taken back. */
export interface MessageRemovedEvent {
  readonly type: "message.removed";
  readonly at: number;
  readonly id: string;
}
/** A message that waits comes at another place. */
export interface MessageMovedEvent {
  readonly type: "message.moved";
  readonly at: number;
  readonly id: string;
  /** Its place among those that wait, from 0; one past the end is the end. */
  readonly to: number;
}
/** A change of a message that waits. An agent that has taken the message refuses it: `message.taken`. */
export type QueueEvent = MessageEditedEvent | MessageRemovedEvent | MessageMovedEvent;
/** Ends the run. */
export interface CancelEvent {
  readonly type: "cancel";
  readonly at: number;
  readonly reason?: string;
}
/** The unfinished answer of a model call that was interrupted. */
export interface PartialAnswer {
  readonly content: readonly AssistantPart[];
  readonly usage: Partial<Usage>;
}
/**
 * Ends the present turn. The interpreter has given tools and child runs their grace period; what is
 * still outstanding is cut off.
 */
export interface InterruptEvent {
  readonly type: "interrupt";
  readonly at: number;
  readonly reason?: string;
  /**
   * The text streamed so far, by the id of the model call. The only place where deltas are
   * recorded.
   */
  readonly partial: { readonly [id: string]: PartialAnswer };
}
/** A start. `step` answers a second one with `busy`. */
export interface StartEvent {
  readonly type: "start";
  readonly at: number;
  readonly id?: string;
}
/** Any string but the kernel's own types; an enum, since a plain or branded string would fit those. */
declare enum Own {
  type = "the type of an event that the kernel does not know",
}
/** A type that is none of the kernel's, so that a `switch` over `RunEvent["type"]` narrows. */
export type CustomType = Own;

/** An event of a machine's own, as a run has taken it. Its type is a string like any other. */
export interface CustomEvent {
  readonly type: CustomType;
  readonly at: number;
  readonly [key: string]: Json;
}

/** The events that the kernel knows. */
export type KernelEvent =
  | Settlement
  | MessageEvent
  | QueueEvent
  | CancelEvent
  | InterruptEvent
  | StartEvent;
/** An event of a run; it narrows by its type. With events of the machine's own, so do they. */
export type RunEvent<Custom extends { readonly type: string } = CustomEvent> =
  | KernelEvent
  | (Custom & { readonly at: number });
/**
 * An event that a run can be given: its own machine's events too, whose type must be none of the
 * kernel's.
 */
export type IncomingEvent =
  | RunEvent
  | { readonly type: string; readonly at: number; readonly [key: string]: Json };

/** The directive that each settlement answers; no other name is in it, not even `constructor`. */
export const settles: Readonly<Record<string, Directive["type"] | undefined>> = Object.assign(
  Object.create(null) as object,
  {
    "llm.succeeded": "llm",
    "llm.failed": "llm",
    "tool.succeeded": "tool",
    "tool.failed": "tool",
    "read.succeeded": "read",
    "read.failed": "read",
    "write.succeeded": "write",
    "write.failed": "write",
    "approval.decided": "approval",
    "timer.fired": "timer",
    "run.succeeded": "run",
    "run.failed": "run",
  } satisfies Record<Settlement["type"], Directive["type"]>,
);

/** Returns true when an event answers a directive. */
export function isSettlement(event: { readonly type: string }): event is Settlement {
  return settles[event.type] !== undefined;
}

/** The directive that an event of this type answers, as the machine sees it beside the event (K3). */
type Answered<E extends Settlement> = E & {
  readonly directive: Extract<
    Directive,
    { type: E["type"] extends `${infer Prefix}.${string}` ? Prefix : never }
  >;
};

type Answers = { [T in Settlement["type"]]: Answered<Extract<Settlement, { type: T }>> };

/** An event as a machine sees it: a settlement comes with the directive that it settles. */
export type SeenEvent<Custom extends { readonly type: string } = never> =
  | Answers[Settlement["type"]]
  | MessageEvent
  | QueueEvent
  | CancelEvent
  | InterruptEvent
  | (Custom & { readonly at: number });
