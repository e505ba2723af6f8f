/**
 * The status and summary of a Graph-of-Thoughts run for callers, in the form of Jido's snapshots.
 * (Not a snapshot of a journal.)
 */
import {
  checkArguments,
  type Json,
  type JsonObject,
  type RunState,
  tableNewest,
  type Usage,
  vectorSize,
} from "../kernel/index.js";
import * as shapes from "../kernel/shapes.js";
import type { Phase, Reason, ThoughtsContext } from "./context.js";
import { edgeCount, thoughtCount } from "./graph/graph.js";

/** A run at a glance. Empty values are left out of the details. */
export interface ThoughtsSnapshot {
  readonly status: "idle" | "running" | "success" | "failure";
  readonly done: boolean;
  readonly result: Json;
  readonly details: {
    readonly phase: Phase;
    readonly nodeCount: number;
    readonly edgeCount?: number;
    /** The thought that was made last. */
    readonly currentNodeId?: string;
    readonly maxNodes?: number;
    readonly maxDepth?: number;
    /** The policy's name. */
    readonly policy: string;
    readonly reason?: Reason;
    readonly modelCalls?: number;
    readonly failures?: number;
    readonly usage?: Partial<Usage>;
    readonly durationMs?: number;
  };
}

const STATE: shapes.Shape = [
  (value) =>
    shapes.hasParts("status", "context")(value) &&
    shapes.hasParts("graph", "budgets")((value as { readonly context: unknown }).context),
  "the state of a run of thoughts",
];

/** @throws ReckonerError `option.invalid` where it is no state of a run of thoughts */
export function checkState(of: string, state: unknown): void {
  checkArguments(of, { state }, { state: STATE });
}

/** Returns the work of a run, or its end. */
export function status<State extends object>(state: RunState<ThoughtsContext<State>>): Phase {
  checkState("thoughtsStatus", state);
  if (state.status === "failed") return "error";
  if (state.status === "cancelled") return "cancelled";
  // The chart's states have these names.
  return state.value as Phase;
}

/** A run at a glance. Depends on its arguments alone: the time is that of the last event. */
export function snapshot<State extends object>(
  state: RunState<ThoughtsContext<State>>,
): ThoughtsSnapshot {
  checkState("thoughtsSnapshot", state);
  const { context } = state;
  const phase = status(state);
  const { budgets, usage, graph } = context;
  const spent = Object.fromEntries(Object.entries(usage).filter(([, count]) => count > 0));
  const details = {
    phase,
    nodeCount: thoughtCount(graph),
    edgeCount: edgeCount(graph),
    currentNodeId: tableNewest(graph.nodes)?.thought.id,
    maxNodes: budgets.maxNodes,
    maxDepth: budgets.maxDepth,
    policy: context.policy,
    reason: context.result?.reason,
    modelCalls: context.modelCalls,
    failures: vectorSize(context.failures),
    usage: Object.keys(spent).length === 0 ? null : spent,
    durationMs: (context.endedAt ?? state.at) - context.startedAt,
  };
  const shown = Object.entries(details).filter(
    ([name, value]) =>
      name === "nodeCount" || (value !== null && value !== undefined && value !== 0),
  );
  return {
    status:
      phase === "idle"
        ? "idle"
        : phase === "completed"
          ? "success"
          : phase === "error" || phase === "cancelled"
            ? "failure"
            : "running",
    done: state.status !== "active",
    result: (context.result?.result ?? errorOf(context)) as Json,
    details: Object.fromEntries(shown) as unknown as ThoughtsSnapshot["details"],
  };
}

function errorOf({ error }: Pick<ThoughtsContext, "error">): JsonObject | null {
  return error === null ? null : { error: error.code, reason: error.message };
}
