/**
 * The decision graph: goals, decisions, options, actions, observations and outcomes as nodes of a
 * directed graph; an immutable value, with operations and queries as data.
 */

export { derivedId } from "./ids/derived-id.js";
export { byCreation, compareIds } from "./ids/order.js";
export {
  EXPORT_FORMAT,
  type ExportPosition,
  ExportReader,
  exportChange,
  exportEnd,
  exportHeader,
  type Imported,
  readExport,
} from "./memory/export.js";
export { type Applied, DecisionGraph } from "./memory/graph.js";
export { answerQuery } from "./queries/answer-query.js";
export { buildContext, type ContextOptions } from "./queries/context-builder.js";
export { nodeFilter } from "./queries/filter.js";
export { type PrintedDecisions, printDecisions } from "./queries/print-decisions.js";
export {
  type Asking,
  answerLater,
  answerNow,
  type RowAnswer,
  type RowAnswers,
  type RowRequest,
  type Walk,
} from "./queries/rows.js";
export { planWrite } from "./transactions/plan-write.js";
export { type NetRows, netRows, type RowChange } from "./transactions/row-change.js";
export { firstResult } from "./transactions/same-operations.js";
export { type Transacted, type TransactionBase, transact } from "./transactions/transaction.js";
export { type Direction, Topology } from "./traversal/topology.js";
export { walkRows } from "./traversal/walk-rows.js";
export {
  type CheckedTransaction,
  checkKey,
  checkOperations,
} from "./validation/check-operations.js";
export { type CheckedRead, checkQuery } from "./validation/check-query.js";
export {
  type CompleteDecisionsConfig,
  DEFAULT_BUDGET,
  type DecisionsConfig,
  type InjectStrategy,
  LEAST_BUDGET,
  validateConfig,
} from "./validation/config.js";
export { isId, isTime } from "./validation/id.js";
export type { GraphChange, Resolved, WriteResult } from "./vocabulary/change.js";
export { type DecisionEdge, type EdgeType, edgeTypes, type NewEdge } from "./vocabulary/edge.js";
export {
  type DecisionNode,
  type NewNode,
  type NodePatch,
  type NodeStatus,
  type NodeType,
  nodeStatuses,
  nodeTypes,
} from "./vocabulary/node.js";
export {
  type AddEdge,
  type AddNode,
  type CheckedOperation,
  type DeleteNode,
  type Operation,
  operationTypes,
  type Supersede,
  type UpdateNode,
} from "./vocabulary/operation.js";
export * from "./vocabulary/query.js";
export * from "./vocabulary/query-result.js";
