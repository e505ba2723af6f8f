/**
 * Converts a Graph-of-Thoughts run to one plain map and back. The map is for inspection and
 * exchange; a run is resumed from its state.
 */

import type { RunState } from "../kernel/machine/index.js";
import * as shapes from "../kernel/shapes.js";
import { type JsonObject, toJson } from "../kernel/values/index.js";
import { checkDefinition, noUsage, type Usage } from "../kernel/vocabulary/index.js";
import type { Reason, ThoughtsContext } from "./context.js";
import {
  addEdge,
  addThought,
  emptyGraph,
  type Graph,
  listEdges,
  listThoughts,
  thoughtParts,
} from "./graph/graph.js";
import type { Edge, Thought } from "./graph/thought.js";
import { checkState, type Phase, phases, status } from "./status.js";

/** A run of thoughts as a plain map. */
export interface ThoughtsMap<State extends object = JsonObject> {
  readonly status: Phase;
  readonly prompt: string | null;
  readonly nodes: { readonly [id: string]: Thought<State> };
  /** As `listEdges` has them. */
  readonly edges: readonly Edge[];
  readonly rootId: string | null;
  readonly currentNodeId: string | null;
  readonly result: string | null;
  readonly terminationReason: Reason | "error" | "cancelled" | null;
  readonly usage: Usage;
  readonly startedAt: number | null;
  readonly maxNodes: number | null;
  readonly maxDepth: number | null;
  readonly modelCalls: number;
}

/** The result of {@link fromMap}: the map with the graph as a graph. */
export type ThoughtsView<State extends object = JsonObject> = Omit<
  ThoughtsMap<State>,
  "nodes" | "edges"
> & { readonly graph: Graph<State> };

/**
 * Returns a run's state as a map.
 * @throws ReckonerError `option.invalid` where it is no state of a run of thoughts
 */
export function toMap<State extends object>(
  state: RunState<ThoughtsContext<State>>,
): ThoughtsMap<State> {
  checkState("toMap", state);
  const { context } = state;
  const { graph, result, budgets } = context;
  const phase = status(state);
  const ended = phase === "error" || phase === "cancelled" ? phase : null;
  const thoughts = listThoughts(graph);
  return {
    status: phase,
    prompt: thoughts[0]?.content ?? null,
    nodes: Object.fromEntries(thoughts.map((thought) => [thought.id, thought])),
    edges: listEdges(graph),
    rootId: thoughts[0]?.id ?? null,
    currentNodeId: thoughts.at(-1)?.id ?? null,
    result: result?.result ?? null,
    terminationReason: result?.reason ?? ended,
    usage: context.usage,
    startedAt: context.startedAt,
    maxNodes: budgets.maxNodes,
    maxDepth: budgets.maxDepth,
    modelCalls: context.modelCalls,
  };
}

/**
 * Reads a map that {@link toMap} made, also after its way through JSON. Everything else is refused by its
 * name: a part that is missing, one that nobody reads, or one of another kind.
 * @throws ReckonerError `thoughts.missing`, `thoughts.selfLoop`, `thoughts.duplicate` where its nodes
 * and edges make no graph, `thoughts.invalid` where it is no such map, `json.refused`
 */
export function fromMap(map: JsonObject | ThoughtsMap): ThoughtsView {
  // Copied first: what is not plain data would lose its content in silence.
  const plain: unknown = toJson(map, "map");
  check("the map", plain, MAP);
  const { nodes, edges, ...rest } = plain as ThoughtsMap;
  check("usage", rest.usage, USAGE, Object.keys(noUsage));
  let graph: Graph = emptyGraph;
  for (const [id, thought] of Object.entries(nodes)) {
    check(`the thought ${id}`, thought, {
      ...thoughtParts,
      id: [(own) => own === id, JSON.stringify(id)],
    });
    graph = addThought(graph, thought);
  }
  return { ...rest, graph: edges.reduce(addEdge, graph) };
}

/** Checks that a value is an object of these parts. */
function check(
  what: string,
  value: unknown,
  parts: { readonly [name: string]: shapes.Shape },
  required: readonly string[] = Object.keys(parts),
): void {
  checkDefinition("thoughts.invalid", `fromMap: ${what}`, value, parts, required);
}

const NUMBER_OR_NULL: shapes.Shape = [
  (value) => value === null || Number.isFinite(value),
  "a number or null",
];
const MAP: shapes.Shapes<ThoughtsMap> = {
  status: /* @__PURE__ */ shapes.oneOf(...phases),
  prompt: shapes.TEXT_OR_NULL,
  nodes: shapes.OBJECT,
  edges: shapes.LIST,
  rootId: shapes.TEXT_OR_NULL,
  currentNodeId: shapes.TEXT_OR_NULL,
  result: shapes.TEXT_OR_NULL,
  terminationReason: shapes.TEXT_OR_NULL,
  usage: shapes.OBJECT,
  startedAt: NUMBER_OR_NULL,
  maxNodes: NUMBER_OR_NULL,
  maxDepth: NUMBER_OR_NULL,
  modelCalls: shapes.NUMBER,
};
const USAGE = /* @__PURE__ */ Object.fromEntries(
  [...Object.keys(noUsage), "reasoningTokens", "cost"].map((name) => [name, shapes.NUMBER]),
);
