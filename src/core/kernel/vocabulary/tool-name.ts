/**
 * Validates the names of tools, and collects the fields of a tool that only its provider reads (`strict`,
 * `providerOptions`, the id of a provider's own tool).
 */

import { ReckonerError } from "../values/errors.js";
import { type JsonObject, toJson } from "../values/json.js";
import type { ProviderToolId, ToolSchema } from "./directive.js";
import { defined, type Options } from "./shapes.js";

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

/** Returns the parts of a tool that are for the provider alone; nothing where it has none. */
export function forProvider({
  name,
  strict,
  deferLoading,
  providerOptions,
  provider,
}: Options<Omit<ToolSchema, "description" | "inputSchema" | "provider">> & {
  readonly provider?: Parameters<typeof providerToolId>[1] | undefined;
}): Partial<ToolSchema> {
  return {
    ...defined({ strict, deferLoading, providerOptions }),
    ...(provider === undefined ? {} : { provider: providerToolId(name, provider) }),
  };
}
