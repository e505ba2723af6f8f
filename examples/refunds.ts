/**
 * An order that was paid, and what comes back of it: customers return things, a person approves, a tool
 * pays back. It has a bug, and a law that finds it: `npx --no reckoner check examples/refunds.ts`.
 */
import { assign, type ReasonerTypes, setupReasoner } from "reckoner/kernel";
import { type CheckConfig, happens, issues, law, precedes } from "reckoner/testing";

/** What is known of an order; amounts in cents. */
export interface Order {
  readonly charged: number;
  readonly refunded: number;
  /** How many returns were asked for: ids are made of it. */
  readonly returns: number;
}

/** What comes from outside. */
export type OrderEvent =
  | { readonly type: "return.requested"; readonly amount: number }
  | { readonly type: "closed" };

const { createReasoner } = setupReasoner({
  types: {} as ReasonerTypes<Order & { [key: string]: unknown }, number, OrderEvent>,
  guards: {
    isCovered: ({ context, event }) =>
      event.type === "return.requested" && context.refunded + event.amount <= context.charged,
    isGranted: ({ event }) => event.type === "approval.decided" && event.approve,
  },
  issues: {
    askAPerson: ({ context, event }) => ({
      type: "approval",
      id: `return/${context.returns}`,
      title: "Pay this back?",
      subject: { amount: event.type === "return.requested" ? event.amount : 0 },
    }),
    payBack: ({ event }) =>
      event.type === "approval.decided"
        ? {
            type: "tool",
            id: `refund/${event.id}`,
            name: "refund",
            input: event.directive.subject,
          }
        : [],
  },
});

/** An order, from the amount that was charged. */
export const order = createReasoner({
  id: "order",
  machine: {
    context: ({ input: { input } }) => ({ charged: input, refunded: 0, returns: 0 }),
    initial: "delivered",
    states: {
      delivered: {
        on: {
          "return.requested": {
            guard: "isCovered",
            actions: [
              { type: "askAPerson", params: undefined },
              assign(({ context }) => ({ returns: context.returns + 1 })),
            ],
          },
          "approval.decided": [
            { guard: "isGranted", actions: { type: "payBack", params: undefined } },
            {},
          ],
          "tool.succeeded": {
            actions: assign(({ context, event }) => ({
              refunded: context.refunded + (event.directive.input as { amount: number }).amount,
            })),
          },
          "tool.failed": {},
          closed: "closed",
        },
      },
      closed: { type: "final" },
    },
  },
});

/** What must hold, whatever happens. */
export const check = {
  input: 100,
  outside: (choose) =>
    choose(3) === 0
      ? { type: "closed" }
      : { type: "return.requested", amount: 10 + choose(2) * 50 },
  laws: [
    law(
      "no more is refunded than was charged",
      ({ state: { context } }) => context.refunded <= context.charged,
    ),
    law(
      "nothing is paid back unasked",
      precedes(happens("approval.decided"), issues("tool", "refund")),
    ),
  ],
} satisfies CheckConfig<number, Order>;

export default { reasoner: order, check };
