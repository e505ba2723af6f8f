/**
 * Compares an agent's model request with the one before it: a provider's cache serves as much as begins alike
 * (tools, system text, messages). Where a behaviour changes what was sent before, observers get a notice.
 */
import {
  asJson,
  chain,
  hashOf,
  isList,
  type List,
  listHead,
  sizeOf,
} from "../../kernel/values/index.js";
import type { LlmDirective, Message, NotifyDirective } from "../../kernel/vocabulary/index.js";
import type { AgentContext, SentRequest } from "../context/context.js";
import type { AgentSpec, Request } from "../definition/spec.js";
import { goesOn } from "../extend/check-transcript.js";
import { leavesRequests } from "./instructions.js";

type Messages = LlmDirective["messages"];

/**
 * Returns the part of a request that is remembered, and notices where it does not begin with the one before it.
 * @param withTools not at a limit, where the model is asked once more without tools
 */
export function followed(
  { behaviour, tools: all }: AgentSpec,
  { sent: before }: AgentContext,
  request: Request,
  withTools: boolean,
): { readonly sent: SentRequest | null; readonly notices: readonly NotifyDirective[] } {
  if (leavesRequests(behaviour)) {
    // By construction it does.
    if (withTools || Object.keys(all).length === 0) return { sent: null, notices: [] };
    return { sent: null, notices: [changedBy("tools", AT_LIMIT)] };
  }
  const system = request.system ?? "";
  const tools = (request.tools ?? []).map((tool) => hashOf(asJson(tool)));
  const sent: SentRequest = { system, tools, ...placeOf(request.messages) };
  if (before === null) return { sent, notices: [] };
  const by = `behaviour ${behaviour.name}`;
  const parts: readonly (readonly [part: string, stays: boolean, why: string])[] = [
    [
      "tools",
      before.tools.every((tool, i) => tool === tools[i]),
      withTools ? `${by} offers other tools` : AT_LIMIT,
    ],
    ["system", before.system === system, `${by} changes the system text`],
    ["messages", begins(request.messages, before), `${by} changes what was said before`],
  ];
  const notices = parts.flatMap(([part, stays, why]) => (stays ? [] : [changedBy(part, why)]));
  return { sent, notices };
}

const AT_LIMIT = "a limit is reached, and the model is asked without tools";

function changedBy(part: string, why: string): NotifyDirective {
  return { type: "notify", topic: "request.changed", data: { part, why } };
}

/** Returns the number of messages, and the head of the chain over them. */
function placeOf(messages: Messages): Pick<SentRequest, "size" | "head"> {
  if (isList(messages)) {
    const list = messages as List<Message>;
    return { size: sizeOf(list), head: listHead(list) };
  }
  return { size: messages.length, head: headOf(messages, messages.length) };
}

/** Returns true if messages begin with those of an earlier request. */
function begins(messages: Messages, { size, head }: SentRequest): boolean {
  if (isList(messages)) return goesOn(messages, { size, head });
  return messages.length >= size && headOf(messages, size) === head;
}

function headOf(messages: readonly Message[], size: number): string {
  let head = "";
  for (let i = 0; i < size; i++) head = chain(head, asJson(messages[i] as Message));
  return head;
}
