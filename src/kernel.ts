/**
 * `reckoner/kernel`: for machines of one's own, and for whoever drives one by hand: the values
 * (JSON, List, Table, Vector, hashes), the vocabulary (directives, events, messages, tools, errors),
 * and the printers.
 */
export { FORMAT } from "./core/journal/index.js";
export * from "./core/kernel/index.js";
