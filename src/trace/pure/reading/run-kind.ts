/**
 * Tells from a journal which kind of machine wrote it, and so how to read its ids: an agent's
 * iterations and calls, or the operations of a Graph-of-Thoughts run.
 */
import type { EventLine } from "../../../core/journal/index.js";

/** The kind of the machine. */
export type RunKind = "agent" | "thoughts" | "other";

/** The fields of the context that a start notes, by which a machine is known. */
const KNOWN: readonly (readonly [RunKind, readonly string[]])[] = [
  ["agent", ["agentName", "batch", "iteration", "toolCalls"]],
  ["thoughts", ["graph", "operations", "budgets"]],
];

/** The kind of machine that took a start. */
export function kindOfStart({ set = {} }: EventLine): RunKind {
  const names = new Set(Object.keys(set).map((path) => path.split("/")[0]));
  return KNOWN.find(([, fields]) => fields.every((each) => names.has(each)))?.[0] ?? "other";
}

/** The group that a directive belongs to: what comes after it may have had to wait for all of it. */
export function groupOf(kind: RunKind, id: string): string | undefined {
  if (kind === "thoughts") return id.split("/")[1];
  if (kind !== "agent") return undefined;
  return /^plugin\/\d+\/\d+(?=\/)/.exec(id)?.[0];
}

/** The operations of a run of thoughts that a step touched. */
export function operationsIn({ set = {} }: EventLine): readonly string[] {
  const prefix = "operations/";
  return Object.keys(set).flatMap((path) =>
    path.startsWith(prefix) ? [path.slice(prefix.length)] : [],
  );
}
