// P1, P2 and P6 under plans of faults: crashes in every write, failing writes, a second process, a clock
// that jumps; on an agent whose tools may not be repeated, and on machines of one's own.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { check, order } from "../examples/refunds.js";
import { agent } from "../src/core/agent/index.js";
import { tool } from "../src/core/kernel/index.js";
import {
  agentInput,
  faultLaws,
  faultPlan,
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

describe("plans of faults", () => {
  it("let processes die, fail and be overtaken", async () => {
    const met = { died: 0, failed: 0, overtaken: 0 };
    const plans = fc.sample(faultPlan(), { seed: 1, numRuns: 12 });
    for (const plan of plans) {
      const script = { moves: [], answers: [3, 5, 7, 1], values: [] };
      const { processes } = await surviving(worker as never, "go" as never, script, plan, {
        input: input as never,
      });
      for (const { thrown } of processes) {
        const said = `${String(thrown)} ${String((thrown as Error | undefined)?.cause)}`;
        if (said.includes("died")) met.died += 1;
        if (/EIO|ENOSPC|EMFILE|ECONNRESET/.test(said)) met.failed += 1;
        if (said.includes("Another")) met.overtaken += 1;
      }
    }
    expect(met.died).toBeGreaterThan(3);
    expect(met.failed).toBeGreaterThan(0);
    expect(met.overtaken).toBeGreaterThan(0);
  });
});
