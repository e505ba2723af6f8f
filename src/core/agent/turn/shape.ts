/**
 * Names the shape of an agent's chart: which of its optional parts (conversation, deadline, plug-ins …) a
 * definition needs. Journals name their chart by it, such as `agent/7 conversation deadline`.
 */

import type { AgentSpec } from "../definition/spec.js";
import { isSteady, leavesRequests } from "../request/instructions.js";
import { takesSteps } from "../request/plugin.js";

/** The version of the chart and its context: raised when a recorded event means something else. */
export const MACHINE_VERSION = 7;

const parts = {
  conversation: ({ conversation }) => conversation,
  deadline: ({ limits }) => limits.deadlineMs !== undefined,
  plugins: ({ plugins }) => plugins.some(takesSteps),
  // People are asked beside what is under way.
  pending: ({ tools }) => Object.values(tools).some(({ approvalBlocks }) => !approvalBlocks),
  // If no plug-in or behaviour changes the request, and nothing of it is kept, it is built where it is issued.
  requests: (spec) =>
    !isSteady(spec) ||
    !leavesRequests(spec.behaviour) ||
    spec.plugins.some(({ beforeRequest }) => beforeRequest !== undefined) ||
    spec.prices !== undefined,
} satisfies { readonly [part: string]: (spec: AgentSpec) => boolean };

/** The parts that a machine has beyond the least. */
export type AgentShape = ReadonlySet<string>;

/** Returns the shape of an agent's machine. */
export function shapeOf(spec: AgentSpec): AgentShape {
  return new Set(Object.entries(parts).flatMap(([part, has]) => (has(spec) ? [part] : [])));
}

/** Returns the name of a chart. */
export function chartName(shape: AgentShape): string {
  return [`agent/${MACHINE_VERSION}`, ...shape].join(" ");
}

/** Returns the shape that a chart's name says; nothing where it is none of this version's. */
export function shapeNamed(name: string): AgentShape | undefined {
  const shape = new Set(name.split(" ").slice(1));
  const isKnown = [...shape].every((part) => Object.hasOwn(parts, part));
  return isKnown && chartName(shape) === name ? shape : undefined;
}
