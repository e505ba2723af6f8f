// Planted faults: where a run can go.
import { follows, happens, issues, law, precedes } from "reckoner/testing";
import { add, call, change, done, failed, issue, machine, type Planted, set } from "./planted.js";

export const ways: readonly Planted[] = [
  {
    fault: "a state without exit",
    reasoner: machine("no-exit", {
      context: {},
      initial: "asking",
      states: {
        asking: {
          entry: call("look"),
          on: { "tool.succeeded": "done", "tool.failed": "lost" },
        },
        lost: {},
        done,
      },
    }),
    input: null,
    broken: /stands still/,
  },
  {
    fault: "two states that only lead to each other",
    reasoner: machine("no-end", {
      context: {},
      initial: "open",
      states: {
        open: { on: { submit: "review", withdraw: "closed" } },
        review: { on: { accept: "closed", amend: "amending" } },
        amending: { on: { park: "parked" } },
        parked: { on: { amend: "amending" } },
        closed: done,
      },
    }),
    input: null,
    broken: /an end can be reached/,
  },
  {
    fault: "a guard that never holds leaves the last state without exit",
    reasoner: machine("never-holds", {
      context: { votes: 0 },
      initial: "voting",
      states: {
        voting: {
          on: {
            vote: [
              {
                guard: ({ context }: { context: { votes: number } }) => context.votes >= 2,
                target: "counted",
              },
              { actions: add({ votes: 1 }) },
            ],
          },
        },
        counted: {
          on: {
            publish: {
              guard: ({ context }: { context: { votes: number } }) => context.votes > 3,
              target: "done",
            },
          },
        },
        done,
      },
    }),
    input: null,
    broken: /stands still|an end can be reached/,
  },
  {
    fault: "a forgotten guard: it is shipped unpaid",
    reasoner: machine("unpaid", {
      context: { paid: false },
      initial: "cart",
      states: {
        cart: { on: { order: "ordered", drop: "dropped" } },
        ordered: {
          on: { pay: { actions: set({ paid: true }) }, ship: "shipping", drop: "dropped" },
        },
        shipping: {
          entry: call("ship"),
          on: { "tool.succeeded": "done", "tool.failed": "dropped" },
        },
        done,
        dropped: failed,
      },
    }),
    input: null,
    laws: [law("what is shipped was paid", precedes(happens("pay"), issues("tool", "ship")))],
    broken: /was paid/,
  },
  {
    fault: "an order that matters: whoever answers first wins, and wipes the other",
    reasoner: machine("order-matters", {
      context: { last: "" },
      initial: "asking",
      states: {
        asking: {
          entry: issue(() =>
            ["a", "b"].map((id) => ({ type: "tool" as const, id, name: id, input: {} })),
          ),
          on: {
            "tool.succeeded": [
              {
                guard: ({ context }: { context: { last: string } }) => context.last !== "",
                target: "done",
              },
              { actions: change(({ event }) => ({ last: String(event.id) })) },
            ],
            "tool.failed": "failed",
          },
        },
        done,
        failed,
      },
    }),
    input: null,
    options: { confluent: true },
    broken: /order of answers/,
  },
  {
    fault: "the lock is not given back where the work fails",
    reasoner: machine("lock", {
      context: {},
      initial: "locking",
      states: {
        locking: {
          entry: call("lock"),
          on: { "tool.succeeded": "working", "tool.failed": "failed" },
        },
        working: {
          entry: call("work"),
          on: { "tool.succeeded": "freeing", "tool.failed": "failed" },
        },
        freeing: {
          entry: call("unlock"),
          on: { "tool.succeeded": "done", "tool.failed": "failed" },
        },
        done,
        failed,
      },
    }),
    input: null,
    laws: [
      law(
        "a lock that was taken is given back",
        follows(happens("tool.succeeded", "lock"), issues("tool", "unlock")),
      ),
    ],
    options: { alphabet: { cancel: false } },
    broken: /given back/,
  },
  {
    fault: "an approval of the first version counts for the second",
    reasoner: machine("stale-approval", {
      context: { version: 1 },
      initial: "draft",
      states: {
        draft: {
          entry: issue(({ context }) => ({
            type: "approval",
            id: `ok/${context.version}`,
            title: "ok?",
            subject: {},
          })),
          on: {
            edit: {
              guard: ({ context }: { context: { version: number } }) => context.version < 3,
              actions: [add({ version: 1 })],
            },
            "approval.decided": [
              {
                guard: ({ event }: { event: { approve: boolean } }) => event.approve,
                target: "publishing",
              },
              { target: "dropped" },
            ],
          },
        },
        publishing: {
          entry: call("publish"),
          on: { "tool.succeeded": "done", "tool.failed": "dropped" },
        },
        done,
        dropped: failed,
      },
    }),
    input: null,
    laws: [
      law("what is published is what was approved", ({ directives, state }) => {
        if (issues("tool", "publish")({ directives } as never) === 0) return undefined;
        return (state.context as { version: number }).version === 1;
      }),
    ],
    broken: /what was approved/,
  },
];
