/**
 * Opens journals by path, if the host has registered a function for it (`useJournalPaths`): the
 * runtime knows no file system.
 */
import { ReckonerError } from "../../core/kernel/index.js";
import type { JournalPort } from "../ports.js";
import { checkGiven, JOURNAL } from "../running/check-options.js";

/** Makes a port of a path. */
export type OpenPath = (path: string) => Promise<JournalPort>;

let openPath: OpenPath | undefined;

/** Says how a journal's path becomes a port; the Node entry of the package calls it. */
export function useJournalPaths(open: OpenPath): void {
  openPath = open;
}

/**
 * @throws ReckonerError `journal.noPath` where a path is given and no file system is there,
 * `option.invalid` where it is no journal
 */
export async function journalAt(journal: string | JournalPort): Promise<JournalPort> {
  checkGiven("The journal", journal, JOURNAL);
  if (typeof journal !== "string") return journal;
  if (openPath !== undefined) return openPath(journal);
  throw new ReckonerError(
    "journal.noPath",
    `No file system is here for the journal ${journal}; pass a port, such as memoryJournal().`,
  );
}
