// Planted faults: what is counted, and what happens at the same time.
import { always, atMost, follows, happens, issues, law } from "reckoner/testing";
import { add, call, change, done, failed, issue, machine, type Planted, set } from "./planted.js";

type In<K extends string> = { context: { [key in K]: number } };

export const counts: readonly Planted[] = [
  {
    fault: "a budget off by one",
    reasoner: machine("budget", {
      context: { asked: 0 },
      initial: "asking",
      states: {
        asking: {
          entry: [add({ asked: 1 }), call("ask", "asked")],
          on: {
            "tool.succeeded": "done",
            "tool.failed": [
              {
                guard: ({ context }: In<"asked">) => context.asked <= 3,
                target: "asking",
                reenter: true,
              },
              { target: "failed" },
            ],
          },
        },
        done,
        failed,
      },
    }),
    input: null,
    laws: [law("it asks three times at most", atMost(3, issues("tool", "ask")))],
    broken: /three times/,
  },
  {
    fault: "more is refunded than was paid, in small parts",
    reasoner: machine("refunds", {
      context: { paid: 0, refunded: 0 },
      initial: "open",
      states: {
        open: {
          on: {
            pay: {
              guard: ({ context }: In<"paid">) => context.paid < 30,
              actions: add({ paid: 10 }),
            },
            refund: {
              guard: ({ context }: In<"paid">) => context.paid > 0,
              actions: add({ refunded: 10 }),
            },
            close: "done",
          },
        },
        done,
      },
    }),
    input: null,
    laws: [
      law(
        "no more is refunded than was paid",
        always(({ state }) => {
          const { paid, refunded } = state.context as unknown as { paid: number; refunded: number };
          return refunded <= paid;
        }),
      ),
    ],
    broken: /refunded than was paid/,
  },
  {
    fault: "two withdrawals are checked before either is booked",
    reasoner: machine("withdrawals", {
      context: { balance: 10, asked: 0 },
      initial: "open",
      states: {
        open: {
          on: {
            withdraw: {
              guard: ({ context }: In<"balance" | "asked">) =>
                context.balance >= 10 && context.asked < 3,
              actions: [call("withdraw", "asked"), add({ asked: 1 })],
            },
            "tool.succeeded": { actions: add({ balance: -10 }) },
            "tool.failed": {},
            close: "done",
          },
        },
        done,
      },
    }),
    input: null,
    laws: [
      law(
        "the balance is never negative",
        ({ state }) => (state.context as unknown as { balance: number }).balance >= 0,
      ),
    ],
    broken: /never negative/,
  },
  {
    fault: "eventless transitions that go round where a list is empty",
    reasoner: machine("round", {
      context: { left: 1 },
      initial: "working",
      states: {
        working: {
          always: [
            { guard: ({ context }: In<"left">) => context.left !== 0, target: "calling" },
            { target: "checking" },
          ],
        },
        checking: { always: "working" },
        calling: {
          entry: call("next", "left"),
          on: {
            "tool.succeeded": { target: "working", actions: add({ left: -1 }) },
            "tool.failed": "failed",
          },
        },
        failed,
      },
    }),
    input: null,
    broken: /no machine throws/,
  },
  {
    fault: "the deadline is not stopped when the work is done",
    reasoner: machine("deadline", {
      context: { escalated: 0 },
      initial: "working",
      states: {
        working: {
          entry: issue(() => [
            { type: "tool", id: "work", name: "work", input: {} },
            { type: "timer", id: "deadline", until: 60_000 },
          ]),
          on: {
            "tool.succeeded": "reviewing",
            "tool.failed": "failed",
            "timer.fired": { actions: add({ escalated: 1 }) },
          },
        },
        reviewing: {
          on: {
            "timer.fired": { actions: add({ escalated: 1 }) },
            accept: "done",
          },
        },
        done,
        failed,
      },
    }),
    input: null,
    laws: [
      law("nobody is alarmed about work that is done", ({ event, before, step }) => {
        if (!happens("timer.fired")({ event, step, directives: [] })) return undefined;
        return before?.value === "working";
      }),
    ],
    broken: /alarmed/,
  },
  {
    fault: "in two regions at once, the second payment is not noticed",
    reasoner: machine("regions", {
      context: { paid: 0 },
      type: "parallel",
      states: {
        card: {
          initial: "idle",
          states: {
            idle: { on: { card: { target: "paid", actions: add({ paid: 1 }) } } },
            paid: done,
          },
        },
        bank: {
          initial: "idle",
          states: {
            idle: { on: { transfer: { target: "paid", actions: add({ paid: 1 }) } } },
            paid: done,
          },
        },
      },
    }),
    input: null,
    laws: [
      law(
        "it is paid once",
        ({ state }) => (state.context as unknown as { paid: number }).paid <= 1,
      ),
    ],
    broken: /paid once/,
  },
  {
    fault: "what the user says while the model thinks is dropped",
    reasoner: machine("deaf", {
      context: { turn: 0, said: 0 },
      initial: "thinking",
      states: {
        thinking: {
          entry: issue(({ context }) => ({
            type: "llm",
            id: `llm/${context.turn}`,
            messages: [{ role: "user", content: "go" }],
          })),
          on: {
            "llm.succeeded": [
              { guard: ({ context }: In<"turn">) => context.turn >= 1, target: "done" },
              { target: "ready", actions: add({ turn: 1 }) },
            ],
            "llm.failed": "failed",
            message: { actions: change(() => ({ said: 0 })) },
          },
        },
        ready: { on: { message: { target: "thinking", actions: set({ said: 1 }) } } },
        done,
        failed,
      },
    }),
    input: null,
    laws: [
      law(
        "after what the user says the model is asked",
        follows(happens("message"), issues("llm")),
      ),
    ],
    options: { alphabet: { messages: ["and?"], cancel: false } },
    broken: /model is asked/,
  },
  {
    fault: "stock is looked at when it is put into the cart, and taken when it is paid",
    reasoner: machine("stock", {
      context: { stock: 2, cart: 0 },
      initial: "shop",
      states: {
        shop: {
          on: {
            add: {
              guard: ({ context }: In<"stock" | "cart">) => context.stock > 0 && context.cart < 3,
              actions: add({ cart: 1 }),
            },
            pay: {
              actions: change(({ context: { stock = 0, cart = 0 } }) => ({
                stock: stock - cart,
                cart: 0,
              })),
            },
            close: "done",
          },
        },
        done,
      },
    }),
    input: null,
    laws: [
      law("stock is never below zero", ({ state }) => {
        return (state.context as unknown as { stock: number }).stock >= 0;
      }),
    ],
    broken: /below zero/,
  },
  {
    fault: "whoever votes twice is counted twice",
    reasoner: machine("quorum", {
      context: { voters: [] },
      initial: "voting",
      states: {
        voting: {
          always: {
            guard: ({ context }: { context: { voters: unknown[] } }) => context.voters.length >= 2,
            target: "accepted",
          },
          on: {
            vote: {
              actions: change(({ context, event }) => ({
                voters: [...(context.voters ?? []), event.who],
              })),
            },
          },
        },
        accepted: done,
      },
    }),
    input: null,
    laws: [
      law("what is accepted has two voters", ({ state }) => {
        const { voters } = state.context as unknown as { voters: readonly string[] };
        return state.value !== "accepted" || new Set(voters).size >= 2;
      }),
    ],
    options: { outside: (choose) => ({ type: "vote", who: ["a", "b"][choose(2)] as string }) },
    broken: /two voters/,
  },
  {
    fault: "a value that was fetched before it was invalidated is served as new",
    reasoner: machine("cache", {
      context: { version: 0, have: -1 },
      initial: "fetching",
      states: {
        fetching: {
          entry: issue(({ context }) => ({
            type: "tool",
            id: "get",
            name: "get",
            input: { version: context.version ?? 0 },
          })),
          on: {
            invalidate: {
              guard: ({ context }: In<"version">) => context.version < 2,
              actions: add({ version: 1 }),
            },
            "tool.succeeded": {
              target: "served",
              actions: change(({ event }) => {
                const { input } = event.directive as unknown as { input: { version: number } };
                return { have: input.version };
              }),
            },
            "tool.failed": "failed",
          },
        },
        served: done,
        failed,
      },
    }),
    input: null,
    laws: [
      law("what is served is of the newest version", ({ state }) => {
        const { version, have } = state.context as unknown as { version: number; have: number };
        return state.value !== "served" || have === version;
      }),
    ],
    broken: /newest version/,
  },
];
