// A program that only defines an agent or thoughts makes no machine: it is made once, at the first step or
// when somebody asks for it.
import { describe, expect, it, vi } from "vitest";
import { agent, agentTool } from "../../../src/index.js";
import { beamSearch, thoughts } from "../../../src/thoughts.js";

const made = vi.hoisted(() => ({ machines: 0 }));
vi.mock("xstate", async (original) => {
  const xstate = await original<typeof import("xstate")>();
  const counted = (make: (...given: unknown[]) => unknown) =>
    vi.fn((...given: unknown[]) => {
      made.machines += 1;
      return make(...given);
    });
  const setup = (given: never) => {
    const own = xstate.setup(given);
    return { ...own, createMachine: counted(own.createMachine as never) };
  };
  return { ...xstate, setup, createMachine: counted(xstate.createMachine as never) };
});

/** Counts the machines that some work makes. */
function machinesOf(work: () => unknown): number {
  const before = made.machines;
  work();
  return made.machines - before;
}

const makers = [
  ["agent", () => agent({ name: "a" })],
  [
    "agent with a child",
    () =>
      agent({
        name: "a",
        tools: [agentTool(agent({ name: "b" }), { name: "b", description: "b" })],
      }),
  ],
  ["thoughts", () => thoughts({ policy: beamSearch() })],
] as const;

describe.each(makers)("%s", (_name, make) => {
  it("makes no machine when it is defined, and one at the first step", () => {
    expect(machinesOf(make)).toBe(0);
    const reasoner = make();
    const start = () => reasoner.start("go" as never, { at: 0, runId: "r" });
    expect([machinesOf(start), machinesOf(start)]).toEqual([1, 0]);
    expect(machinesOf(() => reasoner.machine)).toBe(0);
  });

  it("makes the machine when it is asked for", () => {
    const reasoner = make();
    expect(machinesOf(() => reasoner.machine.root)).toBe(1);
    expect(reasoner.machine).toBe(reasoner.machine);
  });
});
