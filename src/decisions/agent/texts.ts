/**
 * The texts that a model reads about decision tracking: the static part of the system prompt, and error
 * texts.
 */
import type { Json } from "../../core/kernel/values/index.js";
import type { Settlement } from "../../core/kernel/vocabulary/index.js";

/** The static part of the system prompt. */
export const SYSTEM_PROMPT = `## Decisions

You keep track of your reasoning in a decision graph, which outlives this conversation. Your tools for it:
- add_goal: record a new goal or objective.
- record_decision: record a decision and, where it serves one, link it to a goal.
- record_outcome: record the outcome of a decision.
- query_decisions: query goals, recent decisions and paths in the graph.
- record_option: record an option that you weigh, and later whether it was chosen or rejected, with the reason.
- supersede_decision: replace a decision that you no longer believe, with the reason.
- complete_goal: mark a goal as reached.

Use them without being asked: record goals when a complex task begins, decisions as you make them, and outcomes when you observe them. Nodes are named by their whole ids, which stand in brackets.`;

/** The note for a store that did not answer: the last known summary is shown. */
export const STALE = "(The decision graph did not answer; what is shown may be out of date.)";

const NOT_INITIALIZED = "Decision system not initialized";

/** The note of `every_iteration`: the graph is fetched once a turn. */
export const AS_OF_TURN =
  "(This is as of the first request of this turn; query_decisions shows what has come since.)";

/** A call that did not succeed, as a result that the model reads; without a store it was not made. */
export function failure(settled: Settlement | undefined): Json {
  if (settled === undefined || !("error" in settled)) {
    return { status: "error", message: NOT_INITIALIZED };
  }
  const { code, message } = settled.error;
  const isMissing = code === "port.missing";
  return { status: "error", message: isMissing ? `${NOT_INITIALIZED}: ${message}` : message };
}
