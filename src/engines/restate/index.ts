/** The entry `reckoner/restate`: runs on Restate, each a virtual object. */
export {
  type RestateEngine,
  restateEngine,
  type Worker,
  type WorkerListenOptions,
} from "./engine.js";
export type { RestateEngineOptions, RunDelta, RunProgress } from "./options.js";
export { type RestateRuns, type RestateRunsOptions, restateRuns } from "./runs.js";
