// Cancelling at any moment: the run ends at once, and its transcript is valid (P3).
import { describe, expect, it } from "vitest";
import { agent, contextUpdate, tool } from "../../../../src/index.js";
import {
  answer,
  decided,
  lastOf,
  mayHaveRun,
  messagesOf,
  recordsOf,
  resultsOf,
  returned,
  transcriptFault,
  wish,
} from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";

const jsonSchema = { type: "object" };
const tools = [
  tool({ name: "t", jsonSchema, execute: () => "" }),
  tool({ name: "alone", jsonSchema, sequential: true, execute: () => "" }),
  tool({ name: "asks", jsonSchema, needsApproval: true, execute: () => "" }),
  tool({ name: "pure", jsonSchema, reduce: () => "pure" }),
];
const started = () => byHand(agent({ name: "a", tools }), "x");
const all = [wish("t"), wish("asks"), wish("pure"), wish("nope"), wish("alone")];
const NOT = "Tool call was interrupted and not executed. Please retry if needed.";

const phases: readonly (readonly [string, readonly object[], readonly string[]])[] = [
  ["before the model answered", [], []],
  [
    "when the calls have just been issued",
    [answer(0, ...all)],
    [mayHaveRun("tool/0/0"), NOT, NOT, "Tool not found: nope", NOT],
  ],
  [
    "when one is settled",
    [answer(0, ...all), returned("tool/0/0", "ok")],
    ["ok", NOT, NOT, "Tool not found: nope", NOT],
  ],
  [
    "when an approval was given",
    [answer(0, ...all), decided("approval/0/1", true)],
    [mayHaveRun("tool/0/0"), mayHaveRun("tool/0/1"), NOT, "Tool not found: nope", NOT],
  ],
  [
    "when an approval was refused",
    [answer(0, ...all), decided("approval/0/1", false)],
    [
      mayHaveRun("tool/0/0"),
      "Tool call was rejected by approval handler.",
      NOT,
      "Tool not found: nope",
      NOT,
    ],
  ],
  [
    "in the second wave",
    [answer(0, ...all), returned("tool/0/0", "ok"), decided("approval/0/1", false)],
    [
      "ok",
      "Tool call was rejected by approval handler.",
      "pure",
      "Tool not found: nope",
      mayHaveRun("tool/0/4"),
    ],
  ],
  ["when the model thinks again", [answer(0, wish("t")), returned("tool/0/0", "ok")], ["ok"]],
];

describe("cancelled", () => {
  for (const [name, events, results] of phases) {
    it(`${name}: every call has its one result, in call order`, () => {
      const run = started();
      for (const event of events) run.take(event as { type: string });
      const owed = run.owed;
      run.take({ type: "cancel", reason: "enough" });
      expect(run.state).toMatchObject({ status: "cancelled", value: "cancelled" });
      expect(resultsOf(run.context)).toEqual(results);
      expect(transcriptFault(messagesOf(run.context))).toBeUndefined();
      expect(run.directives).toEqual(owed.map((target) => ({ type: "cancel", target })));
      expect(run.context.cancelReason).toBe("enough");
    });
  }

  it("messages, usage and deps are at hand, the updates of settled calls among them", () => {
    const run = started();
    run.take(answer(0, wish("t", {}, "a"), wish("t", {}, "b")));
    const update = contextUpdate().set("found", 1).operations;
    run.take(returned("tool/0/0", "ok", { update }));
    run.take({ type: "cancel" });
    expect(run.context.deps).toEqual({ found: 1 });
    expect(run.context.usage).toMatchObject({ requests: 1, toolCalls: 2 });
    expect(recordsOf(run.context).map(({ status }) => status)).toEqual(["succeeded", "unknown"]);
    expect(run.output).toBeUndefined();
  });

  it("what the user had said and nobody read is in the transcript, after the results", () => {
    const run = started();
    run.take(answer(0, wish("t")));
    run.take({ type: "message", content: "stop" });
    run.take({ type: "cancel" });
    expect(lastOf(run.context)).toEqual({ role: "user", content: "stop" });
    expect(transcriptFault(messagesOf(run.context))).toBeUndefined();
  });

  it("what still comes back afterwards changes nothing", () => {
    const run = started();
    run.take(answer(0, wish("t")));
    run.take({ type: "cancel" });
    const before = run.state;
    expect(run.take(returned("tool/0/0", "late")).ignored?.reason).toBe("ended");
    expect(run.state).toEqual(before);
  });
});
