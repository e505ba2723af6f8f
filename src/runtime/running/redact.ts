/**
 * Redaction (J5): masks credentials in errors, and calls the user's hook on everything that enters
 * a run. What is removed is in no state, no byte of the journal, and no observation.
 */
import {
  atOnce,
  type Json,
  type JsonObject,
  maskCredentials,
  messageOf,
  parseEvent,
  ReckonerError,
  type RunEvent,
  toJson,
} from "../../core/kernel/index.js";
import type { Observation } from "./observation.js";
import type { HostOptions, Redactable } from "./options.js";

/** What a run leaves out of what it shows and keeps. */
export type Hiding = Pick<HostOptions, "redact" | "maskCredentials">;

/**
 * What the redaction hook leaves of a value.
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
  const { type } = value;
  try {
    return toJson(atOnce("It", options.redact?.(value)));
  } catch (cause) {
    const message = `The redaction hook failed on ${type}: ${masked(options, messageOf(cause))}`;
    throw new ReckonerError("redaction.refused", message, { cause });
  }
}

/** An error, or a text about one, without the credentials that it repeats. */
export function masked<T extends object | string>({ maskCredentials: mask }: Hiding, error: T): T {
  return mask === false ? error : (maskCredentials(error as Json) as T);
}

/** An event as the machine may see it. */
export function incoming(options: Hiding, event: RunEvent): unknown {
  const error = "error" in event ? (event.error as object) : undefined;
  const shown = error === undefined ? event : maskedFailure(options, event, error);
  const left = redacted(options, shown as RunEvent);
  return left === shown ? left : stillAnEvent(left as RunEvent);
}

/** A failure, its error and the texts that it brings along without credentials. */
function maskedFailure(options: Hiding, event: RunEvent, error: object): object {
  const { content } = event as { readonly content?: unknown };
  const parts = Array.isArray(content) ? (content as readonly (JsonObject | null)[]) : [];
  return {
    ...event,
    error: masked(options, error),
    // What is not a string (an image) is not to be looked into.
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

/**
 * What an observer has missed, as it may be seen: pieces are shown as one, which the hook has not seen
 * so. What a child's pieces come to was redacted piece by piece before.
 */
export function caughtUp(options: Hiding, missed: Observation): Observation {
  if (missed.type !== "child") return outgoing(options, missed);
  return { ...missed, observation: caughtUp(options, missed.observation) };
}

/** An observation as observers may see it: a step's event was redacted before; a child redacts its own. */
export function outgoing<Context>(
  options: Hiding,
  observation: Observation<Context>,
): Observation<Context> {
  switch (observation.type) {
    case "delta": {
      const { attempt, ...delta } = observation;
      return { ...(redacted(options, delta) as typeof delta), attempt };
    }
    case "retry": {
      const error = masked(options, observation.error);
      return redacted(options, { ...observation, error }) as Observation<Context>;
    }
    case "notice": {
      const message = masked(options, observation.message);
      return redacted(options, { ...observation, message }) as Observation<Context>;
    }
    default:
      return observation;
  }
}
