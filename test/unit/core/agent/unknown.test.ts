// What comes behind a call with an unknown outcome is not begun: the model reads it first. And
// all that says which call it is, for whoever has to check.
import { describe, expect, it } from "vitest";
import { pairKey } from "../../../../src/core/kernel/vocabulary/index.js";
import {
  type AgentDefinition,
  agent,
  type RunContext,
  type ToolFailure,
  tool,
} from "../../../../src/index.js";
import {
  answer,
  failed,
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
const pay = (more: object = {}) =>
  tool({ name: "pay", jsonSchema, sequential: true, execute: () => "", ...more });
const ran: string[] = [];
const note = tool({
  name: "note",
  jsonSchema,
  sequential: true,
  reduce: () => {
    ran.push("note");
    return "noted";
  },
});
const look = tool({ name: "look", jsonSchema, execute: () => "" });
const started = (more: Partial<AgentDefinition> = {}, own: object = {}) =>
  byHand(agent({ name: "a", tools: [pay(own), note, look], ...more }), "x");
const HELD =
  "Tool call was not executed, since the call before it is unknown (pay, tool/0/0). Find out what came of that one, then repeat this one if it is needed.";
const twice = answer(0, wish("pay", {}, "1"), wish("pay", {}, "2"));

describe("behind an unknown call", () => {
  it("a sequential call is not begun, and reads why", () => {
    const run = started();
    run.take(twice);
    expect(run.owed).toEqual(["tool/0/0"]);
    run.take(failed("tool/0/0", "killed", "unknown"));
    expect(run.owed).toEqual(["llm/1"]);
    expect(resultsOf(run.context)).toEqual([mayHaveRun("tool/0/0"), HELD]);
    expect(recordsOf(run.context).map(({ status }) => status)).toEqual(["unknown", "not-executed"]);
    expect(transcriptFault(messagesOf(run.context))).toBeUndefined();
  });

  it("nothing is begun in any wave, pure calls neither; what was refused before reads that", () => {
    ran.length = 0;
    const run = started();
    run.take(
      answer(0, wish("pay"), wish("note"), wish("nope"), wish("look"), wish("look", {}, "2")),
    );
    run.take(failed("tool/0/0", "killed", "unknown"));
    expect(resultsOf(run.context)).toEqual([
      mayHaveRun("tool/0/0"),
      HELD,
      "Tool not found: nope",
      HELD,
      HELD,
    ]);
    expect(ran).toEqual([]);
  });

  it("calls side by side are not behind each other", () => {
    const run = started();
    run.take(answer(0, wish("look", {}, "1"), wish("look", {}, "2")));
    run.take(failed("tool/0/0", "killed", "unknown"));
    expect(run.owed).toEqual(["tool/0/1"]);
    run.take(returned("tool/0/1", "seen"));
    expect(resultsOf(run.context)).toEqual([mayHaveRun("tool/0/0"), "seen"]);
  });

  it.each(["error", "timeout", "result"])("a call that failed (%s) stops nothing", (reason) => {
    const run = started();
    run.take(twice);
    run.take(failed("tool/0/0", "no", reason));
    expect(run.owed).toEqual(["tool/0/1"]);
  });

  it.each([
    ["the agent", { onUnknown: "continue" }, {}, ["tool/0/1"]],
    ["the tool", {}, { onUnknown: "continue" }, ["tool/0/1"]],
    ["the tool, against the agent,", { onUnknown: "continue" }, { onUnknown: "stop" }, ["llm/1"]],
  ] as const)("%s may say otherwise", (_who, more, own, owed) => {
    const run = started(more, own);
    run.take(twice);
    run.take(failed("tool/0/0", "killed", "unknown"));
    expect(run.owed).toEqual(owed);
  });

  it("the setting is one of two", () => {
    expect(() => agent({ name: "a", onUnknown: "go" as never })).toThrow(/onUnknown/);
    expect(() => pay({ onUnknown: "go" })).toThrow(/onUnknown/);
  });
});

describe("which call it is", () => {
  it("formatError is told, also where the run is cut off", () => {
    const seen: ToolFailure[] = [];
    const formatError = (failure: ToolFailure) => {
      seen.push(failure);
      return `look up ${failure.idempotencyKey}`;
    };
    const run = started({}, { formatError });
    run.take(twice);
    run.take(failed("tool/0/0", "killed", "unknown"));
    expect(resultsOf(run.context)[0]).toBe("look up run:tool/0/0");
    const cut = started({}, { formatError });
    cut.take(twice);
    cut.take({ type: "cancel" });
    expect(resultsOf(cut.context)[0]).toBe("look up run:tool/0/0");
    for (const failure of seen) {
      expect(failure).toMatchObject({
        tool: "pay",
        id: "tool/0/0",
        runId: "run",
        idempotencyKey: "run:tool/0/0",
        reason: "unknown",
      });
    }
    expect(seen).toHaveLength(2);
  });

  it("pure tools, issue tools and needsApproval see it, and the time of their event", () => {
    const seen: unknown[] = [];
    const see = (what: string, { runId, id, idempotencyKey: key, at }: RunContext) =>
      seen.push([what, runId, id, key, at]);
    const tools = [
      tool({
        name: "pure",
        jsonSchema,
        needsApproval: (_input, context) => see("asks", context) === 0,
        reduce: (_input, context) => void see("reduce", context),
      }),
      tool({
        name: "reads",
        jsonSchema,
        issue: (_input, context) => {
          see("issue", context);
          return [{ type: "read", store: "s", query: 1 }];
        },
        settle: (_input, context) => void see("settle", context),
      }),
    ];
    const run = byHand(agent({ name: "a", tools }), "x");
    run.take({ ...answer(0, wish("pure"), wish("reads")), at: 50 });
    run.take({ type: "read.succeeded", id: "tool/0/1/0", value: 1, at: 70 });
    expect(seen).toEqual([
      ["asks", "run", "tool/0/0", "run:tool/0/0", 50],
      ["issue", "run", "tool/0/1", "run:tool/0/1", 50],
      ["reduce", "run", "tool/0/0", "run:tool/0/0", 70],
      ["settle", "run", "tool/0/1", "run:tool/0/1", 70],
    ]);
  });

  it("what runs after an approval sees the time of the decision", () => {
    const times: number[] = [];
    const reads = tool({
      name: "reads",
      jsonSchema,
      needsApproval: true,
      issue: (_input, { at }) => {
        times.push(at);
        return [{ type: "read", store: "s", query: 1 }];
      },
      settle: () => null,
    });
    const run = byHand(agent({ name: "a", tools: [reads] }), "x");
    run.take({ ...answer(0, wish("reads")), at: 50 });
    run.take({ type: "approval.decided", id: "approval/0/0", approve: true, at: 90 });
    expect(times).toEqual([90]);
  });

  it("keys of different calls differ, whatever is in their parts", () => {
    const parts = ["a", "b", "a:b", "b:a", ":", "", "a%3Ab", "%", "a%", "a/b", "tool/0/0"];
    const keys = parts.flatMap((runId) => parts.map((id) => pairKey(runId, id)));
    expect(new Set(keys).size).toBe(parts.length ** 2);
    expect(pairKey("r1", "tool/0/0")).toBe("r1:tool/0/0");
  });
});
