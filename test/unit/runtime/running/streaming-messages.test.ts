// Which messages are being written, in a run and in its children: what is over is none of them.
import { expect, it } from "vitest";
import type { Observation } from "../../../../src/runtime/index.js";
import { StreamingMessages } from "../../../../src/runtime/running/streaming-messages.js";

const delta = (id: string) =>
  ({ type: "delta", id, attempt: 1, delta: { type: "text", text: id } }) as Observation;
const step = (status: string) =>
  ({ type: "step", event: { type: "x" }, directives: [], state: { status } }) as never;
const within = (observation: Observation, ...path: readonly string[]) =>
  path.reduceRight<Observation>(
    (inner, runId) => ({ type: "child", runId, observation: inner }),
    observation,
  );

it("an end takes what its run and the runs below it were writing, and leaves the others' as it is", () => {
  const messages = new StreamingMessages();
  const all = [
    delta("own"),
    within(delta("a"), "r1"),
    within(delta("b"), "r1", "r2"),
    within(delta("c"), "r3"),
  ];
  for (const each of all) messages.take(each);
  expect(messages.missed()).toEqual(all);
  messages.take(within(step("active"), "r1"));
  expect(messages.missed()).toEqual(all);
  messages.take(within(step("failed"), "r1"));
  expect(messages.missed()).toEqual([all[0], all[3]]);
  messages.take(step("done"));
  expect([messages.missed(), messages.any]).toEqual([[], false]);
});

it("a message is over with what settles its call, and not with what comes too late or for another", () => {
  const messages = new StreamingMessages();
  messages.take(delta("own"));
  const settled = (id: string, ignored?: object) =>
    ({ ...(step("active") as object), event: { type: "llm.succeeded", id }, ignored }) as never;
  messages.take(settled("other"));
  messages.take(settled("own", { reason: "stale" }));
  expect(messages.missed()).toEqual([delta("own")]);
  messages.take(settled("own"));
  expect(messages.any).toBe(false);
});
