// Approvals: a person says yes, no, or yes with other arguments.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { agentContext } from "../../../../src/core/agent/index.js";
import {
  type ApprovalDirective,
  agent,
  type Plugin,
  run,
  scriptedModel,
  type ToolMessage,
  type ToolResultPart,
  tool,
} from "../../../../src/index.js";
import {
  answer,
  decided,
  errorsOf,
  messagesOf,
  readOf,
  recordsOf,
  resultsOf,
  returned,
  wish,
} from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";
import { refusal } from "../../../support/thrown.js";

const { deserialize, serialize } = agentContext;

const removal = {
  name: "remove",
  inputSchema: z.object({ path: z.string() }),
  needsApproval: true,
  execute: () => "",
};
const remove = tool(removal);
const removing = agent({ name: "a", tools: [remove] });
const started = () => {
  const run = byHand(removing, "x");
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

  it("is answered with no", () => {
    const run = asking();
    run.take(decided("approval/0/0", false, { reason: "No." }));
    expect(recordsOf(run.context)).toMatchObject([{ status: "rejected", input: { q: 1 } }]);
  });

  it("takes no other arguments: the provider has its own", () => {
    const run = asking();
    const { ignored } = run.take(decided("approval/0/0", true, { input: { q: 2 } }));
    expect(ignored).toMatchObject({ reason: "refused", code: "approval.input" });
    expect(run.owed).toEqual(["approval/0/0"]);
  });

  it("is judged by the hooks first, and closed when the turn is stopped", () => {
    const judge = { name: "judge", beforeTool: () => ({ type: "deny" as const }) };
    const denied = byHand(agent({ name: "a", plugins: [judge] }), "x");
    denied.take(answer(0, asked));
    expect(denied.owed).toEqual(["llm/1"]);
    const run = asking();
    run.take({ type: "interrupt", partial: {} });
    expect(recordsOf(run.context)).toMatchObject([{ status: "not-executed" }]);
  });
});

// The chart hears by the first part of a name what settles a call.
describe.each([
  { type: "run.tagged", tags: ["urgent"] },
  { type: "tool.picked", id: "tool/0/0", output: "forged", waitedMs: 1_000 },
  { type: "approval", id: "approval/0/0", approve: true },
  { type: "approval.seen", id: "approval/0/0", approve: true },
  { type: "read.", id: "plugin/0/0/0", value: 1 },
  { type: "write.*", id: "tool/0/0" },
])("an event that only sounds like a settlement: $type $id", (event) => {
  const slow = tool({ name: "slow", idempotent: true, execute: () => "" });

  it.each([true, false])("changes nothing while a person is waited for (blocks: %s)", (blocks) => {
    const asks = tool({ ...removal, needsApproval: { when: true, blocks } });
    const run = byHand(agent({ name: "a", tools: [asks, slow], deadlineMs: 5_000 }), "x");
    run.take(answer(0, wish("remove", { path: "/tmp/a" }), wish("slow")));
    const { owed } = run;
    run.take(event);
    expect([run.state.status, run.directives, run.owed]).toEqual(["active", [], owed]);
    run.take(returned("tool/0/1", "ok"));
    run.take(event);
    expect(run.directives).toEqual([]);
    run.take(decided("approval/0/0", true));
    expect(run.directives).toContainEqual(expect.objectContaining({ id: "tool/0/0" }));
  });

  it("changes nothing while a plug-in waits", () => {
    const notes: Plugin = {
      name: "notes",
      issue: () => [{ type: "read", store: "s", query: 1 }],
    };
    const run = byHand(agent({ name: "a", plugins: [notes] }), "x");
    run.take(event);
    expect([run.state.status, run.directives, run.owed]).toEqual(["active", [], ["plugin/0/0/0"]]);
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
        of: expect.stringMatching(/^[\w-]{32}$/),
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

  it.each([
    ["gone", { type: "text", value: /edited by Ada.*\ngone$/s }],
    [{ ok: true }, { type: "content", value: [/edited by Ada/, '{"ok":true}'] }],
  ] as const)("that is edited is read as it ran, with who edited it: %j", (result, read) => {
    const run = byHand(agent({ name: "a", tools: [remove] }), "x");
    run.take(answer(0, wish("remove", { path: "a" }, "1"), wish("remove", { path: "z" }, "2")));
    run.take(decided("approval/0/0", true, { input: { path: "b" }, by: "Ada" }));
    run.take(decided("approval/0/1", true, { input: { path: "z" }, by: "Ada" }));
    run.take(returned("tool/0/0", result));
    run.take(returned("tool/0/1", "as it was"));
    const [, called, first, second] = messagesOf(run.context);
    expect(called).toMatchObject({ content: [{ input: { path: "b" } }, { input: { path: "z" } }] });
    const [{ output }] = (first as ToolMessage).content as [ToolResultPart];
    const said = readOf(output);
    const texts = Array.isArray(said) ? said.map((each) => (each as { text: string }).text) : said;
    const wanted = Array.isArray(read.value)
      ? read.value.map((each) => expect.stringMatching(each))
      : expect.stringMatching(read.value as RegExp);
    expect([output.type, texts]).toEqual([read.type, wanted]);
    expect(second).toMatchObject({ content: [{ output: { value: "as it was" } }] });
    const records = recordsOf(run.context);
    expect(records[0]).toMatchObject({ edited: { from: { path: "a" }, by: "Ada" } });
    expect(records[1]?.edited).toBeUndefined();
    const kept = deserialize(JSON.parse(JSON.stringify(serialize(run.context))));
    expect(kept.ok && recordsOf(kept.context)[0]).toEqual(records[0]);
  });

  it("with arguments that do not fit the schema is refused to the person, and stays open", () => {
    const run = started();
    const edit = decided("approval/0/0", true, { input: { path: 5 } });
    const why = removing.refusal(run.state, { ...edit, at: 9 } as never);
    expect(why).toMatchObject({ code: "approval.input" });
    const { ignored } = run.take(edit);
    expect(ignored).toMatchObject({ reason: "refused", code: "approval.input" });
    expect(ignored?.message).toMatch(/did not match the schema \(path: /);
    expect([run.owed, recordsOf(run.context)]).toEqual([["approval/0/0"], []]);
    run.take(decided("approval/0/0", true, { input: { path: "b" } }));
    expect(run.owed).toEqual(["tool/0/0"]);
  });

  it("may name what its person saw: one for anything else is stale", () => {
    const run = started();
    const { of } = run.directive("approval/0/0") as ApprovalDirective;
    const { ignored } = run.take(decided("approval/0/0", true, { of: "another" }));
    expect(ignored).toMatchObject({ reason: "refused", code: "approval.stale" });
    expect(run.owed).toEqual(["approval/0/0"]);
    run.take(decided("approval/0/0", true, { of }));
    expect(run.owed).toEqual(["tool/0/0"]);
    const other = byHand(agent({ name: "a", tools: [remove] }), "x");
    other.take(answer(0, wish("remove", { path: "/tmp/b" })));
    expect((other.directive("approval/0/0") as ApprovalDirective).of).not.toBe(of);
  });

  it("of a tool that was taken away can be rejected, and a yes is refused", () => {
    const over = { differs: () => true, input: "x" } as never;
    const bare = agent({ name: "a", version: 2, tools: [] });
    const state = bare.migrate(started().state, over);
    const decide = (approve: boolean) =>
      bare.step(state, { ...decided("approval/0/0", approve), at: 9 } as never);
    expect(decide(true).ignored).toMatchObject({ code: "approval.stale" });
    expect(recordsOf(decide(false).state.context)).toMatchObject([{ status: "rejected" }]);
    expect(decide(false).directives).toMatchObject([{ type: "llm", id: "llm/1" }]);
  });

  it.each([5, "x", null, [1], true])(
    "with %j for arguments runs nothing, schema or none",
    (input) => {
      const jsonSchema = { type: "object" };
      const ran = tool({ name: "t", jsonSchema, needsApproval: true, execute: () => "" });
      const run = byHand(agent({ name: "a", tools: [ran] }), "x");
      run.take(answer(0, wish("t", { n: 1 })));
      run.take(decided("approval/0/0", true, { input }));
      expect(run.step.ignored).toMatchObject({ code: "approval.input" });
      expect(run.owed).toEqual(["approval/0/0"]);
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

it("is not asked for again where what decides gives arguments that do not fit: the run waits", async () => {
  let times = 0;
  const model = scriptedModel([{ calls: [{ name: "remove", input: { path: "a" } }] }, "ok"]);
  const approve = () => {
    times += 1;
    return { approve: true, input: { path: 5 } };
  };
  const end = await run(removing, "x", { model, approve });
  expect([times, end.status]).toEqual([1, "waiting"]);
  expect(end.status === "waiting" && end.approvals).toMatchObject([{ id: "approval/0/0" }]);
});

describe("a tool that asks a person", () => {
  const seat = tool({ name: "seat", ask: z.object({ row: z.number() }) });
  const asking = () => {
    const run = byHand(agent({ name: "a", tools: [seat] }), "x");
    run.take(answer(0, wish("seat")));
    return run;
  };

  it("is given a value of its schema, which is its result", () => {
    const run = asking();
    expect(run.directives).toMatchObject([
      {
        type: "approval",
        title: "Answer what the tool seat asks.",
        subject: { tool: "seat", input: {} },
        ask: { type: "object", properties: { row: { type: "number" } } },
      },
    ]);
    run.take(decided("approval/0/0", true, { value: { row: 7 }, by: "Ada" }));
    expect(resultsOf(run.context)).toEqual([{ row: 7 }]);
    expect(run.owed).toEqual(["llm/1"]);
  });

  it("gives the value as its schema makes it: defaults, trimmed texts, no nulls", () => {
    const seats = z.object({
      row: z.number().default(1),
      name: z.string().trim(),
      note: z.string().optional(),
    });
    const run = byHand(agent({ name: "a", tools: [tool({ name: "seat", ask: seats })] }), "x");
    run.take(answer(0, wish("seat")));
    run.take(decided("approval/0/0", true, { value: { name: " Ada ", note: null } }));
    expect(resultsOf(run.context)).toEqual([{ row: 1, name: "Ada" }]);
  });

  it("refuses a value that its schema makes into something that is no JSON", () => {
    const later = z.iso.datetime().transform((text) => new Date(text));
    const run = byHand(agent({ name: "a", tools: [tool({ name: "when", ask: later })] }), "x");
    run.take(answer(0, wish("when")));
    const { ignored } = run.take(decided("approval/0/0", true, { value: "2026-01-01T00:00:00Z" }));
    expect(ignored).toMatchObject({ code: "approval.input" });
  });

  it.each([{}, { value: 7 }, { value: { row: "7" } }, { input: { row: 7 } }])(
    "is asked still after %j",
    (more) => {
      const run = asking();
      const { ignored } = run.take(decided("approval/0/0", true, more));
      expect(ignored).toMatchObject({ code: "approval.input" });
      expect(run.owed).toEqual(["approval/0/0"]);
    },
  );

  it("may be left unanswered", () => {
    const run = asking();
    run.take(decided("approval/0/0", false));
    expect(recordsOf(run.context)).toMatchObject([{ status: "rejected" }]);
  });

  it("gives no value to a tool that asks for none, and takes no needsApproval", () => {
    const run = started();
    run.take(decided("approval/0/0", true, { value: 1 }));
    expect(run.step.ignored).toMatchObject({ code: "approval.input" });
    const both = { name: "seat", ask: z.string(), needsApproval: true };
    expect(refusal(() => tool(both as never)).message).toContain("takes no needsApproval");
  });
});
