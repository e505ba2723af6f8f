/**
 * `folderTraces`: traces of the journals in a folder, and `fileTextStore`, which keeps
 * their index in a file that may be deleted. It must not know what a line means.
 */
import { randomUUID } from "node:crypto";
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileJournal } from "../../adapters/file-journal/index.js";
import { messageOf, ReckonerError } from "../../core/kernel/index.js";
import * as shapes from "../../core/kernel/shapes.js";
import type { JournalPort } from "../../runtime/for-adapters.js";
import {
  type JournalTracesOptions,
  journalTraces,
  type TextStore,
  type TraceStore,
} from "../live/index.js";

/** The options of traces of a folder's journals. */
export interface FolderTracesOptions extends JournalTracesOptions {
  /**
   * The file that keeps what was derived. Default: `.reckoner-trace` in the folder, and none for one
   * journal file. `false` keeps nothing.
   */
  readonly indexFile?: string | false | undefined;
}

/** Name of the index file in a folder. */
const INDEX = ".reckoner-trace";

/** Traces of a journal file, or of all `*.jsonl` in a folder and its folders, as they come and grow. */
export function folderTraces(path: string, options: FolderTracesOptions = {}): TraceStore {
  const { indexFile, ...rest } = options;
  // A file has no place for an index in it: what cannot be kept is derived anew.
  const file = indexFile ?? join(path, INDEX);
  const find = async () => ((await isFile(path)) ? [fileJournal(path)] : folderJournals(path));
  return journalTraces(find, {
    name: path,
    ...(file === false ? {} : { index: fileTextStore(file) }),
    ...shapes.given(rest),
  });
}

/**
 * The journals in a folder and its folders, in order.
 * @throws ReckonerError `trace.unreachable` where the folder cannot be read
 */
export async function folderJournals(path: string): Promise<readonly JournalPort[]> {
  return (await filesIn(path)).sort().map((file) => fileJournal(file));
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    const found: string[] = [];
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      // Links to folders may form a cycle, so only links to files are followed.
      if (entry.isDirectory()) found.push(...(await filesIn(path)));
      else if (entry.name.endsWith(".jsonl") && (await isFile(path))) found.push(path);
    }
    return found;
  } catch (thrown) {
    if (thrown instanceof ReckonerError) throw thrown;
    throw new ReckonerError(
      "trace.unreachable",
      `The folder ${folder} cannot be read: ${messageOf(thrown)}.`,
      { place: folder, cause: thrown },
    );
  }
}

/** Returns true when a file is there; a link may lead to none. */
async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** A text in a file that only its owner may read, such as an index. */
export function fileTextStore(path: string): TextStore {
  return {
    async load() {
      try {
        return await readFile(path, "utf8");
      } catch (thrown) {
        if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw thrown;
      }
    },
    async save(text) {
      const draft = `${path}.${randomUUID()}.draft`;
      try {
        await writeFile(draft, text, { mode: 0o600, flag: "wx" });
        await rename(draft, path);
      } catch (thrown) {
        await rm(draft, { force: true });
        throw thrown;
      }
    },
  };
}
