/**
 * Stores snapshots as files in a folder beside the journal. Snapshots may be lost, and readers
 * verify them, so a file is renamed into place but not synced. It must not know what a snapshot
 * contains.
 */
import { join } from "node:path";
import type { SnapshotStore } from "../../runtime/index.js";
import { codeOf, type FileCalls } from "./file-calls.js";
import { withFile } from "./open-files.js";

/** Larger ones are none of ours: their text would be longer than a string can be. */
const MAX_BYTES = 512 * 1024 * 1024;
const NAME = /^(\d{1,15})\.json$/;
const DRAFT = /^\d{1,15}\.json\.tmp$/;

/** The store in a folder. @param folder where it is; asked for at each use, since links may move it */
export function snapshotFolder(folder: () => string, calls: FileCalls): SnapshotStore {
  // One write at a time, so that two never share a draft.
  let last: Promise<unknown> = Promise.resolve();
  const file = (seq: number) => join(folder(), `${seq}.json`);
  let cleaned = false;
  const put = (seq: number, text: string): Promise<number> =>
    withFile(async () => {
      await calls.mkdir(folder());
      if (!cleaned) await removeDrafts(folder(), calls);
      cleaned = true;
      const draft = `${file(seq)}.tmp`;
      try {
        // Created anew: writing to an existing pipe would block.
        await calls.rm(draft);
        await calls.writeFile(draft, text);
        await calls.rename(draft, file(seq));
      } catch (thrown) {
        await calls.rm(draft).catch(() => {});
        throw thrown;
      }
      return Buffer.byteLength(text);
    });
  return {
    list: () =>
      withFile(async () => {
        const names = await calls.readdir(folder()).catch(() => []);
        const found: { seq: number; size: number }[] = [];
        for (const name of names) {
          const seq = Number(NAME.exec(name)?.[1] ?? Number.NaN);
          if (Number.isNaN(seq)) continue;
          const stats = await calls.stat(join(folder(), name)).catch(() => undefined);
          // What lies there and is none is listed too: whoever reads it is told, and tells.
          found.push({ seq, size: stats?.isFile() === true ? stats.size : 0 });
        }
        return found;
      }),
    read: (seq) =>
      withFile(async () => {
        const text = await calls.readFile(file(seq), MAX_BYTES);
        if (text === undefined) throw new Error(`${file(seq)} is too large, or no file`);
        return text;
      }).catch(async (thrown) => {
        if (codeOf(thrown) !== "ENOENT") throw thrown;
        // A link that leads nowhere is there all the same.
        const names: readonly string[] = await calls.readdir(folder()).catch(() => []);
        if (names.includes(`${seq}.json`)) throw thrown;
        return undefined;
      }),
    write(seq, text) {
      const written = last.then(() => put(seq, text()));
      last = written.catch(() => {});
      return written;
    },
    remove: (seq) => calls.rm(file(seq)),
  };
}

/** Removes what a process left that was killed over it: who writes has the journal to himself. */
async function removeDrafts(folder: string, calls: FileCalls): Promise<void> {
  for (const name of await calls.readdir(folder).catch(() => [])) {
    if (DRAFT.test(name)) await calls.rm(join(folder, name)).catch(() => {});
  }
}
