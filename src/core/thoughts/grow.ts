/** New thoughts, where the budgets have room for them. */
import { type Json, toJson, vectorSize } from "../kernel/index.js";
import { addThought, thoughtCount } from "./graph.js";
import type { Operation } from "./operation.js";
import { joined } from "./part.js";
import type { Part, StructuralEdge, Thought } from "./thought.js";
import { fail, knownState, ROOT, thoughtOf, type Work } from "./work.js";

/** How many more thoughts there is room for beside those that are being asked for. */
export function roomLeft({ graph, reserved, budgets }: Work): number {
  if (budgets.maxNodes === null) return Number.POSITIVE_INFINITY;
  return budgets.maxNodes - thoughtCount(graph) - reserved.rooms;
}

/** Whether thoughts at these depths may have one below them. */
export function isShallow(work: Work, sources: readonly string[]): boolean {
  const { maxDepth } = work.budgets;
  return maxDepth === null || sources.every((id) => thoughtOf(work, id).depth < maxDepth);
}

/** A thought to add. */
interface Grown {
  readonly id: string;
  readonly content: string;
  readonly state: object;
  /** What it is about; default: what its sources together are. */
  readonly parts?: readonly Part[];
}

/** A new thought of others, or `undefined` where a budget or the JSON border has no room for it. */
export function grow(
  work: Work,
  operation: Operation,
  sources: readonly string[],
  type: StructuralEdge,
  { id, content, ...thought }: Grown,
): string | undefined {
  if (!isShallow(work, sources)) work.cut ??= "maxDepth";
  else if (roomLeft(work) < 1) work.cut ??= "maxNodes";
  else {
    const state = jsonObject(thought.state);
    if (state === undefined) {
      fail(work, operation.id, sources[0] as string, "answer.notJson");
      return undefined;
    }
    const kind = kinds[type];
    const parts = thought.parts ?? partsOf(work, operation, sources);
    const made = { id, content, state, kind, parts, operation: operation.id };
    work.graph = addThought(work.graph, made, { parents: [...new Set(sources)], type });
    return id;
  }
  return undefined;
}

const kinds = { generates: "thought", refines: "refinement", aggregates: "aggregation" } as const;

/** What a thought made of others is about. */
function partsOf(work: Work, operation: Operation, sources: readonly string[]): readonly Part[] {
  const solutions = sources.filter((id) => id !== ROOT);
  const parts = joined(solutions.map((id) => thoughtOf(work, id).parts));
  const { id, after } = operation;
  const merges =
    operation.kind === "aggregate" && (operation.strategy ?? "synthesis") === "synthesis";
  if (!merges || after.length < 2) return parts;
  // What is merged from several operations and lacks what one of them should have handed on.
  const has = after.flatMap((before, i) => {
    const state = knownState(work, before);
    return state !== undefined && vectorSize(state.output) > 0 ? [i + 1] : [];
  });
  if (has.length === after.length) return parts;
  return [...parts, { split: `merge/${id}`, of: after.length, has, within: null }];
}

function jsonObject(value: object): Thought["state"] | undefined {
  try {
    const json = toJson<Json>(value);
    return typeof json === "object" && json !== null && !Array.isArray(json)
      ? (json as Thought["state"])
      : undefined;
  } catch {
    return undefined;
  }
}
