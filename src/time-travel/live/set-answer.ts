/** Converts an answer given to `fork({ set })`, JSON from a person, to a settlement. */
import type { OwedLine } from "../../core/journal/index.js";
import {
  isJsonObject,
  isReckonerError,
  type Json,
  type JsonObject,
  ReckonerError,
} from "../../core/kernel/values/index.js";
import {
  type AssistantPart,
  nameFault,
  parseEvent,
  type RunEvent,
  type Settlement,
} from "../../core/kernel/vocabulary/index.js";
import { checkAnswer } from "../../runtime/index.js";

/**
 * A settlement of a directive.
 * @param value a tool's output, a model's text or parts or whole answer, a decision (or just whether
 * it is granted), a store's value, a child's output; or `{ "error": … }`, a text or an error
 * @param recorded the settlement that it stands in for, where there was one
 * @throws ReckonerError `fork.answer` with what is wrong
 */
export function setAnswer(
  { id, type, name }: Pick<OwedLine, "id" | "type" | "name">,
  value: Json,
  at: number,
  recorded: RunEvent | undefined,
): Settlement {
  const fields = answerOf(type, id, value, recorded);
  // A timer that is set goes off where the run is cut, whatever the clock says afterwards.
  const time = type === "timer" ? at : (recorded?.at ?? at);
  try {
    return parseEvent({ ...fields, id, at: time } as never) as Settlement;
  } catch (thrown) {
    const what = name === undefined ? type : `${type} ${name}`;
    throw isReckonerError(thrown) ? wrong(id, `(${what}) ${thrown.message}`) : thrown;
  }
}

function answerOf(type: string, id: string, value: Json, recorded: RunEvent | undefined): object {
  const error = errorIn(value);
  switch (type) {
    case "llm":
      if (error !== undefined) return { type: "llm.failed", error };
      return { type: "llm.succeeded", ...modelAnswer(id, value), usage: usageOf(recorded) };
    case "tool":
      if (error !== undefined) return { type: "tool.failed", reason: "error", error };
      return { type: "tool.succeeded", output: value };
    case "approval":
      return { type: "approval.decided", ...decision(id, value) };
    case "read":
    case "write":
      if (error !== undefined) return { type: `${type}.failed`, error };
      return { type: `${type}.succeeded`, value };
    case "run": {
      const runId = (recorded as { readonly runId?: string } | undefined)?.runId ?? "";
      if (error !== undefined) return { type: "run.failed", error };
      return { type: "run.succeeded", runId, output: value };
    }
    case "timer":
      return { type: "timer.fired" };
    default:
      throw wrong(id, `it is a ${type}, which takes no answer`);
  }
}

/** The cost of a model call was spent; a call that never was costs nothing. */
function usageOf(recorded: RunEvent | undefined): object {
  const { usage } = (recorded ?? {}) as { readonly usage?: object };
  return recorded === undefined ? { requests: 0 } : (usage ?? {});
}

function errorIn(value: Json): { readonly code: string; readonly message: string } | undefined {
  if (!isJsonObject(value) || !("error" in value) || Object.keys(value).length !== 1)
    return undefined;
  const { error } = value;
  if (typeof error === "string") return { code: "error", message: error };
  if (!isJsonObject(error) || typeof error.message !== "string") return undefined;
  const { code = "error", message } = error;
  return { ...error, code: String(code), message };
}

function modelAnswer(id: string, value: Json): object {
  const answer: JsonObject =
    typeof value === "string"
      ? { content: [{ type: "text", text: value }] }
      : Array.isArray(value)
        ? { content: value }
        : (value as JsonObject);
  try {
    const { usage: _usage, ...checked } = checkAnswer(answer);
    const calls = (checked.content as readonly AssistantPart[]).some(
      (part) => part.type === "tool-call",
    );
    const finishReason = answer.finishReason ?? (calls ? "tool-calls" : "stop");
    return { ...checked, finishReason };
  } catch (thrown) {
    throw isReckonerError(thrown) ? wrong(id, thrown.message) : thrown;
  }
}

function decision(id: string, value: Json): object {
  if (typeof value === "boolean") return { approve: value };
  if (isJsonObject(value) && typeof value.approve === "boolean") {
    // Other arguments, or of a tool that asks the value.
    const fault = nameFault(value, "approve", "input", "value", "reason", "by");
    if (fault !== undefined) throw wrong(id, fault);
    return value;
  }
  throw wrong(id, "it is an approval; say true, false or { approve: … }");
}

function wrong(id: string, why: string): ReckonerError {
  const what = why.replace(/\.$/, "");
  return new ReckonerError("fork.answer", `What ${id} is set to cannot be taken: ${what}.`, {
    place: id,
  });
}
