import { resume, virtualClock } from "reckoner";
import { describe, expect, it } from "vitest";
import { readTree } from "../../../../src/studio/live/index.js";
import { argumentsOf, requestOf, whyOf, wordsOf } from "../../../../src/studio/model/index.js";
import { labelOf } from "../../../../src/studio/model/why.js";
import { BEGUN, paidTree, payer, script, waitingRun } from "../support.js";

const id = (directive: string) => `r1#${directive}`;

describe("why", () => {
  it("leads from a payment through the decision and the answer to the customer's words", async () => {
    const why = whyOf(await paidTree(), id("tool/2/0"));
    expect(why.event.words).toBe('refund was called with {"amount":300,"orderId":"A-17"}');
    expect(why.causes.map(({ words }) => words)).toEqual([
      expect.stringMatching(/^ada approved after 1 d: Run the tool refund\?$/),
    ]);
    expect(why.chain[0]?.words).toBe("the run began: Order A-17 arrived broken.");
    expect(why.effects.map(({ id: each }) => each)).toContain(id("llm/3"));
  });

  it("traces an argument to the result that the model read it from", async () => {
    const tree = await paidTree();
    const found = argumentsOf(tree, id("tool/2/0"));
    const [order, amount] = ["$.orderId", "$.amount"].map((path) =>
      found.find((each) => each.path === path),
    );
    expect(order).toMatchObject({ path: "$.orderId", value: "A-17" });
    expect(order?.sources.map(({ words }) => words)).toContain("the run's input");
    // Nothing that the model was shown says 300: it made that up.
    expect(amount).toMatchObject({ path: "$.amount", value: 300, seenIn: [] });
    expect(amount?.sources[0]?.words).toMatch(/^the model wrote it/);
    expect(argumentsOf(tree, id("approval/2/0"))).toEqual(argumentsOf(tree, id("tool/2/0")));
  });

  it("shows a model call block by block, each with its source", async () => {
    const request = requestOf(await paidTree(), id("llm/1"));
    const result = request.blocks.find(
      ({ role, value }) => role === "tool" && JSON.stringify(value).includes("card 4711"),
    );
    expect(result?.sources).toEqual([
      expect.objectContaining({
        words: 'the result of look_up_order (tool/0/0) with {"orderId":"A-17"}',
        id: id("tool/0/0"),
        path: "$.event.output",
      }),
    ]);
    const system = request.blocks.find(({ path }) => path === "system");
    expect(system?.sources[0]?.words).toMatch(/^the reasoner made it/);
  });

  it("says what a call was shown that the one before was not", async () => {
    const tree = await paidTree();
    expect(requestOf(tree, id("llm/0")).previous).toBeUndefined();
    const request = requestOf(tree, id("llm/1"));
    expect(request.previous).toEqual({ id: id("llm/0"), directive: "llm/0" });
    const by = (change: string) => request.blocks.filter((each) => each.change === change);
    expect(by("new").map(({ role }) => role)).toEqual([
      "assistant",
      "assistant",
      "assistant",
      "tool",
      "tool",
    ]);
    expect(by("same").map(({ path }) => path)).toEqual(
      expect.arrayContaining(["system", "messages[0].content", "tools[0]"]),
    );
    expect(request.gone).toEqual([]);
  });

  it("says of a question that its run did not wait for that nobody decided", async () => {
    const journal = await waitingRun();
    const resumed = resume(payer(), journal, { model: script(), clock: virtualClock(BEGUN) });
    await resumed.cancel("No more.");
    await resumed.catch(() => undefined);
    const tree = await readTree(journal);
    const question = tree.trace.get(id("approval/2/0"));
    expect(question).toMatchObject({ status: "cancelled" });
    expect(wordsOf(question as never)).toBe("nobody decided after 0 ms: Run the tool refund?");
    expect(labelOf(question as never)).toBe("nobody decided");
  });

  it("refuses what is no call", async () => {
    const tree = await paidTree();
    expect(() => requestOf(tree, id("tool/0/0"))).toThrow("has no model request");
    expect(() => argumentsOf(tree, id("llm/0"))).toThrow("has no tool call");
  });
});
