// Messages that wait: they are edited, removed and moved until a turn takes them.
import { describe, expect, it } from "vitest";
import { agentContext } from "../../../../../src/core/agent/index.js";
import { agent, toArray, tool } from "../../../../../src/index.js";
import { answer, messagesOf, returned, wish } from "../../../../support/agent-events.js";
import { byHand } from "../../../../support/by-hand.js";
import { refusal } from "../../../../support/thrown.js";

const { deserialize, serialize } = agentContext;

const look = tool({ name: "look", execute: () => "" });
const talker = agent({ name: "t", tools: [look], conversation: true });

function waiting() {
  const run = byHand(talker, "Hello");
  for (const id of ["a", "b", "c"]) run.take({ type: "message", id, content: id.toUpperCase() });
  return run;
}
const queued = ({ context }: ReturnType<typeof waiting>) =>
  toArray(context.queue).map(({ content }) => content);
const saidIn = ({ context }: ReturnType<typeof waiting>) =>
  messagesOf(context).flatMap(({ role, content }) => (role === "user" ? [content] : []));

describe("a message that waits", () => {
  it.each([
    [{ type: "message.edited", id: "b", content: "Bee" }, ["A", "Bee", "C"]],
    [{ type: "message.removed", id: "b" }, ["A", "C"]],
    [{ type: "message.moved", id: "c", to: 0 }, ["C", "A", "B"]],
    [{ type: "message.moved", id: "a", to: 9 }, ["B", "C", "A"]],
  ] as const)("is changed by %j", (event, left) => {
    const run = waiting();
    run.take(event);
    expect(run.step.ignored).toBeUndefined();
    expect(queued(run)).toEqual(left);
    run.take(answer(0, "Hi."));
    expect(saidIn(run)).toEqual(["Hello", ...left]);
    expect(JSON.stringify(messagesOf(run.context))).not.toContain('"id"');
  });

  it.each([
    { type: "message.edited", id: "b", content: "Bee" },
    { type: "message.removed", id: "b" },
    { type: "message.moved", id: "b", to: 0 },
  ] as const)("is changed no more once it was taken: %j", (event) => {
    const run = waiting();
    run.take(answer(0, "Hi."));
    const before = run.context;
    run.take(event);
    expect(run.step.ignored).toMatchObject({ reason: "refused", id: "b", code: "message.taken" });
    expect(run.context).toEqual(before);
  });

  it("has its id alone while it waits", () => {
    const run = waiting();
    run.take({ type: "message", id: "a", content: "again" });
    expect(run.step.ignored).toMatchObject({ id: "a", code: "message.repeated" });
    run.take({ type: "message", content: "nameless" });
    run.take({ type: "message.removed", id: "never" });
    expect(run.step.ignored).toMatchObject({ code: "message.taken" });
    run.take(answer(0, "Hi."));
    run.take({ type: "message", id: "a", content: "again" });
    expect(queued(run)).toEqual(["again"]);
  });

  it("keeps its id in a context that is serialized", () => {
    const { context } = waiting();
    const read = deserialize(JSON.parse(JSON.stringify(serialize(context))));
    expect(read.ok && toArray(read.context.queue)).toEqual(toArray(context.queue));
  });

  it.each([
    [{ type: "message", id: 7, content: "x" }, "id must be a string, not empty; it is 7"],
    [{ type: "message.edited", content: "x" }, "id is missing"],
    [{ type: "message.edited", id: "a" }, "content"],
    [{ type: "message.removed", id: "" }, "id must be a string, not empty"],
    [{ type: "message.moved", id: "a", to: -1 }, "to must be a whole number, 0 or more; it is -1"],
  ])("is not changed by what is no event: %j", (event, words) => {
    const run = waiting();
    expect(refusal(() => run.take(event as never)).message).toContain(words);
  });
});

describe("a conversation whose turns take one message each", () => {
  const each = agent({ name: "t", tools: [look], conversation: { queue: "each" } });

  it("leaves the others waiting, in a turn and behind it", () => {
    const run = byHand(each, "Hello");
    for (const content of ["One", "Two"]) run.take({ type: "message", content });
    run.take(answer(0, wish("look")));
    run.take(returned("tool/0/0", "seen"));
    expect(saidIn(run)).toEqual(["Hello"]);
    run.take(answer(1, "Hi."));
    expect([saidIn(run), queued(run), run.context.turn]).toEqual([["Hello", "One"], ["Two"], 1]);
    run.take({ type: "message.removed", id: "none" });
    run.take(answer(2, "First."));
    run.take(answer(3, "Second."));
    expect([saidIn(run), run.state.value]).toEqual([["Hello", "One", "Two"], "ready"]);
    run.take({ type: "message", content: "Three" });
    expect(saidIn(run)).toEqual(["Hello", "One", "Two", "Three"]);
  });

  it("keeps all of them where it is cancelled", () => {
    const run = byHand(each, "Hello");
    for (const content of ["One", "Two"]) run.take({ type: "message", content });
    run.take({ type: "cancel" });
    expect(saidIn(run)).toEqual(["Hello", "One", "Two"]);
  });

  it("is part of the configuration, and is spelt right", () => {
    expect(each.fingerprint).not.toBe(talker.fingerprint);
    const all = agent({ name: "t", tools: [look], conversation: { queue: "all" } });
    expect(all.fingerprint).toBe(talker.fingerprint);
    for (const conversation of [{ queue: "one" }, { queues: "each" }, "each"]) {
      expect(refusal(() => agent({ name: "t", conversation } as never)).message).toContain(
        "conversation",
      );
    }
  });
});

it("tells observers of a pure tool's result, as of any other's", () => {
  const add = tool({ name: "add", reduce: () => 2 });
  const fails = tool({
    name: "fails",
    reduce: () => {
      throw new Error("no");
    },
  });
  const run = byHand(agent({ name: "t", tools: [add, fails] }), "x");
  run.take(answer(0, wish("add"), wish("fails")));
  const told = run.directives.filter(({ type }) => type === "notify");
  expect(told).toMatchObject([
    {
      topic: "tool.settled",
      data: { id: "tool/0/0", name: "add", status: "succeeded", output: 2 },
    },
    { topic: "tool.settled", data: { id: "tool/0/1", name: "fails", status: "failed" } },
  ]);
  const ids = told.map(
    (each) => (each as unknown as { data: { toolCallId: string } }).data.toolCallId,
  );
  expect(new Set(ids).size).toBe(2);
});
