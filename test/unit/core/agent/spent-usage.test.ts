// Usage is what was spent: every request counts, and a port takes nothing back.
import { describe, expect, it } from "vitest";
import { agent, type Behaviour, basicBehaviour, tool } from "../../../../src/index.js";
import { answer, cost, returned, wish } from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";

const retrying: Behaviour = {
  ...basicBehaviour,
  name: "retrying",
  handleError: (_agent, _error, context) => ({ type: "retry", context }),
};
const look = tool({ name: "look", jsonSchema: { type: "object" }, execute: () => "" });
const started = (more: object = {}) => byHand(agent({ name: "a", tools: [look], ...more }), "x");
const down = { type: "llm.failed", id: "llm/0", error: { code: "llm.failed", message: "down" } };

describe("requests", () => {
  it.each<[string, object, number]>([
    ["one, where nothing is said", { usage: {} }, 1],
    ["one, where the port says none", { usage: { requests: 0 } }, 1],
    ["one, where the port takes some back", { usage: { requests: -4 } }, 1],
    ["as many as the port says", { usage: { requests: 3 } }, 3],
    ["as many as there were attempts", { usage: {}, attempts: 2 }, 2],
    [
      "as many as there were attempts, whatever the port says",
      { usage: { requests: 1 }, attempts: 3 },
      3,
    ],
  ])("of an answer: %s", (_what, more, requests) => {
    const run = started();
    run.take({ ...answer(0, "done"), ...more });
    expect(run.context.usage.requests).toBe(requests);
  });

  it.each<[string, object, number, number]>([
    ["one", {}, 1, 0],
    ["each attempt", { attempts: 3 }, 3, 0],
    ["and what it has spent", { attempts: 2, usage: { inputTokens: 9 } }, 2, 9],
    ["none, where nobody was asked", { usage: { requests: 0 } }, 0, 0],
  ])("of a failed call: %s", (_what, more, requests, totalTokens) => {
    const run = started();
    run.take({ ...down, ...more });
    expect(run.state.status).toBe("failed");
    expect(run.context.usage).toMatchObject({ requests, totalTokens });
  });

  it("of calls that were repeated by the behaviour: each", () => {
    const run = started({ behaviour: retrying });
    run.take(down);
    run.take({ ...down, id: "llm/0/1", attempts: 2 });
    run.take({ ...answer(0, "done"), id: "llm/0/2" });
    expect(run.context.usage).toMatchObject({ ...cost, requests: 4 });
  });

  it("of a call that was cancelled, cut off by the deadline, or by the end: one", () => {
    const cancelled = started();
    cancelled.take({ type: "cancel" });
    expect(cancelled.context.usage.requests).toBe(1);
    const late = started({ deadlineMs: 10, onLimit: "answer" });
    late.take({ type: "timer.fired", id: "timer/deadline/0" });
    expect(late.owed).toEqual(["llm/0/1"]);
    expect(late.context.usage.requests).toBe(1);
    late.take({ type: "cancel" });
    expect(late.context.usage.requests).toBe(2);
  });

  it("where none is out, none is counted", () => {
    const busy = started();
    busy.take(answer(0, wish("look")));
    busy.take({ type: "cancel" });
    expect(busy.context.usage.requests).toBe(1);
    const waiting = started({ conversation: true });
    waiting.take(answer(0, "hi"));
    waiting.take({ type: "cancel" });
    expect(waiting.context.usage.requests).toBe(1);
    const late = started({ deadlineMs: 10 });
    late.take(answer(0, wish("look")));
    late.take({ type: "timer.fired", id: "timer/deadline/0" });
    expect(late.context.usage.requests).toBe(1);
  });
});

describe("tokens", () => {
  it("are whole numbers from 0 on: a port takes nothing back from the budget", () => {
    const run = started({ tokenBudget: 20 });
    run.take({ ...answer(0, wish("look")), usage: { totalTokens: 15 } });
    run.take(returned("tool/0/0", 1));
    run.take({ ...answer(1, wish("look")), usage: { inputTokens: 8, totalTokens: -1_000 } });
    run.take(returned("tool/1/0", 1));
    expect(run.state).toMatchObject({ status: "active" });
    run.take({ ...answer(2, wish("look")), usage: { inputTokens: 8 } });
    run.take(returned("tool/2/0", 1));
    expect(run.state).toMatchObject({ status: "failed", value: "tokenBudget" });
  });
});
