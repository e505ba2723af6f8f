// P1, P2 and P6 under plans of faults: crashes in every write, failing writes, a second process, a clock
// that jumps; on an agent whose tools may not be repeated, and on machines of one's own.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { check, order } from "../examples/refunds.js";
import { decisions } from "../src/capabilities/index.js";
import { agent } from "../src/core/agent/index.js";
import { tool } from "../src/core/kernel/index.js";
import {
  agentInput,
  type FaultPlan,
  faultLaws,
  plannedReasoner,
  surviving,
  worldScript,
} from "../src/testing/index.js";
import { holds } from "./setup.js";

const worker = agent({
  name: "worker",
  tools: [
    tool({ name: "a", execute: () => 1 }),
    tool({ name: "b", needsApproval: true, execute: () => 1 }),
  ],
  maxIterations: 3,
});
const few = worldScript({ maxMoves: 6 });
const input = agentInput(["a", "b"]);
holds("an agent", faultLaws(worker as never, { input: input as never, script: few }), 24);
holds(
  "a machine of one's own",
  faultLaws(order as never, { ...check, input: fc.constant(100) } as never),
  12,
);
holds(
  "generated machines",
  faultLaws(plannedReasoner(), { input: fc.nat({ max: 2 }), bound: 25, script: few }),
  16,
);

const recorder = agent({
  name: "recorder",
  plugins: [decisions({ store: "d" })],
  maxIterations: 3,
});
const nothing = { goals: [], goalCount: 0, decisions: [], shortIds: [], truncated: false };
holds(
  "an agent that writes decisions",
  faultLaws(
    recorder as never,
    {
      input: fc.constant("go"),
      script: few,
      stores: ["d"],
      settlers: {
        llm: (_directive: unknown, choose: (options: number) => number) => {
          const call = { type: "tool-call", toolCallId: "c", toolName: "add_goal" };
          const calls = [
            { ...call, input: { label: "a" } },
            { ...call, input: { label: "b" } },
          ];
          const content = calls.slice(0, choose(3));
          return {
            type: "llm.succeeded",
            content: content.length === 0 ? [{ type: "text", text: "done" }] : content,
            finishReason: content.length === 0 ? "stop" : "tool-calls",
            usage: {},
          };
        },
        read: () => ({ type: "read.succeeded", value: nothing }),
      },
    } as never,
  ),
  16,
);

describe("a plan of faults", () => {
  const none: FaultPlan = { crashes: [], jumps: [] };
  const plans: readonly [string, FaultPlan, RegExp][] = [
    ["lets a process die", { ...none, crashes: [{ at: 1, reached: "part" }] }, /died/],
    ["lets a write fail", { ...none, failure: { at: 1, code: "EIO", short: true } }, /EIO/],
    ["lets another process go on", { ...none, takeover: 1 }, /ends elsewhere/],
  ];
  it.each(plans)("%s, and the run goes on", async (_name, plan, said) => {
    const script = { moves: [], answers: [], values: [] };
    const options = { input: input as never };
    const { processes, last } = await surviving(
      worker as never,
      "go" as never,
      script,
      plan,
      options,
    );
    const thrown = processes.map((each) => `${each.thrown} ${(each.thrown as Error)?.cause}`);
    expect(thrown.join(" ")).toMatch(said);
    expect(last.end?.status).toBe("done");
  });
});
