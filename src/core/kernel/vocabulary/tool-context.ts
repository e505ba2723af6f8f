/**
 * Types of what a tool's functions are called with (the run's id, `deps`, usage, an abort signal), and of
 * what an `issue` tool asks for and is answered.
 */
import type { Json, JsonObject } from "../values/json.js";
import type { ReadDirective, RunDirective, WriteDirective } from "./directive.js";
import type { EffectError, Settlement, ToolFailureReason } from "./event.js";
import type { Usage } from "./usage.js";

/**
 * The origin of a call: what a pure function derives ids and times from, the same at each replay.
 */
export interface CallOrigin {
  readonly runId: string;
  /** Path of the directive, or of the call or step where it runs inline: `tool/3/1`. */
  readonly id: string;
  /**
   * Milliseconds since 1970: the time of the event that the function answers to; for `execute`, of
   * the run's last event before the attempt.
   */
  readonly at: number;
}

/** The identity of a call, by which its outcome can be looked up before it is repeated. */
export interface CallIdentity extends Omit<CallOrigin, "at"> {
  /** Of run and call; the same before and after a crash. */
  readonly idempotencyKey: string;
}

/** The run as a pure tool sees it. */
export interface RunContext<Deps = JsonObject> extends CallOrigin, CallIdentity {
  /** The run's own data: JSON, part of the state, journalled. Changed by context updates alone. */
  readonly deps: Deps;
  /** The run's usage so far. */
  readonly usage: Usage;
  /** The number of earlier attempts of this call. */
  readonly retry: number;
}

/** The run as an executing tool sees it. */
export interface ToolContext<Deps = JsonObject, Services = unknown> extends RunContext<Deps> {
  /**
   * Live handles (connections, secrets), given to the interpreter; never journalled. Where the run was given none
   * and the tool does not say `services`, each use of one throws `services.missing`.
   */
  readonly services: Services;
  /** Aborted when the call is cancelled or takes too long. */
  readonly signal: AbortSignalLike;
  /** The handle that a process kept of this attempt which is gone, or left it: it goes on where that was. */
  readonly handle?: Json;
  /**
   * Keeps in the journal what a later process needs to go on with this attempt: the id of a task, JSON of at most
   * 64 Ki characters. Ends when it is durable; from then on a crash does not make the call unknown: it is made again
   * with this handle, under the same number. With `due` there is nothing to look for before that moment, in
   * milliseconds since 1970: the time limit begins then, and a run that waits for nothing else is waiting.
   * @throws ReckonerError `handle.refused` where it is not one, the attempt is over, or nobody keeps any
   */
  keep(handle: Json, options?: { readonly due?: number | undefined }): Promise<void>;
  /**
   * Tells whoever looks at the run how far the call is, as JSON of at most 64 Ki characters; the last word counts. It
   * may be lost, is never recorded, and does not put off the time limit.
   * @throws ReckonerError `json.refused`, `event.tooLarge`
   */
  progress(data: Json): void;
}

/**
 * The part of an AbortSignal that the core needs, since it knows no platform. Hosts pass a real
 * one.
 */
export interface AbortSignalLike {
  readonly aborted: boolean;
  readonly reason: unknown;
  /** Throws `reason` where it is aborted. */
  throwIfAborted(): void;
  /** Called when it is aborted; never where that was before. */
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  /** Takes a listener back. */
  removeEventListener(type: "abort", listener: () => void): void;
}

/** A call that failed, for `formatError`. */
export interface ToolFailure extends CallIdentity {
  readonly tool: string;
  readonly input: Json;
  readonly reason: ToolFailureReason;
  readonly error: EffectError;
  readonly attempts: number;
}

/** The directives that an `issue` tool may ask for; the core gives the ids. */
export type ToolRequest =
  | Omit<ReadDirective, "id">
  | Omit<WriteDirective, "id">
  | Omit<RunDirective, "id" | "toolCallId">;

/** The settlements of an `issue` tool's requests, in the order of the requests. */
export type ToolSettlement = Extract<
  Settlement,
  { type: `read.${string}` | `write.${string}` | `run.${string}` }
>;

/** A reasoner that a tool runs as a child. As much of it as a tool has to know. */
export interface ChildReasoner {
  readonly id: string;
  readonly version: number;
  readonly fingerprint: string;
}
