/** Yesterday's runs under today's code: answers matched by content, each used once, nothing called. */
import { describe, expect, test } from "vitest";
import {
  agent,
  type ModelPort,
  type ModelRequest,
  memoryJournal,
  resume,
  run,
  type ScriptedTurn,
  scriptedModel,
  tool,
} from "../../../../src/index.js";
import { redrive } from "../../../../src/time-travel.js";
import { rejection } from "../../../support/thrown.js";

const tools = (called: string[] = []) =>
  ["look", "ask", "pay"].map((name) =>
    tool({
      name,
      jsonSchema: { type: "object" },
      needsApproval: name === "pay",
      execute: (input) => {
        called.push(name);
        return `${name} says ${JSON.stringify(input)}`;
      },
    }),
  );

const buyer = (system = "You buy.", more: object = {}, called: string[] = []) =>
  agent({ name: "buyer", system, tools: tools(called), conversation: true, ...more });

const script = (request: ModelRequest, turn: number): ScriptedTurn => {
  const said = request.messages.filter(({ role }) => role === "user").length;
  if (turn === 0) return { calls: [{ name: "look" }, { name: "look" }, { name: "ask" }] };
  return turn === 1 ? { calls: [{ name: "pay" }] } : `Bought, ${said} times asked.`;
};

async function recorded() {
  const journal = memoryJournal();
  const options = { model: scriptedModel(script), approve: () => ({ approve: true }) };
  await run(buyer(), "Buy it", { ...options, journal, runId: "one" });
  await resume(buyer(), journal, { ...options, messages: ["And again"] });
  return journal;
}

describe("a run driven once more", () => {
  test("under the same code reuses every answer and comes to the same", async () => {
    const called: string[] = [];
    const done = await redrive(buyer(undefined, {}, called), await recorded());
    expect(done).toMatchObject({ asked: 9, reused: 9, fresh: 0, live: 0, open: 0, spent: 0 });
    expect(done.candidate.output).toEqual(done.recorded.output ?? done.candidate.output);
    expect(done.replay.status).toBe("identical");
    expect(called).toEqual([]);
  });

  test("counts what was cancelled there too as asked before, and not as new", async () => {
    const journal = memoryJournal();
    const model: ModelPort = { name: "slow", generate: () => new Promise(() => {}) };
    const live = run(buyer(), "Buy it", { model, journal });
    for await (const { type } of live) if (type === "step") live.cancel();
    expect((await live).status).toBe("cancelled");
    const done = await redrive(buyer(), journal);
    expect(done).toMatchObject({ asked: 1, reused: 0, fresh: 0, open: 1 });
    expect(done.requests).toMatchObject([{ support: "cancelled", recorded: "llm/0" }]);
    expect(await redrive(buyer("You sell."), journal)).toMatchObject({ fresh: 1, open: 0 });
  });

  test("under code that asks in another order still reuses what it asks", async () => {
    const journal = await recorded();
    // One call at a time: other ids of batches do not matter, contents do.
    const done = await redrive(buyer(undefined, { sequential: true }), journal);
    expect(done).toMatchObject({ asked: 9, reused: 9, fresh: 0 });
  });

  test("under another prompt is out of support at once; what may differ is ignored where asked", async () => {
    const journal = await recorded();
    const done = await redrive(buyer("You sell."), journal);
    expect(done).toMatchObject({ asked: 1, reused: 0, fresh: 1, candidate: { status: "active" } });
    expect(done.requests).toMatchObject([{ effect: { id: "llm/0" }, support: "new" }]);
    const ignoring = await redrive(buyer("You sell."), journal, { ignore: ["system"] });
    expect(ignoring).toMatchObject({ asked: 9, reused: 9, fresh: 0 });
  });

  test("hands what is new to a live model, within its budget, told before", async () => {
    const journal = await recorded();
    const asked: number[] = [];
    const told: string[] = [];
    const model = scriptedModel((request, turn) => {
      asked.push(turn);
      return script(request, turn);
    });
    const live = {
      model,
      budget: 1_000,
      before: (open: readonly { readonly id: string }[]) => {
        if (told.length === 0) expect(asked).toEqual([]);
        told.push(...open.map(({ id }) => id));
      },
    };
    const done = await redrive(buyer("You sell."), journal, { live });
    // The model's answers are new, the tools' are not: they were asked with the same input.
    expect(done).toMatchObject({ asked: 9, reused: 5, fresh: 4, live: 4, spent: 73 });
    expect(told).toEqual(["llm/0"]);
    expect(asked).toEqual([0, 1, 2, 3]);
    const without = ["model", "budget"] as const;
    for (const name of without) {
      const { [name]: _left, ...rest } = live;
      const { code, message } = await rejection(
        redrive(buyer("You sell."), journal, { live: rest as never }),
      );
      expect([code, message]).toEqual(["option.invalid", expect.stringContaining(name)]);
    }
    const poor = await redrive(buyer("You sell."), journal, { live: { ...live, budget: 20 } });
    expect(poor).toMatchObject({ live: 2, spent: 32 });
    const none = await redrive(buyer("You sell."), journal, { live: { ...live, budget: 0 } });
    expect(none).toMatchObject({ live: 0, fresh: 1, spent: 0 });
  });

  test("an answer is used once, and has the time it had", async () => {
    const called: string[] = [];
    const journal = await recorded();
    const model = scriptedModel((_request, turn) =>
      turn === 0 ? { calls: [{ name: "look" }, { name: "look" }, { name: "look" }] } : "done",
    );
    const reasoner = buyer("You look thrice.", {}, called);
    const done = await redrive(reasoner, journal, { live: { model, budget: 1_000 } });
    const looks = done.requests.filter(({ effect }) => effect.type === "tool");
    expect(looks.map(({ support }) => support)).toEqual(["reused", "reused", "new"]);
    expect(new Set(looks.slice(0, 2).map((each) => each.recorded)).size).toBe(2);
    expect(called).toEqual([]);
  });

  test("is judged by a scorer of the user's", async () => {
    const journal = await recorded();
    const model = scriptedModel(["short"]);
    const score = ({ requests }: { readonly requests: number }) => -requests;
    const live = { model, budget: 1_000 };
    const better = await redrive(buyer("Be short."), journal, { live, score });
    expect(better).toMatchObject({ verdict: "better", scores: { recorded: -4 } });
    expect(await redrive(buyer(), journal, { score })).toMatchObject({ verdict: "same" });
    const worse = await redrive(buyer("Be short."), journal, {
      live,
      score: ({ requests }) => requests,
    });
    expect(worse.verdict).toBe("worse");
  });

  test("says what was recorded of the end, and what the candidate came to", async () => {
    const once = agent({ name: "once" });
    const journal = memoryJournal();
    await run(once, "go", { model: scriptedModel(["Said."]), journal });
    const outcome = { status: "done", output: "Said.", requests: 1 };
    const before: unknown[] = [];
    const live = {
      model: scriptedModel([]),
      budget: 9,
      before: (open: unknown) => before.push(open),
    };
    const same = await redrive(once, journal, { live });
    expect(same).toMatchObject({ recorded: outcome, candidate: outcome });
    // Where nothing is open, nobody is told.
    expect([before, same.live]).toEqual([[], 0]);
    const other = await redrive(agent({ name: "once", system: "Other." }), journal);
    expect(other.recorded).toEqual(outcome);
    expect(other.candidate).toStrictEqual({ status: "active", requests: 1 });
  });

  test("of a run that was cut off has requests that nobody answered", async () => {
    const journal = memoryJournal();
    const options = { model: scriptedModel(script) };
    await run(buyer(), "Buy it", { ...options, journal });
    const done = await redrive(buyer(), journal);
    expect(done).toMatchObject({ fresh: 0, open: 1 });
    expect(done.requests.at(-1)).toMatchObject({ effect: { type: "approval" }, support: "open" });
  });
});
