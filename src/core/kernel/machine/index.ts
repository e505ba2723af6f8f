/**
 * The face of `kernel/machine`: how a reasoner is defined, stepped, inspected, migrated and drawn, and the
 * functions of XState that machines are written with.
 */
export { and, assign, enqueueActions, not, or, raise, stateIn } from "xstate";
export { callPart } from "./answered.js";
export { type Assigner, change, type Draft } from "./change.js";
export {
  actionTexts,
  type ChartTransition,
  type Named,
  transitionTexts,
} from "./chart-text.js";
export { ChartTrace, ownEventsOf } from "./chart-trace.js";
export { checkCarried } from "./check-carried.js";
export { defineReasoner } from "./define-reasoner.js";
export { faultMessage } from "./fault.js";
export type { IssuedIds } from "./issued-ids.js";
export {
  type CarriedOver,
  type MigratedState,
  type Migrations,
  upgradeRefused,
} from "./migrate.js";
export { owedBy } from "./outstanding.js";
export type { History, Path } from "./path.js";
export * from "./print.js";
export * from "./reasoner.js";
export {
  chartData,
  type RecordedState,
  type RecordedTransition,
  type RunChart,
} from "./recorded-chart.js";
export {
  type MachineSetup,
  type ReasonerConfig,
  type ReasonerMachine,
  type ReasonerNames,
  type ReasonerTypes,
  type Start,
  type StartOptions,
  setupMachine,
} from "./setup.js";
export { type ReasonerSetup, setupReasoner } from "./setup-reasoner.js";
export * from "./state.js";
export { stateFault } from "./state-fault.js";
export { wholeContext } from "./whole-context.js";
