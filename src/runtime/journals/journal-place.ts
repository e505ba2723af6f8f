/** Opens journals by path where the platform has files; the runtime itself knows no file system. */
import { openJournal } from "#platform";
import { ReckonerError } from "../../core/kernel/values/index.js";
import { checkArgument, JOURNAL } from "../ports/check-options.js";
import type { JournalPort } from "../ports/ports.js";

/**
 * Returns a port as it is, and opens the journal at a path.
 * @throws ReckonerError `journal.noPath` where a path is given and no file system is there,
 * `option.invalid` where it is no journal
 */
export async function journalAt(journal: string | JournalPort): Promise<JournalPort> {
  checkArgument("The journal", journal, JOURNAL);
  if (typeof journal !== "string") return journal;
  // Its words belong to the people of the run, and in no error.
  if (journal.includes("\n")) {
    const message =
      "The journal must be a path or a port, and this is a text of several lines; write it to a file, or append its lines to a memoryJournal().";
    throw new ReckonerError("option.invalid", message);
  }
  if (openJournal !== undefined) return openJournal(journal);
  throw new ReckonerError(
    "journal.noPath",
    `No file system is here for the journal ${journal}; pass a port, such as memoryJournal().`,
  );
}
