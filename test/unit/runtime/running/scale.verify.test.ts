// Wide is as flat as long: what happens to thousands costs each what it costs one of a few hundred.
import "../../../support/work.js";

import { describe, expect, it } from "vitest";
import { Recorder } from "../../../../src/core/journal/index.js";
import type { RunState } from "../../../../src/core/kernel/machine/index.js";
import { type Json, tableSize } from "../../../../src/core/kernel/values/index.js";
import type { RunEvent } from "../../../../src/core/kernel/vocabulary/index.js";
import { memoryJournal, replay, resume, run, type Waiting } from "../../../../src/runtime/index.js";
import { textIn } from "../../../support/journal-text.js";
import { issue, smallReasoner } from "../../../support/small-machine.js";
import { expectFlat } from "../../../support/work.js";

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

/** Settles all of a batch, in the kernel and the recorder. */
function settling(count: number): () => void {
  const reasoner = wide(count, toolOf);
  const recorder = new Recorder();
  const { id, version, fingerprint } = reasoner;
  recorder.header({ reasoner: { id, version }, fingerprint, runId: "r", at: 0, input: null });
  const step = reasoner.start(null, { at: 0, runId: "r" });
  recorder.event(reasoner, { type: "start", at: 0 }, step, []);
  let state: RunState<never> = step.state as never;
  return () => {
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
  };
}

describe("a batch of tool calls", () => {
  it("settles each at the same cost, in the kernel and the journal", () =>
    expectFlat(settling, 300, 3_000));
});

describe("approvals", () => {
  /** One resume that is given all decisions. */
  async function deciding(count: number): Promise<() => Promise<void>> {
    const asks = (i: number) => ({ type: "approval", id: `ask/${i}`, title: "?" });
    const reasoner = wide(count, (i) => ({ ...asks(i), subject: i as Json }));
    const journal = memoryJournal();
    const end = (await run(reasoner, null, { journal })) as Waiting<unknown, unknown>;
    if (end.status !== "waiting") throw new Error(JSON.stringify(end));
    expect(end.approvals).toHaveLength(count);
    const approvals = Object.fromEntries(end.approvals.map(({ id }) => [id, { approve: true }]));
    return async () => {
      await resume(reasoner, journal, { approvals });
      expect((await textIn(journal)).split("approval.decided").length - 1).toBe(count);
      expect((await replay(reasoner, journal)).status).toBe("identical");
    };
  }

  it("thousands of which are decided in one resume and replayed cost each the same", () =>
    expectFlat(deciding, 200, 2_000));
});
