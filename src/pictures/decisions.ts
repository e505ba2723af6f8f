/**
 * Draws a decision graph: goals on top, rejected nodes grey, superseded ones dashed. It takes nodes
 * and edges from a graph, a store or an export.
 */

import * as shapes from "../core/kernel/shapes.js";
import { checkDrawn, WITH_IDS } from "./check-arguments.js";
import { knownEdges } from "./known-edges.js";
import type {
  EdgeLook,
  LegendEntry,
  NodeLook,
  Picture,
  PictureEdge,
  PictureNode,
  Shape,
  Tone,
} from "./picture.js";

/** A node of a decision graph, as far as it is drawn. */
export interface DecisionNodeData {
  readonly id: string;
  /** goal, decision, option, action, outcome, observation, revisit; another one is drawn plainly. */
  readonly type: string;
  readonly label: string;
  /** active, completed, superseded, rejected. Default active. */
  readonly status?: string;
  /** From 0 to 1. */
  readonly confidence?: number | null;
  readonly rationale?: string | null;
}

/** An edge of a decision graph, as far as it is drawn. */
export interface DecisionEdgeData {
  readonly fromId: string;
  readonly toId: string;
  /** leads_to, chosen, rejected, requires, blocks, enables, supersedes; another one is named. */
  readonly edgeType: string;
}

/** The options of a picture of decisions. */
export interface DecisionsPictureOptions {
  readonly title?: string | undefined;
}

// Maps: a type may be any text, `constructor` too.
const KINDS: ReadonlyMap<string, { readonly shape: Shape; readonly tone: Tone }> = new Map(
  Object.entries({
    goal: { shape: "pill", tone: "purple" },
    decision: { shape: "hexagon", tone: "blue" },
    option: { shape: "round", tone: "plain" },
    action: { shape: "box", tone: "amber" },
    outcome: { shape: "double", tone: "green" },
    observation: { shape: "box", tone: "teal" },
    revisit: { shape: "hexagon", tone: "amber" },
  } as const),
);

const WAYS: ReadonlyMap<string, EdgeLook> = new Map(
  Object.entries({
    leads_to: { line: "solid", tone: "plain" },
    chosen: { line: "thick", tone: "green" },
    rejected: { line: "solid", tone: "grey" },
    requires: { line: "solid", tone: "blue" },
    enables: { line: "solid", tone: "teal" },
    blocks: { line: "solid", tone: "red" },
    supersedes: { line: "dashed", tone: "purple" },
  } as const),
);
const OTHER: EdgeLook = { line: "dotted", tone: "plain" };

const GRAPH: shapes.Shape = [
  (value) => {
    const { nodes, edges } = (value ?? {}) as {
      readonly nodes?: unknown;
      readonly edges?: unknown;
    };
    return (
      WITH_IDS[0](nodes) &&
      Array.isArray(edges) &&
      edges.every(shapes.hasParts("fromId", "toId", "edgeType"))
    );
  },
  "an object of nodes, each with an id, and edges, each with fromId, toId and edgeType",
];

/**
 * The picture; writers make a text of it.
 * @throws ReckonerError `option.invalid`
 */
export function decisionsPicture(
  graph: {
    readonly nodes: readonly DecisionNodeData[];
    readonly edges: readonly DecisionEdgeData[];
  },
  options: DecisionsPictureOptions = {},
): Picture {
  checkDrawn("decisionsPicture", { graph: [graph, GRAPH] }, options, { title: shapes.TEXT });
  const { title = "Decisions" } = options;
  const ends = graph.edges.map(edgeOf);
  const { nodes, edges, notes } = knownEdges(graph.nodes, ends);
  return {
    kind: "decisions",
    title,
    nodes: nodes.map(nodeOf),
    edges,
    groups: [],
    rows: [],
    legend,
    notes,
  };
}

function nodeOf(node: DecisionNodeData): PictureNode {
  const { id, type, label, status = "active", confidence, rationale } = node;
  const isSaid = typeof confidence === "number" && Number.isFinite(confidence);
  const sure = isSaid ? [`confidence ${Math.round(confidence * 100) / 100}`] : [];
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

function lookOf(type: string, status: string): NodeLook {
  const look = KINDS.get(type) ?? { shape: "box", tone: "plain" };
  if (status === "rejected") return { ...look, tone: "grey" };
  if (status === "superseded") return { ...look, border: "dashed" };
  return status === "completed" ? { ...look, border: "thick" } : look;
}

/** Nodes that hold are folded after those that do not, goals and decisions after their options. */
function weightOf(type: string, status: string): number {
  const holds = status === "rejected" || status === "superseded" ? 0 : 10;
  return holds + (type === "goal" ? 3 : type === "decision" ? 2 : type === "option" ? 0 : 1);
}

function edgeOf({ fromId, toId, edgeType: type }: DecisionEdgeData): PictureEdge {
  const look = WAYS.get(type) ?? OTHER;
  return {
    from: fromId,
    to: toId,
    ...look,
    // A type that nobody doubts needs no word.
    ...(type === "leads_to" ? {} : { labels: [type.replaceAll("_", " ")] }),
    // The new one comes later, and stands below what it takes the place of.
    ...(type === "supersedes" ? { target: "above" } : {}),
  };
}

const legend: readonly LegendEntry[] = [
  ...[...KINDS].map(([text, node]): LegendEntry => ({ text, node, means: ["shape", "tone"] })),
  { text: "rejected", node: { shape: "round", tone: "grey" }, means: ["tone"] },
  {
    text: "superseded",
    node: { shape: "round", tone: "plain", border: "dashed" },
    means: ["border"],
  },
  {
    text: "completed",
    node: { shape: "round", tone: "plain", border: "thick" },
    means: ["border"],
  },
  ...[...WAYS].map(([type, edge]): LegendEntry => ({ text: type.replaceAll("_", " "), edge })),
];
