// Tool calls through the pipeline: what the model reads, in call order, whatever comes back when.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  agent,
  contextUpdate,
  type Tool,
  ToolError,
  tool,
  withUpdate,
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

const effect = (name: string, more: object = {}): Tool =>
  tool({ name, jsonSchema: { type: "object" }, execute: () => "", ...more });
const started = (...tools: readonly Tool[]) =>
  byHand(agent({ name: "a", tools, deps: { n: 0 } }), "x");

describe("results", () => {
  it("text is text, anything else is JSON", () => {
    const run = started(effect("t"));
    run.take(answer(0, wish("t"), wish("t", {}, "b"), wish("t", {}, "c")));
    run.take(returned("tool/0/0", "words"));
    run.take(returned("tool/0/1", { a: [1] }));
    run.take(returned("tool/0/2", null));
    const outputs = messagesOf(run.context).flatMap((message) =>
      message.role === "tool" ? message.content.map(({ output }) => output) : [],
    );
    expect(outputs).toEqual([
      { type: "text", value: "words" },
      { type: "json", value: { a: [1] } },
      { type: "json", value: null },
    ]);
  });

  it("every call has a record: its id, the arguments it ran with, what came of it", () => {
    const run = started(effect("t"));
    run.take(answer(0, wish("t", { a: 1 }, "provider-7")));
    run.take(returned("tool/0/0", "ok"));
    expect(recordsOf(run.context)).toEqual([
      {
        id: "tool/0/0",
        callId: "provider-7",
        name: "t",
        input: { a: 1 },
        status: "succeeded",
        output: "ok",
      },
    ]);
  });

  it("two calls with one provider's id each get their result", () => {
    const run = started(effect("t"));
    run.take(answer(0, wish("t", { n: 1 }, "same"), wish("t", { n: 2 }, "same")));
    expect(run.owed).toEqual(["tool/0/0", "tool/0/1"]);
    run.take(returned("tool/0/1", 2));
    run.take(returned("tool/0/0", 1));
    expect(resultsOf(run.context)).toEqual([1, 2]);
  });
});

describe("calls that never run", () => {
  const cases: readonly (readonly [string, object, string])[] = [
    ["an unknown tool", wish("nope"), "Tool not found: nope"],
    ["a name of an object's machinery", wish("constructor"), "Tool not found: constructor"],
    [
      "malformed arguments",
      { ...wish("t", '{"a":'), malformed: true },
      "Error: tool arguments were not valid JSON. Please retry with a JSON object.",
    ],
    [
      "arguments that are no object",
      wish("t", [1]),
      "Error: tool arguments were valid JSON but not an object: [1]. Please retry with a JSON object.",
    ],
    [
      "missing arguments",
      wish("strict", {}),
      "Error: tool arguments did not match the schema (path: Invalid input: expected string, received undefined). Please retry with valid arguments.",
    ],
  ];
  const strict = tool({
    name: "strict",
    inputSchema: z.object({ path: z.string() }),
    execute: () => "",
  });
  for (const [name, call, text] of cases) {
    it(`${name}: the model reads why, and the run goes on`, () => {
      const run = started(effect("t"), strict);
      run.take(answer(0, call as never));
      expect(resultsOf(run.context)).toEqual([text]);
      expect(recordsOf(run.context)[0]?.status).toBe("failed");
      expect(run.owed).toEqual(["llm/1"]);
    });
  }

  it("a schema that validates asynchronously fails the call", () => {
    const inputSchema = z.object({}).refine(async () => true);
    const run = started(tool({ name: "t", inputSchema, jsonSchema: {}, execute: () => "" }));
    run.take(answer(0, wish("t")));
    expect(resultsOf(run.context)[0]).toMatch(/validates asynchronously/);
  });
});

describe("failures", () => {
  it("a tool that threw: the model reads that, not what, and the run continues to its final text", () => {
    const run = started(effect("t"));
    run.take(answer(0, wish("t")));
    const thrown = failed("tool/0/0", "disk /mnt/7 is full");
    const error = { ...thrown.error, name: "DiskError", cause: { message: "ENOSPC" } };
    run.take({ ...thrown, error: { ...error, stack: "at /srv/app.js:7" } });
    expect(resultsOf(run.context)).toEqual(["Tool execution failed: t threw an error."]);
    // No two processes agree on where it was thrown: that stays in the event.
    expect(recordsOf(run.context)[0]?.error).toEqual(error);
    run.take(answer(1, "so be it"));
    expect(run.output).toBe("so be it");
  });

  it("a tool that threw a ToolError: the model reads its message", () => {
    const run = started(effect("t"));
    run.take(answer(0, wish("t")));
    run.take({ ...failed("tool/0/0", "There is no order 7."), forModel: true });
    expect(resultsOf(run.context)).toEqual(["Tool execution failed: There is no order 7."]);
  });

  it("one that had started and nobody knows: the model reads to check first", () => {
    const run = started(effect("t"));
    run.take(answer(0, wish("t")));
    run.take(failed("tool/0/0", "killed", "unknown"));
    expect(resultsOf(run.context)).toEqual([mayHaveRun("tool/0/0")]);
    expect(recordsOf(run.context)[0]?.status).toBe("unknown");
  });

  it("a tool says itself how its failure reads, and a formatError that throws changes nothing", () => {
    const formatError = ({ tool: name, error, reason, input, attempts }: never) =>
      JSON.stringify([name, (error as { message: string }).message, reason, input, attempts]);
    const broken = () => {
      throw new Error("x");
    };
    const run = started(effect("t", { formatError }), effect("u", { formatError: broken }));
    run.take(answer(0, wish("t", { a: 1 }), wish("u")));
    run.take({ ...failed("tool/0/0", "why"), attempts: 3 });
    run.take(failed("tool/0/1", "why"));
    expect(resultsOf(run.context)).toEqual([
      '["t","why","error",{"a":1},3]',
      "Tool execution failed: u threw an error.",
    ]);
  });
});

describe("calls of one answer", () => {
  it("are issued side by side and written in call order, whatever comes back first (P4)", () => {
    const orders = [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ];
    const ends = orders.map((order) => {
      const run = started(effect("t"));
      run.take(answer(0, wish("t", {}, "a"), wish("t", {}, "b"), wish("t", {}, "c")));
      expect(run.owed).toEqual(["tool/0/0", "tool/0/1", "tool/0/2"]);
      const update = (i: number) => contextUpdate().append("seen", i).increment("n").operations;
      for (const i of order) run.take(returned(`tool/0/${i}`, i, { update: update(i) }));
      return JSON.stringify([run.directives, run.context]);
    });
    expect(new Set(ends).size).toBe(1);
    expect(ends[0]).toContain('"deps":{"n":3,"seen":[0,1,2]}');
  });

  it("sequential tools run alone: after all before them, before all after them", () => {
    const run = started(effect("p"), effect("s", { sequential: true }));
    run.take(answer(0, wish("p", {}, "a"), wish("p", {}, "b"), wish("s"), wish("p", {}, "c")));
    expect(run.owed).toEqual(["tool/0/0", "tool/0/1"]);
    run.take(returned("tool/0/1", 1));
    expect(run.owed).toEqual(["tool/0/0"]);
    run.take(returned("tool/0/0", 0));
    expect(run.owed).toEqual(["tool/0/2"]);
    run.take(returned("tool/0/2", 2));
    expect(run.owed).toEqual(["tool/0/3"]);
    run.take(returned("tool/0/3", 3));
    expect(resultsOf(run.context)).toEqual([0, 1, 2, 3]);
  });

  it("a sequential agent runs them one after the other", () => {
    const run = byHand(agent({ name: "a", tools: [effect("p")], sequential: true }), "x");
    run.take(answer(0, wish("p", {}, "a"), wish("p", {}, "b")));
    expect(run.owed).toEqual(["tool/0/0"]);
    run.take(returned("tool/0/0", 0));
    expect(run.owed).toEqual(["tool/0/1"]);
  });

  it("those that cannot run do not hold up the others", () => {
    const run = started(effect("t"));
    run.take(answer(0, wish("nope"), wish("t"), wish("nope", {}, "z")));
    expect(run.owed).toEqual(["tool/0/1"]);
    run.take(returned("tool/0/1", "ok"));
    expect(resultsOf(run.context)).toEqual(["Tool not found: nope", "ok", "Tool not found: nope"]);
    expect(transcriptFault(messagesOf(run.context))).toBeUndefined();
  });
});

describe("pure tools", () => {
  const count = tool({
    name: "count",
    reduce: (_input, { deps }) =>
      withUpdate((deps.n as number) + 1, contextUpdate().increment("n")),
  });

  it("give their results inline, each seeing the deps of the answer's beginning", () => {
    const run = started(count);
    run.take(answer(0, wish("count", {}, "a"), wish("count", {}, "b")));
    expect(resultsOf(run.context)).toEqual([1, 1]);
    expect([run.context.deps, run.owed]).toEqual([{ n: 2 }, ["llm/1"]]);
  });

  it("that are sequential see the updates of those before them", () => {
    const run = started({ ...count, sequential: true });
    run.take(answer(0, wish("count", {}, "a"), wish("count", {}, "b")));
    expect(resultsOf(run.context)).toEqual([1, 2]);
  });

  it("beside an effect they wait for it, so that updates come in call order", () => {
    const run = started(count, effect("t"));
    run.take(answer(0, wish("t"), wish("count")));
    run.take(returned("tool/0/0", "ok", { update: contextUpdate().set("n", 10).operations }));
    expect(resultsOf(run.context)).toEqual(["ok", 1]);
    expect(run.context.deps).toEqual({ n: 11 });
  });

  const broken: readonly (readonly [string, () => unknown, RegExp])[] = [
    [
      "throws",
      () => {
        throw new Error("no");
      },
      /^Tool execution failed: t threw an error\.$/,
    ],
    [
      "throws a ToolError",
      () => {
        throw new ToolError("There is none.");
      },
      /^Tool execution failed: There is none\.$/,
    ],
    [
      "fails in the engine",
      () => (undefined as never as { a: 1 }).a,
      /^Tool execution failed: t threw an error\.$/,
    ],
    ["is asynchronous", () => Promise.resolve(1), /^Tool execution failed: t threw an error\.$/],
    ["returns a Date", () => new Date(0), /is a Date/],
    [
      "returns an update that is none",
      () => withUpdate(1, [{ op: "x", key: "k" }] as never),
      /update\[0\]\.op must be "set", .*; it is "x"/,
    ],
  ];
  for (const [name, reduce, text] of broken) {
    it(`one that ${name} fails its call, not the run`, () => {
      const run = started(tool({ name: "t", reduce }));
      run.take(answer(0, wish("t")));
      expect(resultsOf(run.context)[0]).toMatch(text);
      expect(run.owed).toEqual(["llm/1"]);
    });
  }
});

describe("a final tool", () => {
  const finish = tool({ name: "finish", final: true, reduce: (input) => input });

  it("ends the run with its result as the output", () => {
    const run = started(finish);
    run.take(answer(0, wish("finish", { all: "done" })));
    expect(run.state).toMatchObject({ status: "done", value: "finished" });
    expect(run.output).toEqual({ all: "done" });
    expect(transcriptFault(messagesOf(run.context))).toBeUndefined();
  });

  it("that fails does not end it", () => {
    const run = started(effect("finish", { final: true }));
    run.take(answer(0, wish("finish")));
    run.take(failed("tool/0/0", "no"));
    expect(run.owed).toEqual(["llm/1"]);
  });

  it("the first of two in one answer counts; all calls beside it are carried out", () => {
    const run = started(finish, effect("t"));
    run.take(answer(0, wish("finish", { n: 1 }), wish("t"), wish("finish", { n: 2 }, "again")));
    expect(run.state.status).toBe("active");
    run.take(returned("tool/0/1", "ok"));
    expect([run.output, resultsOf(run.context)]).toEqual([{ n: 1 }, [{ n: 1 }, "ok", { n: 2 }]]);
  });
});
