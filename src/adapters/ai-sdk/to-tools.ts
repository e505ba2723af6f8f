/**
 * Converts the tools of a model request to the AI SDK's form: an agent's own tools with their schemas,
 * provider tools with their ids.
 */
import type { ProviderOptions, ToolSchema } from "../../core/kernel/vocabulary/index.js";
import { optionsName, type Request } from "./families/index.js";
import type { CallOptions, SpecModel } from "./specification.js";

/** The tools of a request and which of them is to be called; nothing where there are none. */
export function toTools(
  { specificationVersion, provider }: Pick<SpecModel, "specificationVersion" | "provider">,
  { tools = [], toolChoice = "auto" }: Pick<Request, "tools" | "toolChoice">,
): Pick<CallOptions, "tools" | "toolChoice"> {
  if (tools.length === 0) return {};
  return {
    tools: tools.map((tool) => {
      if (tool.provider === undefined) return functionTool(tool, optionsName(provider));
      const { id, args } = tool.provider;
      const type = specificationVersion === "v2" ? "provider-defined" : "provider";
      // One version of OpenAI's client wants the name of a free-text tool among its arguments.
      const named = id === "openai.custom" ? { name: tool.name, ...args } : args;
      return { type, id, name: tool.name, args: named };
    }),
    toolChoice:
      typeof toolChoice === "string"
        ? { type: toolChoice }
        : { type: "tool", toolName: toolChoice.tool },
  };
}

function functionTool(
  { name, description, inputSchema, strict, deferLoading, providerOptions }: ToolSchema,
  provider: string,
): object {
  const options: ProviderOptions | undefined =
    deferLoading === undefined
      ? providerOptions
      : { ...providerOptions, [provider]: { deferLoading, ...providerOptions?.[provider] } };
  return {
    type: "function",
    name,
    ...(description === "" ? {} : { description }),
    inputSchema,
    ...(strict === undefined ? {} : { strict }),
    ...(options === undefined ? {} : { providerOptions: options }),
  };
}
