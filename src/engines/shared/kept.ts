/**
 * `Kept`: the port by which an engine stores all that it keeps of one run: texts by key, of which a write
 * changes all or none. One process at a time uses it.
 */

/** The changes of one write; `undefined` takes a text away. */
export type Changes = ReadonlyMap<string, string | undefined>;

/** See the banner. */
export interface Kept {
  /** The texts of keys, in their order; `undefined` where there is none. */
  get(keys: readonly string[]): Promise<readonly (string | undefined)[]>;
  /** All keys that begin so, in the order of their letters. */
  keys(prefix: string): Promise<readonly string[]>;
  /** Writes all of it or nothing. Later reads find the new texts. */
  write(changes: Changes): Promise<void>;
}

/** Returns the text of one key. */
export async function keptAt(kept: Pick<Kept, "get">, key: string): Promise<string | undefined> {
  const [text] = await kept.get([key]);
  return text;
}
