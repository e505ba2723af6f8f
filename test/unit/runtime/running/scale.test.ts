// Wide is as flat as long: what happens to ten thousand costs each what it costs to one of two thousand.
import { describe, expect, it } from "vitest";
import { Recorder } from "../../../../src/core/journal/index.js";
import {
  type Json,
  type RunEvent,
  type RunState,
  tableSize,
} from "../../../../src/core/kernel/index.js";
import { memoryJournal, replay, resume, run, type Waiting } from "../../../../src/runtime/index.js";
import { textIn } from "../../../support/journal-text.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";

/** A machine that issues so many effects at once, and ends when the last one is settled. */
function wide(count: number, effect: (i: number) => object) {
  return smallReasoner({
    initial: "a",
    states: {
      a: {
        entry: issue(...Array.from({ length: count }, (_, i) => effect(i))),
      },
    },
  });
}

const toolOf = (i: number) => ({ type: "tool", id: `t/${i}`, name: "x", input: { number: i } });

/** Milliseconds for each settlement of a batch, in the kernel and the recorder. */
function settled(count: number): number {
  const reasoner = wide(count, toolOf);
  const recorder = new Recorder();
  const { id, version, fingerprint } = reasoner;
  recorder.header({ reasoner: { id, version }, fingerprint, runId: "r", at: 0, input: null });
  const step = reasoner.start(null, { at: 0, runId: "r" });
  recorder.event(reasoner, { type: "start", at: 0 }, step, []);
  let state: RunState<never> = step.state as never;
  const before = performance.now();
  for (let i = 0; i < count; i++) {
    const event = {
      type: "tool.succeeded",
      id: `t/${i}`,
      at: 1,
      output: `result ${i}`,
    } as RunEvent;
    const next = reasoner.step(state as never, event);
    recorder.event(reasoner, event, next, []);
    state = next.state as never;
  }
  expect(tableSize(state.outstanding)).toBe(0);
  return (performance.now() - before) / count;
}

/** The least of some measures: what disturbs only adds to it. */
async function least(measure: () => number | Promise<number>, times = 3): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < times; i++) best = Math.min(best, await measure());
  return best;
}

describe("a batch of tool calls", () => {
  it("settles each at the same cost, in the kernel and the journal", async () => {
    settled(500);
    const few = await least(() => settled(2_000));
    const many = await least(() => settled(10_000), 2);
    expect(many / few).toBeLessThan(2.5);
  });
});

describe("approvals", () => {
  /** Milliseconds for each decision that one resume is given. */
  async function decided(count: number): Promise<number> {
    const asks = (i: number) => ({ type: "approval", id: `ask/${i}`, title: "?" });
    const reasoner = wide(count, (i) => ({ ...asks(i), subject: i as Json }));
    const journal = memoryJournal();
    const end = (await run(reasoner, null, { journal })) as Waiting<unknown, unknown>;
    if (end.status !== "waiting") throw new Error(JSON.stringify(end));
    expect(end.approvals).toHaveLength(count);
    const approvals = Object.fromEntries(end.approvals.map(({ id }) => [id, { approve: true }]));
    const before = performance.now();
    await resume(reasoner, journal, { approvals });
    const took = (performance.now() - before) / count;
    expect((await textIn(journal)).split("approval.decided").length - 1).toBe(count);
    expect((await replay(reasoner, journal)).status).toBe("identical");
    return took;
  }

  it("thousands of which are decided in one resume cost each the same", async () => {
    await decided(200);
    const few = await least(() => decided(1_000));
    const many = await least(() => decided(4_000), 2);
    expect(many / few).toBeLessThan(2.5);
  });
});
