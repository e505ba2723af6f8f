/**
 * Ends an agent's turn after its tool calls where `stopWhen` says so, without asking the model about the
 * results; and tells whether `stopWhen` or a behaviour has ended a turn so.
 */
import { callPart } from "../../kernel/machine/index.js";
import * as shapes from "../../kernel/shapes.js";
import { itemAt } from "../../kernel/values/index.js";
import type { AgentContext, ToolCallRecord } from "../context/context.js";
import { shownContext } from "../context/copy-context.js";
import { invalid } from "../context/invalid.js";
import type { AgentSpec } from "../definition/spec.js";
import { lastMessage } from "./context-functions.js";

/** The context after `stopWhen` has judged the calls of an answer, which are the last so many records. */
export function stopAfter(spec: AgentSpec, context: AgentContext, calls: number): AgentContext {
  const { stopWhen } = spec;
  if (stopWhen === undefined || !context.needsResponse || context.final !== null) return context;
  const records = Array.from({ length: calls }, (_, i) => itemAt(context.toolCalls, i - calls));
  const judged: unknown = callPart("stopWhen", () =>
    stopWhen(shownContext(context), records as ToolCallRecord[]),
  );
  if (typeof judged === "boolean") return judged ? { ...context, needsResponse: false } : context;
  throw invalid(`what stopWhen returns ${shapes.misfit(judged, shapes.FLAG)}`);
}

/** Returns true if the turn was ended at its calls: the model has not read their results. */
export function isStopped(context: AgentContext): boolean {
  return !context.needsResponse && lastMessage(context)?.role === "tool";
}
