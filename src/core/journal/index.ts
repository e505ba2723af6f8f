/** The journal: its line format, recording, reading, fold and replay. */
export * from "./compare.js";
export * from "./decode-line.js";
export * from "./fold.js";
export * from "./line.js";
export * from "./read.js";
export * from "./record.js";
export { RecordedValues, type Unresolved } from "./recorded.js";
