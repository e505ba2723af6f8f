/**
 * Snapshots, each in a file of a folder beside the journal. Any of them may be lost at any time:
 * whoever reads one verifies it, so it is renamed into its place and not synced. It must not know
 * what it holds.
 */
import { constants } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SnapshotStore } from "../../runtime/index.js";
import { withFile } from "./open-files.js";

const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** Larger ones are none of ours: their text would be longer than a string can be. */
const MAX_BYTES = 512 * 1024 * 1024;
const NAME = /^(\d{1,15})\.json$/;
const DRAFT = /^\d{1,15}\.json\.tmp$/;

/** The store in a folder. @param folder where it is; asked for at each use, since links may move it */
export function snapshotFolder(folder: () => string): SnapshotStore {
  // One write at a time, so that two never share a draft.
  let last: Promise<unknown> = Promise.resolve();
  const file = (seq: number) => join(folder(), `${seq}.json`);
  let cleaned = false;
  const put = (seq: number, text: string): Promise<number> =>
    withFile(async () => {
      await mkdir(folder(), { recursive: true, mode: 0o700 });
      if (!cleaned) await removeDrafts(folder());
      cleaned = true;
      const draft = `${file(seq)}.tmp`;
      try {
        // Anew, whatever lies in its place: a pipe would have it wait.
        await rm(draft, { force: true });
        await writeFile(draft, text, { mode: 0o600, flag: "wx" });
        await rename(draft, file(seq));
      } catch (thrown) {
        await rm(draft, { force: true }).catch(() => {});
        throw thrown;
      }
      return Buffer.byteLength(text);
    });
  return {
    list: () =>
      withFile(async () => {
        const names = await readdir(folder()).catch(() => [] as string[]);
        const found: { seq: number; size: number }[] = [];
        for (const name of names) {
          const seq = Number(NAME.exec(name)?.[1] ?? Number.NaN);
          if (Number.isNaN(seq)) continue;
          const stats = await stat(join(folder(), name)).catch(() => undefined);
          if (stats?.isFile() === true) found.push({ seq, size: stats.size });
        }
        return found;
      }),
    read: (seq) =>
      withFile(async () => {
        const handle = await open(file(seq), READ);
        try {
          const stats = await handle.stat();
          if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
          return await handle.readFile("utf8");
        } finally {
          await handle.close();
        }
      }),
    write(seq, text) {
      const written = last.then(() => put(seq, text()));
      last = written.catch(() => {});
      return written;
    },
    remove: (seq) => rm(file(seq), { force: true }),
  };
}

/** Removes what a process left that was killed over it: who writes has the journal to himself. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (DRAFT.test(name)) await rm(join(folder, name), { force: true }).catch(() => {});
  }
}
