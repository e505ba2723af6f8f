/**
 * A lock file with its owner inside (J3). It appears whole or not at all, and the lock of a dead
 * owner is taken over by exactly one heir. It must not know what is written under the lock.
 *
 * Taking over: renaming a stale lock away could catch the fresh lock of somebody who was quicker.
 * So the right to replace the lock of owner T is a lock itself, `<lock>.<T>`. Whoever holds that and
 * still sees T's lock is the only one who may replace it, and does so by renaming the one onto the
 * other, in one step. An heir that dies in between is inherited from in the same way.
 */
import { randomBytes } from "node:crypto";
import { open, readFile, rename, rm, unlink, writeFile } from "node:fs/promises";
import { ReckonerError } from "../../core/kernel/index.js";
import { codeOf, type FileCalls } from "./file-calls.js";
import { fateOf, type Owner, parseOwner, thisProcess } from "./owner.js";

/** A lock that is held. */
export interface Lock {
  /** Removes the lock where it is still ours. */
  release(): Promise<void>;
}

/** Each round somebody else took the lock or gave it up; nobody is that unlucky. */
const ROUNDS = 100;
/** What file systems without hard links answer to link(2). */
const NO_LINKS: ReadonlySet<string | undefined> = new Set([
  "EPERM",
  "ENOSYS",
  "ENOTSUP",
  "EOPNOTSUPP",
]);

/** A lock that is being taken. */
interface Attempt {
  /** What is to be locked, for messages. */
  readonly subject: string;
  /** Our record, in a file of its own and as text. */
  readonly draft: string;
  readonly text: string;
  readonly calls: FileCalls;
}

/**
 * Takes a lock.
 * @param path of the lock file
 * @param subject what is to be locked, for messages
 * @throws ReckonerError `journal.locked`; system errors as they are
 */
export async function takeLock(path: string, subject: string, calls: FileCalls): Promise<Lock> {
  const token = randomBytes(9).toString("base64url");
  const text = `${JSON.stringify(thisProcess(token))}\n`;
  const draft = `${path}.${token}.tmp`;
  try {
    // Synced, or a power failure could leave a lock that is there and empty.
    const file = await open(draft, "wx");
    try {
      await file.writeFile(text);
      await file.datasync();
    } finally {
      await file.close();
    }
    await take(path, { subject, draft, text, calls });
  } finally {
    await rm(draft, { force: true });
  }
  return {
    async release() {
      if ((await read(path)) === text) await rm(path, { force: true });
    },
  };
}

async function take(path: string, attempt: Attempt): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    if (await place(path, attempt)) return;
    const found = await read(path);
    if (found === undefined) continue;
    const owner = parseOwner(found);
    const fate = owner && fateOf(owner);
    if (owner === undefined || fate !== "dead") throw locked(path, attempt.subject, owner, fate);
    const claim = `${path}.${owner.token}`;
    await take(claim, attempt);
    try {
      if ((await read(path)) === found) {
        await rename(claim, path);
        return;
      }
    } catch (thrown) {
      await rm(claim, { force: true });
      throw thrown;
    }
    await unlink(claim);
  }
  throw locked(path, attempt.subject, undefined, undefined);
}

/** Puts our record in a place where there is none; false where there is one. */
async function place(path: string, { draft, text, calls }: Attempt): Promise<boolean> {
  try {
    calls.link(draft, path);
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === "EEXIST") return false;
    if (!NO_LINKS.has(codeOf(thrown))) throw thrown;
  }
  try {
    // Here a half-written lock can be seen; it counts as one that nobody can read.
    await writeFile(path, text, { flag: "wx" });
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === "EEXIST") return false;
    throw thrown;
  }
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (thrown) {
    if (codeOf(thrown) === "ENOENT") return undefined;
    throw thrown;
  }
}

function locked(
  path: string,
  subject: string,
  owner: Owner | undefined,
  fate: "alive" | "elsewhere" | "dead" | undefined,
): ReckonerError {
  const byHand = `remove ${path}`;
  const why =
    owner === undefined
      ? `by an owner who cannot be made out: if nobody is writing it, ${byHand}`
      : fate === "elsewhere"
        ? `by process ${owner.pid} on host ${owner.host}, which cannot be seen from here: if it no longer runs, ${byHand}`
        : owner.pid === process.pid
          ? `by a writer of this process (${owner.pid}): close that one first`
          : `by process ${owner.pid}: wait for it or end it; if that process is no writer of this journal, ${byHand}`;
  return new ReckonerError("journal.locked", `${subject} is locked ${why}.`, { place: subject });
}
