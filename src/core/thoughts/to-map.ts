/**
 * Converts a Graph-of-Thoughts run to one plain map and back. The map is for inspection and
 * exchange; a run is resumed from its state.
 */
import {
  type JsonObject,
  noUsage,
  type Parts,
  partFault,
  ReckonerError,
  type RunState,
  toJson,
  type Usage,
} from "../kernel/index.js";
import * as shapes from "../kernel/shapes.js";
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
import { checkState, type Phase, phases, snapshot, status } from "./snapshot.js";
import { ROOT } from "./work.js";

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

/** The map of a run's state, or of what {@link fromMap} made. */
export function toMap<State extends object>(
  of: RunState<ThoughtsContext<State>> | ThoughtsView<State>,
): ThoughtsMap<State> {
  const { graph, ...rest } = isView(of) ? of : viewOf(of);
  const nodes = Object.fromEntries(listThoughts(graph).map((thought) => [thought.id, thought]));
  return { ...rest, nodes, edges: listEdges(graph) };
}

function isView<State extends object>(
  of: RunState<ThoughtsContext<State>> | ThoughtsView<State>,
): of is ThoughtsView<State> {
  if (shapes.hasParts("graph")(of)) return true;
  checkState("toMap", of);
  return false;
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
  checkParts("the map", plain, MAP);
  const { nodes, edges, ...rest } = plain as ThoughtsMap;
  checkParts("usage", rest.usage, USAGE, ["reasoningTokens", "cost"]);
  let graph: Graph = emptyGraph;
  for (const [id, thought] of Object.entries(nodes)) {
    const what = `the thought ${id}`;
    checkParts(what, thought, thoughtParts);
    if (thought.id !== id) throw invalid(`${what} has the id ${thought.id}`);
    graph = addThought(graph, thought);
  }
  for (const edge of edges) {
    checkParts("an edge", edge, EDGE, ["description"]);
    graph = addEdge(graph, edge);
  }
  return { ...rest, graph };
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
/** The kind of each part is checked by `addEdge`. */
const EDGE: Parts<Edge> = { from: true, to: true, type: true, description: true };

/** Checks that a value is an object of these parts, all of them but the optional ones. */
function checkParts(
  what: string,
  value: unknown,
  parts: { readonly [name: string]: true | shapes.Shape },
  optional: readonly string[] = [],
): void {
  const required = Object.keys(parts).filter((name) => !optional.includes(name));
  const other = shapes.misfit(value, shapes.OBJECT);
  if (other !== undefined) throw invalid(`${what} ${other}`);
  const fault = partFault(value as object, parts, required);
  if (fault !== undefined) throw invalid(`${what}: ${fault}`);
}

function invalid(why: string): ReckonerError {
  return new ReckonerError("thoughts.invalid", `fromMap: ${why}.`);
}

function viewOf<State extends object>(
  state: RunState<ThoughtsContext<State>>,
): ThoughtsView<State> {
  const { context } = state;
  const phase = status(state);
  const [root] = listThoughts(context.graph);
  const ended = phase === "error" || phase === "cancelled" ? phase : null;
  return {
    status: phase,
    prompt: root?.content ?? null,
    graph: context.graph,
    rootId: root === undefined ? null : ROOT,
    currentNodeId: snapshot(state).details.currentNodeId ?? null,
    result: context.result?.result ?? null,
    terminationReason: context.result?.reason ?? ended,
    usage: context.usage,
    startedAt: context.startedAt,
    maxNodes: context.budgets.maxNodes,
    maxDepth: context.budgets.maxDepth,
    modelCalls: context.modelCalls,
  };
}
