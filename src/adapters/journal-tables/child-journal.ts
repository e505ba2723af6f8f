/** The journal of a child run, under an id of its own. */
import { pairKey } from "../../core/kernel/index.js";
import type { JournalPort } from "../../runtime/for-adapters.js";
import { keyOf } from "./key-of.js";

/** Returns the journal of the child that a directive starts. @param id of its parent's journal */
export function childJournal(
  portOf: (id: string) => JournalPort,
  id: string,
  directive: string,
): JournalPort {
  return portOf(keyOf(pairKey(`${id}.runs`, directive)));
}
