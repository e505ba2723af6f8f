/**
 * The graph of thoughts as an immutable value. Adding and looking up by id cost the same at any
 * size.
 */

import * as shapes from "../../kernel/shapes.js";
import {
  emptyTable,
  emptyVector,
  type JsonObject,
  pushItem,
  ReckonerError,
  sealOwn,
  TABLE_KEY,
  type Table,
  tableGet,
  tableHas,
  tableSet,
  tableSize,
  tableValues,
  toJson,
  type Vector,
  vectorItem,
  vectorItems,
  vectorSize,
  withParts,
} from "../../kernel/values/index.js";
import { checkDefinition } from "../../kernel/vocabulary/index.js";
import {
  type Edge,
  type EdgeType,
  edgeTypes,
  isStructural,
  type NewThought,
  type StructuralEdge,
  type Thought,
} from "./thought.js";

/** A thought with the edges at it: their places among all. */
interface Node<State extends object> {
  readonly thought: Thought<State>;
  readonly outgoing: Vector<number>;
  readonly incoming: Vector<number>;
}

/**
 * The graph; plain JSON. Read and change it with the functions beside it.
 * @typeParam State what the task's parsers make; functions that do not care take any graph
 */
export interface Graph<State extends object = JsonObject> {
  readonly nodes: Table<Node<State>>;
  /** All edges, in order of insertion. */
  readonly edges: Vector<Edge>;
}

const isScore = (value: unknown) => value === null || Number.isFinite(value);
const isVerdict = (value: unknown) => value === null || typeof value === "boolean";
const VERDICT: shapes.Shape = [isVerdict, "true, false or null"];
/** The parts of a thought, and the kind of each. */
export const thoughtParts: shapes.Shapes<Thought> = {
  id: [
    (value) => typeof value === "string" && value !== "" && !/\p{Surrogate}/u.test(value),
    "a string, not empty, of whole letters",
  ],
  kind: /* @__PURE__ */ shapes.oneOf("root", "thought", "refinement", "aggregation"),
  content: shapes.TEXT,
  state: shapes.OBJECT,
  depth: /* @__PURE__ */ shapes.whole(0),
  operation: shapes.TEXT_OR_NULL,
  calls: shapes.TEXTS,
  score: [isScore, "a number or null"],
  valid: VERDICT,
  solved: VERDICT,
  scoredBy: shapes.TEXT_OR_NULL,
  failures: /* @__PURE__ */ shapes.whole(0),
};
const fromParts = {
  parents: shapes.TEXTS,
  type: /* @__PURE__ */ shapes.oneOf("generates", "refines", "aggregates"),
};

const edgeParts: shapes.Shapes<Edge> = {
  from: shapes.ANYTHING,
  to: shapes.ANYTHING,
  type: /* @__PURE__ */ shapes.oneOf(...edgeTypes),
  description: shapes.TEXT,
};
const REQUIRED = ["from", "to", "type"];

/** The graph without thoughts. */
export const emptyGraph: Graph<never> = Object.freeze({
  nodes: emptyTable<Node<never>>(),
  edges: emptyVector<Edge>(),
});

/**
 * A graph's thoughts.
 * @throws ReckonerError `thoughts.invalid` where it is none
 */
export function nodesOf<State extends object>(graph: Graph<State>): Table<Node<State>> {
  const nodes: Table<Node<State>> | undefined = (graph as Graph<State> | undefined)?.nodes;
  if (nodes?.[TABLE_KEY] !== undefined) return nodes;
  throw new ReckonerError(
    "thoughts.invalid",
    "What was given is not a graph of thoughts; pass emptyGraph, what addThought gives, or a run's context.graph.",
  );
}

/**
 * The graph with one more thought, with its parents where it has any. Its depth is one more than the
 * deepest parent's, 0 without parents; an edge that is added later does not move it.
 * @throws ReckonerError `thoughts.duplicate`, `thoughts.missing` for a parent that is not there,
 * `thoughts.invalid` for an id that is not a string and for what is misspelt, `json.refused`
 */
export function addThought<State extends object = JsonObject>(
  graph: Graph<State>,
  thought: NewThought<State>,
  from: shapes.Options<{
    readonly parents?: readonly string[];
    readonly type?: StructuralEdge;
  }> = {},
): Graph<State> {
  checkDefinition("thoughts.invalid", "addThought", thought, thoughtParts, ["id", "content"]);
  checkDefinition("thoughts.invalid", "addThought, behind the thought,", from, fromParts);
  const { parents = [], type = "generates" } = from;
  const { id } = thought;
  if (tableHas(nodesOf(graph), id)) {
    throw new ReckonerError("thoughts.duplicate", `There is a thought ${id} already.`, {
      place: id,
    });
  }
  const depths = parents.map((parent) => mustGet(graph, parent).thought.depth);
  const made = toJson<Thought<State>>({
    kind: parents.length === 0 ? "root" : type === "aggregates" ? "aggregation" : "thought",
    state: {},
    depth: depths.reduce((deepest, depth) => Math.max(deepest, depth + 1), 0),
    operation: null,
    calls: [],
    score: null,
    valid: null,
    solved: null,
    scoredBy: null,
    failures: 0,
    ...shapes.defined(thought),
  });
  const none = emptyVector<number>();
  const node = sealOwn<Node<State>>({ thought: made, outgoing: none, incoming: none });
  const grown: Graph<State> = withParts(graph, { nodes: tableSet(nodesOf(graph), id, node) });
  return parents.reduce((to, parent) => addEdge(to, { from: parent, to: id, type }), grown);
}

/**
 * The graph with one more edge.
 * @throws ReckonerError `thoughts.selfLoop`, `thoughts.duplicate` where the two have an edge of this
 * type already, `thoughts.missing` for an end that is not there, `thoughts.invalid` for another type
 */
export function addEdge<State extends object>(graph: Graph<State>, edge: Edge): Graph<State> {
  checkDefinition("thoughts.invalid", "addEdge, behind the graph,", edge, edgeParts, REQUIRED);
  const added = toJson<Edge>(edge);
  const { from, to, type } = added;
  const place = `${from} ${type} ${to}`;
  const source = mustGet(graph, from);
  const target = mustGet(graph, to);
  if (from === to) {
    throw new ReckonerError("thoughts.selfLoop", `${from} cannot have an edge to itself.`, {
      place,
    });
  }
  if (hasEdge(graph, added)) {
    throw new ReckonerError("thoughts.duplicate", `There is an edge ${place} already.`, { place });
  }
  const index = edgeCount(graph);
  const leaving = withParts(source, { outgoing: pushItem(source.outgoing, index) });
  const coming = withParts(target, { incoming: pushItem(target.incoming, index) });
  const nodes = tableSet(tableSet(nodesOf(graph), from, leaving), to, coming);
  return { nodes, edges: pushItem(graph.edges, added) };
}

/**
 * The graph with a thought's score, validity or the like changed; its id, depth and edges stay.
 * @throws ReckonerError `thoughts.missing`, `thoughts.invalid` for what is misspelt or of another kind
 */
export function updateThought<State extends object>(
  graph: Graph<State>,
  id: string,
  change: shapes.Options<Partial<Omit<Thought<State>, "id" | "depth">>>,
): Graph<State> {
  const node = mustGet(graph, id);
  checkDefinition("thoughts.invalid", "updateThought, behind the id,", change, thoughtParts);
  const { depth } = node.thought;
  const thought = toJson<Thought<State>>({
    ...node.thought,
    ...shapes.defined(change),
    id,
    depth,
  });
  return withParts(graph, { nodes: tableSet(nodesOf(graph), id, withParts(node, { thought })) });
}

/** The thought with an id. */
export function getThought<State extends object>(
  graph: Graph<State>,
  id: string,
): Thought<State> | undefined {
  return tableGet(nodesOf(graph), id)?.thought;
}

/** All thoughts, in order of insertion. */
export function listThoughts<State extends object>(graph: Graph<State>): Thought<State>[] {
  return tableValues(nodesOf(graph)).map(({ thought }) => thought);
}

/** All edges, in order of insertion. */
export function listEdges(graph: Graph<object>): Edge[] {
  nodesOf(graph);
  return vectorItems(graph.edges);
}

/** Returns the number of thoughts. */
export function thoughtCount(graph: Graph<object>): number {
  return tableSize(nodesOf(graph));
}

/** Returns the number of edges. */
export function edgeCount(graph: Graph<object>): number {
  nodesOf(graph);
  return vectorSize(graph.edges);
}

/** The edges that leave a thought, of all types or of one; none where it is not there. */
export function outgoingEdges(graph: Graph<object>, id: string, type?: EdgeType): Edge[] {
  return edgesAt(graph, tableGet(nodesOf(graph), id)?.outgoing, type);
}

/** The edges that come to a thought, of all types or of one; none where it is not there. */
export function incomingEdges(graph: Graph<object>, id: string, type?: EdgeType): Edge[] {
  return edgesAt(graph, tableGet(nodesOf(graph), id)?.incoming, type);
}

/** The thoughts that were made of this one, in order. */
export function children<State extends object>(graph: Graph<State>, id: string): Thought<State>[] {
  return ends(graph, outgoingEdges(graph, id), "to");
}

/** The thoughts that this one was made of, in order. */
export function parents<State extends object>(graph: Graph<State>, id: string): Thought<State>[] {
  return ends(graph, incomingEdges(graph, id), "from");
}

/** Returns true when two thoughts have an edge of a type already. */
export function hasEdge(graph: Graph<object>, edge: Pick<Edge, "from" | "to" | "type">): boolean {
  checkDefinition("thoughts.invalid", "hasEdge, behind the graph,", edge);
  const { from, to } = edge;
  const outgoing = tableGet(nodesOf(graph), from)?.outgoing;
  const incoming = tableGet(nodesOf(graph), to)?.incoming;
  if (outgoing === undefined || incoming === undefined) return false;
  // A hub has many, and mostly only one of the two is one.
  const fewer = vectorSize(outgoing) < vectorSize(incoming) ? outgoing : incoming;
  return edgesAt(graph, fewer, edge.type).some((each) => each.from === from && each.to === to);
}

function edgesAt(
  { edges }: Graph<object>,
  places: Vector<number> = emptyVector(),
  type?: EdgeType,
): Edge[] {
  const all = vectorItems(places).map((place) => vectorItem(edges, place) as Edge);
  return type === undefined ? all : all.filter((edge) => edge.type === type);
}

/** Each once, also where two structural edges lead there. */
function ends<State extends object>(
  graph: Graph<State>,
  edges: readonly Edge[],
  end: "from" | "to",
): Thought<State>[] {
  const ids = new Set(edges.filter(({ type }) => isStructural(type)).map((edge) => edge[end]));
  return [...ids].map((id) => mustGet(graph, id).thought);
}

function mustGet<State extends object>(graph: Graph<State>, id: string): Node<State> {
  const node = tableGet(nodesOf(graph), id);
  if (node !== undefined) return node;
  throw new ReckonerError("thoughts.missing", `There is no thought ${String(id)}.`, {
    place: String(id),
  });
}
