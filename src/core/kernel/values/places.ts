/**
 * Finds the index of a key in a Table, or of an id among issued ids, by one hidden map that all versions of
 * the collection share. An index in the map is a hint, and `find` checks it in the version at hand: older
 * versions and other branches may have another key there.
 */
export class Places {
  /** Places of one key that are looked at; where it stands after more of them, each version notes for itself. */
  static readonly #most = 8;
  readonly #byKey = new Map<string, number[]>();

  /** Notes that a version has a key at a place. A key that was removed and set again has had several. */
  add(key: string, at: number): this {
    const found = this.#byKey.get(key);
    if (found === undefined) this.#byKey.set(key, [at]);
    else if (!found.includes(at)) found.push(at);
    return this;
  }

  /** Returns true for a key that was removed and set again so often that it is looked for in too many places. */
  isWorn(key: string): boolean {
    return (this.#byKey.get(key)?.length ?? 0) >= Places.#most;
  }

  /** Returns the place of a key in a version. @param holds looks whether the version has it there */
  find<Version>(
    version: Version,
    key: string,
    holds: (version: Version, at: number, key: string) => boolean,
  ): number | undefined {
    const cached = this.#byKey.get(key);
    if (cached === undefined) return undefined;
    for (let i = cached.length - 1; i >= 0; i--) {
      if (holds(version, cached[i] as number, key)) return cached[i];
    }
    return undefined;
  }
}
