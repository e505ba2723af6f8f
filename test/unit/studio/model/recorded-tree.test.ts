import { describe, expect, it } from "vitest";
import { readTree } from "../../../../src/studio/live/index.js";
import { isOutstanding, nameOf } from "../../../../src/studio/model/index.js";
import { paidRun, paidTree, waitingRun } from "../support.js";

describe("a recorded tree", () => {
  it("has the runs of a journal, each with its events, in the order of the tree", async () => {
    const tree = await paidTree();
    expect(tree.runs.map(({ path, header }) => [path, header?.reasoner.id])).toEqual([
      ["", "payer"],
      ["tool/1/0/0", "clerk"],
    ]);
    expect(tree.moments.map(({ seq }) => seq)).toEqual(tree.moments.map((_, i) => i));
    expect(tree.root.end?.status).toBe("done");
    expect(tree.root.output).toBe("Your 300 are on their way.");
  });

  it("says what became of each directive, and what waits at an event", async () => {
    const tree = await paidTree();
    const effect = tree.root.effects.get("approval/2/0");
    if (effect === undefined) throw new Error("There is no approval");
    expect(nameOf(tree.root, effect)).toBe("Run the tool refund?");
    expect(effect.answer?.event).toMatchObject({ type: "approval.decided", approve: true });
    const answered = effect.answer?.seq ?? 0;
    expect(isOutstanding(effect, effect.seq - 1)).toBe(false);
    expect(isOutstanding(effect, effect.seq)).toBe(true);
    expect(isOutstanding(effect, answered - 1)).toBe(true);
    expect(isOutstanding(effect, answered)).toBe(false);
  });

  it("finds the effect of an event of the trace, in children too", async () => {
    const tree = await paidTree();
    const calls = tree.trace.events.filter(({ type }) => type === "tool_call");
    const found = calls.map(({ id }) => tree.effectOf(id)?.run.path);
    expect(found).toContain("");
    expect(found).toContain("tool/1/0/0");
  });

  it("is the same whether its journal was read at once or as it grew", async () => {
    const whole = await readTree(await paidRun());
    const part = await readTree(await waitingRun());
    expect(part.moments.length).toBeLessThan(whole.moments.length);
    expect(whole.moments.slice(0, part.moments.length).map(({ event }) => event)).toEqual(
      part.moments.map(({ event }) => event),
    );
  });
});
