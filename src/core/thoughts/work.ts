/**
 * The work of one step: a copy of the context that the step's own functions change, and that becomes
 * the next context when the step is over. Nothing outside the step ever sees it.
 */
import {
  type Json,
  type LlmDirective,
  pushItem,
  type Table,
  tableGet,
  tableSet,
  toJson,
} from "../kernel/index.js";
import type { Entry, OperationState, ThoughtsContext } from "./context.js";
import type { Problem } from "./functions.js";
import { addThought, type Graph, getThought, thoughtCount, updateThought } from "./graph.js";
import type { Operation } from "./operation.js";
import type { Progress } from "./policy.js";
import type { ThoughtsSpec } from "./spec.js";
import type { StructuralEdge, Thought } from "./thought.js";

/** The id of every run's first thought. */
export const ROOT = "root";

/** A context under change, with the configuration it runs on. */
export type Work = {
  -readonly [K in keyof Omit<ThoughtsContext, "outbox">]: ThoughtsContext[K];
} & {
  readonly outbox: LlmDirective[];
  readonly spec: ThoughtsSpec;
  readonly at: number;
};

/** A step's own copy of a context. */
export function workOn(context: ThoughtsContext, spec: ThoughtsSpec, at: number): Work {
  return { ...context, outbox: [], spec, at };
}

/** The context that a step's work came to. */
export function contextOf({ spec: _spec, at: _at, ...context }: Work): ThoughtsContext {
  return context;
}

/** A thought that is known to be there. */
export function thoughtOf(work: Work, id: string): Thought {
  return getThought(work.graph, id) as Thought;
}

/** A thought as an operation hands it on when nothing was said of it yet. */
export function entryOf(id: string): Entry {
  return { id, score: null, valid: null, solved: null };
}

/** A thought with the verdicts of an entry's way in place of the graph's. */
export function seenAs(work: Work, { id, score, valid, solved }: Entry): Thought {
  return { ...thoughtOf(work, id), score, valid, solved };
}

/** What functions of a task may look at. */
export function problemOf(work: Work): Problem {
  const root = thoughtOf(work, ROOT);
  return { prompt: root.content, problem: root.state };
}

/** What a policy may look at. */
export function progressOf(work: Work): Progress {
  return {
    graph: work.graph,
    better: work.better,
    cut: work.cut,
    output: (id) => tableGet(work.operations, id)?.output ?? [],
  };
}

/** Where an operation stands. */
export function stateOf(work: Work, id: string): OperationState {
  return tableGet(work.operations as Table<OperationState>, id) as OperationState;
}

/** Notes where an operation stands. */
export function putState(work: Work, state: OperationState): void {
  work.operations = tableSet(work.operations, state.id, state);
}

/** Counts a failure of one thought; the run goes on. */
export function fail(
  work: Work,
  operation: string,
  thought: string,
  code: string,
  message?: string,
): void {
  const said = message === undefined ? {} : { message };
  work.failures = pushItem(work.failures, { operation, thought, code, ...said });
  const failures = thoughtOf(work, thought).failures + 1;
  work.graph = updateThought(work.graph, thought, { failures });
}

/** What a function of the task says, or `undefined` and a counted failure where it throws. */
export function attempt<T>(
  work: Work,
  operation: Operation,
  thought: string,
  what: string,
  call: () => T,
): T | undefined {
  try {
    return call();
  } catch {
    // Not its message: an engine's own differs from engine to engine, and the state must not.
    fail(work, operation.id, thought, `${what}.threw`);
    return undefined;
  }
}

/** Whether there is room for one more thought beside those that are being asked for. */
export function hasRoom({ graph, reserved, budgets }: Work): boolean {
  return budgets.maxNodes === null || thoughtCount(graph) + reserved < budgets.maxNodes;
}

/** Whether thoughts at these depths may have one below them. */
export function isShallow(work: Work, sources: readonly string[]): boolean {
  const { maxDepth } = work.budgets;
  return maxDepth === null || sources.every((id) => thoughtOf(work, id).depth < maxDepth);
}

/** A new thought of others, or `undefined` where a budget or the JSON border has no room for it. */
export function grow(
  work: Work,
  operation: Operation,
  sources: readonly string[],
  type: StructuralEdge,
  thought: { readonly id: string; readonly content: string; readonly state: object },
): string | undefined {
  if (!isShallow(work, sources)) work.cut ??= "maxDepth";
  else if (!hasRoom(work)) work.cut ??= "maxNodes";
  else {
    const kind =
      type === "aggregates" ? "aggregation" : type === "refines" ? "refinement" : "thought";
    const state = jsonObject(thought.state);
    if (state === undefined) {
      fail(work, operation.id, sources[0] as string, "answer.notJson");
      return undefined;
    }
    const parents = [...new Set(sources)];
    const made = { ...thought, state, kind, operation: operation.id } as const;
    work.graph = addThought(work.graph, made, { parents, type });
    return thought.id;
  }
  return undefined;
}

function jsonObject(value: object): { readonly [key: string]: Json } | undefined {
  try {
    const json = toJson(value);
    return typeof json === "object" && json !== null && !Array.isArray(json)
      ? (json as { readonly [key: string]: Json })
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Notes a verdict on a thought in the graph. Of several operations that judge the same thought, the
 * one that comes last in the plan has the last word, whichever came first in time.
 */
export function judge(
  work: Work,
  operation: Operation,
  id: string,
  verdict: { score: number; scorer: string } | { valid: boolean } | { solved: boolean },
): void {
  const what = "score" in verdict ? "score" : "valid" in verdict ? "valid" : "solved";
  const thought = thoughtOf(work, id);
  const last = thought.judgedBy[what];
  if (last !== undefined && work.spec.policy.operation(last).index > operation.index) return;
  const judgedBy = { ...thought.judgedBy, [what]: operation.id };
  work.graph = updateThought(work.graph, id, { ...verdict, judgedBy });
}

/** The graph of a run's beginning: the problem, and nothing else. */
export function rootGraph(graph: Graph, content: string, state: object): Graph {
  return addThought(graph, { id: ROOT, kind: "root", content, state: state as Thought["state"] });
}
