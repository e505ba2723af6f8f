/**
 * Prepares everything that enters a run (rule J5): masks credentials in errors, calls the user's redaction
 * hook, and refuses what would not fit into a line. A text that is removed here is in no state and no byte
 * of the journal.
 */

import type { Reasoner } from "../kernel/machine/index.js";
import {
  asJson,
  atOnce,
  exceeds,
  isReckonerError,
  type Json,
  type JsonObject,
  MAX_DEPTH,
  MAX_EVENT_LENGTH,
  messageOf,
  ownJson,
  ReckonerError,
  toJson,
  withParts,
} from "../kernel/values/index.js";
import {
  type EffectError,
  maskCredentials,
  parseEvent,
  type RunEvent,
} from "../kernel/vocabulary/index.js";
import type { Incoming } from "./arrived.js";

/**
 * Something that a redaction hook sees. The driver shows it each event; the host shows it the input of a
 * start, each piece of an answer, each failed attempt and each notice.
 */
export interface Redactable {
  readonly type: string;
  readonly id?: string | undefined;
  readonly at?: number | undefined;
}

/** The options that hide texts from observers and the journal. */
export interface Hiding {
  readonly redact?: ((value: never) => unknown) | undefined;
  readonly maskCredentials?: boolean | undefined;
}

/**
 * Returns what the redaction hook leaves of a value.
 * @throws ReckonerError `redaction.refused` where it threw, changed the type, the id or the time, or
 * made what is not JSON
 */
export function redacted(options: Hiding, value: Redactable): unknown {
  if (options.redact === undefined) return value;
  // Taken out before the hook is called, which may change what it is given.
  const { type, id, at } = value as unknown as Record<string, Json>;
  const after = madeByHook(options, value);
  const isSame = after?.type === type && after?.id === id && after?.at === at;
  if (!isSame || (type === "start" && after?.input === undefined)) {
    throw new ReckonerError(
      "redaction.refused",
      `The redaction hook must return the ${type} it was given with the same type, id and time.`,
    );
  }
  return after;
}

function madeByHook(options: Hiding, value: Redactable): Record<string, Json> | null {
  try {
    return toJson(atOnce("It", options.redact?.(value as never)));
  } catch (cause) {
    const message = `The redaction hook failed on ${value.type}: ${masked(options, messageOf(cause))}`;
    throw new ReckonerError("redaction.refused", message, { cause });
  }
}

/** Returns an error, or a text about one, without the credentials that it repeats. */
export function masked<T extends object | string>({ maskCredentials: mask }: Hiding, error: T): T {
  return mask === false ? error : (maskCredentials(error as Json) as T);
}

/**
 * Returns an event as the machine may see it, with its time.
 * @throws ReckonerError `redaction.refused`, `event.tooLarge`, `json.refused`
 */
export function stamped(options: Hiding, incoming: Incoming, at: number): RunEvent {
  const event = withParts(incoming, { at }) as RunEvent;
  // Validated once: the step and the line use it as it is.
  const own = ownJson<RunEvent>(seen(options, event), "$", MAX_DEPTH);
  checkSize(asJson(own), `The event ${own.type}`);
  return own;
}

/**
 * Returns the error of an attempt as a mark keeps it. Where the hook refuses it, its text is left out: what failed
 * has failed, and the run must not be stuck for a hook that throws.
 */
export function keptError(
  options: Hiding,
  attempt: { readonly id: string; readonly attempt: number; readonly error: EffectError },
): Pick<EffectError, "code" | "message"> {
  const { code } = attempt.error;
  try {
    const { error } = redacted(options, { type: "retry", ...attempt }) as typeof attempt;
    return { code, message: typeof error?.message === "string" ? error.message : "" };
  } catch (thrown) {
    if (!isReckonerError(thrown)) throw thrown;
    return { code, message: thrown.message };
  }
}

/** The input of a run as its definition completes it. @param goesOn true for a run that goes on from another */
export function preparedInput<Input>(
  reasoner: Pick<Reasoner<Input>, "prepare">,
  input: Input,
  goesOn = false,
): Json {
  return toJson(reasoner.prepare(input, goesOn) ?? null, "input");
}

/**
 * The input of a run that begins, as its journal keeps it.
 * @throws ReckonerError `json.refused`, `event.tooLarge`, `redaction.refused`
 */
export function keptInput<Input>(
  reasoner: Pick<Reasoner<Input>, "prepare">,
  input: Input,
  at: number,
  options: Hiding,
  goesOn = false,
): Json {
  const raw = { type: "start", at, input: preparedInput(reasoner, input, goesOn) } as const;
  const kept = redacted(options, raw) as typeof raw;
  checkSize(kept.input, "The input");
  return kept.input;
}

/** Returns an event from outside as the machine may see it, or why it is refused. */
export function stampedOrRefused(
  options: Hiding,
  incoming: Incoming,
  at: number,
): { readonly event: RunEvent } | { readonly refused: EffectError } {
  try {
    return { event: stamped(options, incoming, at) };
  } catch (thrown) {
    if (!isReckonerError(thrown)) throw thrown;
    return { refused: { code: thrown.code, message: thrown.message } };
  }
}

/**
 * Returns an event that nobody can take back: the world has moved, and the run must not be stuck for a hook
 * that throws. A settlement that the hook refuses is that it failed; of an interrupt the texts are left out.
 */
export function stampedAnyway(options: Hiding, incoming: Incoming, at: number): RunEvent {
  const own = stampedOrRefused(options, incoming, at);
  return "event" in own ? own.event : stamped({}, withoutTexts(incoming, own.refused), at);
}

/** Returns the part of an event that a hook need not see: no text of it comes from the world. */
function withoutTexts(incoming: Incoming, error: EffectError): Incoming {
  const { type, id, partial, ...rest } = incoming as Partial<Record<string, Json>>;
  const [kind] = String(type).split(".");
  switch (kind) {
    case "cancel":
      // A child's: its text is the driver's own.
      return incoming;
    case "timer":
      return { type, id } as Incoming;
    case "interrupt": {
      const partials = Object.entries(partial as JsonObject);
      const silent = partials.map(([key, each]) => [key, { ...(each as JsonObject), content: [] }]);
      return { type, partial: Object.fromEntries(silent) } as Incoming;
    }
    case "approval":
      // Nobody is there who could be told, and nothing may run that was not allowed.
      return { type, id, approve: false, reason: error.message, by: "nobody" } as Incoming;
    default: {
      const { usage, spent, runId, attempts, waitedMs } = rest;
      const facts = Object.entries({ usage, spent, runId, attempts, waitedMs });
      const kept = Object.fromEntries(facts.filter(([, value]) => value !== undefined));
      const reason = type === "tool.failed" ? rest.reason : "error";
      const why = kind === "tool" ? { reason } : {};
      return { type: `${kind}.failed`, id, ...why, error, ...kept } as Incoming;
    }
  }
}

/** Returns an event as the machine may see it, not validated. @throws ReckonerError `redaction.refused` */
export function seen(options: Hiding, event: RunEvent): unknown {
  const error = "error" in event ? (event.error as object) : undefined;
  const shown = error === undefined ? event : maskedFailure(options, event, error);
  const left = redacted(options, shown as Redactable);
  return left === shown ? left : stillAnEvent(left as RunEvent);
}

/** A failure, its error and the texts that it brings along without credentials. */
function maskedFailure(options: Hiding, event: RunEvent, error: object): object {
  const { content } = event as { readonly content?: unknown };
  const parts = Array.isArray(content) ? (content as readonly (JsonObject | null)[]) : [];
  return {
    ...event,
    error: masked(options, error),
    // Only strings are looked into, and no images.
    ...(parts.length === 0
      ? {}
      : { content: parts.map((part) => (part?.type === "text" ? masked(options, part) : part)) }),
  };
}

/** @throws ReckonerError `redaction.refused` where the hook has left no event of that type */
function stillAnEvent(left: RunEvent): RunEvent {
  try {
    return parseEvent(left);
  } catch (cause) {
    const message = `The redaction hook must leave the ${left.type} one: ${messageOf(cause)}`;
    throw new ReckonerError("redaction.refused", message, { cause });
  }
}

/** @throws ReckonerError `event.tooLarge` where what it makes of the journal's line could not be read */
export function checkSize(value: Json, what: string): void {
  if (!exceeds(value, MAX_EVENT_LENGTH)) return;
  throw new ReckonerError(
    "event.tooLarge",
    `${what} has more than 8 MiB of JSON; store it elsewhere and say where it is.`,
  );
}

/**
 * Does something with an event.
 * @returns why it is no event that the machine knows, or no JSON: that is its sender's
 */
export function orInvalid(work: () => EffectError | undefined): EffectError | undefined {
  try {
    return work();
  } catch (thrown) {
    if (!isReckonerError(thrown) || !INVALID.has(thrown.code)) throw thrown;
    return { code: thrown.code, message: thrown.message };
  }
}

const INVALID: ReadonlySet<string> = new Set(["event.invalid", "json.refused", "json.reserved"]);
