/**
 * `storeRules`, a namespace of `reckoner/decisions`: the rules of a decision graph, for those who write a
 * store: functions that check operations and queries, and plan writes and answer queries over a store's rows.
 */
export { derivedId } from "./ids/derived-id.js";
export { DecisionGraph } from "./memory/graph.js";
export { answerQuery } from "./queries/answer-query.js";
export { answerLater } from "./queries/rows.js";
export { refuseOtherKey } from "./transactions/key.js";
export { planWrite } from "./transactions/plan-write.js";
export { checkKey, checkOperations } from "./validation/check-operations.js";
export { checkQuery } from "./validation/check-query.js";
export { nodeTypes } from "./vocabulary/node.js";
