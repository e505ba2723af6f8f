import { memoryJournal, run, scriptedModel, virtualClock } from "reckoner";
import { describe, expect, it } from "vitest";
import { readTree } from "../../../../src/studio/live/index.js";
import { conversationOf, type Entry } from "../../../../src/studio/model/index.js";
import { BEGUN, failedRun, paidTree, payer, waitingRun } from "../support.js";

const kinds = (entries: readonly Entry[]) => entries.map(({ kind }) => kind);
const cards = (entries: readonly Entry[]) =>
  entries.flatMap((entry) => (entry.kind === "answer" ? entry.calls : []));

describe("a run as a conversation", () => {
  it("has its input, each answer with a card for each call, and its end", async () => {
    const entries = conversationOf(await paidTree(), "");
    expect(kinds(entries)).toEqual(["input", "answer", "answer", "answer", "answer", "end"]);
    expect(entries[0]).toMatchObject({ type: "start", text: "Order A-17 arrived broken." });
    expect(entries[1]).toMatchObject({ text: "I look.", model: "scripted" });
    expect(cards(entries).map(({ name, input, status }) => [name, input, status])).toEqual([
      ["look_up_order", { orderId: "A-17" }, "succeeded"],
      ["read_policy", {}, "succeeded"],
      ["clerk", { prompt: "Is A-17 clear?" }, "succeeded"],
      ["refund", { amount: 300, orderId: "A-17" }, "succeeded"],
    ]);
    expect(cards(entries)[0]?.output).toEqual({ orderId: "A-17", total: 30, paidBy: "card 4711" });
    expect(entries.at(-1)).toMatchObject({ status: "done", output: "Your 300 are on their way." });
  });

  it("shows a child within the card of its call, and as a conversation of its own", async () => {
    const tree = await paidTree();
    const { child = "" } = cards(conversationOf(tree, ""))[2] ?? {};
    expect(child).toBe("tool/1/0/0");
    const own = conversationOf(tree, child);
    expect(own[0]).toMatchObject({ kind: "input", text: "Is A-17 clear?" });
    expect(cards(own).map(({ name }) => name)).toEqual(["read_policy"]);
  });

  it("says who decided what, and how long that took", async () => {
    const entries = conversationOf(await paidTree(), "");
    const { approval } = cards(entries)[3] ?? {};
    expect(approval).toMatchObject({ status: "succeeded", decision: { approve: true, by: "ada" } });
    expect(approval?.waitedMs).toBeGreaterThanOrEqual(86_399_000);
    const no = conversationOf(await paidTree({ decision: { approve: false } }), "");
    expect(cards(no)[3]).toMatchObject({ name: "refund", status: "rejected" });
  });

  it("has a card for a call that waits for a person", async () => {
    const entries = conversationOf(await readTree(await waitingRun()), "");
    const card = cards(entries).at(-1);
    expect(card).toMatchObject({ name: "refund", status: "open", directive: "tool/2/0" });
    expect(card?.approval).toMatchObject({ directive: "approval/2/0", status: "open" });
    expect(kinds(entries)).not.toContain("end");
  });

  it("shows why a model gave no answer", async () => {
    const entries = conversationOf(await readTree(await failedRun()), "");
    expect(entries.find(({ kind }) => kind === "answer")).toMatchObject({
      status: "failed",
      error: { code: "model.refused", message: "No key." },
    });
  });

  it("shows a message, and what was not taken notice of", async () => {
    const journal = memoryJournal();
    const clock = virtualClock(BEGUN);
    const model = scriptedModel(["Yes?", "Good."]);
    const agent = payer();
    const going = run(agent, "Hello", { model, journal, clock });
    going.send({ type: "weather", at: BEGUN, sky: "grey" });
    await going;
    const entries = conversationOf(await readTree(journal), "");
    expect(entries.find((each) => each.kind === "input" && each.type === "weather")).toMatchObject({
      ignored: "unhandled",
      value: { sky: "grey" },
    });
  });

  it("refuses a run that is not there", async () => {
    const tree = await paidTree();
    expect(() => conversationOf(tree, "nowhere")).toThrow("has no run nowhere");
  });
});
