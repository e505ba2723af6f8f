/**
 * `reckoner/kernel`: for reasoners of your own: values (JSON, and the collections `lists`, `tables` and `vectors`),
 * and the vocabulary of machines (directives, events, guards, changes). Names that the root has are imported from there.
 */
export * as guards from "./core/kernel/guards.js";
export * as hashes from "./core/kernel/hashes.js";
export * as lists from "./core/kernel/lists.js";
export {
  type Assigner,
  assign,
  type CarriedOver,
  change,
  type Draft,
  defineReasoner,
  enqueueActions,
  type History,
  type IssuedIds,
  type Migrations,
  owedBy,
  type Reasoner,
  type ReasonerConfig,
  type ReasonerDefinition,
  type ReasonerMachine,
  type ReasonerNames,
  type ReasonerSetup,
  type ReasonerTypes,
  type RunState,
  raise,
  type Start,
  type StartOptions,
  setupReasoner,
} from "./core/kernel/machine/index.js";
export * as tables from "./core/kernel/tables.js";
export type { Detail, Json, Table, Vector } from "./core/kernel/values/index.js";
export * as vectors from "./core/kernel/vectors.js";
export {
  type Budget,
  type Directive,
  type Effect,
  parseEvent,
  type RunEvent,
  registry,
  type SeenEvent,
  type Validated,
  validate,
} from "./core/kernel/vocabulary/index.js";
