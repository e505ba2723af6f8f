/**
 * Makes the outcome that settles a tool call: the validated result of its tool, or a text that the model
 * reads instead (denied, failed, unknown tool).
 */

import * as shapes from "../../kernel/shapes.js";
import { ReckonerError, toJson } from "../../kernel/values/index.js";
import {
  type ToolFailureReason,
  type ToolReturn,
  toolContentFault,
  UPDATE_OPERATIONS,
} from "../../kernel/vocabulary/index.js";
import type { Call, CallOutcome, SaidOutcome } from "../context/context.js";

/** A call that is settled with a text for the model. */
export function say(
  call: Call,
  status: SaidOutcome["status"],
  text: string,
  reason?: ToolFailureReason,
): Call {
  const why = reason === undefined ? {} : { reason };
  return { ...call, status: "settled", outcome: { type: "said", status, ...why, text } };
}

/**
 * A result, with what the tool changes of the run's `deps`.
 * @throws ReckonerError `tool.result`, `json.refused`, `json.reserved` for what is none
 */
export function returnedOutcome({
  output,
  update,
  content,
}: Pick<ToolReturn<unknown>, "output" | "update" | "content">): CallOutcome {
  const fault =
    (content && toolContentFault(toJson(content, "content"))) ??
    shapes.misfit(update, UPDATE_OPERATIONS, "update");
  if (fault !== undefined) throw new ReckonerError("tool.result", fault);
  return toJson(
    {
      type: "returned",
      output: output === undefined ? null : output,
      update,
      ...(content === undefined ? {} : { content }),
    },
    "result",
  ) as CallOutcome;
}
