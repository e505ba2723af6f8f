/**
 * The decision graph: goals, decisions, options, actions, observations and outcomes as nodes of a
 * directed graph, with operations and queries as data.
 */

export { derivedId } from "./ids/derived-id.js";
export {
  EXPORT_FORMAT,
  exportLines,
  type Imported,
  operationsOf,
  readExport,
} from "./memory/export.js";
export { DecisionGraph } from "./memory/graph.js";
export { answerQuery } from "./queries/answer-query.js";
export {
  type Asking,
  answerLater,
  answerNow,
  type Direction,
  type EdgeRow,
  type Link,
  NO_VERSION,
  type NodeRow,
  type RowAnswer,
  type RowAnswers,
  type RowRequest,
  type Version,
} from "./queries/rows.js";
export { buildContext, type ContextOptions } from "./queries/summary-text.js";
export * as storeRules from "./store-rules.js";
export { refuseOtherKey } from "./transactions/key.js";
export { type PlannedWrite, planWrite } from "./transactions/plan-write.js";
export {
  type CheckedTransaction,
  checkKey,
  checkOperations,
} from "./validation/check-operations.js";
export { type CheckedRead, checkQuery } from "./validation/check-query.js";
export * from "./validation/config.js";
export * from "./vocabulary/change.js";
export * from "./vocabulary/edge.js";
export * from "./vocabulary/node.js";
export * from "./vocabulary/operation.js";
export * from "./vocabulary/query.js";
export * from "./vocabulary/query-result.js";
