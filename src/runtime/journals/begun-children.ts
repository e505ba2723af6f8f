/**
 * The children that have begun according to a journal, and whether their journals are there. It
 * must not know what the children did.
 */
import { isHeaderLine, type LineFold } from "../../core/journal/index.js";
import { isReckonerError } from "../../core/kernel/index.js";
import type { JournalPort } from "../ports.js";
import type { RunName } from "./child-journal.js";
import type { PastLine } from "./history.js";
import { viewOf } from "./view.js";

/** A child that has begun and whose journal is not in its place. */
export interface MissingChild {
  /** Id of the directive that it belongs to. */
  readonly id: string;
  /** What is there to say of it. */
  readonly notice: string;
}

interface Begun {
  readonly id: string;
  /** Its parent, and where that is. */
  readonly parent: RunName;
  readonly port: JournalPort;
}

/** Told of the lines of a history, in their order. */
export class BegunChildren implements LineFold<PastLine> {
  readonly #begun: Begun[] = [];
  #parent: RunName = { runId: "", hash: "" };

  take(past: PastLine): void {
    // Of an event's line no more is read than a step needs.
    if (past.glance !== undefined) return;
    const { line, hash, port, runId } = past;
    if (isHeaderLine(line)) this.#parent = { runId, hash };
    if (!("mark" in line) || !("child" in line.mark) || line.mark.child !== "begun") return;
    this.#begun.push({ id: line.mark.id, parent: this.#parent, port });
  }

  /** Those whose journals are not there, cannot be read or are another run's, by their ids. */
  async missing(): Promise<readonly MissingChild[]> {
    const missing: MissingChild[] = [];
    for (const begun of this.#begun) {
      const { id } = begun;
      const why = await whyNot(begun);
      if (why === undefined) continue;
      const notice = `The child run ${id} has begun, and its journal${why}: what it did was not checked.`;
      missing.push({ id, notice });
    }
    return missing.sort((a, b) => (a.id < b.id ? -1 : 1));
  }
}

/** Says why a child's journal is not read, behind its name where it has one. */
async function whyNot({ id, parent, port }: Begun): Promise<string | undefined> {
  const view = viewOf(port);
  let named = "";
  try {
    const place = view.place(id);
    if (place !== undefined) named = ` ${place.port.name}`;
    return (await view.child(id, parent)) === undefined ? `${named} is not there` : undefined;
  } catch (thrown) {
    if (!isReckonerError(thrown)) throw thrown;
    const { code } = thrown;
    return `${named} ${code === "journal.child" ? "is another run's" : `cannot be read (${code})`}`;
  }
}
