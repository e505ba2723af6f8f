/**
 * `storeRules`, a namespace of `reckoner/decisions`: the rules of a graph, for a store of one's own: what comes in is
 * checked, and queries and writes ask for rows, wherever those are.
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
