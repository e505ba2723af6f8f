/**
 * The face of `core/driver`: a driver decides what a run does next, as a pure function of what arrived and
 * of the time, and can be made again from the lines of a journal.
 */
export { type Carried, carriedOver, differs } from "./carry-over.js";
export { childEndOf, placeOf, rootPlace, settlementOf, startOfChild, usageOf } from "./child.js";
export type { TreeEvent } from "./derived-events.js";
export { preparedInput } from "./door.js";
export {
  type FoldedStep,
  FoldedTree,
  type TreeFolding,
} from "./folded-tree.js";
export * from "./for-live-runs.js";
export { continuedFrom, type ReadRun } from "./going-on.js";
export { type JournalFold, openFold } from "./journal-fold.js";
export { Kinship } from "./parents-and-children.js";
export type { RunPlace } from "./shared-by-runs.js";
