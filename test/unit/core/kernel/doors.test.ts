// What is wrong in kind is refused with a code where it comes in, and not where something deep inside
// first looks at it.
import { describe, expect, it } from "vitest";
import { agent, agentTool, providerTool, tool } from "../../../../src/index.js";
import { defineReasoner } from "../../../../src/kernel.js";
import { beamSearch, plan, policy, thoughts } from "../../../../src/thoughts.js";
import { refusal } from "../../../support/thrown.js";

const worker = agent({ name: "worker" });
const origin = { at: 0, runId: "r" };
const begun = () => worker.start("hello", origin).state;

describe("a definition that is none", () => {
  const doors = {
    agent: [agent, "agent.invalid"],
    tool: [tool, "tool.invalid"],
    agentTool: [(options: never) => agentTool(worker, options), "tool.invalid"],
    providerTool: [providerTool, "tool.invalid"],
    defineReasoner: [defineReasoner, "machine.invalid"],
    thoughts: [thoughts, "thoughts.invalid"],
    explore: [beamSearch, "thoughts.invalid"],
    policy: [policy, "thoughts.policy"],
    plan: [plan, "thoughts.plan"],
  } as const;
  it.each(Object.entries(doors))("is refused by %s", (_name, [define, code]) => {
    for (const odd of [null, 5, "x", undefined]) {
      if (odd === undefined && define === beamSearch) continue;
      expect(refusal(() => (define as (odd: unknown) => unknown)(odd)).code).toBe(code);
    }
  });

  it("is named in the message", () => {
    expect(refusal(() => agent([] as never)).message).toContain(
      "agent takes an object that defines it, not a list.",
    );
  });
});

describe("a child that is not a reasoner", () => {
  it.each([undefined, null, 5, {}, { id: "x" }])("%j is refused", (child) => {
    const { code, message } = refusal(() =>
      agent({ name: "parent", tools: [agentTool(child as never, { name: "ask" })] }),
    );
    expect(code).toBe("tool.invalid");
    expect(message).toContain("agentTool: what becomes a tool must be a reasoner");
  });
});

describe("a start", () => {
  it.each([undefined, null, 5])("without an origin (%j) is refused", (odd) => {
    expect(refusal(() => worker.start({} as never, odd as never)).code).toBe("event.invalid");
  });
  it.each([undefined, 5, ""])("of a run called %j is refused", (runId) => {
    const start = () => worker.start({} as never, { at: 0, runId } as never);
    expect(refusal(start).message).toContain("origin.runId must be a string");
  });
});

describe("a step", () => {
  const event = { type: "cancel", at: 1 } as const;
  it.each([undefined, null, 5, {}, []])("of the state %j is refused", (state) => {
    expect(refusal(() => worker.step(state as never, event)).code).toBe("state.mismatch");
  });

  it.each(["runId", "seq", "value", "outstanding", "issued", "context", "at", "status"] as const)(
    "of a state that came without its %s is refused",
    (name) => {
      const { [name]: _gone, ...rest } = JSON.parse(JSON.stringify(begun()));
      const { code, message } = refusal(() => worker.step(rest as never, event));
      expect([code, message]).toEqual([
        "state.mismatch",
        expect.stringContaining(`: ${name} is missing; it must be`),
      ]);
    },
  );

  it("of a state as JSON keeps it is taken", () => {
    const state = JSON.parse(JSON.stringify(begun()));
    expect(worker.step(state, event).state.status).toBe("cancelled");
  });
});
