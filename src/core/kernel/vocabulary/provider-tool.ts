/** Tools that a provider executes itself: a web search, a code sandbox. */

import { ReckonerError } from "../values/errors.js";
import type { JsonObject } from "../values/json.js";
import { checkDefinition, partFault } from "./check-shape.js";
import { ANYTHING, OBJECT, type Shapes } from "./shapes.js";
import { DEFAULT_TOOL_TIMEOUT, type Tool } from "./tool.js";
import { checkToolName, providerToolId } from "./tool-name.js";

/** The definition of a provider's own tool. */
export interface ProviderToolOptions {
  /** The name under which the model's calls come; letters, digits, `_` and `-`, up to 64. */
  readonly name: string;
  /** The name by which the provider knows it: `openai.web_search`. */
  readonly id: string;
  /** The arguments that set it up. Default: nothing. */
  readonly args?: JsonObject | undefined;
}

const parts: Shapes<ProviderToolOptions> = { name: ANYTHING, id: ANYTHING, args: OBJECT };

/**
 * A tool that the provider carries out: the model is shown it, calls and results come in one answer,
 * and nothing of it runs here.
 * @throws ReckonerError `tool.invalid`
 */
export function providerTool(definition: ProviderToolOptions): Tool {
  checkDefinition("tool.invalid", "providerTool", definition);
  const { name, id, args = {} } = definition;
  checkToolName(name);
  const fault = partFault(definition, parts);
  if (fault !== undefined) {
    throw new ReckonerError("tool.invalid", `Tool ${JSON.stringify(name)} cannot be: ${fault}.`);
  }
  return Object.freeze({
    kind: "provider",
    name,
    schema: {
      name,
      description: "",
      inputSchema: {},
      provider: providerToolId(name, { id, args }),
    },
    inputSchema: undefined,
    idempotent: true,
    retries: 0,
    onUnknown: undefined,
    timeoutMs: DEFAULT_TOOL_TIMEOUT,
    needsApproval: false,
    approvalBlocks: true,
    sequential: false,
    final: false,
    formatError: undefined,
    children: {},
  });
}
