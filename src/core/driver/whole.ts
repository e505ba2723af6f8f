/** The whole driver, with the fold of lines that a run goes on from: the face of whoever hosts drivers. */
export { Fold, openFold } from "./fold.js";
export * from "./index.js";
