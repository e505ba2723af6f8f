// Machines of one's own: a timer that races an approval, regions side by side, stores, children with a
// deadline, jobs that are cancelled and interrupted.
import { agent, type Directive } from "reckoner";
import { assign, defineReasoner, setupReasoner } from "reckoner/kernel";
import type { AnyReasoner } from "../scenario.js";
import { look, pay, search, send } from "./tools.js";

interface Context {
  readonly at: number;
  readonly n: number;
}
type Given = { readonly context: Context; readonly event: { readonly [part: string]: unknown } };
type Event = { readonly type: string; readonly [part: string]: unknown };

const { createMachine } = setupReasoner<Context, { readonly n: number }, Event>();
type Config = Parameters<typeof createMachine>[0];

/** A reasoner of a chart; its context is its start's time, and a number. */
function own(id: string, chart: object, more: object = {}): AnyReasoner {
  const context = ({ input }: { input: { at: number; input: { n: number } } }) => ({
    at: input.at,
    n: input.input.n,
  });
  const machine = createMachine({ id, context, ...chart } as unknown as Config);
  return defineReasoner({ id, machine, ...more }) as unknown as AnyReasoner;
}

const issue = (params: readonly object[] | ((given: Given) => readonly object[])) => ({
  type: "issue" as const,
  params: params as readonly Directive[],
});
const drop = (target: string) => issue([{ type: "cancel", target }]);
const ends = {
  done: { type: "final" },
  gone: { type: "final", tags: ["failed"] },
  stopped: { type: "final", tags: ["cancelled"] },
};

/** An approval and a timer: who comes first takes back the other. */
export const race = own(
  "race",
  {
    initial: "asking",
    on: { cancel: ".stopped" },
    states: {
      asking: {
        entry: issue(({ context: { at, n } }) => [
          { type: "approval", id: "ok", title: "Pay?", subject: { n } },
          { type: "timer", id: "late", until: at + n },
        ]),
        on: {
          "approval.decided": { target: "paying", actions: drop("late") },
          "timer.fired": { target: "gone", actions: drop("ok") },
          interrupt: { target: "asked" },
        },
      },
      asked: { on: { "approval.decided": "done", "timer.fired": "gone", again: "done" } },
      paying: {
        entry: issue(({ context: { at, n } }) => [
          { type: "tool", id: "pay/0", name: "pay", input: { n } },
          { type: "tool", id: "send/0", name: "send", input: { n } },
          { type: "timer", id: "limit", until: at + 2 * n },
        ]),
        on: { "tool.succeeded": "resting", "tool.failed": "resting", "timer.fired": "gone" },
      },
      resting: { on: { "timer.fired": "done", "tool.succeeded": "done", "tool.failed": "done" } },
      ...ends,
    },
  },
  { tools: { pay, send } },
);

/** Regions side by side: payment, stock and a clock; it is done when all are. */
export const shop = own(
  "shop",
  {
    initial: "open",
    on: { cancel: ".stopped" },
    states: {
      open: {
        type: "parallel",
        onDone: "done",
        states: {
          payment: {
            initial: "asking",
            states: {
              asking: {
                entry: issue([{ type: "approval", id: "ok", title: "Pay?", subject: 1 }]),
                on: { "approval.decided": "paying" },
              },
              paying: {
                entry: issue([{ type: "tool", id: "pay/0", name: "pay", input: {} }]),
                on: { "tool.succeeded": "paid", "tool.failed": "paid" },
              },
              paid: { type: "final" },
            },
          },
          stock: {
            initial: "reading",
            states: {
              reading: {
                entry: issue([{ type: "read", id: "stock/0", store: "notes", query: "stock" }]),
                on: { "read.succeeded": "writing", "read.failed": "writing" },
              },
              writing: {
                entry: issue([
                  { type: "write", id: "stock/1", store: "notes", operations: [{ take: 1 }] },
                  { type: "write", id: "stock/2", store: "ledger", operations: [{ take: 1 }] },
                ]),
                on: { "write.succeeded": "half", "write.failed": "half" },
              },
              half: { on: { "write.succeeded": "taken", "write.failed": "taken" } },
              taken: { type: "final" },
            },
          },
          clock: {
            initial: "first",
            states: {
              first: {
                entry: issue(({ context: { at, n } }) => [
                  { type: "timer", id: "tick/0", until: at + n },
                ]),
                on: { "timer.fired": "second", hurry: { target: "over", actions: drop("tick/0") } },
              },
              second: { after: { 4000: "over" }, on: { hurry: "over" } },
              over: { type: "final" },
            },
          },
        },
      },
      ...ends,
    },
  },
  { tools: { pay } },
);

/** Reads and writes, one after the other, as often as it is told. */
export const ledger = own("ledger", {
  initial: "reading",
  on: { cancel: ".stopped" },
  states: {
    reading: {
      entry: issue(({ context: { n } }) => [
        { type: "read", id: `read/${n}`, store: n % 3 === 0 ? "nowhere" : "notes", query: { n } },
      ]),
      on: { "read.succeeded": "writing", "read.failed": "writing" },
    },
    writing: {
      entry: issue(({ context: { n } }) => [
        { type: "write", id: `a/${n}`, store: "notes", operations: [{ n }] },
        { type: "write", id: `b/${n}`, store: "ledger", operations: [{ n }] },
        { type: "notify", topic: "written", data: { n } },
      ]),
      on: { "write.succeeded": "one", "write.failed": "one", interrupt: "done" },
    },
    one: { on: { "write.succeeded": "both", "write.failed": "both" } },
    both: {
      entry: assign({ n: ({ context }) => context.n - 1 }),
      always: [{ guard: ({ context }: Given) => context.n <= 0, target: "done" }, "reading"],
    },
    ...ends,
  },
});

const helper = agent({
  name: "helper",
  system: "helper",
  maxIterations: 3,
  tools: [look, search],
});

/** Children beside a deadline, which takes back whoever has not come. */
export const party = own(
  "party",
  {
    initial: "waiting",
    on: { cancel: ".stopped" },
    states: {
      waiting: {
        entry: issue(({ context: { at, n } }) => [
          { type: "run", id: "guest/0", reasoner: "helper", input: `p0 ${n}` },
          { type: "run", id: "guest/1", reasoner: "race", input: { n } },
          { type: "run", id: "guest/2", reasoner: "helper", input: `p2 ${n}` },
          { type: "timer", id: "midnight", until: at + 3 * n },
        ]),
        on: {
          "run.succeeded": "one",
          "run.failed": "one",
          "timer.fired": {
            target: "gone",
            actions: issue(
              ["guest/0", "guest/1", "guest/2"].map((target) => ({ type: "cancel", target })),
            ),
          },
        },
      },
      one: {
        on: {
          "run.succeeded": "two",
          "run.failed": "two",
          "timer.fired": { target: "tidying", actions: drop("guest/1") },
        },
      },
      two: { on: { "run.succeeded": "done", "run.failed": "done", "timer.fired": "tidying" } },
      tidying: { after: { 2000: "gone" }, on: { "run.succeeded": "done", "run.failed": "done" } },
      ...ends,
    },
  },
  { children: { helper, race } },
);

/** Jobs that come from outside; some are taken back, all of them where somebody says so. */
export const desk = own(
  "desk",
  {
    initial: "open",
    on: { cancel: ".stopped" },
    states: {
      open: {
        on: {
          job: {
            actions: [
              assign({ n: ({ context }) => context.n + 1 }),
              issue(({ context: { n }, event }) => [
                { type: "tool", id: `job/${n}`, name: event.name, input: { prompt: `p${n}` } },
              ]),
            ],
          },
          undo: { actions: issue(({ event }) => [{ type: "cancel", target: event.target }]) },
          wait: {
            actions: issue(({ event }) => [
              { type: "timer", id: `wait/${event.at}`, until: Number(event.at) + 3_000 },
            ]),
          },
          close: "closing",
          interrupt: {},
        },
      },
      closing: {
        entry: issue(({ context: { n } }) => [
          { type: "tool", id: `last/${n}`, name: "look", input: { prompt: "last" } },
        ]),
        on: { "tool.succeeded": "done", "tool.failed": "done" },
      },
      ...ends,
    },
  },
  { tools: { look, search, send, pay } },
);
