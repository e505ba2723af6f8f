/**
 * The children that have begun according to a journal, and whether their journals are there. It
 * must not know what the children did.
 */
import { isHeaderLine } from "../../core/journal/index.js";
import { isReckonerError } from "../../core/kernel/index.js";
import type { JournalPort } from "../ports.js";
import type { PastLine } from "./history.js";
import { findHeader } from "./read-journal.js";

/** A child that has begun and whose journal is not in its place. */
export interface MissingChild {
  /** Id of the directive that it belongs to. */
  readonly id: string;
  /** What is there to say of it. */
  readonly notice: string;
}

interface Begun {
  readonly id: string;
  /** Hash of its parent's header. */
  readonly parent: string;
  readonly port: JournalPort | undefined;
}

/** Told of the lines of a history, in their order. */
export class BegunChildren {
  readonly #begun: Begun[] = [];
  #parent = "";

  take(past: PastLine): void {
    // Of an event's line no more is read than a step needs.
    if (past.glance !== undefined) return;
    const { line, hash, port } = past;
    if (isHeaderLine(line)) this.#parent = hash;
    if (!("mark" in line) || !("child" in line.mark) || line.mark.child !== "begun") return;
    const { id } = line.mark;
    this.#begun.push({ id, parent: this.#parent, port: port.child?.(id) });
  }

  /** Those whose journals are not there, cannot be read or are another run's, by their ids. */
  async missing(): Promise<readonly MissingChild[]> {
    const missing: MissingChild[] = [];
    for (const { id, parent, port } of this.#begun) {
      const why = port === undefined ? "is not there" : await whyNot(port, parent, id);
      if (why === undefined) continue;
      const named = port === undefined ? "" : ` ${port.name}`;
      const notice = `The child run ${id} has begun, and its journal${named} ${why}: what it did was not checked.`;
      missing.push({ id, notice });
    }
    return missing.sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}

async function whyNot(child: JournalPort, parent: string, id: string): Promise<string | undefined> {
  try {
    const header = await findHeader(child);
    if (header === undefined) return "is not there";
    const isIts = header.parent?.hash === parent && header.parent.id === id;
    return isIts ? undefined : "is another run's";
  } catch (thrown) {
    if (!isReckonerError(thrown)) throw thrown;
    return `cannot be read (${thrown.code})`;
  }
}
