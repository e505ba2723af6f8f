// What can happen to an agent, in short, and what has to hold of its transcript.
import {
  type AgentContext,
  type AssistantPart,
  itemAt,
  type Json,
  type Message,
  type ToolCallPart,
  type ToolCallRecord,
  type ToolOutput,
  toArray,
  toolCallsOf,
} from "../../src/index.js";

/** What every model call of these tests costs. */
export const cost = { requests: 1, inputTokens: 10, outputTokens: 5, totalTokens: 15 };

/** A wish to call a tool; its id is `call-<name>` where none is given. */
export function wish(name: string, input: Json = {}, id = `call-${name}`): ToolCallPart {
  return { type: "tool-call", toolCallId: id, toolName: name, input };
}

/** A model's answer to `llm/<n>`: texts and wishes. */
export function answer(n: number, ...parts: readonly (string | AssistantPart)[]) {
  const content = parts.map((part) =>
    typeof part === "string" ? { type: "text" as const, text: part } : part,
  );
  const calls = content.some((part) => part.type === "tool-call");
  return {
    type: "llm.succeeded",
    id: `llm/${n}`,
    content,
    finishReason: calls ? "tool-calls" : "stop",
    usage: cost,
  };
}

/** A tool's success. */
export function returned(id: string, output: Json, more: object = {}) {
  return { type: "tool.succeeded", id, output, ...more };
}

/** A tool's failure. */
export function failed(id: string, message: string, reason = "error") {
  return { type: "tool.failed", id, reason, error: { code: "tool.threw", message } };
}

/** What the model reads of a call of the tests' run that had started, and nobody knows what came of it. */
export function mayHaveRun(id: string): string {
  return `Tool call was interrupted after it had started. It may have taken effect; check before you repeat it (call ${id} of run run, idempotency key run:${id}).`;
}

/** A person's word. */
export function decided(id: string, approve: boolean, more: object = {}) {
  return { type: "approval.decided", id, approve, ...more };
}

/** The transcript of a context. */
export function messagesOf(context: AgentContext): readonly Message[] {
  return toArray(context.messages);
}

/** The tool records of a context. */
export function recordsOf(context: AgentContext): readonly ToolCallRecord[] {
  return toArray(context.toolCalls);
}

/** The messages of the errors of an agent's calls, in call order: what is in the record and not read. */
export function errorsOf(context: AgentContext): readonly (string | undefined)[] {
  return recordsOf(context).map(({ error }) => error?.message);
}

/** What the model reads of the last tool results: the text, or the JSON. */
export function resultsOf(context: AgentContext): readonly Json[] {
  return messagesOf(context).flatMap((message) =>
    message.role === "tool" ? message.content.map(({ output }) => readOf(output)) : [],
  );
}

/** What the model reads of one result. */
export function readOf(output: ToolOutput): Json {
  return (output.type === "execution-denied" ? output.reason : output.value) as Json;
}

/** The last message of a context. */
export function lastOf(context: AgentContext): Message | undefined {
  return itemAt(context.messages, -1);
}

/** What is wrong with a transcript (P3); `undefined` where each call has its one result, in order. */
export function transcriptFault(messages: readonly Message[]): string | undefined {
  let owed: string[] = [];
  for (const [i, message] of messages.entries()) {
    if (message.role === "tool") {
      for (const { toolCallId } of message.content) {
        if (owed.shift() !== toolCallId) return `message ${i} answers ${toolCallId} out of turn`;
      }
      continue;
    }
    if (owed.length > 0) return `message ${i} comes before the results of ${owed.join(", ")}`;
    owed = toolCallsOf(message)
      .filter((call) => call.providerExecuted !== true)
      .map(({ toolCallId }) => toolCallId);
  }
  return owed.length === 0 ? undefined : `${owed.join(", ")} have no result`;
}
