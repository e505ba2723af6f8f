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
  /**
   * Takes over the lock of an owner who cannot be seen from here, on another host or in another
   * container: say so only where you know that it no longer runs. Default false.
   */
  readonly steal?: boolean | undefined;
}

/** The locks that the journals found from one share, and those of them that are open. */
class Locks {
  readonly #steal: boolean;
  readonly #held = new Map<string, { readonly lock: Promise<Lock>; holders: number }>();
  /** Real paths, so that nobody opens one twice. */
  readonly open = new Set<string>();

  constructor(steal: boolean) {
    this.#steal = steal;
  }

  /** Takes the lock of a root, or shares it where it is held already. @returns gives it back, once */
  async take(root: string, subject: string, calls: FileCalls): Promise<() => Promise<void>> {
    const held = this.#held.get(root) ?? {
      lock: takeLock(`${root}.lock`, subject, calls, this.#steal),
      holders: 0,
    };
    this.#held.set(root, held);
    held.holders += 1;
    const give = async () => {
      held.holders -= 1;
      if (held.holders > 0) return;
      this.#held.delete(root);
      await (await held.lock.catch(() => undefined))?.release();
    };
    try {
      await held.lock;
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
  const fault = partFault(options, { calls: true, steal: true });
  if (typeof path !== "string" || path === "") {
    throw new ReckonerError("option.invalid", "fileJournal needs a path, which is a string.");
  }
  if (fault !== undefined) throw new ReckonerError("option.invalid", `fileJournal: ${fault}.`);
  const calls = shapes.given(options.calls ?? {});
  // A caller who replaces `fdatasync` replaces the blocking one too, or does without.
  const pooled = calls.fdatasync === undefined ? {} : { fdatasyncSync: undefined };
  return journalFile(
    path,
    { ...nodeCalls, ...pooled, ...calls },
    new Locks(options.steal === true),
  );
}

/** @param parent the journal whose child this is, which holds the lock */
function journalFile(path: string, calls: FileCalls, locks: Locks, parent?: string): JournalPort {
  return {
    name: path,
    async open(mode): Promise<JournalWriter> {
      let unlock: (() => Promise<void>) | undefined;
      let claimed: string | undefined;
      const free = async () => {
        if (claimed !== undefined) locks.open.delete(claimed);
        await unlock?.();
      };
      try {
        const inFolder = parent !== undefined || dirname(path).endsWith(".forks");
        if (inFolder && mode === "create") await makeFolder(dirname(path), calls);
        const real = await realPath(path);
        if (locks.open.has(real)) {
          throw refused("journal.locked", path, "is open already: close that writer first");
        }
        locks.open.add(real);
        claimed = real;
        unlock = await locks.take(rootOf(real), path, calls);
        const writer = await openFile({ path, real, mode, calls, kept: parent === undefined });
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
    child: (id) => {
      // By the real path, so that a link to a journal leads to the children that it has.
      const file = childFile(realPathNow(path), id);
      return journalFile(file, calls, locks, path);
    },
    fork(name) {
      const file = join(`${realPathNow(path)}.forks`, `${fileName(name)}.jsonl`);
      return journalFile(file, calls, locks);
    },
    notes: noteFiles(() => realPathNow(path), calls),
    // Relative, so that the two can be moved together, and from where the file is, whoever links to it.
    link: (to) => relative(dirname(realPathNow(path)), realPathNow(to.name)),
    follow: (link) => journalFile(resolve(dirname(realPathNow(path)), link), calls, locks),
  };
}
