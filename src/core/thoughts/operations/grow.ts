/** Adds thoughts to the graph, within `maxNodes` and `maxDepth`. */
import { toJson } from "../../kernel/values/index.js";
import { addThought, thoughtCount } from "../graph/graph.js";
import type { StructuralEdge, Thought } from "../graph/thought.js";
import { fail, thoughtOf, type Work } from "../work-on-context.js";
import type { Operation } from "./operation.js";

/** Returns the number of thoughts for which there is room beside those that are being asked for. */
export function roomLeft({ graph, rooms, budgets }: Work): number {
  if (budgets.maxNodes === null) return Number.POSITIVE_INFINITY;
  return budgets.maxNodes - thoughtCount(graph) - rooms;
}

/** Returns true when thoughts at these depths may have one below them. */
export function isShallow(work: Work, sources: readonly string[]): boolean {
  const { maxDepth } = work.budgets;
  return maxDepth === null || sources.every((id) => thoughtOf(work, id).depth < maxDepth);
}

/** A thought to add. */
export interface Grown {
  readonly id: string;
  /** Default: what was read, as text. */
  readonly content?: string | undefined;
  /** The state that its own lies over. */
  readonly state: object;
  /** The reading of a function of the task: perhaps no JSON. */
  readonly read: object;
  /** The model calls that it was read from. Default: none. */
  readonly calls?: readonly string[];
}

/** A new thought of others, or `undefined` where a budget or the JSON border has no room for it. */
export function grow(
  work: Work,
  operation: Operation,
  sources: readonly string[],
  type: StructuralEdge,
  { id, ...thought }: Grown,
): string | undefined {
  if (!isShallow(work, sources)) work.cut ??= "maxDepth";
  else if (roomLeft(work) < 1) work.cut ??= "maxNodes";
  else {
    const json = asJson(thought);
    if (json === undefined) {
      fail(work, operation.id, sources[0] as string, "answer.notJson");
      return undefined;
    }
    const kind = kinds[type];
    const { calls = [] } = thought;
    const made = { id, ...json, kind, calls, operation: operation.id };
    work.graph = addThought(work.graph, made, { parents: [...new Set(sources)], type });
    return id;
  }
  return undefined;
}

const kinds = { generates: "thought", refines: "refinement", aggregates: "aggregation" } as const;

/**
 * Returns the content and state of a thought; `undefined` where they are not JSON, as of a BigInt or a
 * circle.
 */
function asJson({
  content,
  state,
  read,
}: Omit<Grown, "id">): Pick<Thought, "content" | "state"> | undefined {
  try {
    const text: string | undefined = content ?? JSON.stringify(read);
    return text === undefined ? undefined : { content: text, state: toJson({ ...state, ...read }) };
  } catch {
    return undefined;
  }
}
