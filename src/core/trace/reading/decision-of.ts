/**
 * Recognises decisions: calls of decision tools, and `notify` directives with the topic `decision`.
 */
import { isJsonObject, type Json, type JsonObject } from "../../kernel/index.js";
import type { Cut, Fields } from "./fields.js";

/** The tools by which a decision is made. */
export const DECISION_TOOLS: readonly string[] = ["record_decision", "supersede_decision"];

/** The topic under which a reasoner tells of a decision. */
export const DECISION_TOPIC = "decision";

const first = (value: JsonObject, names: readonly string[]): Json | undefined =>
  names.map((name) => value[name]).find((found) => found !== undefined && found !== null);

/**
 * The fields of a decision: description, alternatives (JSON), chosen, and reasoning where there is
 * any; `undefined` where the value tells of none.
 */
export function decisionFields(value: Json | undefined, cut: Cut): Fields | undefined {
  if (!isJsonObject(value)) return undefined;
  const description = first(value, ["description", "label", "decision", "new_id"]);
  if (typeof description !== "string") return undefined;
  const chosen = first(value, ["chosen"]) ?? (value.edge_type === "rejected" ? "" : description);
  const reasoning = first(value, ["reasoning", "rationale"]);
  return {
    description: cut(description),
    alternatives: cut(JSON.stringify(value.alternatives ?? [])),
    chosen: cut(chosen),
    ...(reasoning === undefined ? {} : { reasoning: cut(reasoning) }),
  };
}

/** Whether a decision tool's result says that the decision was recorded. */
export function isRecorded(output: Json | undefined): boolean {
  return !(isJsonObject(output) && output.status === "error");
}
