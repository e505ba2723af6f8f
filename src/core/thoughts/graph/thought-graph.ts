/** All functions on a graph of thoughts under one name: `thoughtGraph.addThought(…)`. */
export {
  addEdge,
  addThought,
  children,
  edgeCount,
  emptyGraph,
  getThought,
  hasEdge,
  incomingEdges,
  listEdges,
  listThoughts,
  outgoingEdges,
  parents,
  thoughtCount,
  updateThought,
} from "./graph.js";
export { printTree } from "./print-tree.js";
export { edgeTypes, isStructural } from "./thought.js";
export {
  ancestors,
  bestLeaf,
  descendants,
  hasCycle,
  leaves,
  sourceOf,
  tracePath,
} from "./walk.js";
