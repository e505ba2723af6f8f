// The desk of the laws of hosts, and its model.
import { agent, type ModelPort, tool } from "reckoner";

/** The desk of the laws of hosts: it refunds where a person lets it. */
export const desk = agent({
  name: "desk",
  conversation: true,
  tools: [tool({ name: "refund", needsApproval: true, execute: () => "refunded" })],
});

/** Answers `Hello.`, but calls `refund` where the last message says so. */
export const deskModel: ModelPort = {
  name: "desk-model",
  async generate({ messages }) {
    const last = messages.at(-1);
    const asks = last?.role === "user" && last.content === "refund";
    const content = asks
      ? [{ type: "tool-call", toolCallId: `c${messages.length}`, toolName: "refund", input: {} }]
      : [{ type: "text", text: "Hello." }];
    return {
      content: content as never,
      finishReason: asks ? "tool-calls" : "stop",
      usage: { inputTokens: 1, outputTokens: 1 },
    };
  },
};
