/** How long what comes back from the world may be: an event has to fit into a line of the journal. */
import { surelyBelow } from "../../core/kernel/index.js";
import type { Settling } from "./effect-host.js";

/** Characters of JSON; a line holds a result up to three times, and no line passes 16 MiB. */
export const MAX_RESULT_LENGTH: number = 5 * 1024 * 1024;

/** Whether a settlement is longer than {@link MAX_RESULT_LENGTH}; it must be JSON already. */
export function isTooLong(settlement: Settling): boolean {
  return (
    !surelyBelow(settlement as never, MAX_RESULT_LENGTH) &&
    JSON.stringify(settlement).length > MAX_RESULT_LENGTH
  );
}
