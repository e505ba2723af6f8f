// Planted faults: what becomes of answers.
import { atEnd, atMost, issues, law, precedes } from "reckoner/testing";
import { add, call, done, failed, issue, machine, type Planted, set } from "./planted.js";

export const answers: readonly Planted[] = [
  {
    fault: "a failure of the second tool is handled nowhere",
    reasoner: machine("lost-failure", {
      context: {},
      initial: "packing",
      states: {
        packing: {
          entry: call("pack"),
          on: { "tool.succeeded": "sending", "tool.failed": "failed" },
        },
        sending: { entry: call("send"), on: { "tool.succeeded": "done" } },
        done,
        failed,
      },
    }),
    input: null,
    broken: /no answer is lost/,
  },
  {
    fault: "an answer that comes after the timer is lost",
    reasoner: machine("late-answer", {
      context: {},
      initial: "asking",
      states: {
        asking: {
          entry: issue(({ event }) => [
            { type: "tool", id: "quote", name: "quote", input: {} },
            { type: "timer", id: "wait", until: Number(event.at ?? 0) + 1_000 },
          ]),
          on: {
            "tool.succeeded": {
              target: "done",
              actions: issue(() => ({ type: "cancel", target: "wait" })),
            },
            "tool.failed": "failed",
            "timer.fired": "waiting",
          },
        },
        waiting: {
          entry: call("fallback"),
          on: { "tool.succeeded": { target: "checking" }, "tool.failed": "failed" },
        },
        checking: {
          entry: issue(() => ({ type: "approval", id: "ok", title: "ok?", subject: null })),
          on: { "approval.decided": "done" },
        },
        done,
        failed,
      },
    }),
    input: null,
    broken: /no answer is lost/,
  },
  {
    fault: "a rejected approval is taken for a granted one",
    reasoner: machine("rejected", {
      context: { refunded: 0 },
      initial: "asking",
      states: {
        asking: {
          entry: issue(() => ({ type: "approval", id: "ok", title: "refund?", subject: {} })),
          on: { "approval.decided": "refunding" },
        },
        refunding: {
          entry: call("refund"),
          on: { "tool.succeeded": "done", "tool.failed": "failed" },
        },
        done,
        failed,
      },
    }),
    input: null,
    laws: [
      law(
        "no refund without consent",
        precedes(
          ({ event }) =>
            event.type === "approval.decided" && (event as { approve?: boolean }).approve === true,
          issues("tool", "refund"),
        ),
      ),
    ],
    broken: /consent/,
  },
  {
    fault: "an unknown outcome is tried again as if it had failed",
    reasoner: machine("paid-twice", {
      context: { tries: 0 },
      initial: "paying",
      states: {
        paying: {
          entry: call("pay", "tries"),
          on: {
            "tool.succeeded": "done",
            "tool.failed": [
              {
                guard: ({ context }: { context: { tries: number } }) => context.tries < 2,
                target: "paying",
                reenter: true,
                actions: add({ tries: 1 }),
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
    laws: [law("after an unknown payment nothing is paid", nothingAfterUnknown())],
    broken: /unknown payment/,
  },
  {
    fault: "a result is counted when it comes and once more when all have come",
    reasoner: machine("counted-twice", {
      context: { sum: 0, left: 2 },
      initial: "asking",
      states: {
        asking: {
          entry: issue(() =>
            ["a", "b"].map((id) => ({ type: "tool" as const, id, name: id, input: {} })),
          ),
          on: {
            "tool.succeeded": [
              {
                guard: ({ context }: { context: { left: number } }) => context.left === 1,
                target: "done",
                actions: add({ sum: 2, left: -1 }),
              },
              { actions: add({ sum: 1, left: -1 }) },
            ],
            "tool.failed": "failed",
          },
        },
        done,
        failed,
      },
    }),
    input: null,
    laws: [
      law(
        "the sum is the number of results",
        atEnd(({ status, context }) => status !== "done" || (context as { sum: number }).sum === 2),
      ),
    ],
    broken: /number of results/,
  },
  {
    fault: "both of two tools go on to ship when they come",
    reasoner: machine("shipped-twice", {
      context: { ships: 0 },
      initial: "checking",
      states: {
        checking: {
          entry: issue(() =>
            ["stock", "credit"].map((id) => ({ type: "tool" as const, id, name: id, input: {} })),
          ),
          on: {
            "tool.succeeded": [
              {
                guard: ({ event }: { event: { directive: { name: string } } }) =>
                  event.directive.name === "ship",
                target: "done",
              },
              { actions: [call("ship", "ships"), add({ ships: 1 })] },
            ],
            "tool.failed": "failed",
          },
        },
        done,
        failed,
      },
    }),
    input: null,
    laws: [law("an order is shipped once", atMost(1, issues("tool", "ship")))],
    broken: /shipped once/,
  },
  {
    fault: "the machine throws where a tool says nothing",
    reasoner: machine("no-output", {
      context: { total: 0 },
      initial: "asking",
      states: {
        asking: {
          entry: call("price"),
          on: {
            "tool.succeeded": {
              target: "done",
              actions: set({ total: 1 }),
              guard: ({ event }: { event: { output: { items: unknown[] } } }) =>
                event.output.items.length > 0,
            },
            "tool.failed": "failed",
          },
        },
        done,
        failed,
      },
    }),
    input: null,
    broken: /no machine throws/,
  },
  {
    fault: "an id is issued again when the tool is tried again",
    reasoner: machine("same-id", {
      context: { tries: 0 },
      initial: "asking",
      states: {
        asking: {
          entry: call("fetch"),
          on: {
            "tool.succeeded": "done",
            "tool.failed": { target: "waiting", actions: add({ tries: 1 }) },
          },
        },
        waiting: { on: { again: "asking" } },
        done,
      },
    }),
    input: null,
    broken: /no machine throws/,
  },
];

/** Nothing is called once the outcome of a call is unknown. */
function nothingAfterUnknown() {
  return {
    memory: false,
    next(memory: unknown, { event, directives }: { event: object; directives: readonly object[] }) {
      const unknown = memory === true || (event as { reason?: string }).reason === "unknown";
      const broken = unknown && directives.length > 0 ? { broken: "it is paid again" } : {};
      return { memory: unknown, applies: unknown, ...broken };
    },
  } as never;
}
