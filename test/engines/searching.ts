// An agent that searches so often, and its model; and the lines of a run, page by page.
import { agent, type ModelPort, tool } from "reckoner";
import type { RunHost } from "reckoner/serve";

export const searching = agent({
  name: "searching",
  maxIterations: 1_000,
  tools: [tool({ name: "search", execute: async () => "found it" })],
});

/** Searches so often, then answers. */
export function searches(turns: number): ModelPort {
  return {
    name: "searches",
    async generate({ messages }) {
      const asked = messages.filter(({ role }) => role === "tool").length;
      const isOver = asked >= turns;
      const content = isOver
        ? [{ type: "text", text: "Done." }]
        : [{ type: "tool-call", toolCallId: `c${asked}`, toolName: "search", input: {} }];
      return {
        content: content as never,
        finishReason: isOver ? "stop" : "tool-calls",
        usage: { inputTokens: 10, outputTokens: 5 },
      };
    },
  };
}

/** All lines of a run. */
export async function linesOf(verbs: RunHost): Promise<readonly string[]> {
  const lines: string[] = [];
  for (;;) {
    const page = await verbs.lines(lines.length);
    lines.push(...page.lines);
    if (page.lines.length === 0 || page.ended) return lines;
  }
}
