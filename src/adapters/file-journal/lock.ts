/**
 * The lock file of a journal, which contains its owner (J3). It is created atomically, and the lock
 * of a dead owner is taken over by exactly one process. Nobody waits for a lock: it is taken, taken
 * over, or refused. It must not know what is locked.
 *
 * An owner writes its lock anew every few seconds. One who cannot be seen from here, and has not done so for ten times
 * as long, counts as dead; should it live all the same, it finds its lock gone before it writes (`isHeld`).
 *
 * Takeover: renaming a stale lock away could hit the fresh lock of a faster process. So the right
 * to replace the lock of owner T is itself a lock, `<lock>.<T>`. Its holder, if it still sees T's
 * lock, replaces it by an atomic rename. If that holder dies, its lock is taken over in the same
 * way.
 */
import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ReckonerError } from "../../core/kernel/index.js";
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
/** So many processes may draft their record at a time. */
const MAX_DRAFTS = 10_000;
/** So many names are looked at side by side; where all of them are free, there are no more drafts. */
const MAX_GAP = 4;
const AN_HOUR = 3_600_000;
/** Milliseconds from one heartbeat of an owner to the next. */
export const BEAT = 3_000;
/** So many missed ones make an owner dead who cannot be seen; for so many of them its lock is watched, whatever clocks say. */
export const MAX_MISSED = 10;
const WATCHED = 2;
/** A longer file was not written by us. */
const MAX_LOCK_BYTES = 64 * 1024;
/** The answers of file systems without hard links to link(2). */
const NO_LINKS: ReadonlySet<string | undefined> = new Set([
  "EPERM",
  "ENOSYS",
  "ENOTSUP",
  "EOPNOTSUPP",
]);

/** A lock that is being taken. */
interface Attempt {
  /** The thing to be locked, for messages. */
  readonly subject: string;
  /** Our record, in a file of its own and as text. */
  readonly draft: string;
  readonly text: string;
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
  const draft = await writeDraft(path, text, calls);
  try {
    await syncFile(draft, calls);
    const inherited = await take(path, { subject, draft, text, calls, steal });
    await removeDrafts(path, draft, calls);
    if (inherited) await removeClaims(path, calls);
    endBeats = calls.every(BEAT, () => beat(path, text, calls));
  } catch (thrown) {
    // It may exist all the same: a call may fail after it has done its work.
    await release().catch(() => {});
    throw thrown;
  } finally {
    await twice(() => calls.rm(draft)).catch(() => {});
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
async function isSilent(path: string, { draft, calls }: Attempt): Promise<boolean> {
  const now = (await calls.stat(draft)).mtimeMs;
  const before = (await calls.stat(path)).mtimeMs;
  if (now - before < BEAT * MAX_MISSED) return false;
  // A clock that has jumped makes a live owner's lock old.
  await calls.sleep(BEAT * WATCHED);
  return (await calls.stat(path)).mtimeMs === before;
}

/** Once more where it fails: what stays is in the way for as long as this process lives. */
function twice(work: () => Promise<void>): Promise<void> {
  return work().catch(work);
}

/** Our record in a file of its own, under the first name that is free. */
async function writeDraft(path: string, text: string, calls: FileCalls): Promise<string> {
  for (let i = 0; ; i++) {
    const draft = `${path}.${i}.tmp`;
    try {
      await calls.writeFile(draft, text);
    } catch (thrown) {
      if (codeOf(thrown) === "EEXIST" && i < MAX_DRAFTS) continue;
      await twice(() => calls.rm(draft)).catch(() => {});
      throw thrown;
    }
    return draft;
  }
}

/** Syncs a draft: a power failure could otherwise leave what it becomes there and empty. */
export async function syncFile(draft: string, calls: FileCalls): Promise<void> {
  const fd = calls.open(draft, constants.O_RDWR);
  try {
    await calls.fsync(fd);
  } finally {
    calls.close(fd);
  }
}

/**
 * Removes drafts left by killed processes. Only the holder of the lock does so, and only if a
 * draft's owner is dead.
 */
async function removeDrafts(path: string, own: string, calls: FileCalls): Promise<void> {
  for (let from = 0, found = true; found; from += MAX_GAP) {
    const names = Array.from({ length: MAX_GAP }, (_, i) => `${path}.${from + i}.tmp`);
    const others = names.filter((draft) => draft !== own);
    const seen = await Promise.all(others.map((draft) => removeDraft(draft, calls)));
    found = seen.includes(true);
  }
}

/**
 * Removes an abandoned draft.
 * @returns whether there was one
 */
async function removeDraft(draft: string, calls: FileCalls): Promise<boolean> {
  try {
    const text = await read(draft, calls);
    if (text === undefined) return false;
    if (await isLeft(draft, parseOwner(text), calls)) await calls.rm(draft);
    return true;
  } catch {
    // A draft that is left behind only occupies a file name.
    return false;
  }
}

/**
 * Returns true if a draft is abandoned. One without an owner was cut off while being written, which takes
 * less than an hour.
 */
async function isLeft(draft: string, owner: Owner | undefined, calls: FileCalls): Promise<boolean> {
  if (owner !== undefined) return fateOf(owner) === "dead";
  return Date.now() - (await calls.stat(draft)).mtimeMs > AN_HOUR;
}

/** Removes the takeover locks of processes that died while holding them. */
async function removeClaims(path: string, calls: FileCalls): Promise<void> {
  const folder = dirname(path);
  for (const name of await calls.readdir(folder).catch(() => [])) {
    if (!name.startsWith(`${basename(path)}.`)) continue;
    const claim = join(folder, name);
    const text = await read(claim, calls).catch(() => undefined);
    const owner = text === undefined ? undefined : parseOwner(text);
    if (owner === undefined || fateOf(owner) !== "dead") continue;
    await calls.rm(claim).catch(() => {});
  }
}

/** @returns whether it was a dead owner's */
async function take(path: string, attempt: Attempt): Promise<boolean> {
  const { calls } = attempt;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (await place(path, attempt)) return false;
    const found = await read(path, calls);
    if (found === undefined) continue;
    const owner = parseOwner(found);
    const fate = owner && fateOf(owner);
    const isFree =
      fate === "dead" ||
      (fate === "elsewhere" &&
        (attempt.steal || (await isSilent(path, attempt).catch(() => false))));
    if (owner === undefined || !isFree) throw locked(path, attempt.subject, owner, fate);
    const claim = `${path}.${owner.token}`;
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
  throw locked(path, attempt.subject, undefined, undefined);
}

/** Puts a draft and its text in a place where there is nothing; false where there is something. */
export async function place(
  path: string,
  { draft, text, calls }: Pick<Attempt, "draft" | "text" | "calls">,
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

/**
 * A lock's text; `undefined` if it does not exist. Something that is not a file counts as a lock
 * without an owner.
 */
async function read(path: string, calls: FileCalls): Promise<string | undefined> {
  try {
    return (await calls.readFile(path, MAX_LOCK_BYTES)) ?? "";
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
      ? `by an owner who cannot be determined: if nobody is writing it, ${byHand}`
      : fate === "elsewhere"
        ? `by process ${owner.pid} on host ${owner.host}, which cannot be seen from here: its lock is taken over when it has been silent for ${(BEAT * MAX_MISSED) / 1000} seconds; if it no longer runs, say so with reckoner unlock, open the journal with fileJournal(path, { steal: true }), or ${byHand}`
        : owner.pid === process.pid
          ? `by a writer of this process (${owner.pid}): close that one first`
          : `by process ${owner.pid}: wait for it or end it; if that process does not write it, ${byHand}`;
  return new ReckonerError("journal.locked", `${subject} is locked ${why}.`, { place: subject });
}
