/** The interpreter, the ports, and the ports' in-memory defaults. */
export { performByPort } from "./effects/by-port.js";
export { type PerformPorts, perform, type Report } from "./effects/perform.js";
export { linkedRuns } from "./journals/load.js";
export { snapshotsOf, verifiedSnapshot } from "./journals/snapshots.js";
export { soundPart } from "./journals/sound-part.js";
export { RunView, viewOf } from "./journals/view.js";
export * from "./live.js";
export {
  checkAllOptions,
  checkGiven,
  checkGivenReasoner,
  checkOptions,
  checkRunOptions,
} from "./running/check-options.js";
export { LazyAbort } from "./running/lazy-abort.js";
export { past } from "./running/load-past.js";
export { onAbort } from "./running/on-abort.js";
export { Slots } from "./running/slots.js";
export * from "./time-travel/index.js";
