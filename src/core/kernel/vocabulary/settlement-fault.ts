/** Validates the shape of settlements, whether from an effect, a caller, or a journal. */
import { isJsonObject, type Json, type JsonObject } from "../values/json.js";
import { operationFault } from "./context-update.js";
import { answerFault } from "./message-fault.js";
import { toolContentFault } from "./tool-content.js";

/** Describes the fault of an event that settles a directive; `undefined` where there is none. */
export function settlementFault(event: JsonObject): string | undefined {
  const { type, usage, spent, error, content, output, value, update } = event;
  if (usage !== undefined && !isJsonObject(usage)) return "has a usage that is not an object";
  if (spent !== undefined && !isSpent(spent)) return "has a spent that is no list of models' usage";
  switch (type) {
    case "llm.succeeded":
      return answerFault(content);
    case "tool.succeeded":
      return lacks("output", output) ?? contentFault(content) ?? updateFault(update);
    case "run.succeeded":
      return lacks("output", output);
    case "read.succeeded":
      return lacks("value", value);
    case "tool.failed":
      return errorFault(error) ?? contentFault(content);
    case "llm.failed":
    case "read.failed":
    case "write.failed":
    case "run.failed":
      return errorFault(error);
    default:
      return undefined;
  }
}

function isSpent(spent: Json): boolean {
  if (!Array.isArray(spent)) return false;
  return spent.every(
    (each) => isJsonObject(each) && typeof each.model === "string" && isJsonObject(each.usage),
  );
}

/** A function that returns nothing has no JSON: a transcript would have a gap there. */
function lacks(part: string, value: Json | undefined): string | undefined {
  return value === undefined ? `needs ${part}; null says that there is none` : undefined;
}

function errorFault(error: Json | undefined): string | undefined {
  const { code, message } = isJsonObject(error) ? error : {};
  if (typeof code === "string" && typeof message === "string") return undefined;
  return "needs an error with a code and a message";
}

function contentFault(content: Json | undefined): string | undefined {
  const fault = content === undefined ? undefined : toolContentFault(content);
  return fault === undefined ? undefined : `has content that ${fault}`;
}

function updateFault(update: Json | undefined): string | undefined {
  if (update === undefined) return undefined;
  if (!Array.isArray(update)) return "has an update that is not a list of operations";
  const i = update.findIndex((each) => operationFault(each) !== undefined);
  return i < 0 ? undefined : `has an operation ${i} that ${operationFault(update[i])}`;
}
