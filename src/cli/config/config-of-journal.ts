/**
 * Finds and loads the config (the module with the reasoner) that a journal is read with: the one that the caller
 * names, otherwise the one in the journal's header.
 */
import type { HeaderLine } from "../../core/journal/index.js";
import { usageError } from "../terminal/failure.js";
import { type Io, say } from "../terminal/io.js";
import { configOfHint, type LoadedConfig, loadConfig } from "./config.js";

/** The configs that a caller names. */
export interface NamedConfigs {
  /** For all journals. */
  readonly config?: string | undefined;
  /** Configs with code that earlier segments of upgraded runs were written by. */
  readonly old?: readonly string[] | undefined;
}

/** Loads each config once. */
export class Configs {
  readonly #io: Io;
  readonly #named: string | undefined;
  readonly #old: readonly string[];
  readonly #loaded = new Map<string, Promise<LoadedConfig>>();

  constructor(io: Io, { config, old = [] }: NamedConfigs) {
    this.#io = io;
    this.#named = config;
    this.#old = old;
  }

  /**
   * The config for a journal, from its verified header.
   * @throws ReckonerError `config.outside`, `config.invalid`, `cli.usage` where nobody names one
   */
  async for(header: HeaderLine): Promise<LoadedConfig> {
    const path = this.#pathFor(header);
    if (this.#named === undefined && !this.#loaded.has(path)) {
      say(this.#io, `reckoner: loading ${path}, which the journal names`);
    }
    return this.#load(path);
  }

  /** The earlier code for a journal, in the order in which it is named. */
  async older(): Promise<readonly LoadedConfig["reasoner"][]> {
    const configs = await Promise.all(this.#old.map((path) => this.#load(path)));
    return configs.map(({ reasoner }) => reasoner);
  }

  #load(path: string): Promise<LoadedConfig> {
    const found = this.#loaded.get(path) ?? loadConfig(this.#io, path);
    this.#loaded.set(path, found);
    return found;
  }

  /**
   * Returns true when no code would be loaded for a journal but what the caller names, or has loaded
   * before.
   */
  isLoaded(header: HeaderLine): boolean {
    return this.#named !== undefined || this.#loaded.has(this.#pathFor(header));
  }

  #pathFor({ config: hint, reasoner: { id, version } }: HeaderLine): string {
    if (this.#named !== undefined) return this.#named;
    if (hint !== undefined) return configOfHint(this.#io, hint);
    throw usageError(
      `The journal names no config; pass --config FILE with the reasoner that wrote it, ${id} version ${version}.`,
    );
  }
}
