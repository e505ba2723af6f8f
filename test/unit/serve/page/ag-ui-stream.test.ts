// The events of AG-UI that a client gets which comes late.
import { expect, it } from "vitest";
import { AgUiStream } from "../../../../src/serve/page/index.js";

it("a client that comes while a model is down is told so, and one that comes later is not", () => {
  const stream = new AgUiStream();
  const wait = { id: "llm/0", code: "x", message: "overloaded", since: 5 };
  stream.take({ type: "user", id: "m0", content: "Hello." });
  stream.take({ type: "waiting", ...wait, isOver: false });
  const { id: _id, ...value } = wait;
  const waiting = { type: "CUSTOM", name: "reckoner.waiting", value: { ...value, isOver: false } };
  expect(stream.soFar()).toEqual([expect.objectContaining({ type: "MESSAGES_SNAPSHOT" }), waiting]);
  expect(stream.take({ type: "waiting", ...wait, isOver: true })).toEqual([
    { ...waiting, value: { ...value, isOver: true } },
  ]);
  expect(stream.soFar()).toHaveLength(1);
});
