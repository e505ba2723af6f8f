/** An agent that pays money back, above a limit only when a person approves. Configs load it, too. */
import { type Agent, agent, tool } from "reckoner";
import { z } from "zod";

export function refunder(limit: number): Agent {
  const refund = tool({
    name: "refund",
    inputSchema: z.object({ amount: z.number() }),
    needsApproval: ({ amount }) => amount > limit,
    execute: ({ amount }) => `paid ${amount}`,
  });
  return agent({ name: "refunder", tools: [refund] });
}
