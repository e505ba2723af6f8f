/** Redaction of what observers see: the user's hook, and credentials in errors (J5). */
import { type Hiding, masked, type Redactable, redacted } from "../../core/driver/live.js";
import type { Observation } from "./observation.js";

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
      return redacted(options, { ...observation, error } as Redactable) as Observation<Context>;
    }
    case "notice": {
      const message = masked(options, observation.message);
      return redacted(options, { ...observation, message } as Redactable) as Observation<Context>;
    }
    default:
      return observation;
  }
}
