/** The config that a journal is to be read with: the one that the caller names, else the journal's. */
import type { HeaderLine } from "../core/journal/index.js";
import { configOfHint, type LoadedConfig, loadConfig } from "./config.js";
import { usageError } from "./failure.js";
import { type Io, say } from "./io.js";

/** Loads each config once. */
export class Configs {
  readonly #io: Io;
  readonly #named: string | undefined;
  readonly #loaded = new Map<string, Promise<LoadedConfig>>();

  /** @param named the config that the caller names for all journals */
  constructor(io: Io, named: string | undefined) {
    this.#io = io;
    this.#named = named;
  }

  /**
   * The config for a journal, from its verified header.
   * @throws ReckonerError `config.outside`, `config.invalid`, `cli.usage` where nobody names one
   */
  async for(header: HeaderLine): Promise<LoadedConfig> {
    const { config: hint, reasoner } = header;
    if (this.#named === undefined && hint === undefined) {
      throw usageError(
        `The journal names no config; pass --config FILE with the reasoner that wrote it, ${reasoner.id} version ${reasoner.version}.`,
      );
    }
    const path = this.#pathFor(header);
    if (this.#named === undefined && !this.#loaded.has(path)) {
      say(this.#io, `reckoner: loading ${path}, which the journal names`);
    }
    const known = this.#loaded.get(path) ?? loadConfig(this.#io, path);
    this.#loaded.set(path, known);
    return known;
  }

  /** Whether no code would be loaded for a journal but what the caller names, or has loaded before. */
  isKnown(header: HeaderLine): boolean {
    return this.#named !== undefined || this.#loaded.has(this.#pathFor(header));
  }

  #pathFor({ config: hint }: HeaderLine): string {
    return this.#named ?? configOfHint(this.#io, hint as string);
  }
}
