/** Loads the modules that read journals (`past.ts`) when a run is resumed, or continues another one. */
let loaded: Promise<typeof import("./past.js")> | undefined;

/** Loaded once; where that fails, whoever asks next tries again. */
export function past(): Promise<typeof import("./past.js")> {
  loaded ??= import("./past.js").catch((thrown: unknown) => {
    loaded = undefined;
    throw thrown;
  });
  return loaded;
}
