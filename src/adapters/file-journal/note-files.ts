/**
 * Stores the notes beside a journal as files: its head (where the run continues after a rewind) in one,
 * checkpoints and forks each in a file of a folder. A note is written atomically, on file systems with hard
 * links, and is durable then. It must not know what a note says.
 */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { JournalNotes, NoteKind } from "../../runtime/index.js";
import { codeOf, type FileCalls, nodeCalls } from "./file-calls.js";
import { fileName } from "./file-name.js";
import { makeFolder, syncFolder } from "./open-file.js";
import { withFile } from "./open-files.js";

const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** A longer one is none of ours. */
const MAX_BYTES = 16 * 1024 * 1024;
/** The answers of file systems without hard links to link(2). */
const NO_LINKS: ReadonlySet<string | undefined> = new Set([
  "EPERM",
  "ENOSYS",
  "ENOTSUP",
  "EOPNOTSUPP",
]);
/** Codes of a path that leads to nothing, or where no file can be. */
const NOTHING: ReadonlySet<string | undefined> = new Set([
  "ENOENT",
  "ENOTDIR",
  "ENAMETOOLONG",
  "ERR_INVALID_ARG_VALUE",
]);

/** The notes of a journal. @param path of the journal, real; asked for at each use */
export function noteFiles(path: () => string, calls: FileCalls = nodeCalls): JournalNotes {
  const folder = (kind: NoteKind) => `${path()}.${kind}`;
  const file = (kind: NoteKind, name: string) =>
    kind === "head" ? folder(kind) : join(folder(kind), `${fileName(name)}.json`);
  return {
    async list(kind) {
      const names = kind === "head" ? [folder(kind)] : await notesIn(folder(kind));
      const texts = await Promise.all(names.map(readNote));
      return texts.filter((each) => each !== undefined);
    },
    async write(kind, name, text, before) {
      const to = file(kind, name);
      if (before !== undefined && (await readNote(to)) !== before) return false;
      return withFile(async () => {
        if (kind !== "head") await makeFolder(dirname(to), calls);
        const draft = `${to}.${randomBytes(6).toString("hex")}.tmp`;
        try {
          await calls.writeFile(draft, text);
          // A power failure could otherwise leave what it becomes there and empty.
          await calls.syncPath(draft);
          if (before !== undefined) await calls.rename(draft, to);
          else if (!(await place(to, draft, text, calls))) return false;
        } finally {
          await rm(draft, { force: true });
        }
        await syncFolder(dirname(to), calls);
        return true;
      });
    },
    remove: (kind, name) => rm(file(kind, name), { force: true }),
  };
}

/** Puts a draft and its text in a place where there is nothing; false where there is something. */
async function place(
  path: string,
  draft: string,
  text: string,
  calls: FileCalls,
): Promise<boolean> {
  try {
    calls.link(draft, path);
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === "EEXIST") return false;
    if (!NO_LINKS.has(codeOf(thrown))) throw thrown;
  }
  try {
    // A partly written one may be seen here; it counts as unreadable.
    await calls.writeFile(path, text);
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === "EEXIST") return false;
    throw thrown;
  }
}

async function notesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(noneWhereGone(folder, [] as string[]));
  return names.filter((name) => name.endsWith(".json")).map((name) => join(folder, name));
}

/** @returns `undefined` where there is none; no text where something is there that is no note */
async function readNote(path: string): Promise<string | undefined> {
  return withFile(async () => {
    const handle = await open(path, READ).catch(noneWhereGone(path, undefined));
    try {
      const stats = await handle?.stat();
      if (stats === undefined) return undefined;
      return stats.isFile() && stats.size <= MAX_BYTES ? await handle?.readFile("utf8") : "";
    } finally {
      await handle?.close();
    }
  }).catch(() => "");
}

/** A link that leads nowhere is there all the same, and so is a file where a folder should be. */
function noneWhereGone<None>(path: string, none: None): (thrown: unknown) => Promise<None> {
  return async (thrown) => {
    const code = codeOf(thrown);
    if (NOTHING.has(code) && (await lstat(path).catch(() => undefined)) === undefined) return none;
    throw thrown;
  };
}
