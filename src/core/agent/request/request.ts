/**
 * Builds the model request of an iteration (tools, system text, messages, settings), with what the
 * behaviour and the plug-ins change in it or deny, and makes its `llm` directive.
 */
import {
  atOnce,
  cutText,
  isList,
  type List,
  sealJson,
  toArray,
} from "../../kernel/values/index.js";
import {
  type Directive,
  describeThrown,
  type LlmDirective,
  lettersOfMessages,
  type Message,
  messageFault,
  type NotifyDirective,
  type Tool,
  type ToolSchema,
} from "../../kernel/vocabulary/index.js";
import { costAhead } from "../budget/cost-budget.js";
import { spentWithPending } from "../budget/shares.js";
import type { AgentContext, BuiltRequest } from "../context/context.js";
import { shownContext } from "../context/copy-context.js";
import { invalid } from "../context/invalid.js";
import type { AgentSpec, Request } from "../definition/spec.js";
import { builtMessages, call } from "../extend/behaviour.js";
import { checkTranscript, repairNotices } from "../extend/check-transcript.js";
import { repairTranscript } from "../transcript/repair-transcript.js";
import * as texts from "../transcript/texts.js";
import { instruct } from "./instructions.js";
import { offeredTools } from "./offered-tools.js";
import { followed } from "./prefix.js";
import { choiceOf } from "./tool-choice.js";

/** The context with its next request built, denied by a plug-in, or found to cost too much. */
export function buildRequest(
  spec: AgentSpec,
  context: AgentContext,
  withTools: boolean,
): AgentContext {
  const { context: checked, notices } = checkTranscript(spec, context);
  const { context: next, system } = instruct(spec, checked);
  const request = build(spec, next, system, withTools);
  if (request.type !== "built") return { ...next, request };
  const { sent, notices: changed } = followed(spec, next, request.directive, withTools);
  const allNotices = [...notices, ...request.notices, ...changed];
  return { ...next, sent, request: { ...request, notices: allNotices } };
}

function build(
  spec: AgentSpec,
  context: AgentContext,
  system: string,
  withTools: boolean,
): BuiltRequest {
  const tools = withTools ? schemasOf(spec, offeredTools(spec, context)) : [];
  const toolChoice = choiceOf(spec, context);
  const { output } = spec;
  const request: Request = {
    ...(spec.model === undefined ? {} : { model: spec.model }),
    ...(system === "" ? {} : { system }),
    messages: builtMessages(spec, context),
    ...(tools.length === 0 ? {} : { tools }),
    ...(toolChoice === undefined || tools.length === 0 ? {} : { toolChoice }),
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
  const { messages, characters, notices } = valid(spec, context, last.messages);
  const directive = withMostOutput(spec, context, withOwnTools(spec, { ...last, messages }));
  for (const plugin of spec.plugins) {
    try {
      const asked = plugin.beforeRequest?.(shownContext(context), Object.freeze(directive));
      const verdict = atOnce("beforeRequest", asked);
      if (verdict === undefined) continue;
      const reason: unknown = verdict?.reason;
      return {
        type: "denied",
        reason: typeof reason === "string" ? cutText(reason) : texts.NO_REQUEST_VERDICT,
      };
    } catch (thrown) {
      return { type: "denied", reason: describeThrown(thrown) };
    }
  }
  if (context.costBudget !== null) {
    const cost = costAhead(spec, directive, characters, !withTools);
    const left = context.costBudget - spentWithPending(context).cost;
    if (cost > left) return { type: "unaffordable", cost };
  }
  return { type: "built", directive, notices };
}

/**
 * The request, without a choice of what it does not offer, and without a word of tools where a behaviour
 * leaves none.
 * @throws ReckonerError `agent.invalid` where it has one that the agent does not have
 */
function withOwnTools({ tools, behaviour, name }: AgentSpec, request: Request): Request {
  const { tools: asked, toolChoice, ...rest } = request;
  if (asked === undefined || asked.length === 0) return rest;
  const foreign = asked.find((tool) => !Object.hasOwn(tools, tool.name));
  if (foreign === undefined) {
    const isOffered =
      typeof toolChoice !== "object" || asked.some((tool) => tool.name === toolChoice.tool);
    return isOffered ? request : { ...rest, tools: asked };
  }
  throw invalid(
    `what beforeRequest of behaviour ${behaviour.name} returns has the tool ${foreign.name}, which agent ${name} does not have; add it to the behaviour's tools`,
  );
}

/** Under a budget of money the answer's length is bounded, whatever a behaviour makes of the settings. */
function withMostOutput(spec: AgentSpec, context: AgentContext, request: Request): Request {
  const maxOutputTokens = spec.settings?.maxOutputTokens;
  if (context.costBudget === null || maxOutputTokens === undefined) return request;
  if (request.settings?.maxOutputTokens !== undefined) return request;
  return { ...request, settings: { ...request.settings, maxOutputTokens } };
}

/** The schemas that an agent asked with last: of its tools, and sealed. */
interface Schemas {
  readonly schemas: readonly ToolSchema[];
  readonly sealed: readonly ToolSchema[];
}

const lastSchemas = new WeakMap<AgentSpec, Schemas>();

/** The tools' schemas; the same value as long as they are the same, so that it is hashed once. */
function schemasOf(spec: AgentSpec, tools: readonly Tool[]): readonly ToolSchema[] {
  const last = lastSchemas.get(spec);
  if (
    last?.schemas.length === tools.length &&
    tools.every(({ schema }, i) => schema === last.schemas[i])
  ) {
    return last.sealed;
  }
  const schemas = tools.map(({ schema }) => schema);
  const sealed = sealJson<readonly ToolSchema[]>(schemas);
  lastSchemas.set(spec, { schemas, sealed });
  return sealed;
}

/** In the transcript each tool call has its one result, whatever a behaviour makes of it (P3). */
function valid(
  spec: AgentSpec,
  context: AgentContext,
  messages: LlmDirective["messages"],
): {
  readonly messages: LlmDirective["messages"];
  readonly characters: number;
  readonly notices: readonly NotifyDirective[];
} {
  // The context's own transcript is valid already; checking it would cost its length.
  if (messages === context.messages) {
    return { messages, characters: context.checked?.characters ?? 0, notices: [] };
  }
  const all = isList(messages) ? toArray(messages as List<Message>) : messages;
  all.forEach((message, i) => {
    const fault = messageFault(message, `messages[${i}]`);
    if (fault === undefined) return;
    throw invalid(`the request that behaviour ${spec.behaviour.name} made: ${fault}`);
  });
  const { messages: repaired, repair } = repairTranscript(all);
  return {
    messages: repair === null ? messages : repaired,
    characters: spec.prices === undefined ? 0 : lettersOfMessages(repaired),
    notices: repairNotices("request", repair),
  };
}

/** The request as a directive, and a word to observers about what was done to its messages. */
export function requestDirectives(context: AgentContext): Directive[] {
  const { request } = context;
  if (request?.type !== "built") return [];
  return [...request.notices, { type: "llm", id: requestId(context), ...request.directive }];
}

/** `llm/<iteration>`, and the number of the retry where there was one. */
export function requestId({ iteration, retry }: AgentContext): string {
  return retry === 0 ? `llm/${iteration}` : `llm/${iteration}/${retry}`;
}
