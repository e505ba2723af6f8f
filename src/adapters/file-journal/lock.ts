/**
 * The lock file of a journal, which contains its owner (J3). It is created atomically, and the lock
 * of a dead owner is taken over by exactly one process. Nobody waits for a lock: it is taken, taken
 * over, or refused. It must not know what is locked.
 *
 * An owner writes its lock anew every few seconds. One who cannot be seen from here, and has not done so for ten times
 * as long, counts as dead; should it live all the same, it finds its lock gone before it writes (`isHeld`).
 *
 * It is not synced: whoever held it dies with the machine, and what a power failure leaves of it without an owner is
 * free when it was silent for as long.
 *
 * Takeover: renaming a stale lock away could hit the fresh lock of a faster process. So the right
 * to replace the lock of owner T is itself a lock, `<lock>.<T>`. Its holder, if it still sees T's
 * lock, replaces it by an atomic rename. If that holder dies, its lock is taken over in the same
 * way.
 */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ReckonerError } from "../../core/kernel/values/index.js";
import { codeOf, type FileCalls, nodeCalls } from "./file-calls.js";
import { fateOf, type Owner, parseOwner, thisProcess } from "./owner.js";

/** A lock that is held. */
export interface Lock {
  /** Returns true if the lock is still ours: nobody has taken it over, or removed it. */
  isHeld(): boolean;
  /** Removes the lock where it is still ours. */
  release(): Promise<void>;
}

/**
 * Attempts to take the lock; each failed one means that another process took or released it
 * meanwhile.
 */
const ROUNDS = 100;
/** Milliseconds from one heartbeat of an owner to the next. */
export const BEAT = 3_000;
/** So many missed ones make an owner dead who cannot be seen; for so many of them its lock is watched, whatever clocks say. */
export const MAX_MISSED = 10;
const WATCHED = 2;
/** A longer file was not written by us. */
const MAX_LOCK_BYTES = 64 * 1024;
/** The name of an owner who left none. */
const UNKNOWN = "unknown";
/** Milliseconds in which a lock that was just made gets its text. */
const WRITTEN = 20;

/** A lock that is being taken. */
interface Attempt {
  /** The thing to be locked, for messages. */
  readonly subject: string;
  /** Our record. */
  readonly text: string;
  readonly token: string;
  readonly calls: FileCalls;
  /** The lock of an owner who cannot be seen from here is taken over, on the caller's word. */
  readonly steal: boolean;
}

/**
 * Takes a lock.
 * @param path of the lock file
 * @param subject what is to be locked, for messages
 * @param steal says that an owner who cannot be seen from here is dead
 * @throws ReckonerError `journal.locked`; system errors as they are
 */
export async function takeLock(
  path: string,
  subject: string,
  calls: FileCalls = nodeCalls,
  steal = false,
): Promise<Lock> {
  const token = randomBytes(9).toString("base64url");
  const text = `${JSON.stringify(thisProcess(token))}\n`;
  let endBeats = () => {};
  const release = () => {
    endBeats();
    return twice(async () => {
      if ((await read(path, calls)) === text) await calls.rm(path);
    });
  };
  try {
    const inherited = await take(path, { subject, text, token, calls, steal });
    if (inherited) await removeClaims(path, calls);
    endBeats = calls.every(BEAT, () => beat(path, text, calls));
  } catch (thrown) {
    // It may exist all the same: a call may fail after it has done its work.
    await release().catch(() => {});
    throw thrown;
  }
  return { isHeld: () => calls.peek(path, MAX_LOCK_BYTES) === text, release };
}

/** Writes a lock anew, where it is ours: the same bytes at a later time. */
function beat(path: string, text: string, calls: FileCalls): void {
  try {
    const fd = calls.open(path, constants.O_RDWR);
    try {
      const found = Buffer.alloc(Buffer.byteLength(text));
      // A takeover meanwhile puts another file in its place, and no other bytes into this one.
      if (calls.pread(fd, found, 0) === found.length && found.toString() === text) {
        calls.write(fd, found);
      }
    } finally {
      calls.close(fd);
    }
  } catch {
    // It counts as missed.
  }
}

/** Returns true if the owner of a lock has missed its heartbeats, by the file system's clock and by ours. */
async function isSilent(path: string, { text, token, calls }: Attempt): Promise<boolean> {
  const now = `${path}.${token}.now`;
  try {
    await calls.writeFile(now, text);
    const made = (await calls.stat(now)).mtimeMs;
    const before = (await calls.stat(path)).mtimeMs;
    if (made - before < BEAT * MAX_MISSED) return false;
    // A clock that has jumped makes a live owner's lock old.
    await calls.sleep(BEAT * WATCHED);
    return (await calls.stat(path)).mtimeMs === before;
  } catch {
    return false;
  } finally {
    await calls.rm(now).catch(() => {});
  }
}

/** Once more where it fails: what stays is in the way for as long as this process lives. */
function twice(work: () => Promise<void>): Promise<void> {
  return work().catch(work);
}

/** Removes the takeover locks of processes that died while holding them. */
async function removeClaims(path: string, calls: FileCalls): Promise<void> {
  const folder = dirname(path);
  for (const name of await calls.readdir(folder).catch(() => [])) {
    if (!name.startsWith(`${basename(path)}.`)) continue;
    const claim = join(folder, name);
    const text = await read(claim, calls).catch(() => undefined);
    const owner = typeof text === "string" ? parseOwner(text) : undefined;
    if (owner === undefined || fateOf(owner) !== "dead") continue;
    await calls.rm(claim).catch(() => {});
  }
}

/** @returns whether it was a dead owner's */
async function take(path: string, attempt: Attempt): Promise<boolean> {
  const { calls, subject } = attempt;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (await place(path, attempt)) return false;
    let found = await read(path, calls);
    if (found === "") {
      await calls.sleep(WRITTEN);
      found = await read(path, calls);
    }
    if (found === undefined) continue;
    if (found === null) throw locked(path, subject, undefined, undefined);
    const owner = parseOwner(found);
    const fate = owner === undefined ? "elsewhere" : fateOf(owner);
    const isFree =
      fate === "dead" ||
      (fate === "elsewhere" && (attempt.steal || (await isSilent(path, attempt))));
    if (!isFree) throw locked(path, subject, owner, fate);
    const claim = `${path}.${owner?.token ?? UNKNOWN}`;
    await take(claim, attempt);
    try {
      if ((await read(path, calls)) === found) {
        await calls.rename(claim, path);
        return true;
      }
    } catch (thrown) {
      await calls.rm(claim).catch(() => {});
      throw thrown;
    }
    await calls.rm(claim);
  }
  throw locked(path, subject, undefined, undefined);
}

/** Makes a lock with our record where there is nothing; false where there is something. */
async function place(path: string, { text, calls }: Attempt): Promise<boolean> {
  try {
    await calls.writeFile(path, text);
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === "EEXIST") return false;
    // A part of it would be nobody's. Should it be another's after all, that one finds it gone before it writes.
    await twice(async () => {
      if (text.startsWith((await read(path, calls)) ?? " ")) await calls.rm(path);
    }).catch(() => {});
    throw thrown;
  }
}

/** A lock's text; `undefined` if it does not exist, `null` where something is there that is no file of ours. */
async function read(path: string, calls: FileCalls): Promise<string | undefined | null> {
  try {
    return (await calls.readFile(path, MAX_LOCK_BYTES)) ?? null;
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
  const silence = `its lock is taken over when it has been silent for ${(BEAT * MAX_MISSED) / 1000} seconds`;
  const why =
    owner === undefined
      ? `by an owner who cannot be determined: ${fate === undefined ? "" : `${silence}; `}if nobody is writing it, ${byHand}`
      : fate === "elsewhere"
        ? `by process ${owner.pid} on host ${owner.host}, which cannot be seen from here: ${silence}; if it no longer runs, say so with reckoner unlock, open the journal with fileJournal(path, { steal: true }), or ${byHand}`
        : owner.pid === process.pid
          ? `by a writer of this process (${owner.pid}): close that one first`
          : `by process ${owner.pid}: wait for it or end it; if that process does not write it, ${byHand}`;
  return new ReckonerError("journal.locked", `${subject} is locked ${why}.`, { place: subject });
}
