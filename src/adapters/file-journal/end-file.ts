/**
 * Stores the note of a journal's end (its length and last hash) in a file beside the journal. The file is
 * overwritten in place and not synced: a crash may leave an older note, or none. This module must not know
 * what a note says.
 */
import type { JournalEndNote } from "../../runtime/index.js";
import { codeOf, type FileCalls } from "./file-calls.js";
import { withFile } from "./open-files.js";

/** A longer one is none of ours. */
const MAX_BYTES = 4096;

/** The note of a journal. @param path of the note; asked for at each use, since links may move the journal */
export function endFile(path: () => string, calls: FileCalls): JournalEndNote {
  return {
    read: () =>
      withFile(() => calls.readFile(path(), MAX_BYTES)).catch((thrown) => {
        if (codeOf(thrown) === "ENOENT") return undefined;
        throw thrown;
      }),
    write: (text) => withFile(() => calls.overwrite(path(), text)),
  };
}
