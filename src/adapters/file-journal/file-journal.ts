/**
 * `fileJournal`: the journal port for files, made of lock, writer, reader and snapshots. The lock
 * of a run covers its children. Their files are opened only while they are written, so that a tree
 * may have more runs than a process may have open files. It must not know what a line means.
 */
import { dirname, join, relative, resolve } from "node:path";
import { isReckonerError, partFault, ReckonerError } from "../../core/kernel/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import type { JournalPort, JournalWriter } from "../../runtime/index.js";
import { childFile, fileName, rootOf } from "./child-file.js";
import { type FileCalls, nodeCalls } from "./file-calls.js";
import { type Lock, takeLock } from "./lock.js";
import { noteFiles } from "./note-files.js";
import { explained, makeFolder, openFile, realPath, realPathNow, refused } from "./open-file.js";
import { readBytes } from "./read-bytes.js";
import { snapshotFolder } from "./snapshot-folder.js";

/** What can be chosen about a journal file. */
export interface FileJournalOptions {
  /** System calls to use instead of Node's own, for tests that let them fail. */
  readonly calls?: shapes.Options<Partial<FileCalls>> | undefined;
}

/** The lock that the journals of one tree share. */
class TreeLock {
  #lock: Promise<Lock> | undefined;
  #holders = 0;

  /** Takes the lock of a root, or shares it where it is held already. @returns gives it back, once */
  async take(root: string, subject: string, calls: FileCalls): Promise<() => Promise<void>> {
    this.#holders += 1;
    this.#lock ??= takeLock(`${root}.lock`, subject, calls);
    const give = async () => {
      this.#holders -= 1;
      if (this.#holders > 0) return;
      const lock = this.#lock;
      this.#lock = undefined;
      await (await lock?.catch(() => undefined))?.release();
    };
    try {
      await this.#lock;
    } catch (thrown) {
      await give();
      throw thrown;
    }
    return give;
  }
}

/**
 * A journal in a file of JSON Lines. While it is written there is a `<path>.lock` beside it; beside it
 * are `<path>.snapshots`, which can be deleted, `<path>.runs`, the journals of its child runs, and
 * what is noted of it: `<path>.head`, `<path>.checkpoints` and `<path>.forks`, with forks in it.
 * Lines are on the disk when `append` resolves. Files are their owner's alone.
 */
export function fileJournal(path: string, options: FileJournalOptions = {}): JournalPort {
  const fault = partFault(options, { calls: true });
  if (typeof path !== "string" || path === "") {
    throw new ReckonerError("option.invalid", "fileJournal needs a path, which is a string.");
  }
  if (fault !== undefined) throw new ReckonerError("option.invalid", `fileJournal: ${fault}.`);
  const calls = shapes.given(options.calls ?? {});
  // A caller who replaces `fdatasync` replaces the blocking one too, or does without.
  const pooled = calls.fdatasync === undefined ? {} : { fdatasyncSync: undefined };
  return journalFile(path, { ...nodeCalls, ...pooled, ...calls }, new TreeLock());
}

/** @param parent the journal whose child this is, which holds the lock */
function journalFile(path: string, calls: FileCalls, tree: TreeLock, parent?: string): JournalPort {
  /** Journals that were opened for writing, so that nobody opens one twice. */
  let open = false;
  return {
    name: path,
    async open(mode): Promise<JournalWriter> {
      if (open) throw refused("journal.locked", path, "is open already: close that writer first");
      open = true;
      let unlock: (() => Promise<void>) | undefined;
      try {
        const inFolder = parent !== undefined || dirname(path).endsWith(".forks");
        if (inFolder && mode === "create") await makeFolder(dirname(path), calls);
        const real = await realPath(path);
        unlock = await tree.take(rootOf(real), path, calls);
        const writer = await openFile({ path, real, mode, calls, kept: parent === undefined });
        const release = unlock;
        let closing: Promise<void> | undefined;
        const close = async () => {
          try {
            await writer.close();
          } finally {
            open = false;
            await release();
          }
        };
        return {
          append: (lines, expected) => writer.append(lines, expected),
          close() {
            closing ??= close();
            return closing;
          },
        };
      } catch (thrown) {
        open = false;
        await unlock?.();
        throw isReckonerError(thrown) ? thrown : explained(thrown, path, mode);
      }
    },
    read: (from) => readBytes(path, from ?? 0),
    snapshots: snapshotFolder(() => `${realPathNow(path)}.snapshots`, calls),
    child: (id) => {
      // By the real path, so that a link to a journal leads to the children that it has.
      const file = childFile(realPathNow(path), id);
      return journalFile(file, calls, tree, path);
    },
    fork(name) {
      const file = join(`${realPathNow(path)}.forks`, `${fileName(name)}.jsonl`);
      return journalFile(file, calls, new TreeLock());
    },
    notes: noteFiles(() => realPathNow(path), calls),
    // Relative, so that the two can be moved together, and from where the file is, whoever links to it.
    link: (to) => relative(dirname(realPathNow(path)), realPathNow(to.name)),
    follow: (link) => journalFile(resolve(dirname(realPathNow(path)), link), calls, new TreeLock()),
  };
}
