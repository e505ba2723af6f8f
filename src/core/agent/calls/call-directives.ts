/**
 * Makes the directives of tool calls (an approval where a person must allow it, the tool itself, the
 * requests of an `issue` tool) and the ids of these.
 */
import { asJson, hashOf, ownJson, vectorItem } from "../../kernel/values/index.js";
import {
  type Directive,
  definitionOf,
  jsonSchemaOf,
  type NotifyDirective,
  type Schema,
  type Tool,
} from "../../kernel/vocabulary/index.js";
import type { AgentContext, Call } from "../context/context.js";
import type { AgentSpec } from "../definition/spec.js";
import * as texts from "../transcript/texts.js";
import { ownTool } from "./one-call.js";

/** Notices, and the directives of this step: approvals, tools, and requests. */
export function dueDirectives({ tools }: AgentSpec, context: AgentContext): Directive[] {
  const { batch, notices } = context;
  const due: Directive[] = [...notices];
  if (batch === null) return due;
  for (let i = 0; i < batch.due.length; i++) {
    const call = vectorItem(batch.calls, batch.due[i] as number) as Call;
    due.push(...directivesOf(call, ownTool(tools, call.name)));
  }
  return due;
}

/** The directives of this step for calls whose approval does not block. */
export function pendingDirectives({ tools }: AgentSpec, { pending }: AgentContext): Directive[] {
  if (pending === null) return [];
  const calls = pending.due.map((at) => pending.calls[at] as Call);
  return calls.flatMap((call) => directivesOf(call, ownTool(tools, call.name)));
}

function directivesOf(call: Call, tool: Tool | undefined): Directive[] {
  const { id, name, input, callId: toolCallId } = call;
  if (call.status === "asking") {
    const subject = { tool: name, input };
    const asks = tool?.kind === "ask";
    const title = asks ? texts.askTitle(name) : texts.approvalTitle(name);
    const ask = asks ? { ask: jsonSchemaOf(tool.ask as Schema, `Tool ${name}`) } : {};
    const asked = { title, subject, of: ofCall(call, tool), ...ask, toolCallId };
    return [{ type: "approval", id: approvalId(call), ...asked }];
  }
  if (call.requests === undefined) {
    return [ownJson<Directive>({ type: "tool", id, name, input, toolCallId })];
  }
  return call.requests.map((request, i): Directive => {
    const asked = { ...request, id: `${id}/${i}` };
    return asked.type === "run" ? { ...asked, toolCallId } : asked;
  });
}

/** The id of a call's approval, which has another one when it is asked for anew. */
export function approvalId({ id, renewed = 0 }: Call): string {
  const first = id.replace(/^tool\//, "approval/");
  return renewed === 0 ? first : `${first}/${renewed}`;
}

/** The hash of what a person approves: the tool as it is defined now, and the arguments. */
export function ofCall({ name, input }: Call, tool: Tool | undefined): string {
  return hashOf(asJson({ definition: tool === undefined ? name : definitionOf(tool), input }));
}

/** Tells observers that a person is asked anew, since the tool is defined otherwise now. */
export function renewedNotice(call: Call): readonly NotifyDirective[] {
  const data = { id: approvalId(call), toolCallId: call.callId, tool: call.name };
  return [{ type: "notify", topic: "approval.renewed", data }];
}

/** The index of a call, in its id, or in that of its approval or request: `tool/<iteration>/<index>`, behind which its request may stand. */
export function callIndex(id: string): number {
  const from = id.indexOf("/", id.indexOf("/") + 1) + 1;
  const end = id.indexOf("/", from);
  return Number(end < 0 ? id.slice(from) : id.slice(from, end));
}
