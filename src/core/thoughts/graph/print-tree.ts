/**
 * Prints a graph of thoughts as a tree for a terminal. A thought with several parents is below the
 * first; its line names the others.
 */

import * as shapes from "../../kernel/shapes.js";
import { countOf, inOneLine } from "../../kernel/values/index.js";
import { checkArguments } from "../../kernel/vocabulary/index.js";
import { children, type Graph, incomingEdges, listThoughts, parents } from "./graph.js";
import { isStructural, type Thought } from "./thought.js";
import { ancestors } from "./walk.js";

/** The options of a printed tree. */
export interface TreeOptions {
  /** Columns of a line, what is cut included. Default 100. */
  readonly width?: number | undefined;
  /** Writes the line of a thought, as it is. Default: its score and its content. */
  readonly label?: ((thought: Thought<object>) => string) | undefined;
  /** Thoughts on the way to this one are marked. */
  readonly best?: string | null | undefined;
  /** Leaves that led nowhere are counted rather than listed, with their scores. Needs `best`. */
  readonly fold?: boolean | undefined;
}

const treeOptions: shapes.Shapes<TreeOptions> = {
  width: /* @__PURE__ */ shapes.atLeast(1),
  label: shapes.PURE,
  best: shapes.TEXT_OR_NULL,
  fold: shapes.FLAG,
};
const TREE_OPTIONS: shapes.Shape = /* @__PURE__ */ shapes.optionsOf(treeOptions);

/**
 * Prints the tree, a thought a line. A thought that nothing leads to stands at the margin. Thoughts that
 * were made of each other in a circle come last; where the circle closes, a line refers to the one above.
 */
export function printTree(graph: Graph<object>, options: TreeOptions = {}): string {
  checkArguments("printTree", { options }, { options: TREE_OPTIONS });
  const { width = 100, label = describe, best, fold = false } = options;
  const marked = new Set(best == null ? [] : [best, ...ancestors(graph, best).map(({ id }) => id)]);
  const lines: string[] = [];
  // Each parent of a thought asks which is its first.
  const all = listThoughts(graph);
  const firsts = new Map(all.map(({ id }) => [id, parents(graph, id)[0]?.id]));
  const seen = new Set<string>();
  type Hung = { thought: Thought<object>; before: string; last: boolean; top: boolean };
  const tops = all.filter(({ id }) => firsts.get(id) === undefined);
  const stack: Hung[] = [];
  // Behind the tops come the thoughts that none of them leads to: those of a circle.
  const starts = [...tops, ...all].reverse();
  const next = (): Hung | undefined => {
    while (stack.length === 0 && starts.length > 0) {
      const thought = starts.pop() as Thought<object>;
      if (!seen.has(thought.id)) stack.push({ thought, before: "", last: true, top: true });
    }
    return stack.pop();
  };
  for (let hung = next(); hung !== undefined; hung = next()) {
    const { thought, before, last, top } = hung;
    const closes = seen.has(thought.id);
    seen.add(thought.id);
    const branch = top ? "" : last ? "└─ " : "├─ ";
    const mark = marked.has(thought.id) ? "★ " : "";
    const more = closes ? "[see above] " : others(graph, thought);
    lines.push(truncate(`${before}${branch}${mark}${more}${label(thought)}`, width));
    if (closes) continue;
    const hanging = children(graph, thought.id).filter(({ id }) => firsts.get(id) === thought.id);
    const foldable =
      fold && best != null ? hanging.filter((each) => isDropped(graph, marked, each)) : [];
    // One alone takes a line anyway.
    const dropped = new Set(foldable.length < 2 ? [] : foldable);
    const below = hanging.filter((each) => !dropped.has(each));
    for (const { id } of dropped) seen.add(id);
    // Text that is cut off anyway need not be carried along: a chain may be long.
    const indent = top ? "" : `${before}${last ? "   " : "│  "}`.slice(0, width);
    if (below.length < hanging.length) {
      const corner = below.length === 0 ? "└─" : "├─";
      lines.push(truncate(`${indent}${corner} ${counted([...dropped])}`, width));
    }
    for (let i = below.length - 1; i >= 0; i--) {
      const child = below[i] as Thought<object>;
      stack.push({ thought: child, before: indent, last: i === below.length - 1, top: false });
    }
  }
  return lines.join("\n");
}

/**
 * A thought in a line: its score, whether it is right, how much failed of what was asked about it, and
 * how it begins. Characters that a terminal would obey and not show, as a model may have written them,
 * are written out.
 */
export function describe({
  score,
  solved,
  valid,
  failures,
  content,
  kind,
}: Thought<object>): string {
  const verdict = [
    score === null ? undefined : `${Math.round(score * 100) / 100}`,
    solved === true ? "solved" : undefined,
    valid === false ? "invalid" : undefined,
    failures > 0 ? `${failures} failed` : undefined,
  ].filter((word) => word !== undefined);
  const merged = kind === "aggregation" ? "⋈ " : kind === "refinement" ? "↻ " : "";
  const judged = verdict.length === 0 ? "" : `(${verdict.join(", ")}) `;
  return `${merged}${judged}${inOneLine(content.replace(/\s+/g, " ").trim())}`;
}

function isDropped(
  graph: Graph<object>,
  marked: ReadonlySet<string>,
  { id }: Thought<object>,
): boolean {
  return !marked.has(id) && children(graph, id).length === 0;
}

/** So many thoughts in a line, with how many had which score. */
function counted(thoughts: readonly Thought<object>[]): string {
  const scores = thoughts.map(({ score }) =>
    score === null ? "not scored" : `(${Math.round(score * 100) / 100})`,
  );
  const parts = [...countOf(scores)].map(([text, count]) =>
    count === 1 ? text : `${count} × ${text}`,
  );
  return `… ${thoughts.length} more: ${parts.join(", ")}`;
}

function others(graph: Graph<object>, { id }: Thought<object>): string {
  const more = incomingEdges(graph, id).filter(({ type }) => isStructural(type)).length - 1;
  return more > 0 ? `[and ${more} more] ` : "";
}

function truncate(line: string, width: number): string {
  const letters = [...line];
  return letters.length <= width ? line : `${letters.slice(0, width - 1).join("")}…`;
}
