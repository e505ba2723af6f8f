/** Redaction of what observers see: the user's hook, and credentials in errors (J5). */
import { type Hiding, masked, type Redactable, redacted } from "../../core/driver/for-live-runs.js";
import type { Observation } from "../ports/observation.js";

/** Returns an observation as observers may see it: a step's event was redacted before. */
export function outgoing<Context>(
  options: Hiding,
  observation: Observation<Context>,
): Observation<Context> {
  switch (observation.type) {
    case "delta": {
      const { attempt, ...delta } = observation;
      return { ...(redacted(options, delta) as typeof delta), attempt };
    }
    case "progress":
      return redacted(options, observation) as Observation<Context>;
    case "retry": {
      const error = masked(options, observation.error);
      return redacted(options, { ...observation, error } as Redactable) as Observation<Context>;
    }
    case "notice": {
      const message = masked(options, observation.message);
      return redacted(options, { ...observation, message } as Redactable) as Observation<Context>;
    }
    case "child":
      return { ...observation, observation: outgoing(options, observation.observation) };
    default:
      return observation;
  }
}
