/**
 * `thoughtsView`, a namespace of `reckoner/thoughts`: a run of thoughts as status, summary or plain map, for
 * callers.
 */
export { snapshot, status } from "./status.js";
export { fromMap, toMap } from "./to-map.js";
