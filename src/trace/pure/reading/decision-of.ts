/**
 * Recognises the decisions of a trace (calls of decision tools, and `notify` directives with the topic
 * `decision`), and makes their fields.
 */
import { isJsonObject, type Json, type JsonObject } from "../../../core/kernel/values/index.js";
import type { Cut, Fields } from "./fields.js";

/** The tools by which a decision is made. */
export const DECISION_TOOLS: readonly string[] = ["record_decision", "supersede_decision"];

/** The topic under which a reasoner tells of a decision. */
export const DECISION_TOPIC = "decision";

/** The tool by which an option is recorded that a decision weighs. */
const OPTION_TOOL = "record_option";

const first = (value: JsonObject, names: readonly string[]): Json | undefined =>
  names.map((name) => value[name]).find((found) => found !== undefined && found !== null);

/**
 * The fields of a decision: description, alternatives (JSON), chosen, and reasoning where there is
 * any; `undefined` where the value tells of none.
 * @param weighed the options that were recorded for it, where the value does not name them itself
 */
export function decisionFields(
  value: Json | undefined,
  cut: Cut,
  weighed: readonly string[] = [],
): Fields | undefined {
  if (!isJsonObject(value)) return undefined;
  const description = first(value, ["description", "label", "decision", "new_id"]);
  if (typeof description !== "string") return undefined;
  const chosen = first(value, ["chosen"]) ?? (value.edge_type === "rejected" ? "" : description);
  const reasoning = first(value, ["reasoning", "rationale"]);
  return {
    description: cut(description),
    alternatives: cut(JSON.stringify(value.alternatives ?? alternativesTo(value, weighed))),
    chosen: cut(chosen),
    ...(reasoning === undefined ? {} : { reasoning: cut(reasoning) }),
  };
}

/** The alternatives: the options that were weighed, or the decision that is given up. */
function alternativesTo({ old_id: old, label }: JsonObject, weighed: readonly string[]): Json {
  return typeof old === "string" ? [old] : weighed.filter((option) => option !== label);
}

/** The options that a run has recorded, by what they are for. */
export class WeighedOptions {
  readonly #options = new Map<string, readonly string[]>();

  /** Takes in a call that succeeded, with its arguments. */
  take(toolName: string, input: Json | undefined): void {
    if (toolName !== OPTION_TOOL || !isJsonObject(input)) return;
    const { label } = input;
    if (typeof label === "string") this.#options.set(parentIn(input), [...this.of(input), label]);
  }

  /** The options that were weighed for the same goal or decision as a decision. */
  of(input: Json | undefined): readonly string[] {
    return this.#options.get(isJsonObject(input) ? parentIn(input) : "") ?? [];
  }
}

function parentIn({ parent_id: parent }: JsonObject): string {
  return typeof parent === "string" ? parent : "";
}

/** Returns true when a decision tool's result says that the decision was recorded. */
export function isRecorded(output: Json | undefined): boolean {
  return !(isJsonObject(output) && output.status === "error");
}
