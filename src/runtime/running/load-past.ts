/** Loads what reads journals: a run needs it that is resumed, linked to another or finds a child begun. */
let loaded: Promise<typeof import("./past.js")> | undefined;

/** Loaded once; where that fails, whoever asks next tries again. */
export function past(): Promise<typeof import("./past.js")> {
  loaded ??= import("./past.js").catch((thrown: unknown) => {
    loaded = undefined;
    throw thrown;
  });
  return loaded;
}
