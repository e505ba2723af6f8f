/**
 * Reads a journal into a `RecordedTree`, and reads on as it grows, for the studio's page and server: each
 * line is read and verified once.
 */
import { LineDecoder } from "../../core/journal/index.js";
import { isReckonerError, type ReckonerError } from "../../core/kernel/values/index.js";
import type { JournalPort } from "../../runtime/for-adapters.js";
import { decoded, type ReadPosition, viewOf } from "../../runtime/journals/index.js";
import { RecordedTree } from "../model/index.js";

const encoder = new TextEncoder();

/** Is told of a tree that has one line more. @returns a promise where the reading is to wait */
export type Taken = (tree: RecordedTree) => Promise<void> | undefined;

/** A journal, as far as it was read. */
export class FollowedTree {
  readonly port: JournalPort;
  #tree: RecordedTree;
  #decoder = new LineDecoder();
  #position: ReadPosition | undefined;
  #fault: ReckonerError | undefined;

  constructor(port: JournalPort) {
    this.port = port;
    this.#tree = new RecordedTree(port.name);
  }

  /** The runs so far; another object where the journal was replaced. */
  get tree(): RecordedTree {
    return this.#tree;
  }

  /** The fault before which the journal could be read; absent where it has none. */
  get fault(): ReckonerError | undefined {
    return this.#fault;
  }

  /**
   * Reads what has come since the last time. A fault of the journal is kept in `fault`: what stands before it is there.
   * @param taken is told of each line that was taken in; the reading goes on when it says so
   * @returns true when there was anything new
   * @throws what the port throws that is no fault of the journal's
   */
  async update(taken?: Taken): Promise<boolean> {
    const before = this.#tree.lines;
    const had = this.#fault;
    this.#fault = undefined;
    try {
      await this.#read(taken);
    } catch (thrown) {
      if (!isReckonerError(thrown)) throw thrown;
      if (this.#position !== undefined && isReplaced(thrown, this.#position)) {
        this.#tree = new RecordedTree(this.port.name);
        this.#position = undefined;
        this.#decoder = new LineDecoder();
        await this.update(taken);
        return true;
      }
      this.#fault = thrown;
    }
    return this.#tree.lines !== before || had?.message !== this.#fault?.message;
  }

  async #read(taken: Taken | undefined): Promise<void> {
    if (this.#position === undefined) return this.#readAll(taken);
    const stream = viewOf(this.port).rawLines(this.#position);
    for await (const batch of stream.batches()) {
      for (const raw of batch) {
        this.#tree.take(decoded(this.#decoder, raw));
        this.#position = { lines: raw.number, bytes: raw.end, hash: raw.hash };
        const wait = taken?.(this.#tree);
        if (wait !== undefined) await wait;
      }
    }
  }

  /** The first time, with the beginning that a fork shares with others. */
  async #readAll(taken: Taken | undefined): Promise<void> {
    const own = { lines: 0, bytes: 0, hash: "" };
    try {
      for await (const line of viewOf(this.port).treeLines()) {
        this.#tree.take(line);
        if (line.port === this.port) {
          own.lines = line.number;
          own.bytes += encoder.encode(line.text).length + 1;
          own.hash = line.hash;
        }
        const wait = taken?.(this.#tree);
        if (wait !== undefined) await wait;
      }
    } finally {
      if (own.lines > 0) this.#position = own;
    }
  }
}

/** Returns true when another journal stands where this one was. */
function isReplaced({ code, place }: ReckonerError, { lines }: ReadPosition): boolean {
  return code === "journal.chain" && place === `line ${lines}`;
}

/** Reads a journal to its end. @throws ReckonerError the fault of one that cannot be read to its end */
export async function readTree(port: JournalPort): Promise<RecordedTree> {
  const followed = new FollowedTree(port);
  await followed.update();
  if (followed.fault !== undefined) throw followed.fault;
  return followed.tree;
}
