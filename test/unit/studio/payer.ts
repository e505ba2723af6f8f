/** An agent that pays money back. It imports nothing of the house but its entry: configs load it, too. */
import { type Agent, agent, agentTool, scriptedModel, tool } from "reckoner";
import { z } from "zod";

const lookUp = tool({
  name: "look_up_order",
  description: "Looks an order up.",
  inputSchema: z.object({ orderId: z.string() }),
  idempotent: true,
  execute: ({ orderId }) => ({
    orderId,
    total: orderId === "A-17" ? 30 : 500,
    paidBy: "card 4711",
  }),
});

const policy = tool({
  name: "read_policy",
  description: "Reads the policy for refunds.",
  inputSchema: z.object({}),
  idempotent: true,
  execute: () => "Up to 100 is paid back without asking why.",
});

const refund = tool({
  name: "refund",
  description: "Pays money back.",
  inputSchema: z.object({ orderId: z.string(), amount: z.number() }),
  needsApproval: true,
  idempotent: true,
  execute: ({ orderId, amount }) => `paid ${amount} for ${orderId}`,
});

/** A clerk's helper, which only answers. */
const clerk: Agent = agent({ name: "clerk", system: "You weigh cases.", tools: [policy] });

/** An agent that looks things up two at a time, asks a child, and pays back what a person approves. */
export function payer(system = "You help customers. Look an order up before you pay."): Agent {
  return agent({
    name: "payer",
    system,
    tools: [
      lookUp,
      policy,
      refund,
      agentTool(clerk, { name: "clerk", description: "Weighs a case." }),
    ],
  });
}

/** Its model: two calls at once, then a child and a payment, then a word. */
export const script = (amount = 300) =>
  scriptedModel(({ system, messages }) => {
    if (system?.startsWith("You weigh") === true) {
      return messages.some(({ role }) => role === "tool")
        ? "The case is clear: pay."
        : { calls: [{ name: "read_policy", input: {} }] };
    }
    const answers = messages.filter(({ role }) => role === "assistant").length;
    if (answers === 0) {
      return {
        text: "I look.",
        calls: [
          { name: "look_up_order", input: { orderId: "A-17" } },
          { name: "read_policy", input: {} },
        ],
      };
    }
    if (answers === 1) return { calls: [{ name: "clerk", input: { prompt: "Is A-17 clear?" } }] };
    if (answers === 2) return { calls: [{ name: "refund", input: { orderId: "A-17", amount } }] };
    return `Your ${amount} are on their way.`;
  });
