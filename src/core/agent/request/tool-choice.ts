/**
 * Decides a request's `toolChoice`: where the agent demands a tool call, the demand holds in each turn
 * until the model has made one; then the model may answer.
 */
import { itemAt, sizeOf } from "../../kernel/values/index.js";
import { type Message, type ToolChoice, toolCallsOf } from "../../kernel/vocabulary/index.js";
import type { AgentContext, ToolCallRecord } from "../context/context.js";
import type { AgentSpec } from "../definition/spec.js";

/**
 * The choice of the next request. Where a call is demanded, and one was made in this turn, the model
 * chooses: else it could never answer.
 */
export function choiceOf({ toolChoice }: AgentSpec, context: AgentContext): ToolChoice | undefined {
  if (toolChoice === undefined || toolChoice === "auto" || toolChoice === "none") return toolChoice;
  const isMet = (name: string) => toolChoice === "required" || name === toolChoice.tool;
  return hasCalled(context, isMet) || providerHasCalled(context, isMet) ? "auto" : toolChoice;
}

/** Returns true if a call was made in this turn, whatever came of it. The last ones are looked at first. */
function hasCalled(
  { toolCalls, turnIteration }: AgentContext,
  isMet: (name: string) => boolean,
): boolean {
  for (let at = sizeOf(toolCalls) - 1; at >= 0; at--) {
    const { id, name } = itemAt(toolCalls, at) as ToolCallRecord;
    if (Number(id.split("/")[1]) < turnIteration) return false;
    if (isMet(name)) return true;
  }
  return false;
}

/** Returns true if the provider has carried out a call of its own since the user said something. */
function providerHasCalled({ messages }: AgentContext, isMet: (name: string) => boolean): boolean {
  for (let at = sizeOf(messages) - 1; at >= 0; at--) {
    const message = itemAt(messages, at) as Message;
    if (message.role === "user") return false;
    if (
      toolCallsOf(message).some((call) => call.providerExecuted === true && isMet(call.toolName))
    ) {
      return true;
    }
  }
  return false;
}
