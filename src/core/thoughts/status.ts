/**
 * The status and summary of a Graph-of-Thoughts run for callers, in the form of Jido's snapshots.
 * (Not a snapshot of a journal.)
 */

import type { RunState } from "../kernel/machine/index.js";
import * as shapes from "../kernel/shapes.js";
import { type Json, tableNewest, vectorSize } from "../kernel/values/index.js";
import { checkArguments, type Usage } from "../kernel/vocabulary/index.js";
import type { Reason, ThoughtsContext } from "./context.js";
import { edgeCount, thoughtCount } from "./graph/graph.js";

/** The work of the machine, or its end. The machine's states have these names. */
export type Phase = (typeof phases)[number];

/** The phases, working ones before the ends. */
export const phases = [
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
] as const;

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
  const spent = filled<Partial<Usage>>(usage);
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
  const { error } = context;
  const ended = { completed: "success", error: "failure", cancelled: "failure", idle: "idle" };
  return {
    status: (ended as { readonly [phase: string]: ThoughtsSnapshot["status"] })[phase] ?? "running",
    done: state.status !== "active",
    result: context.result?.result ?? (error && { error: error.code, reason: error.message }),
    details: filled<ThoughtsSnapshot["details"]>(details),
  };
}

/** The values that say something: neither nothing nor zero. */
function filled<Values>(values: object): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as Values;
}
