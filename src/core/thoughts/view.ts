/** `thoughtsView`, a namespace of `reckoner/thoughts`: the state of a run of thoughts as others look at it. */
export { snapshot, status } from "./status.js";
export { fromMap, toMap } from "./to-map.js";
