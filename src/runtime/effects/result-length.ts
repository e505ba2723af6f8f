/**
 * The limit on the size of results, answers and outputs: an event must fit into a line of the
 * journal.
 */
import { MAX_RESULT_LENGTH } from "../../core/driver/for-live-runs.js";
import { exceeds, ReckonerError } from "../../core/kernel/values/index.js";

export { MAX_RESULT_LENGTH };

/** Whether a settlement is longer than {@link MAX_RESULT_LENGTH}; it must be JSON already. */
export function isTooLong(settlement: object): boolean {
  return exceeds(settlement as never, MAX_RESULT_LENGTH);
}

/** The error of a tool's result, or of its update, that is longer. */
export function tooLarge(what: string): ReckonerError {
  return new ReckonerError(
    "tool.result",
    `The ${what} is larger than 5 MiB of JSON; store it elsewhere and return where it is.`,
  );
}
