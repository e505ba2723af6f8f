/** The redaction hook: what it removes is in no state, no byte of the journal, and nobody's eyes (J5). */
import { type Json, ReckonerError } from "../../core/kernel/index.js";
import type { HostOptions, Redactable } from "./options.js";

/**
 * What the redaction hook leaves of a value.
 * @throws ReckonerError `redaction.refused` where it changed the type, the id or the time
 */
export function redacted(options: Pick<HostOptions, "redact">, value: Redactable): unknown {
  if (options.redact === undefined) return value;
  const after = options.redact(value) as Record<string, Json> | undefined;
  const before = value as unknown as Record<string, Json>;
  if (after?.type !== before.type || after?.id !== before.id || after?.at !== before.at) {
    throw new ReckonerError(
      "redaction.refused",
      `The redaction hook must return the ${before.type} it was given with the same type, id and time.`,
    );
  }
  return after;
}
