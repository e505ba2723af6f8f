/**
 * The limit on the size of results, answers and outputs: an event must fit into a line of the
 * journal.
 */

import { exceeds } from "../../core/kernel/index.js";

/** Characters of JSON in what a model, a tool, a store or a child run settles with. */
export const MAX_RESULT_LENGTH: number = 5 * 1024 * 1024;

/** Whether a settlement is longer than {@link MAX_RESULT_LENGTH}; it must be JSON already. */
export function isTooLong(settlement: object): boolean {
  return exceeds(settlement as never, MAX_RESULT_LENGTH);
}
