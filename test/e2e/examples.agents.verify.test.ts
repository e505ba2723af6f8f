// The examples of agents: counters, support with approval, a behaviour of one's own; by the library
// and by the command line.
import { join, resolve } from "node:path";
import { memoryJournal, replay, resume, run, scriptedModel, toArray } from "reckoner";
import { describe, expect, test } from "vitest";
import counters, { counter, question } from "../../examples/counters.js";
import custom, { reviewer } from "../../examples/custom-behaviour.js";
import desk, { scriptedSupport, smallShop, support } from "../../examples/support.js";
import { aFolder, reckoner } from "../unit/cli/support.js";

const ROOT = resolve(import.meta.dirname, "../..");
/** Runs the command in the project, as the banners of the examples say. */
const command = (...words: readonly string[]) => reckoner(ROOT, words);
const worldOf = (config: object) => config as { readonly model: ReturnType<typeof scriptedModel> };

describe("counters", () => {
  test("count the vowels of elephant, three calls in one answer", async () => {
    const journal = memoryJournal();
    const { model } = worldOf(counters);
    const end = await run(counter, question, { model, journal });
    expect(end).toMatchObject({ status: "done", output: expect.stringContaining("three vowels") });
    const state = { counters: { vowels: 3 }, notes: ["Found vowels: e, e, a"] };
    expect(end.context.deps).toEqual(state);
    expect(toArray(end.context.toolCalls).map(({ output }) => output)).toEqual([
      { counter: "vowels", value: 1 },
      { counter: "vowels", value: 2 },
      { counter: "vowels", value: 3 },
      { added: "Found vowels: e, e, a", total: 1 },
      state,
    ]);
    expect((await replay(counter, journal)).status).toBe("identical");
  });

  test("by the command line", async () => {
    const { code, stdout } = await command("run", "examples/counters.ts");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "There are three vowels in 'elephant': e, e, a.\n",
    });
  });
});

describe("support", () => {
  test("waits for the approval, and pays once with the decision", async () => {
    const shop = smallShop();
    const world = { model: scriptedSupport, services: shop };
    const journal = memoryJournal();
    const waiting = await run(support, "Money back for A-17!", { ...world, journal });
    expect(waiting).toMatchObject({ status: "waiting", approvals: [{ id: "approval/1/0" }] });
    expect(shop.paid.size).toBe(0);
    const approvals = { "approval/1/0": { approve: true, by: "somebody" } };
    const end = await resume(support, journal, { ...world, approvals });
    expect(end).toMatchObject({ status: "done", output: "Your money is on its way." });
    expect([...shop.paid.values()]).toMatchObject([{ id: "A-17" }]);
    expect(end.context.deps.auditLog).toEqual([
      { action: "looked up A-17", sessionId: "s-1" },
      { action: "refunded A-17", sessionId: "s-1" },
    ]);
    expect((await replay(support, journal)).status).toBe("identical");
    await expect(resume(support, journal, { ...world, approvals })).rejects.toMatchObject({
      code: "approval.stale",
    });
    expect(shop.paid.size).toBe(1);
  });

  test("pays nothing that is rejected, and sees no order of another user's", async () => {
    const shop = smallShop();
    const approve = () => ({ approve: false });
    const end = await run(support, "x", { model: scriptedSupport, services: shop, approve });
    expect(end).toMatchObject({ status: "done", output: "I may not pay this order back." });
    const model = scriptedModel([
      { calls: [{ name: "look_up_order", input: { orderId: "B-3" } }] },
      "No.",
    ]);
    const other = await run(support, "x", { model, services: shop });
    const [call] = toArray(other.context.toolCalls);
    expect(call?.output).toBe("Tool execution failed: There is no order B-3 of this user.");
    expect(shop.paid.size).toBe(0);
  });

  test("by the command line, over two processes", async () => {
    const journal = join(aFolder(), "case.jsonl");
    const waiting = await command("run", "examples/support.ts", "--journal", journal);
    expect(waiting).toMatchObject({ code: 3, stdout: expect.stringContaining("approval/1/0") });
    const config = ["--config", "examples/support.ts"];
    const end = await command("resume", journal, ...config, "--approve", "approval/1/0");
    expect(end).toMatchObject({ code: 0, stdout: "Your money is on its way.\n" });
    expect((await command("replay", journal, ...config)).code).toBe(0);
    expect(desk).toMatchObject({ reasoner: support });
  });
});

describe("a behaviour of one's own", () => {
  test("sends the draft back once, and says how many there were", async () => {
    const journal = memoryJournal();
    const { model } = worldOf(custom);
    const end = await run(reviewer, "Two lines on rain.", { model, journal });
    expect(end).toMatchObject({
      status: "done",
      output: { text: "It rains on the roof.\nIt rains on me too.", drafts: 1 },
    });
    expect((await replay(reviewer, journal)).status).toBe("identical");
  });

  test("asks a model that is down once more, and apologises", async () => {
    let asked = 0;
    const model = scriptedModel(() => {
      asked += 1;
      return { error: { message: "closed" } };
    });
    const end = await run(reviewer, "x", { model });
    expect(asked).toBe(2);
    expect(end).toMatchObject({
      status: "done",
      output: { text: "I cannot answer now (closed)." },
    });
  });

  test("by the command line", async () => {
    const { code, stdout } = await command("run", "examples/custom-behaviour.ts");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ drafts: 1 });
  });
});
