// The first request of a turn: a deadline comes with the first effect; a denied one loses nothing.

import { expect, it } from "vitest";
import { emptyTable } from "../../../../src/core/kernel/values/index.js";
import { agent, type Plugin } from "../../../../src/index.js";
import { answer, lastOf } from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";

const deny = { name: "deny", beforeRequest: () => ({ type: "deny" as const, reason: "closed" }) };

it("a first request that is denied ends the run at its start, with no timer left", () => {
  const run = byHand(agent({ name: "a", deadlineMs: 1_000, plugins: [deny] }), "go");
  expect(run.state).toMatchObject({ status: "failed", value: "denied", outstanding: emptyTable() });
  expect(run.state.fault).toBeUndefined();
});

it("one of a later turn ends its turn", () => {
  const late = {
    name: "late",
    beforeRequest: ({ turn }: { turn: number }) => (turn === 0 ? undefined : deny.beforeRequest()),
  };
  const run = byHand(
    agent({ name: "a", deadlineMs: 1_000, conversation: true, plugins: [late] }),
    "go",
  );
  expect(run.owed).toEqual(["timer/deadline/0", "llm/0"]);
  run.take(answer(0, "hello"));
  expect([run.state.value, run.owed]).toEqual(["ready", []]);
  run.take({ type: "message", content: "more" });
  expect(run.state).toMatchObject({ value: "ready", outstanding: emptyTable() });
  expect(run.context.failure).toMatchObject({ code: "agent.denied" });
});

it("a plug-in's request is the first effect of its turn; each turn counts from its own beginning", () => {
  const asking: Plugin = { name: "p", issue: () => [{ type: "read", store: "s", query: 1 }] };
  const one = agent({ name: "a", deadlineMs: 1_000, conversation: true, plugins: [asking] });
  const run = byHand(one, "go");
  expect(run.owed).toEqual(["timer/deadline/0", "plugin/0/0/0"]);
  run.take({ type: "read.succeeded", id: "plugin/0/0/0", value: 1 });
  expect(run.owed).toEqual(["timer/deadline/0", "llm/0"]);
  run.take(answer(0, "hello"));
  run.take({ type: "message", content: "more", at: 500 });
  expect(run.directive("timer/deadline/1")).toMatchObject({ until: 1_500 });
});

it("what the user said while a plug-in was at work is kept where the request is denied", () => {
  const asking: Plugin = { name: "p", issue: () => [{ type: "read", store: "s", query: 1 }] };
  const run = byHand(agent({ name: "a", plugins: [asking, deny] }), "go");
  run.take({ type: "message", content: "wait" });
  run.take({ type: "read.succeeded", id: "plugin/0/0/0", value: 1 });
  expect(run.state.value).toBe("denied");
  expect(lastOf(run.context)).toEqual({ role: "user", content: "wait" });
});
