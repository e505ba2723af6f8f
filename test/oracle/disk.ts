// The journal of a tree of runs, which outlives the process that writes it.
import { type JournalPort, ReckonerError } from "reckoner";

/** A process, as far as it can die. Nothing that it does afterwards reaches anybody. */
export interface Life {
  dead: boolean;
}

/** Never comes to an end: what a dead process waits for. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** The journal of a run and its children, as lines. */
export class Disk {
  #lines: string[] | undefined;
  readonly #later: boolean;

  constructor(appends: "at once" | "a moment later") {
    this.#later = appends === "a moment later";
  }

  get lines(): readonly string[] {
    return this.#lines ?? [];
  }

  /** A process's way to it. */
  port(life: Life): JournalPort {
    const name = "disk";
    const refused = (code: "journal.missing" | "journal.exists" | "journal.conflict") =>
      new ReckonerError(code, `The journal ${name} is not as it was expected.`);
    return {
      name,
      open: async (mode) => {
        if (life.dead) return never();
        const lines = this.#lines ?? [];
        if (mode === "create" && lines.length > 0) throw refused("journal.exists");
        if (mode === "append" && this.#lines === undefined) throw refused("journal.missing");
        this.#lines = lines;
        const write = (more: readonly string[], at: number) => {
          if (lines.length !== at) throw refused("journal.conflict");
          lines.push(...more);
        };
        return {
          append: (more, expected) => {
            if (life.dead) return never();
            if (!this.#later) return write(more, expected.lines);
            return Promise.resolve().then(() =>
              life.dead ? never() : write(more, expected.lines),
            );
          },
          close: async () => {},
        };
      },
      read: async function* (this: Disk, from = 0): AsyncIterable<Uint8Array> {
        const lines = this.#lines;
        if (lines === undefined) throw refused("journal.missing");
        yield new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")).subarray(from);
      }.bind(this),
    };
  }
}
