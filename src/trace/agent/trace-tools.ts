/**
 * `traceTools`: tools with which an agent queries the trace of its own run and of the runs that it
 * continues. The answers are reads of a store (`traceStorePort`), so they are in the journal, and a
 * replay reads nothing.
 */

import * as shapes from "../../core/kernel/shapes.js";
import { type JsonObject, toJson } from "../../core/kernel/values/index.js";
import {
  builtInTool,
  checkDefinition,
  type RunContext,
  type Tool,
  ToolError,
  type ToolSettlement,
  tool,
} from "../../core/kernel/vocabulary/index.js";
import { traceEventTypes } from "../pure/index.js";

/** The options of the tools that read traces. */
export interface TraceToolsOptions {
  /** Name under which the run is given the store. Default `trace`. */
  readonly store?: string | undefined;
}

const text = (description: string): JsonObject => ({ type: "string", description });
const filter: JsonObject = {
  agentId: text("The agent whose events are asked for; without it all of them."),
  from: text("Not before this time, ISO 8601."),
  to: text("Not after this time, ISO 8601."),
};
const format = (...formats: string[]): JsonObject => ({
  type: "string",
  enum: formats,
  description: "How the answer is written. Default json.",
});

const parts: shapes.Shapes<TraceToolsOptions> = { store: shapes.TEXT };

/** The tools `trace_query`, `trace_explain` and `trace_stats`. */
export function traceTools(options: TraceToolsOptions = {}): readonly Tool[] {
  checkDefinition("tool.invalid", "traceTools", options, parts);
  const { store = "trace" } = options;
  const asking = (
    name: string,
    type: string,
    description: string,
    properties: JsonObject,
    required: readonly string[] = [],
  ): Tool => {
    const made = tool({
      name,
      description,
      jsonSchema: { type: "object", properties, required, additionalProperties: false },
      issue(input: JsonObject, { runId }: RunContext) {
        return [{ type: "read", store, query: toJson({ ...input, type, runId }) }];
      },
      settle: (_input, _context, [settled]) => answerOf(settled),
    });
    return builtInTool(made);
  };
  return [
    asking(
      "trace_query",
      "events",
      "What happened in this run and in those before it: model calls, tool calls, decisions, errors, with their ids. The latest 100.",
      {
        ...filter,
        types: {
          type: "array",
          items: { type: "string", enum: [...traceEventTypes] },
          description: "Which types of events; without it all.",
        },
        format: format("json", "terminal", "markdown"),
      },
    ),
    asking(
      "trace_explain",
      "explain",
      "Why an event happened: what led to it, from the input on, and what followed from it.",
      { eventId: text("Id of the event, from trace_query; its beginning is enough.") },
      ["eventId"],
    ),
    asking(
      "trace_stats",
      "stats",
      "How many calls, decisions, delegations and errors there were, and how long calls took.",
      { ...filter, format: format("json", "terminal") },
    ),
  ];
}

/** Returns the answer of the store, which checks the question. @throws ToolError that the model reads */
function answerOf(settled: ToolSettlement | undefined): unknown {
  if (settled?.type === "read.succeeded") return settled.value;
  if (settled?.type === "read.failed") throw new ToolError(settled.error.message);
  throw new ToolError("The store did not answer.");
}
