/**
 * The limit on the size of results, answers and outputs: an event must fit into a line of the
 * journal.
 */
import { MAX_RESULT_LENGTH } from "../../core/driver/live.js";
import { exceeds } from "../../core/kernel/index.js";

export { MAX_RESULT_LENGTH };

/** Whether a settlement is longer than {@link MAX_RESULT_LENGTH}; it must be JSON already. */
export function isTooLong(settlement: object): boolean {
  return exceeds(settlement as never, MAX_RESULT_LENGTH);
}
