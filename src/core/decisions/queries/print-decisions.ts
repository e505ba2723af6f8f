/**
 * Prints a decision graph as a tree for a terminal: goals at the margin, consequences below them,
 * one node per line. A node with several parents is below the first; supersessions are told in
 * words.
 */
import { checkArguments } from "../../kernel/index.js";
import * as shapes from "../../kernel/shapes.js";
import type { DecisionEdge, EdgeType } from "../vocabulary/edge.js";
import type { DecisionNode, NodeType } from "../vocabulary/node.js";
import { oneLine } from "./one-line.js";

/** How a tree is printed. */
export interface PrintedDecisions {
  /** Columns of a line, the dots of what is cut included. Default 100. */
  readonly width?: number | undefined;
}

const marks: Readonly<Record<NodeType, string>> = {
  goal: "◎",
  decision: "◆",
  option: "◇",
  action: "▸",
  outcome: "✔",
  observation: "·",
  revisit: "↻",
};

interface Hung {
  readonly node: DecisionNode;
  readonly edgeType: EdgeType | null;
  /** What stands before its line. */
  readonly branch: string;
  /** What stands before the lines below it. */
  readonly indent: string;
}

const isListed = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each) => typeof each === "object" && each !== null);
const GRAPH: shapes.Shape = [
  (value) => {
    const { nodes, edges } = (value ?? {}) as {
      readonly nodes?: unknown;
      readonly edges?: unknown;
    };
    return isListed(nodes) && isListed(edges);
  },
  "an object of nodes and edges, as an export has them",
];
const OPTIONS: shapes.Shape = /* @__PURE__ */ shapes.optionsOf({ width: shapes.NUMBER });

/**
 * The tree.
 * @param graph nodes and edges in the order in which they are to come; that of creation, say
 */
export function printDecisions(
  graph: { readonly nodes: readonly DecisionNode[]; readonly edges: readonly DecisionEdge[] },
  options: PrintedDecisions = {},
): string {
  checkArguments("printDecisions", { graph, options }, { graph: GRAPH, options: OPTIONS });
  const { width = 100 } = options;
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const below = new Map<string, DecisionEdge[]>();
  /** The edge that each node but a goal hangs by. */
  const hung = new Map<string, DecisionEdge>();
  const successors = new Map<string, string>();
  for (const edge of graph.edges) {
    if (!nodes.has(edge.fromId) || !nodes.has(edge.toId)) continue;
    if (edge.edgeType === "supersedes") successors.set(edge.toId, edge.fromId);
    else if (edge.fromId !== edge.toId && !hung.has(edge.toId)) hung.set(edge.toId, edge);
  }
  for (const { id, type } of graph.nodes) if (type === "goal") hung.delete(id);
  for (const edge of hung.values()) {
    const others = below.get(edge.fromId);
    if (others === undefined) below.set(edge.fromId, [edge]);
    else others.push(edge);
  }
  const lines: string[] = [];
  const seen = new Set<string>();
  const describe = ({ node, edgeType, branch }: Hung): string => {
    const by = nodes.get(successors.get(node.id) ?? "");
    const said = [standing(node, edgeType), node.confidence === null ? "" : `${node.confidence}`];
    const about = said.filter((part) => part !== "").join(", ");
    const instead = by === undefined ? "" : ` by "${oneLine(by.label)}"`;
    const why = node.rationale === null ? "" : `: ${oneLine(node.rationale)}`;
    const behind = about === "" ? why : `  ${about}${instead}${why}`;
    return truncate(`${branch}${marks[node.type]} ${oneLine(node.label)}${behind}`, width);
  };
  const print = (top: DecisionNode) => {
    const stack: Hung[] = [{ node: top, edgeType: null, branch: "", indent: "" }];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { node, indent } = next;
      if (seen.has(node.id)) continue;
      seen.add(node.id);
      lines.push(describe(next));
      const children = (below.get(node.id) ?? []).filter(({ toId }) => !seen.has(toId)).reverse();
      for (const [i, { toId, edgeType }] of children.entries()) {
        const last = i === 0;
        stack.push({
          node: nodes.get(toId) as DecisionNode,
          edgeType,
          branch: `${indent}${last ? "└─ " : "├─ "}`,
          // What is cut off anyway need not be carried along: a chain may be long.
          indent: `${indent}${last ? "   " : "│  "}`.slice(0, width),
        });
      }
    }
  };
  for (const node of graph.nodes) if (!hung.has(node.id)) print(node);
  // The remaining nodes are in cycles.
  for (const node of graph.nodes) print(node);
  return lines.join("\n");
}

/** How a node stands: as its parent's edge says, else by its status; nothing where it just holds. */
function standing({ status, type }: DecisionNode, edgeType: EdgeType | null): string {
  if (status === "superseded") return "superseded";
  if (edgeType === "rejected" || status === "rejected") return "rejected";
  if (edgeType === "chosen") return "chosen";
  return status === "completed" && type !== "outcome" ? "completed" : "";
}

function truncate(line: string, width: number): string {
  const points = [...line.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd")];
  return points.length <= width ? points.join("") : `${points.slice(0, width - 1).join("")}…`;
}
