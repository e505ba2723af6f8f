/** Types of the databases with journals that a command has open, by the words that name them. */
import type { JournalStore } from "../../adapters/journal-tables/index.js";
import type { JournalPort } from "../../runtime/index.js";

/** The stores of a command, by the words that name them. */
export interface OpenStores {
  /** The journals in them, by their addresses. */
  readonly journals: ReadonlyMap<string, JournalPort>;
  /** Those that are named without a journal. */
  readonly stores: ReadonlyMap<string, JournalStore>;
  /** The addresses of the journals of these, for commands that look at each. */
  readonly names: ReadonlyMap<string, readonly string[]>;
}
