/**
 * Appends to a journal file: checks that the file ends where this writer expects, writes, syncs,
 * and truncates what a failed append has left. It must not know what a line means.
 */
import { textOfLines } from "../../core/journal/for-live-runs.js";
import { isReckonerError, messageOf, ReckonerError } from "../../core/kernel/values/index.js";
import type { JournalPosition, JournalWriter } from "../../runtime/index.js";
import type { FileCalls } from "./file-calls.js";
import { withFile } from "./open-files.js";
import { Syncs } from "./sync.js";

/** Shared by all writers: whether one is alone is the process's affair. */
const syncs = new Syncs();

const NEWLINE = 10;
const CHUNK = 64 * 1024;

/** An append that waits for its turn. */
interface Entry {
  readonly at: number;
  readonly data: Buffer;
  resolve(): void;
  reject(reason: unknown): void;
}

/** The way by which a writer gets the descriptor of its file: it may stay open, or be opened for each write. */
export interface Descriptor {
  open(): number;
  close(fd: number): void;
  /** Returns true if nobody has taken over the right to write it. */
  isHeld(): boolean;
}

/** The writer of a file. */
export class FileWriter implements JournalWriter {
  readonly #path: string;
  readonly #descriptor: Descriptor;
  readonly #closed: () => void;
  /** Open while something is written. */
  #fd = -1;
  readonly #calls: FileCalls;
  /** The file's names, as far as the file system counts them: where some were, none means removed. */
  #names = 0;
  #queue: Entry[] = [];
  #draining: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  /** Where the last append ended, once there was one: what is before needs no second look. */
  #end = -1;
  /** An append that failed and could not be taken back. */
  #left: { readonly at: number; readonly data: Buffer } | undefined;

  /** @param closed is called when the writer is closed */
  constructor(path: string, descriptor: Descriptor, calls: FileCalls, closed: () => void) {
    this.#path = path;
    this.#descriptor = descriptor;
    this.#calls = calls;
    this.#closed = closed;
  }

  append(lines: readonly string[], expected: JournalPosition): Promise<void> {
    if (this.#closing !== undefined) {
      return Promise.reject(this.#failure("the writer was closed"));
    }
    const data = Buffer.from(textOfLines(lines));
    return new Promise((resolve, reject) => {
      this.#queue.push({ at: expected.bytes, data, resolve, reject });
      this.#draining ??= this.#drain();
    });
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      await this.#draining;
      this.#closed();
    })();
    return this.#closing;
  }

  /** Group commit: what is asked for in one go, or while a sync is under way, is written in one. */
  async #drain(): Promise<void> {
    syncs.enter();
    try {
      await undefined;
      await this.#writeQueue();
    } finally {
      syncs.leave();
    }
  }

  async #writeQueue(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      try {
        await withFile(async () => {
          this.#fd = this.#descriptor.open();
          try {
            await this.#commit(batch);
          } finally {
            this.#descriptor.close(this.#fd);
          }
        });
      } catch (thrown) {
        // Appends queued meanwhile expect bytes that are not there now.
        const reason = isReckonerError(thrown) ? thrown : this.#failure(messageOf(thrown), thrown);
        for (const entry of [...batch, ...this.#queue.splice(0)]) entry.reject(reason);
      }
    }
    this.#draining = undefined;
  }

  async #commit(batch: readonly Entry[]): Promise<void> {
    // Another process may have found this one silent for too long: nothing of it may follow.
    if (!this.#descriptor.isHeld()) throw this.#lost();
    const admitted = this.#admit(batch);
    const first = admitted[0];
    if (first === undefined) return;
    const data =
      admitted.length === 1 ? first.data : Buffer.concat(admitted.map((each) => each.data));
    try {
      const written = this.#calls.write(this.#fd, data);
      if (written !== data.length) {
        throw new Error(`only ${written} of ${data.length} bytes could be written`);
      }
      const synced = syncs.sync(this.#fd, this.#calls);
      if (synced !== undefined) await synced;
    } catch (thrown) {
      const rest = this.#takeBack(first.at, data)
        ? "nothing of it is in the file, so it can be tried again"
        : "a part of it may be in the file; the next append or resume cuts it";
      throw this.#failure(`${messageOf(thrown)}; ${rest}`, thrown);
    }
    this.#end = first.at + data.length;
    // By another name it has another lock: of two that write at once neither may begin what it wrote.
    const { size } = this.#names > 1 ? this.#calls.fstat(this.#fd) : { size: this.#end };
    if (size !== this.#end) throw this.#conflict(this.#end, size);
    for (const entry of admitted) entry.resolve();
  }

  /** The entries that follow from where the file ends, and from each other; the others conflict. */
  #admit(batch: readonly Entry[]): readonly Entry[] {
    const { size, nlink } = this.#calls.fstat(this.#fd);
    if (nlink === 0 && this.#names > 0) throw this.#failure("the file was removed");
    this.#names = nlink;
    const admitted: Entry[] = [];
    let end = -1;
    for (const entry of batch) {
      if (end < 0 ? this.#endsAt(entry.at, size) : entry.at === end) {
        admitted.push(entry);
        end = entry.at + entry.data.length;
      } else {
        entry.reject(this.#conflict(entry.at, end < 0 ? size : end));
      }
    }
    return admitted;
  }

  /** Returns true if the journal ends at a position; a torn rest behind it is cut. */
  #endsAt(at: number, size: number): boolean {
    if (at === size && at === this.#end) return true;
    if (at > size || !this.#startsLine(at)) return false;
    if (at === size) return true;
    if (!this.#isOurs(at, size) && this.#hasNewline(at, size)) return false;
    this.#calls.ftruncate(this.#fd, at);
    this.#left = undefined;
    return true;
  }

  #startsLine(at: number): boolean {
    return at === 0 || this.#bytes(at - 1, at)[0] === NEWLINE;
  }

  #hasNewline(from: number, to: number): boolean {
    for (let at = from; at < to; at += CHUNK) {
      if (this.#bytes(at, Math.min(at + CHUNK, to)).includes(NEWLINE)) return true;
    }
    return false;
  }

  /** Returns true if what follows a position was left there by a failed append of ours. */
  #isOurs(at: number, size: number): boolean {
    if (this.#left?.at !== at || size - at > this.#left.data.length) return false;
    return this.#bytes(at, size).equals(this.#left.data.subarray(0, size - at));
  }

  #bytes(from: number, to: number): Buffer {
    const bytes = Buffer.alloc(to - from);
    let have = 0;
    while (have < bytes.length) {
      const got = this.#calls.pread(this.#fd, bytes.subarray(have), from + have);
      // The file was longer a moment ago: bytes that cannot be read prove nothing.
      if (got === 0) throw new Error(`only ${have} of ${bytes.length} bytes could be read`);
      have += got;
    }
    return bytes;
  }

  #takeBack(at: number, data: Buffer): boolean {
    this.#left = { at, data };
    try {
      // Longer than what we wrote: another writer's bytes are there, and are not ours to cut.
      if (this.#calls.fstat(this.#fd).size > at + data.length) return false;
      this.#calls.ftruncate(this.#fd, at);
    } catch {
      return false;
    }
    this.#left = undefined;
    return true;
  }

  #failure(reason: string, cause?: unknown): ReckonerError {
    return new ReckonerError(
      "journal.write",
      `The journal ${this.#path} could not be written: ${reason}.`,
      { place: this.#path, cause },
    );
  }

  #lost(): ReckonerError {
    return new ReckonerError(
      "journal.conflict",
      `The journal ${this.#path} is no longer locked by this writer, which was silent for too long, or whose lock somebody took over or removed: nothing was written. Resume the run from the journal as it is now.`,
      { place: this.#path },
    );
  }

  #conflict(at: number, end: number): ReckonerError {
    const what =
      end > at ? "another writer appended to it" : "it was cut or replaced by somebody else";
    return new ReckonerError(
      "journal.conflict",
      `The journal ${this.#path} does not end at byte ${at}, where this writer left it, but at ${end}: ${what}. Resume the run from the journal as it is now.`,
      { place: this.#path },
    );
  }
}
