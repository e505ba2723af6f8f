/**
 * `reckoner/kernel`: for reasoners of your own: values (JSON, List, Table, Vector, hashes),
 * vocabulary (directives, events, messages, tools, errors), and printers.
 */
export { FORMAT } from "./core/journal/index.js";
export * from "./core/kernel/index.js";
