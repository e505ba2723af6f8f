/**
 * A support agent: it looks an order up, and pays money back only when a person has approved it. Its
 * tools see the user that the run is for, and no other. It is a configuration for the command line:
 * `npx --no reckoner run examples/support.ts --journal case.jsonl`, then `npx --no reckoner resume case.jsonl
 * --config examples/support.ts --approve approval/1/0`.
 */
import {
  type Agent,
  agent,
  contextUpdate,
  defineConfig,
  type RunContext,
  scriptedModel,
  type ToolContext,
  ToolError,
  tool,
  withUpdate,
} from "reckoner";
import { z } from "zod";

/** An order of somebody's. */
export interface Order {
  readonly id: string;
  readonly userId: number;
  readonly total: number;
}

/** The shop: live, given to the interpreter, never journalled. */
export interface Shop {
  readonly orders: readonly Order[];
  /** Pays back once for one key, however often it is called. */
  payBack(order: Order, key: string): Promise<string>;
}

/** Whom the run is for, and what was done: part of its state, and of its journal. */
export interface Deps {
  readonly userId: number;
  readonly sessionId: string;
  readonly auditLog: readonly { readonly action: string; readonly sessionId: string }[];
}

type Context = ToolContext<Deps, Shop>;

const orderId = z.object({ orderId: z.string() });

function ownOrder({ deps, services }: Context, id: string): Order {
  const order = services.orders.find((each) => each.id === id && each.userId === deps.userId);
  if (order === undefined) throw new ToolError(`There is no order ${id} of this user.`);
  return order;
}

const log = ({ deps }: RunContext<Deps>, action: string) =>
  contextUpdate().append("auditLog", { action, sessionId: deps.sessionId });

const lookUp = tool({
  name: "look_up_order",
  description: "Looks up an order of the user's.",
  inputSchema: orderId,
  idempotent: true,
  execute: (input, context: Context) =>
    withUpdate(ownOrder(context, input.orderId), log(context, `looked up ${input.orderId}`)),
});

const refund = tool({
  name: "refund",
  description: "Pays an order back. A person has to approve it.",
  inputSchema: orderId,
  needsApproval: true,
  // The shop knows the key: a repetition after a crash pays nothing twice.
  idempotent: true,
  async execute(input, context: Context) {
    const order = ownOrder(context, input.orderId);
    const receipt = await context.services.payBack(order, context.idempotencyKey);
    return withUpdate({ receipt, amount: order.total }, log(context, `refunded ${order.id}`));
  },
});

/** The agent. */
export const support: Agent<Deps> = agent<Deps>({
  name: "support",
  system: "You help the customers of a shop. Look an order up before you pay it back.",
  tools: [lookUp, refund],
  deps: { userId: 42, sessionId: "s-1", auditLog: [] },
});

/** A shop in memory. */
export function smallShop(): Shop & { readonly paid: ReadonlyMap<string, Order> } {
  const paid = new Map<string, Order>();
  return {
    paid,
    orders: [
      { id: "A-17", userId: 42, total: 30 },
      { id: "B-3", userId: 7, total: 500 },
    ],
    async payBack(order, key) {
      paid.set(key, order);
      return `receipt ${order.id}`;
    },
  };
}

/** A model that looks an order up, pays it back and says what came of it. */
export const scriptedSupport = scriptedModel(({ messages }, turn) => {
  const input = { orderId: "A-17" };
  if (turn === 0) return { calls: [{ name: "look_up_order", input }] };
  if (turn === 1) return { text: "That can be paid back.", calls: [{ name: "refund", input }] };
  const last = messages.at(-1);
  const output = last?.role === "tool" ? last.content[0]?.output : undefined;
  return output?.type === "json" ? "Your money is on its way." : "I may not pay this order back.";
});

export default defineConfig({
  reasoner: support,
  input: "My order A-17 arrived broken. I want my money back.",
  model: scriptedSupport,
  services: smallShop(),
});
