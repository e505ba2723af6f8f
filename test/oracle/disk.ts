// Journals of a tree of runs that outlive the process that writes them.
import { type JournalPort, ReckonerError } from "reckoner";

/** A process, as far as it can die. Nothing that it does afterwards reaches anybody. */
export interface Life {
  dead: boolean;
}

/** Never comes to an end: what a dead process waits for. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** The journals of a run and its children, as lines, by the ids of the directives that lead to them. */
export class Disk {
  readonly #lines = new Map<string, string[]>();
  readonly #later: boolean;

  constructor(appends: "at once" | "a moment later") {
    this.#later = appends === "a moment later";
  }

  /** The lines of one journal. */
  linesOf(path: readonly string[]): readonly string[] {
    return this.#lines.get(path.join(" ")) ?? [];
  }

  /** A process's way to them. */
  port(life: Life, path: readonly string[] = []): JournalPort {
    const key = path.join(" ");
    const name = `disk ${key}`;
    const refused = (code: "journal.missing" | "journal.exists" | "journal.conflict") =>
      new ReckonerError(code, `The journal ${name} is not as it was expected.`);
    return {
      name,
      open: async (mode) => {
        if (life.dead) return never();
        const lines = this.#lines.get(key) ?? [];
        if (mode === "create" && lines.length > 0) throw refused("journal.exists");
        if (mode === "append" && !this.#lines.has(key)) throw refused("journal.missing");
        this.#lines.set(key, lines);
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
        const lines = this.#lines.get(key);
        if (lines === undefined) throw refused("journal.missing");
        yield new TextEncoder().encode(lines.map((line) => `${line}\n`).join("")).subarray(from);
      }.bind(this),
      child: (id) => this.port(life, [...path, id]),
    };
  }
}
