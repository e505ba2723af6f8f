/** Builds the tree of a session's events by their parents, and walks it, at any depth. */

import { checkArguments } from "../../../core/kernel/vocabulary/index.js";
import { TRACE } from "../argument-shapes.js";
import type { TraceEvent } from "../trace-event.js";
import type { Trace, TraceDefect } from "./trace.js";

/** An event in the tree of its session. */
export interface TraceEventNode extends TraceEvent {
  /** The events that came from it, by time. */
  readonly children: readonly TraceEventNode[];
}

/** A session as a forest. */
export interface DecisionTree {
  /** The first root; "" where nothing has happened yet. */
  readonly rootEventId: string;
  /** The roots. */
  readonly events: readonly TraceEventNode[];
  /** The number of levels. */
  readonly depth: number;
  readonly defects: readonly TraceDefect[];
}

/** The tree of a session, empty where nothing has happened in it; `undefined` where no run is of it. */
export function buildFromSession(trace: Trace, session: string): DecisionTree | undefined {
  checkArguments("buildFromSession", { trace }, { trace: TRACE });
  const events = trace.events.filter((event) => event.session === session);
  const isKnown = trace.runs.some((run) => run.session === session);
  if (events.length === 0 && !isKnown) return undefined;
  const nodes = new Map<string, TraceEventNode & { readonly children: TraceEventNode[] }>();
  for (const event of events) nodes.set(event.id, { ...event, children: [] });
  const roots: TraceEventNode[] = [];
  for (const event of events) {
    const node = nodes.get(event.id) as TraceEventNode;
    const parent = nodes.get(trace.parentOf(event)?.id ?? "");
    if (parent === undefined) roots.push(node);
    else parent.children.push(node);
  }
  const ids = new Set(nodes.keys());
  return {
    rootEventId: roots[0]?.id ?? "",
    events: roots,
    depth: depthOf(roots),
    defects: trace.defects.filter((defect) =>
      defect.kind === "cycle" ? defect.ids.some((id) => ids.has(id)) : ids.has(defect.id),
    ),
  };
}

/** Level by level: a long conversation is deeper than a stack. */
function depthOf(roots: readonly TraceEventNode[]): number {
  let depth = 0;
  for (let level = roots; level.length > 0; depth += 1) {
    level = level.flatMap(({ children }) => children);
  }
  return depth;
}

/** The nodes of a tree, each before its children, with their levels from 0. */
export function* walkTree(
  roots: readonly TraceEventNode[],
): Generator<{ readonly node: TraceEventNode; readonly level: number }> {
  const stack = roots.map((node) => ({ node, level: 0 })).reverse();
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    yield at;
    const { children } = at.node;
    for (let i = children.length - 1; i >= 0; i--) {
      stack.push({ node: children[i] as TraceEventNode, level: at.level + 1 });
    }
  }
}
