/** The model request of an iteration: tools, system prompt, messages, and what rules say to it. */
import {
  isList,
  type List,
  type LlmDirective,
  type Message,
  type Tool,
  type ToolSchema,
  toArray,
} from "../kernel/index.js";
import { call } from "./behaviour.js";
import { describeThrown } from "./calls.js";
import type { AgentContext, BuiltRequest } from "./context.js";
import { outputToolName } from "./output.js";
import { pluginPrompts } from "./plugin.js";
import type { AgentSpec, Request } from "./spec.js";
import { patchDanglingToolCalls, withoutOrphans } from "./transcript.js";

/** The tools that the model is shown: the behaviour's choice from the agent's own, and the output's. */
export function offeredTools(spec: AgentSpec, context: AgentContext): readonly Tool[] {
  const { behaviour, output, tools } = spec;
  const chosen = behaviour.getTools(spec, context).filter((tool) => tools[tool.name] === tool);
  const last = output?.via === "tool" ? tools[outputToolName(output)] : undefined;
  return last === undefined || chosen.includes(last) ? chosen : [...chosen, last];
}

/** The context with its next request built, or denied by a policy. */
export function buildRequest(
  spec: AgentSpec,
  context: AgentContext,
  withTools: boolean,
): AgentContext {
  const { context: next, prompts } = pluginPrompts(spec, context);
  return { ...next, request: build(spec, next, prompts, withTools) };
}

function build(
  spec: AgentSpec,
  context: AgentContext,
  prompts: readonly string[],
  withTools: boolean,
): BuiltRequest {
  const tools = withTools ? schemasOf(spec, offeredTools(spec, context)) : [];
  const system = [context.systemPrompt, ...prompts]
    .filter((text): text is string => text !== null && text !== "")
    .join("\n\n");
  const { output } = spec;
  const request: Request = {
    ...(spec.model === undefined ? {} : { model: spec.model }),
    ...(system === "" ? {} : { system }),
    messages: spec.behaviour.buildMessages(spec, context),
    ...(tools.length === 0 ? {} : { tools }),
    ...(spec.toolChoice === undefined || tools.length === 0 ? {} : { toolChoice: spec.toolChoice }),
    ...(output === undefined || (output.via === "tool" && withTools)
      ? {}
      : {
          responseFormat: {
            type: "json" as const,
            schema: output.json,
            ...(output.name === undefined ? {} : { name: output.name }),
          },
        }),
    ...(spec.settings === undefined ? {} : { settings: spec.settings }),
  };
  const last = call(spec.behaviour, "beforeRequest", [spec, context, request], request);
  const directive = { ...last, messages: valid(context, last.messages) };
  try {
    const verdict = spec.policy.beforeRequest?.(context, directive);
    if (verdict !== undefined) return { type: "denied", reason: verdict.reason };
  } catch (thrown) {
    return { type: "denied", reason: describeThrown(thrown) };
  }
  return { type: "built", directive };
}

const lastSchemas = new WeakMap<AgentSpec, readonly ToolSchema[]>();

/** The tools' schemas; the same array as long as they are the same, so that it is hashed once. */
function schemasOf(spec: AgentSpec, tools: readonly Tool[]): readonly ToolSchema[] {
  const last = lastSchemas.get(spec);
  const same = last?.length === tools.length && tools.every(({ schema }, i) => schema === last[i]);
  if (last !== undefined && same) return last;
  const schemas = tools.map(({ schema }) => schema);
  lastSchemas.set(spec, schemas);
  return schemas;
}

/** Whatever a behaviour makes of the transcript, in it each tool call has its one result (P3). */
function valid(
  context: AgentContext,
  messages: LlmDirective["messages"],
): LlmDirective["messages"] {
  // The context's own transcript is valid by construction; a look at it would cost its length.
  if (messages === context.messages) return messages;
  const all = isList(messages) ? toArray(messages as List<Message>) : messages;
  const mended = patchDanglingToolCalls(withoutOrphans(all));
  return mended === all ? messages : mended;
}

/** The request as a directive. */
export function requestDirective(context: AgentContext): LlmDirective[] {
  const { request } = context;
  if (request?.type !== "built") return [];
  return [{ type: "llm", id: requestId(context), ...request.directive }];
}

/** `llm/<iteration>`, and the number of the retry where there was one. */
export function requestId({ iteration, retry }: AgentContext): string {
  return retry === 0 ? `llm/${iteration}` : `llm/${iteration}/${retry}`;
}
