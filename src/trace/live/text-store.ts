/**
 * `TextStore`: where a text is stored, such as the index of traces, and `memoryTextStore`, which
 * stores it in memory.
 */
export interface TextStore {
  /** @returns `undefined` where there is none */
  load(): Promise<string | undefined>;
  /** Puts a text in its place, whole or not at all. */
  save(text: string): Promise<void>;
}

/** A text that lives as long as this object. */
export function memoryTextStore(initial?: string): TextStore {
  let kept = initial;
  return {
    load: async () => kept,
    async save(text) {
      kept = text;
    },
  };
}
