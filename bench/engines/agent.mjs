// The agent that the engines are measured with: it searches so often, outside, and then is done.
import { agent, tool } from "../../dist/index.js";

/** @param outside the address at which executions are counted */
export function searching(outside) {
  const search = tool({
    name: "search",
    execute: async (_input, { idempotencyKey }) => {
      const response = await fetch(`${outside}/${encodeURIComponent(idempotencyKey)}`);
      return response.text();
    },
  });
  return agent({ name: "searching", maxIterations: 100_000, tools: [search] });
}

/** @param turns the number of searches */
export function searches(turns) {
  return {
    name: "searches",
    async generate({ messages }) {
      const asked = messages.filter(({ role }) => role === "tool").length;
      const isOver = asked >= turns;
      const call = { type: "tool-call", toolCallId: `c${asked}`, toolName: "search", input: {} };
      return {
        content: [isOver ? { type: "text", text: "Done." } : call],
        finishReason: isOver ? "stop" : "tool-calls",
        usage: { inputTokens: 10, outputTokens: 5 },
      };
    },
  };
}
