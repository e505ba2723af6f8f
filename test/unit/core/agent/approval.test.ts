// Approvals: a person says yes, no, or yes with other arguments.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { agent, tool } from "../../../../src/index.js";
import {
  answer,
  decided,
  errorsOf,
  recordsOf,
  resultsOf,
  returned,
  wish,
} from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";
import { refusal } from "../../../support/thrown.js";

const remove = tool({
  name: "remove",
  inputSchema: z.object({ path: z.string() }),
  needsApproval: true,
  execute: () => "",
});
const started = () => {
  const run = byHand(agent({ name: "a", tools: [remove] }), "x");
  run.take(answer(0, wish("remove", { path: "/tmp/a" })));
  return run;
};

describe("a provider's question about a call that it carries out itself", () => {
  const asked = {
    ...wish("mcp.find", { q: 1 }),
    providerExecuted: true,
    approvalId: "q-1",
  } as const;
  const asking = () => {
    const run = byHand(agent({ name: "a", tools: [remove] }), "x");
    run.take({ ...answer(0, "I ask.", asked), finishReason: "stop" });
    return run;
  };

  it("is an approval; the model is asked again once all are decided", () => {
    const run = asking();
    expect(run.directives).toMatchObject([
      { type: "approval", id: "approval/0/0", subject: { tool: "mcp.find", input: { q: 1 } } },
    ]);
    run.take(decided("approval/0/0", true));
    expect(run.owed).toEqual(["llm/1"]);
    expect(recordsOf(run.context)).toMatchObject([{ name: "mcp.find", status: "succeeded" }]);
    run.take(answer(1, "Found."));
    expect(run.output).toBe("Found.");
  });

  it.each([
    [false, { reason: "No." }],
    [true, { input: { q: 2 } }],
  ])("is answered with no: %s %j", (approve, more) => {
    const run = asking();
    run.take(decided("approval/0/0", approve, more));
    expect(recordsOf(run.context)).toMatchObject([{ status: "rejected", input: { q: 1 } }]);
  });

  it("is judged by the policy first, and closed when the turn is stopped", () => {
    const policy = { beforeTool: () => ({ type: "deny" as const }) };
    const denied = byHand(agent({ name: "a", policy }), "x");
    denied.take(answer(0, asked));
    expect(denied.owed).toEqual(["llm/1"]);
    const run = asking();
    run.take({ type: "interrupt", partial: {} });
    expect(recordsOf(run.context)).toMatchObject([{ status: "not-executed" }]);
  });
});

describe("an approval", () => {
  it("is asked for before the tool, with what a person has to see", () => {
    expect(started().directives).toEqual([
      {
        type: "approval",
        id: "approval/0/0",
        title: "Run the tool remove?",
        subject: { tool: "remove", input: { path: "/tmp/a" } },
        toolCallId: "call-remove",
      },
    ]);
  });

  it("that is given runs the tool with the model's arguments", () => {
    const run = started();
    run.take(decided("approval/0/0", true));
    expect(run.directives).toEqual([
      {
        type: "tool",
        id: "tool/0/0",
        name: "remove",
        input: { path: "/tmp/a" },
        toolCallId: "call-remove",
      },
    ]);
  });

  it("that is given with other arguments runs the tool with those", () => {
    const run = started();
    run.take(decided("approval/0/0", true, { input: { path: "/tmp/b" } }));
    expect(run.directives[0]).toMatchObject({ input: { path: "/tmp/b" } });
    run.take(returned("tool/0/0", "gone"));
    expect(recordsOf(run.context)[0]?.input).toEqual({ path: "/tmp/b" });
  });

  it("with arguments that do not fit the schema runs nothing", () => {
    const run = started();
    run.take(decided("approval/0/0", true, { input: { path: 5 } }));
    expect(run.owed).toEqual(["llm/1"]);
    expect(resultsOf(run.context)[0]).toMatch(/did not match the schema \(path: /);
  });

  it.each([5, "x", null, [1], true])(
    "with %j for arguments runs nothing, schema or none",
    (input) => {
      const jsonSchema = { type: "object" };
      const ran = tool({ name: "t", jsonSchema, needsApproval: true, execute: () => "" });
      const run = byHand(agent({ name: "a", tools: [ran] }), "x");
      run.take(answer(0, wish("t", { n: 1 })));
      run.take(decided("approval/0/0", true, { input }));
      expect(run.owed).toEqual(["llm/1"]);
      expect(recordsOf(run.context)[0]).toMatchObject({ status: "failed", input });
      expect(resultsOf(run.context)[0]).toContain("valid JSON but not an object");
    },
  );

  it("that is refused reads so, with the reason where there is one", () => {
    const [plain, reasoned] = [{}, { reason: "not today" }].map((more) => {
      const run = started();
      run.take(decided("approval/0/0", false, more));
      expect(recordsOf(run.context)[0]?.status).toBe("rejected");
      return resultsOf(run.context)[0];
    });
    expect(plain).toBe("Tool call was rejected by approval handler.");
    expect(reasoned).toBe("Tool call was rejected by approval handler: not today");
  });

  for (const approve of ["true", 1, null, undefined, {}]) {
    it(`is not given by ${JSON.stringify(approve)}`, () => {
      const run = started();
      const before = run.state;
      const decide = () => run.take({ type: "approval.decided", id: "approval/0/0", approve });
      expect(refusal(decide).code).toBe("event.invalid");
      expect(run.state).toEqual(before);
    });
  }

  it("is decided once: what comes later is stale", () => {
    const run = started();
    run.take(decided("approval/0/0", false));
    expect(run.take(decided("approval/0/0", true)).ignored?.reason).toBe("stale");
    expect(run.owed).toEqual(["llm/1"]);
  });
});

describe("which calls need one", () => {
  const asking = (needsApproval: (input: unknown, context: object) => boolean) => {
    const jsonSchema = { type: "object" };
    const run = byHand(
      agent({
        name: "a",
        tools: [tool({ name: "t", jsonSchema, needsApproval, execute: () => "" })],
      }),
      { prompt: "x", deps: { strict: true } },
    );
    run.take(answer(0, wish("t", { n: 1 }), wish("t", { n: 2 }, "second")));
    return run;
  };

  it("a function of deps and arguments decides", () => {
    const run = asking((input, context) => {
      const { deps } = context as { deps: { strict: boolean } };
      return deps.strict && (input as { n: number }).n > 1;
    });
    expect(run.owed).toEqual(["tool/0/0", "approval/0/1"]);
  });

  it("one that throws fails its call", () => {
    const run = asking(() => {
      throw new Error("no");
    });
    const read = "Tool execution failed: t threw an error.";
    expect(resultsOf(run.context)).toEqual([read, read]);
    expect(errorsOf(run.context)).toEqual(["no", "no"]);
  });

  it.each([undefined, null, Number.NaN, 0, 1, "no"])("one that says %s fails its call", (said) => {
    const run = asking(() => said as never);
    expect(run.owed).toEqual(["llm/1"]);
    const why = "needsApproval must return true or false";
    expect(errorsOf(run.context)).toEqual([why, why]);
  });

  it("arguments are checked before anybody is asked", () => {
    const run = byHand(agent({ name: "a", tools: [remove] }), "x");
    run.take(answer(0, wish("remove", { path: 1 })));
    expect(run.owed).toEqual(["llm/1"]);
  });

  it("a pure tool can need one too", () => {
    const pure = tool({ name: "pure", needsApproval: true, reduce: () => "done" });
    const run = byHand(agent({ name: "a", tools: [pure] }), "x");
    run.take(answer(0, wish("pure")));
    expect(run.owed).toEqual(["approval/0/0"]);
    run.take(decided("approval/0/0", true));
    expect(resultsOf(run.context)).toEqual(["done"]);
  });
});
