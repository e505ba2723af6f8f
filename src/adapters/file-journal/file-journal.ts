/**
 * `fileJournal`: the journal port for files, made of lock, writer, reader and snapshots. While many journals
 * are written, a file is open only during an append, so that more runs may be live than a process may have
 * open files. It must not know what a line means.
 */
import { dirname, join, relative, resolve } from "node:path";
import * as shapes from "../../core/kernel/shapes.js";
import { isReckonerError, ReckonerError } from "../../core/kernel/values/index.js";
import { partFault } from "../../core/kernel/vocabulary/index.js";
import type { JournalPort, JournalWriter } from "../../runtime/index.js";
import { endFile } from "./end-file.js";
import { type FileCalls, nodeCalls } from "./file-calls.js";
import { fileName } from "./file-name.js";
import { type Lock, takeLock } from "./lock.js";
import { noteFiles } from "./note-files.js";
import { explained, makeFolder, openFile, realPath, realPathNow, refused } from "./open-file.js";
import { readBytes } from "./read-bytes.js";
import { snapshotFolder } from "./snapshot-folder.js";

/** Options of a journal file. */
export interface FileJournalOptions {
  /** System calls to use instead of Node's own, for tests that let them fail. */
  readonly calls?: shapes.Options<Partial<FileCalls>> | undefined;
  /**
   * Takes over the lock of an owner who cannot be seen from here, on another host or in another
   * container: say so only where you know that it no longer runs. Default false.
   */
  readonly steal?: boolean | undefined;
}

/** Writers that keep their files open; those beyond open them for each append. */
const MAX_KEPT = 64;

/** The journals that are found from one: how they take locks, and those of them that are open. */
interface Shared {
  readonly steal: boolean;
  /** Real paths, so that nobody opens one twice. */
  readonly open: Set<string>;
}

let kept = 0;

/**
 * A journal in a file of JSON Lines. While it is written there is a `<path>.lock` beside it; beside it
 * are `<path>.snapshots`, which can be deleted, and what is noted of it: `<path>.head`, `<path>.checkpoints` and `<path>.forks`, with forks in it, and in `<path>.end` where
 * it ended once.
 * Lines are on the disk when `append` resolves. Files are their owner's alone.
 */
export function fileJournal(path: string, options: FileJournalOptions = {}): JournalPort {
  const fault = partFault(options, { calls: shapes.ANYTHING, steal: shapes.ANYTHING });
  if (typeof path !== "string" || path === "") {
    throw new ReckonerError("option.invalid", "fileJournal needs a path, which is a string.");
  }
  if (fault !== undefined) throw new ReckonerError("option.invalid", `fileJournal: ${fault}.`);
  const calls = shapes.defined(options.calls ?? {});
  // A caller who replaces `fdatasync` replaces the blocking one too, or does without.
  const pooled = calls.fdatasync === undefined ? {} : { fdatasyncSync: undefined };
  return journalFile(
    path,
    { ...nodeCalls, ...pooled, ...calls },
    { steal: options.steal === true, open: new Set() },
  );
}

function journalFile(path: string, calls: FileCalls, shared: Shared): JournalPort {
  return {
    name: path,
    async open(mode): Promise<JournalWriter> {
      let lock: Lock | undefined;
      let claimed: string | undefined;
      let isKept = false;
      const free = async () => {
        if (claimed !== undefined) shared.open.delete(claimed);
        if (isKept) kept -= 1;
        await lock?.release();
      };
      try {
        if (dirname(path).endsWith(".forks") && mode === "create") {
          await makeFolder(dirname(path), calls);
        }
        const real = await realPath(path);
        if (shared.open.has(real)) {
          throw refused("journal.locked", path, "is open already: close that writer first");
        }
        shared.open.add(real);
        claimed = real;
        const taken = await takeLock(`${real}.lock`, path, calls, shared.steal);
        lock = taken;
        isKept = kept < MAX_KEPT;
        if (isKept) kept += 1;
        const writer = await openFile({
          path,
          real,
          mode,
          calls,
          kept: isKept,
          isHeld: () => taken.isHeld(),
        });
        let closing: Promise<void> | undefined;
        return {
          append: (lines, expected) => writer.append(lines, expected),
          close() {
            closing ??= writer.close().finally(free);
            return closing;
          },
        };
      } catch (thrown) {
        await free();
        throw isReckonerError(thrown) ? thrown : explained(thrown, path, mode);
      }
    },
    read: (from) => readBytes(path, from ?? 0),
    snapshots: snapshotFolder(() => `${realPathNow(path)}.snapshots`, calls),
    fork(name) {
      const file = join(`${realPathNow(path)}.forks`, `${fileName(name)}.jsonl`);
      return journalFile(file, calls, shared);
    },
    notes: noteFiles(() => realPathNow(path), calls),
    endNote: endFile(() => `${realPathNow(path)}.end`, calls),
    // Relative, so that the two can be moved together, and from where the file is, whoever links to it.
    link: (to) => relative(dirname(realPathNow(path)), realPathNow(to.name)),
    follow: (link) => journalFile(resolve(dirname(realPathNow(path)), link), calls, shared),
  };
}
