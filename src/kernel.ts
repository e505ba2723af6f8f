/**
 * `reckoner/kernel`: for reasoners of your own: values (JSON, and the collections `lists`, `tables` and `vectors`),
 * and the vocabulary of machines (directives, events, guards, changes). Names that the root has are imported from there.
 */
export * as guards from "./core/kernel/guards.js";
export * as hashes from "./core/kernel/hashes.js";
export {
  type Assigner,
  assign,
  type Budget,
  type CarriedOver,
  change,
  type Detail,
  type Directive,
  type Draft,
  defineReasoner,
  type Effect,
  enqueueActions,
  type History,
  type IssuedIds,
  type Json,
  type Migrations,
  owedBy,
  type PrintOptions,
  parseEvent,
  type Reasoner,
  type ReasonerConfig,
  type ReasonerDefinition,
  type ReasonerMachine,
  type ReasonerNames,
  type ReasonerSetup,
  type ReasonerTypes,
  type RunEvent,
  type RunState,
  raise,
  registry,
  type SeenEvent,
  type Start,
  setupReasoner,
  type Table,
  type Validated,
  type Vector,
  validate,
} from "./core/kernel/index.js";
export * as lists from "./core/kernel/lists.js";
export * as tables from "./core/kernel/tables.js";
export * as vectors from "./core/kernel/vectors.js";
