/** The entry `reckoner/durable-object`: runs in Durable Objects, each in one of its own. */
export { DurableRun, type DurableRunOptions } from "./durable-run.js";
export { type DurableRuns, durableRuns } from "./durable-runs.js";
export type {
  ObjectNamespace,
  ObjectSocket,
  ObjectState,
  ObjectStorage,
} from "./platform-types.js";
