/**
 * Draws a decision graph: goals on top, rejected nodes grey, superseded ones dashed. It takes nodes
 * and edges from a graph, a store or an export.
 */

import * as shapes from "../core/kernel/shapes.js";
import { checkArguments } from "../core/kernel/vocabulary/index.js";
import type { EdgeType, NewEdge, NewNode, NodeStatus, NodeType } from "../decisions/pure/index.js";
import { TITLED } from "./check-arguments.js";
import { edgeEntries, inWords, lookEntries, lookEntry } from "./legend.js";
import type {
  EdgeLook,
  LegendEntry,
  NodeLook,
  Picture,
  PictureEdge,
  PictureNode,
  PictureOptions,
} from "./picture.js";

/** A node as it is drawn; one of another type is drawn plainly. */
export type DrawnNode = Omit<NewNode, "type"> & { readonly type: string };

/** An edge as it is drawn. */
export type DrawnEdge = Omit<NewEdge, "id">;

const LOOKS: Readonly<Record<NodeType, NodeLook>> = {
  goal: { shape: "pill", tone: "purple" },
  decision: { shape: "hexagon", tone: "blue" },
  option: { shape: "round", tone: "plain" },
  action: { shape: "box", tone: "amber" },
  outcome: { shape: "double", tone: "green" },
  observation: { shape: "box", tone: "teal" },
  revisit: { shape: "hexagon", tone: "amber" },
};

const WAYS: Readonly<Record<EdgeType, EdgeLook>> = {
  leads_to: { line: "solid", tone: "plain" },
  chosen: { line: "thick", tone: "green" },
  rejected: { line: "solid", tone: "grey" },
  requires: { line: "solid", tone: "blue" },
  enables: { line: "solid", tone: "teal" },
  blocks: { line: "solid", tone: "red" },
  supersedes: { line: "dashed", tone: "purple" },
};

const isNode = /* @__PURE__ */ shapes.hasParts("id", "type", "label");
const isEdge = (edge: Partial<NewEdge> | null | undefined) =>
  shapes.hasParts("fromId", "toId")(edge) && Object.hasOwn(WAYS, edge?.edgeType ?? "");
const GRAPH: shapes.Shape = [
  (value) => {
    const { nodes, edges } = (value ?? {}) as { readonly [part: string]: unknown };
    const areLists = Array.isArray(nodes) && Array.isArray(edges);
    return areLists && nodes.every(isNode) && edges.every(isEdge);
  },
  "an object of a decision graph's nodes and edges",
];

/**
 * The picture; writers make a text of it.
 * @throws ReckonerError `option.invalid`
 */
export function decisionsPicture(
  graph: {
    readonly nodes: readonly DrawnNode[];
    readonly edges: readonly DrawnEdge[];
  },
  options: PictureOptions = {},
): Picture {
  checkArguments("decisionsPicture", { graph, options }, { graph: GRAPH, options: TITLED });
  const { title = "Decisions" } = options;
  const ids = new Set(graph.nodes.map(({ id }) => id));
  const edges = graph.edges.filter(({ fromId, toId }) => ids.has(fromId) && ids.has(toId));
  const loose = graph.edges.length - edges.length;
  return {
    kind: "decisions",
    title,
    nodes: graph.nodes.map(nodeOf),
    edges: edges.map(edgeOf),
    groups: [],
    rows: [],
    legend,
    notes: loose === 0 ? [] : [`Left out: ${loose} edges to what is not here.`],
  };
}

function nodeOf(node: DrawnNode): PictureNode {
  const { id, type, label, status = "active", confidence, rationale } = node;
  const sure = confidence == null ? [] : [`confidence ${Math.round(confidence * 100) / 100}`];
  const about = [type, ...(status === "active" ? [] : [status]), ...sure].join(", ");
  const why = rationale == null || rationale === "" ? [] : [rationale];
  return {
    id,
    label,
    details: [about],
    title: [`${id}: ${about}`, label, ...why].join("\n"),
    ...lookOf(type, status),
    tally: status === "active" ? type : `${status} ${type}`,
    weight: weightOf(type, status),
    ...(type === "goal" ? { top: true } : {}),
  };
}

function lookOf(type: string, status: NodeStatus): NodeLook {
  const isKnown = Object.hasOwn(LOOKS, type);
  const look: NodeLook = isKnown ? LOOKS[type as NodeType] : { shape: "box", tone: "plain" };
  if (status === "rejected") return { ...look, tone: "grey" };
  if (status === "superseded") return { ...look, border: "dashed" };
  return status === "completed" ? { ...look, border: "thick" } : look;
}

/** Nodes that hold are folded after those that do not, goals and decisions after their options. */
function weightOf(type: string, status: NodeStatus): number {
  const holds = status === "rejected" || status === "superseded" ? 0 : 10;
  return holds + (type === "goal" ? 3 : type === "decision" ? 2 : type === "option" ? 0 : 1);
}

function edgeOf({ fromId, toId, edgeType: type }: DrawnEdge): PictureEdge {
  return {
    from: fromId,
    to: toId,
    ...WAYS[type],
    // A type that nobody doubts needs no word.
    ...(type === "leads_to" ? {} : { labels: [inWords(type)] }),
    // The new one comes later, and stands below what it takes the place of.
    ...(type === "supersedes" ? { target: "above" } : {}),
  };
}

const legend: readonly LegendEntry[] = [
  ...lookEntries(LOOKS),
  lookEntry("rejected", { tone: "grey" }),
  lookEntry("superseded", { border: "dashed" }),
  lookEntry("completed", { border: "thick" }),
  ...edgeEntries(WAYS),
];
