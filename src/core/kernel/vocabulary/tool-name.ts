/** Validates the names of tools, and the ids of provider tools. */
import { type JsonObject, toJson } from "../values/json.js";
import type { ProviderToolId } from "./directive.js";
import { ReckonerError } from "./errors.js";

/** @throws ReckonerError `tool.invalid` where it is no name that every provider takes */
export function checkToolName(name: unknown): void {
  if (typeof name === "string" && /^(?!__proto__$)[A-Za-z0-9_-]{1,64}$/.test(name)) return;
  throw new ReckonerError(
    "tool.invalid",
    `Tool ${JSON.stringify(name)} needs a name of 1 to 64 letters, digits, _ or -, and not __proto__.`,
  );
}

/**
 * The id of a provider's tool, checked.
 * @throws ReckonerError `tool.invalid`
 */
export function providerToolId(
  name: string,
  { id, args = {} }: { readonly id: string; readonly args?: object | undefined },
): ProviderToolId {
  const invalid = (problem: string, cause?: unknown) =>
    new ReckonerError("tool.invalid", `Tool ${JSON.stringify(name)} ${problem}.`, { cause });
  if (typeof id !== "string" || !/^[^.\s]+\.\S+$/.test(id)) {
    throw invalid("needs the provider's id of it, <provider>.<tool>: openai.web_search");
  }
  try {
    return { id, args: toJson<JsonObject>(args, "args") };
  } catch (cause) {
    throw invalid(`needs args that are JSON: ${(cause as Error).message}`, cause);
  }
}
