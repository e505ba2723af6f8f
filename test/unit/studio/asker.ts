/** An agent that asks a person four things at once. Configs load it, too. */
import { type Agent, agent, scriptedModel, tool } from "reckoner";
import { z } from "zod";

const pay = tool({
  name: "pay",
  inputSchema: z.object({ order: z.string(), amount: z.number() }),
  needsApproval: true,
  execute: ({ order, amount }) => `paid ${amount} for ${order}`,
});

const choose = tool({
  name: "choose_row",
  description: "Lets a person choose a row.",
  ask: z.object({ row: z.number() }),
});

export function asker(): Agent {
  return agent({ name: "asker", tools: [pay, choose] });
}

const call = (order: string) => ({ name: "pay", input: { order, amount: 5 } });

export const askerScript = () =>
  scriptedModel([
    { calls: [call("A"), call("B"), call("C"), { name: "choose_row", input: {} }] },
    "All is decided.",
  ]);
