/**
 * The last snapshot, in a file beside the journal. It may be lost at any time: whoever reads it
 * verifies it, so it is renamed into its place and not synced. It must not know what it holds.
 */
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { messageOf, ReckonerError } from "../../core/kernel/index.js";
import type { SnapshotStore } from "../../runtime/index.js";

/** The store of one file. */
export function snapshotFile(path: string): SnapshotStore {
  const draft = `${path}.tmp`;
  // One at a time, so that two writes never share the draft.
  let last: Promise<void> = Promise.resolve();
  const put = async (text: string): Promise<void> => {
    try {
      await writeFile(draft, text);
      await rename(draft, path);
    } catch (thrown) {
      await rm(draft, { force: true }).catch(() => {});
      throw new ReckonerError(
        "journal.write",
        `The snapshot ${path} could not be written: ${messageOf(thrown)}.`,
        { place: path, cause: thrown },
      );
    }
  };
  return {
    read: () => readFile(path, "utf8").catch(() => undefined),
    write(text) {
      const written = last.then(() => put(text));
      last = written.catch(() => {});
      return written;
    },
  };
}
