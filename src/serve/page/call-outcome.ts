/**
 * Converts the outcome of a tool call to what a page shows of it: of an error no more than was written for the
 * model.
 */
import type { Json } from "../../core/kernel/values/index.js";
import type { Settlement, ToolOutput } from "../../core/kernel/vocabulary/index.js";
import type { CallOutcome } from "./page-event.js";

/** The outcome of a call by the settlement of its directive; `undefined` where it says nothing of it. */
export function outcomeOf(event: Settlement, name: string): CallOutcome | undefined {
  switch (event.type) {
    case "tool.succeeded":
    case "run.succeeded":
      return { type: "output", output: event.output };
    case "tool.failed": {
      const { forModel, error, reason } = event;
      if (forModel === true) return { type: "error", message: error.message };
      const what = reason === "unknown" ? "may have taken effect; nobody knows" : "failed";
      return { type: "error", message: `${name} ${what}.` };
    }
    case "run.failed":
      return { type: "error", message: `${name} failed.` };
    default:
      return undefined;
  }
}

/** The outcome of a call by what the model reads of it. */
export function resultOutcome(output: ToolOutput): CallOutcome {
  switch (output.type) {
    case "error-text":
      return { type: "error", message: output.value };
    case "error-json":
      return { type: "error", message: JSON.stringify(output.value) };
    case "execution-denied":
      return { type: "denied", reason: output.reason };
    default:
      return { type: "output", output: output.value as Json };
  }
}
