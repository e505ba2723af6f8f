// What plans of faults tell of tools that may be repeated, of those that may not, and of both together.
import fc from "fast-check";
import { agent, agentTool, tool } from "reckoner";
import { brokenUnderFaults, type Crash } from "reckoner/testing";
import { describe, expect, it, vi } from "vitest";

/** Whether the host begins whatever is owed, as if everything might be repeated. */
const host = vi.hoisted(() => ({ repeatsAll: false }));
vi.mock(import("../../../src/core/driver/may-begin.js"), async (original) => {
  const real = await original();
  return { ...real, mayBegin: (...of) => host.repeatsAll || real.mayBegin(...of) };
});

// biome-ignore lint/suspicious/noExplicitAny: agents of every kind are led through plans.
type Any = any;

const execute = () => null;
const look = tool({ name: "look", idempotent: true, execute });
const pay = tool({ name: "pay", execute });

/** A model that calls each tool it is given, and is content with whatever comes of it. */
const settlers: Any = {
  llm({ tools = [], messages }: Any) {
    const said = { type: "llm.succeeded", usage: {} };
    if (messages.length > 1 || tools.length === 0) {
      return { ...said, finishReason: "stop", content: [{ type: "text", text: "done" }] };
    }
    const content = tools.map(({ name }: Any) => {
      const input = name === "ask" ? { prompt: "look" } : {};
      return { type: "tool-call", toolCallId: name, toolName: name, input };
    });
    return { ...said, finishReason: "tool-calls", content };
  },
  tool: () => ({ type: "tool.succeeded", output: null }),
};

/** What is broken where the process dies as a call is made, whichever it is. */
async function brokenIn(reasoner: Any, repeatsAll = false): Promise<readonly string[]> {
  const script = { moves: [], answers: [], values: [] };
  const broken = new Set<string>();
  host.repeatsAll = repeatsAll;
  for (let at = 0; at < 5; at++) {
    const crashes: Crash[] = [{ in: "call", at, reached: "part" }];
    const options = { input: fc.constant("go"), settlers };
    const found = await brokenUnderFaults(reasoner, "go", script, { crashes }, options);
    if (found !== undefined) broken.add(`${found.law}: ${found.message}`);
  }
  return [...broken];
}

const twice = expect.stringMatching(/a tool that may not be repeated begins once: .* began twice$/);

describe("a tool that may not be repeated", () => {
  it("begins once beside one that may, which begins again", async () => {
    expect(await brokenIn(agent({ name: "a", tools: [look, pay] }))).toEqual([]);
  });

  it("is seen to begin twice, whatever stands beside it", async () => {
    expect(await brokenIn(agent({ name: "a", tools: [pay] }), true)).toEqual([twice]);
    expect(await brokenIn(agent({ name: "a", tools: [look, pay] }), true)).toEqual([twice]);
  });
});

describe("a child's tool", () => {
  const parentOf = (...tools: Any[]) => {
    const child = agent({ name: "child", tools });
    return agent({
      name: "parent",
      tools: [agentTool(child, { name: "ask", description: "Asks." })],
    });
  };

  it("may begin again where it may be repeated, though its parent has no such tool", async () => {
    expect(await brokenIn(parentOf(look))).toEqual([]);
  });

  it("is seen to begin twice where it may not", async () => {
    expect(await brokenIn(parentOf(look, pay), true)).toEqual([twice]);
  });
});
