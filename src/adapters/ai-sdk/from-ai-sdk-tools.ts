/**
 * `fromAiSdkTools`: converts tools of the AI SDK to tools of an agent. A tool written for `generateText` runs
 * unchanged; a tool that the provider executes is passed through.
 */

import * as shapes from "../../core/kernel/shapes.js";
import {
  type Json,
  type JsonObject,
  messageOf,
  ReckonerError,
} from "../../core/kernel/values/index.js";
import {
  providerTool,
  type Schema,
  type Tool,
  type ToolContext,
  ToolError,
  type ToolOptions,
  tool,
} from "../../core/kernel/vocabulary/index.js";
import { fromModelOutput } from "./from-model-output.js";
import { plainJson, plainObject } from "./plain-json.js";
import { type SdkSchema, takeSchema, type ValidationResult } from "./take-schema.js";

/** Tools of the AI SDK, by the names under which models call them: a `ToolSet`. */
export type AiSdkTools = { readonly [name: string]: object };

/** Options that AI SDK tools do not have, by the tools' names. */
export type AiSdkToolOptions = {
  readonly [name: string]: Pick<
    ToolOptions<never>,
    "idempotent" | "retries" | "timeoutMs" | "sequential" | "final" | "formatError" | "onUnknown"
  >;
};

/** The check of arguments of tools that have only a JSON Schema, such as those of an MCP server. */
export interface AiSdkToolChecking {
  /** Makes a schema that checks: `jsonSchema` of `reckoner/json-schema`. Without it nothing is checked. */
  readonly jsonSchema?: ((schema: JsonObject) => Schema<unknown>) | undefined;
}

/** As much of a tool of the SDK as is used here, of any of its kinds and majors. */
interface SdkTool {
  readonly type?: string;
  readonly id?: string;
  readonly args?: object;
  readonly description?: string | ((options: object) => string);
  readonly inputSchema?: SdkSchema;
  readonly strict?: boolean;
  readonly deferLoading?: boolean;
  readonly providerOptions?: unknown;
  readonly needsApproval?: boolean | ((input: unknown, options: object) => unknown);
  execute?(input: unknown, options: object): unknown;
  toModelOutput?(options: object): unknown;
}

/**
 * Tools of the AI SDK as tools of an agent: `agent({ tools: fromAiSdkTools({ weather, search }) })`.
 *
 * - `execute` is given the input and the options that the SDK gives, as far as they exist here:
 *   `toolCallId` (ours: the same again after a crash), `abortSignal`, and the run's services as
 *   `context`. Of an async generator the last value is the result.
 * - A provider's own tools (`openai.tools.webSearch()`) are passed through; those that are to be
 *   carried out here, such as a shell, need their `execute`.
 * - `needsApproval` is asked for a word at once: one that answers with a promise means yes.
 * @throws ReckonerError `tool.invalid` where a tool cannot be carried out here, and says why
 */
export function fromAiSdkTools(
  tools: AiSdkTools,
  options: AiSdkToolOptions = {},
  checking: AiSdkToolChecking = {},
): Tool[] {
  if (!shapes.OBJECT[0](tools) || !shapes.OBJECT[0](options)) {
    throw invalid(
      "fromAiSdkTools takes tools of the AI SDK by their names, and options by the same",
    );
  }
  // Options for an unknown tool would be ignored silently.
  const other = Object.keys(options).find((name) => !Object.hasOwn(tools, name));
  if (other !== undefined) {
    const names = Object.keys(tools).join(", ");
    throw invalid(`fromAiSdkTools: options name ${other}, which is not a tool; ${names} are`);
  }
  const none = Object.entries(tools).find(([, each]) => typeof each !== "object" || each === null);
  if (none !== undefined)
    throw invalid(`Tool ${JSON.stringify(none[0])} is not a tool of the AI SDK`);
  const optionsOf = (name: string) => (Object.hasOwn(options, name) && options[name]) || {};
  return Object.entries(tools).map(([name, each]) =>
    fromAiSdkTool(name, each, optionsOf(name), checking),
  );
}

function invalid(what: string): ReckonerError {
  return new ReckonerError("tool.invalid", `${what}.`);
}

function fromAiSdkTool(
  name: string,
  sdk: SdkTool,
  options: AiSdkToolOptions[string],
  checking: AiSdkToolChecking,
): Tool {
  const { id, args = {}, strict, deferLoading, needsApproval } = sdk;
  const theirs = typeof id === "string" && (sdk.type?.startsWith("provider") ?? false);
  if (theirs && sdk.execute === undefined) {
    return providerTool({ name, id, args: plainObject(args) });
  }
  if (typeof sdk.execute !== "function") {
    throw invalid(
      `Tool ${JSON.stringify(name)} of the AI SDK has no execute, so it cannot be run here; give it one`,
    );
  }
  const { standard, json, check } = takeSchema(name, sdk.inputSchema, checking);
  const providerOptions = plainJson(sdk.providerOptions);
  return tool({
    name,
    ...descriptionOf(sdk),
    ...shapes.defined({ inputSchema: standard, jsonSchema: json, strict, deferLoading }),
    ...(providerOptions == null ? {} : { providerOptions: providerOptions as never }),
    ...(theirs ? { provider: { id, args: plainObject(args) } } : {}),
    ...(needsApproval === undefined ? {} : { needsApproval: approvalOf(needsApproval) }),
    ...shapes.defined(options),
    // Its code is not looked at: the SDK lets a tool do without a context.
    services: [],
    execute: (input: unknown, context: ToolContext) => execute(sdk, check, input, context),
  });
}

function descriptionOf({ description }: SdkTool): { description?: string } {
  if (description === undefined) return {};
  return { description: typeof description === "string" ? description : description({}) };
}

function approvalOf(
  needs: NonNullable<SdkTool["needsApproval"]>,
): boolean | ((input: unknown) => boolean) {
  if (typeof needs === "boolean") return needs;
  return (input: unknown) => {
    const answer = needs(input, { toolCallId: "", messages: [] });
    if (typeof answer === "boolean") return answer;
    // A promise is too late, since a step is synchronous.
    Promise.resolve(answer).catch(() => undefined);
    return true;
  };
}

async function execute(
  sdk: SdkTool,
  check: ((input: unknown) => Promise<ValidationResult>) | undefined,
  input: unknown,
  context: ToolContext,
): Promise<unknown> {
  const checked =
    check === undefined ? { success: true as const, value: input } : await check(input);
  if (!checked.success) {
    throw new ToolError(`The arguments do not fit: ${messageOf(checked.error)}`);
  }
  const { idempotencyKey: toolCallId, signal: abortSignal, services } = context;
  const options = {
    toolCallId,
    messages: [],
    abortSignal,
    context: services,
    experimental_context: services,
  };
  const output = await lastOf(sdk.execute?.(checked.value, options));
  if (sdk.toModelOutput === undefined) return output;
  let modelOutput: unknown;
  try {
    modelOutput = await sdk.toModelOutput({ toolCallId, input: checked.value, output });
  } catch {
    // The tool ran. The returned value is read as it is.
    return output;
  }
  return fromModelOutput(output as Json, modelOutput);
}

/** Returns the result of a tool; of a generator its last value. */
async function lastOf(returned: unknown): Promise<unknown> {
  const value: unknown = await returned;
  if (typeof value !== "object" || value === null || !(Symbol.asyncIterator in value)) return value;
  let last: unknown;
  for await (const each of value as AsyncIterable<unknown>) last = each;
  return last;
}
