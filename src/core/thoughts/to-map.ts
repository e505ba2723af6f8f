/**
 * Converts a Graph-of-Thoughts run to one plain map and back, in the form of Jido's strategy. The
 * map is for inspection and exchange; a run is resumed from its state.
 */
import {
  type JsonObject,
  noUsage,
  partFault,
  ReckonerError,
  type RunState,
  type Usage,
} from "../kernel/index.js";
import * as shapes from "../kernel/shapes.js";
import type { Phase, Reason, ThoughtsContext } from "./context.js";
import { addEdge, addThought, emptyGraph, type Graph, listEdges, listThoughts } from "./graph.js";
import { checkState, snapshot, status } from "./snapshot.js";
import type { Edge, Thought } from "./thought.js";
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

/** What {@link fromMap} makes of a map: the same with the graph as a graph. */
export type ThoughtsView<State extends object = JsonObject> = Omit<
  ThoughtsMap<State>,
  "nodes" | "edges"
> & { readonly graph: Graph<State> };

const phases: ReadonlySet<string> = new Set([
  "idle",
  "generating",
  "scoring",
  "connecting",
  "refining",
  "validating",
  "aggregating",
  "completed",
  "error",
  "cancelled",
]);

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
 * A map as it comes from somewhere: unknown keys are dropped, what is missing gets its default, an
 * absent status is `idle`, and one that is written otherwise (`Completed`, `:completed`) is normalised.
 * @throws ReckonerError `thoughts.missing`, `thoughts.selfLoop`, `thoughts.duplicate` where its nodes
 * and edges make no graph, `thoughts.invalid` where they are none, `json.refused`
 */
export function fromMap(map: JsonObject | Partial<ThoughtsMap>): ThoughtsView {
  checkObject(map, "it takes an object");
  const given = map as Partial<ThoughtsMap>;
  const fault = givenParts(given);
  if (fault !== undefined) throw invalid(fault);
  const { nodes, edges } = given;
  checkObject(nodes ?? {}, "nodes must be an object of thoughts by their ids");
  if (!Array.isArray(edges ?? [])) throw invalid("edges must be a list");
  let graph: Graph = emptyGraph;
  for (const [id, thought] of Object.entries(nodes ?? {})) {
    checkObject(thought, `the thought ${id} must be an object`);
    graph = addThought(graph, { ...partsOf(thought), id });
  }
  for (const edge of edges ?? []) {
    checkObject(edge, "an edge must be an object");
    const { from, to, type, description } = edge;
    const said = description === undefined ? {} : { description };
    graph = addEdge(graph, { from, to, type, ...said });
  }
  return {
    status: phaseOf(given.status),
    prompt: given.prompt ?? null,
    graph,
    rootId: given.rootId ?? null,
    currentNodeId: given.currentNodeId ?? null,
    result: given.result ?? null,
    terminationReason: given.terminationReason ?? null,
    usage: { ...noUsage, ...given.usage },
    startedAt: given.startedAt ?? null,
    maxNodes: given.maxNodes ?? null,
    maxDepth: given.maxDepth ?? null,
    modelCalls: given.modelCalls ?? 0,
  };
}

const NUMBER_OR_NULL: shapes.Shape = [
  (value) => value === null || Number.isFinite(value),
  "a number or null",
];
/** What of a map has to be of a kind where it is there; of a thought `addThought` sees to it. */
const known: shapes.Shapes<Omit<ThoughtsMap, "nodes" | "edges" | "status" | "terminationReason">> =
  {
    prompt: shapes.TEXT_OR_NULL,
    rootId: shapes.TEXT_OR_NULL,
    currentNodeId: shapes.TEXT_OR_NULL,
    result: shapes.TEXT_OR_NULL,
    usage: shapes.OBJECT,
    startedAt: NUMBER_OR_NULL,
    maxNodes: NUMBER_OR_NULL,
    maxDepth: NUMBER_OR_NULL,
    modelCalls: shapes.NUMBER,
  };

function givenParts(given: Partial<ThoughtsMap>): string | undefined {
  // Unknown keys are ignored.
  const own = Object.entries(given).filter(
    ([name, value]) => Object.hasOwn(known, name) && value !== null,
  );
  return partFault(Object.fromEntries(own), known);
}

function checkObject(value: unknown, must: string): void {
  const prototype: object | null | undefined = shapes.OBJECT[0](value)
    ? Object.getPrototypeOf(value)
    : undefined;
  // An object of another realm (a vm, an iframe) is plain too: what it inherits from inherits nothing.
  if (prototype === null) return;
  if (prototype !== undefined && Object.getPrototypeOf(prototype) === null) return;
  const named: unknown = prototype?.constructor?.name;
  const given = prototype === undefined ? String(value) : `an instance of ${named}`;
  throw invalid(`${must}, not ${Array.isArray(value) ? "a list" : given}`);
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

function phaseOf(status: unknown): Phase {
  const name = String(status ?? "idle")
    .toLowerCase()
    .replace(/[^a-z]/g, "");
  return phases.has(name) ? (name as Phase) : "idle";
}

/** A thought's own parts; `addThought` fills in what is missing. */
function partsOf(thought: Partial<Thought>): Omit<Thought, "id"> {
  const { id: _id, ...rest } = thought;
  const parts = [
    "kind",
    "content",
    "state",
    "depth",
    "operation",
    "score",
    "valid",
    "solved",
    "judgedBy",
    "scorer",
    "parts",
    "failures",
  ];
  const kept = Object.entries(rest).filter(([name]) => parts.includes(name));
  return { content: "", ...Object.fromEntries(kept) } as unknown as Omit<Thought, "id">;
}
