// A chart that a journal holds is drawn as the machine that it is of.
import { agent, memoryJournal, type Reasoner, run, tool } from "reckoner";
import { chartPicture, toJson, toMermaid } from "reckoner/pictures";
import { plans, thoughts } from "reckoner/thoughts";
import { describe, expect, it } from "vitest";
import { type AnyStateMachine, and, assign, createMachine, not, or, stateIn } from "xstate";
import { recordedChart } from "../../../src/core/kernel/machine/recorded-chart.js";
import { headerOf } from "../../../src/runtime/index.js";
import { smallReasoner } from "../../support/small-machine.js";

const never = () => false;
const machines: readonly (readonly [string, AnyStateMachine])[] = [
  ["an agent's", agent({ name: "a", conversation: true }).machine],
  ["that of thoughts", thoughts({ policy: plans.io({}) }).machine],
  [
    "one with regions, history, guards, delays and changes",
    createMachine({
      id: "order",
      initial: "draft",
      on: { cancel: ".cancelled", note: { actions: assign({ note: "x" }) } },
      states: {
        draft: {
          entry: "greet",
          exit: ["leave", { type: "tell", params: { who: "b" } }],
          after: { 1000: "checking", later: { guard: never, target: "done" } },
          on: {
            submit: [
              { guard: "hasItems", target: "checking", actions: "reserve" },
              { guard: and(["a", not("b")]), target: "checking" },
              { guard: or([never, stateIn("#order.done")]), target: "done" },
              { guard: () => true, target: "done" },
              "draft",
            ],
          },
        },
        checking: {
          type: "parallel",
          onDone: "done",
          always: { guard: never, target: "cancelled" },
          states: {
            payment: {
              initial: "asking",
              states: {
                asking: { on: { paid: "paid" } },
                paid: { type: "final" },
                back: { type: "history", history: "deep" },
              },
            },
            stock: { initial: "found", states: { found: { type: "final" } } },
          },
        },
        done: { type: "final" },
        cancelled: { type: "final", tags: ["cancelled"] },
      },
    } as never) as never,
  ],
];

describe("a recorded chart", () => {
  it.each(machines)("is drawn as its machine: %s", (_name, machine) => {
    const recorded = JSON.parse(JSON.stringify(recordedChart(machine)));
    expect(toJson(chartPicture(recorded))).toBe(toJson(chartPicture(machine)));
  });

  it("stands in the header of a machine of one's own, and names one of this package", async () => {
    const own = smallReasoner({ initial: "a", states: { a: { type: "final" } } } as never);
    const journal = memoryJournal();
    await run(own as unknown as Reasoner<null>, null, { journal });
    const { chart } = await headerOf(journal);
    expect(chart).toMatchObject({ states: [{ key: "a", type: "final" }] });
    expect(toMermaid(chartPicture(chart as never))).toBe(toMermaid(chartPicture(own.machine)));
    expect(agent({ name: "a" }).chart).toMatch(/^agent\/\d+$/);
    const thinking = thoughts({ policy: plans.io({}) });
    expect(thinking.chart).toMatch(/^thoughts\/\d+$/);
  });

  it("of this package is drawn by its name", () => {
    const execute = () => null;
    const agents = [
      agent({ name: "a" }),
      agent({ name: "a", conversation: true, deadlineMs: 7 }),
      agent({ name: "a", plugins: [{ name: "p", init: () => 0 }] }),
      agent({ name: "a", plugins: [{ name: "judge", beforeRequest: () => undefined }] }),
      agent({ name: "a", tools: [tool({ name: "t", needsApproval: { blocks: false }, execute })] }),
    ];
    expect(new Set(agents.map(({ chart }) => chart)).size).toBe(agents.length);
    for (const own of [...agents, thoughts({ policy: plans.io({}) })]) {
      const title = "it";
      const named = chartPicture(own.chart as string, { title });
      expect(toJson(named)).toBe(toJson(chartPicture(own.machine, { title })));
    }
    expect(() => chartPicture("agent/1")).toThrow(
      /^This package has no machine agent\/1: another version of it wrote the journal\./,
    );
  });
});
