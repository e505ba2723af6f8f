/**
 * `FactsOnce`: prints a notice that holds for many journals once, for the first of them, and at the end for how
 * many others it holds.
 */
import { type Io, say } from "./io.js";
import { plural } from "./plural.js";

/** The lines of a command about its journals. */
export class FactsOnce {
  readonly #io: Io;
  readonly #journals: readonly string[];
  /** The journals that a line holds for, by the line without their names. */
  readonly #facts = new Map<string, string[]>();
  /** The terminal, on which each fact about a journal is told once. */
  readonly io: Io;

  constructor(io: Io, journals: readonly string[]) {
    this.#io = io;
    // The longest first: the name of one may begin as that of another.
    this.#journals = [...journals].sort((a, b) => b.length - a.length);
    const stderr = Object.create(io.stderr, {
      write: { value: (text: string) => this.#write(text) },
    }) as Io["stderr"];
    this.io = { ...io, stderr };
  }

  #write(text: string): boolean {
    for (const line of text.split(/(?<=\n)/)) {
      const journal = this.#journals.find((each) => line.startsWith(`reckoner: ${each}`));
      if (journal === undefined) this.#io.stderr.write(line);
      else {
        const fact = line.replaceAll(journal, "…");
        const found = this.#facts.get(fact);
        if (found === undefined) {
          this.#facts.set(fact, [journal]);
          this.#io.stderr.write(line);
        } else found.push(journal);
      }
    }
    return true;
  }

  /** Says for how many other journals each fact holds. */
  end(): void {
    for (const [first, ...others] of this.#facts.values()) {
      if (others.length === 0) continue;
      const named = others.slice(0, 3).join(", ");
      const more = others.length > 3 ? ", …" : "";
      say(
        this.#io,
        `reckoner: as of ${first}: ${plural(others.length, "other journal")}: ${named}${more}`,
      );
    }
  }
}
