/**
 * The face of `core/thoughts`: the Graph of Thoughts, a reasoner that has a model branch, score, connect,
 * refine and merge thoughts, with its operations, policies and parsers.
 */

export type * from "./context.js";
export type { Graph as ThoughtGraph } from "./graph/graph.js";
export type { TreeOptions } from "./graph/print-tree.js";
export type {
  Edge,
  EdgeType,
  NewThought,
  StructuralEdge,
  Thought,
  ThoughtKind,
} from "./graph/thought.js";
export * as thoughtGraph from "./graph/thought-graph.js";
export type { Better, Source as ThoughtSource } from "./graph/walk.js";
export type * from "./operations/functions.js";
export * from "./operations/operation.js";
export type { Connection } from "./parsing/parse-connections.js";
export * as parsers from "./parsing/parsers.js";
export { type BeamSearch, beamSearch } from "./policies/beam-search.js";
export {
  type PolicyDefinition as ThoughtsPolicyDefinition,
  policy,
} from "./policies/define-policy.js";
export { type PlanOptions, PREVIOUS, plan } from "./policies/plan.js";
export {
  plans,
  type Question as TaskQuestion,
  type Task,
  type Tree as TreeShape,
  type Web as WebShape,
} from "./policies/plans.js";
export type {
  Begin as ThoughtsBegin,
  Decided as ThoughtsDecided,
  Done as ThoughtsDone,
  Policy as ThoughtsPolicy,
  Progress as ThoughtsProgress,
  Spent as ThoughtsSpent,
} from "./policies/policy.js";
export type { Prompts, ThoughtsDefinition } from "./spec.js";
export type { Phase, ThoughtsSnapshot } from "./status.js";
export { type Thoughts, thoughts } from "./thoughts.js";
export type { ThoughtsMap, ThoughtsView } from "./to-map.js";
export * as thoughtsView from "./view.js";
