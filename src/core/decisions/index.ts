/**
 * The decision graph: what was wanted, decided, weighed, done and seen, as nodes of a directed
 * graph; an immutable value, its operations and its queries as data.
 */
export { answerQuery } from "./asking/answer-query.js";
export { buildContext, type ContextOptions } from "./asking/context-builder.js";
export { nodeFilter } from "./asking/filter.js";
export { type PrintedDecisions, printDecisions } from "./asking/print-decisions.js";
export {
  type Asking,
  answerLater,
  answerNow,
  type RowAnswer,
  type RowAnswers,
  type RowRequest,
  type Walk,
} from "./asking/rows.js";
export { type CheckedTransaction, checkKey, checkOperations } from "./border/check-operations.js";
export { type CheckedRead, checkQuery } from "./border/check-query.js";
export {
  type CompleteDecisionsConfig,
  DEFAULT_BUDGET,
  type DecisionsConfig,
  type InjectStrategy,
  LEAST_BUDGET,
  validateConfig,
} from "./border/config.js";
export { isId, isTime } from "./border/id.js";
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
export { derivedId } from "./naming/derived-id.js";
export { byCreation, compareIds } from "./naming/order.js";
export type { Change, Resolved, WriteResult } from "./vocabulary/change.js";
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
export { type Direction, Topology } from "./walking/topology.js";
export { walkRows } from "./walking/walk-rows.js";
export { type Effect, type NetRows, netRows } from "./writing/effect.js";
export { planWrite } from "./writing/plan-write.js";
export { firstResult } from "./writing/same-operations.js";
export { type Transacted, type TransactionBase, transact } from "./writing/transaction.js";
