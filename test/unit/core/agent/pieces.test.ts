// Pieces of the agent by themselves: schemas of named arguments, what a definition carries over, what
// messages cost, and how far a transcript was looked through.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  checkTranscript,
  repairNotices,
} from "../../../../src/core/agent/extend/check-transcript.js";
import { newContext } from "../../../../src/core/agent/extend/context-functions.js";
import { fields } from "../../../../src/core/agent/extend/tool-fields.js";
import {
  isWhole,
  repairTranscript,
} from "../../../../src/core/agent/transcript/repair-transcript.js";
import { adopt } from "../../../../src/core/agent/turn/adopt.js";
import { listHead, toArray, vectorOf } from "../../../../src/core/kernel/values/index.js";
import { lettersOfMessages } from "../../../../src/core/kernel/vocabulary/index.js";
import { agent, agentTool, type RunDirective, type Tool, tool } from "../../../../src/index.js";
import { refusal } from "../../../support/thrown.js";

describe("named arguments", () => {
  const { inputSchema, jsonSchema } = fields({
    name: "string",
    count: "number",
    size: { type: "integer", minimum: 1, maximum: 3, optional: true, description: "how large" },
    kind: { type: "string", enum: ["a", "b"], optional: true },
  });
  const read = (value: unknown) => {
    const result = inputSchema["~standard"].validate(value) as {
      readonly value?: object;
      readonly issues?: readonly { readonly message: string; readonly path: readonly string[] }[];
    };
    return result.value ?? result.issues?.map(({ path, message }) => `${path}: ${message}`);
  };
  const whole = { name: "n", count: 1.5 };

  it("say what they are, which are needed, and that there are no others", () => {
    expect(jsonSchema).toEqual({
      type: "object",
      properties: {
        name: { type: "string" },
        count: { type: "number" },
        size: { type: "integer", minimum: 1, maximum: 3, description: "how large" },
        kind: { type: "string", enum: ["a", "b"] },
      },
      required: ["name", "count"],
      additionalProperties: false,
    });
  });

  it.each<[unknown, unknown]>([
    [whole, whole],
    [
      { ...whole, size: 1, kind: "a" },
      { ...whole, size: 1, kind: "a" },
    ],
    [
      { ...whole, size: 3 },
      { ...whole, size: 3 },
    ],
    [{ ...whole, size: null, kind: undefined, more: 1 }, whole],
    [{ ...whole, size: 0 }, ["size: expected a number from 1 to 3"]],
    [{ ...whole, size: 4 }, ["size: expected a number from 1 to 3"]],
    [{ ...whole, size: 1.5 }, ["size: expected a whole number"]],
    [{ ...whole, size: "1" }, ["size: expected a number"]],
    [{ ...whole, kind: "c" }, ["kind: expected one of a, b"]],
    [{ ...whole, kind: 1 }, ["kind: expected a string"]],
    [{ name: null }, ["name: expected a string", "count: expected a number"]],
    [null, ["name: expected a string", "count: expected a number"]],
    [undefined, ["name: expected a string", "count: expected a number"]],
    [Object.create(whole), ["name: expected a string", "count: expected a number"]],
  ])("%j", (given, taken) => {
    expect(read(given)).toStrictEqual(taken);
  });

  it("may be named like what every object has", () => {
    const { inputSchema: odd } = fields({ toString: "string" });
    expect(odd["~standard"].validate({})).toHaveProperty("issues");
  });
});

describe("a definition that a run goes on under", () => {
  const look = tool({ name: "look", jsonSchema: {}, execute: () => "" });
  const spec = (more: object = {}) =>
    ({
      name: "new",
      system: "now",
      tools: { look },
      limits: { maxIterations: 7, tokenBudget: 100 },
      behaviour: { initContext: (_spec: unknown, context: object) => context },
      plugins: [],
      ...more,
    }) as never;
  const context = newContext({ runId: "r", agentName: "old", systemPrompt: "then" });
  const over = (parts: readonly string[], more: object = {}) =>
    ({ at: 1, differs: (part: string) => parts.includes(part), input: "go", ...more }) as never;
  const waiting = (name: string, status: string) => ({
    ...context,
    batch: { calls: vectorOf([{ id: "tool/0/0", name, status }]), from: 0, until: 1 } as never,
  });

  it("gives it its name, and what differs alone", () => {
    const same = adopt(spec(), context, over([]));
    expect(same).toEqual({ ...context, agentName: "new" });
    for (const part of ["system", "behaviour"]) {
      expect(adopt(spec(), context, over([part])).systemPrompt).toBe("now");
    }
    const late = spec({ system: () => "later" });
    expect(adopt(late, context, over(["system"])).systemPrompt).toBeNull();
  });

  it("bounds it by its limits, as far as the input and the parent leave them", () => {
    const of = (more: object = {}) => {
      const { maxIterations, tokenBudget, costBudget } = adopt(
        spec(),
        context,
        over(["limits"], more),
      );
      return [maxIterations, tokenBudget, costBudget];
    };
    expect(of()).toEqual([7, 100, null]);
    expect(of({ input: { maxIterations: 3 } })).toEqual([3, 100, null]);
    expect(of({ input: { maxIterations: "3" } })).toEqual([7, 100, null]);
    expect(of({ budget: { tokens: 50, cost: 9 } })).toEqual([7, 50, 9]);
    expect(of({ budget: { tokens: 500 } })).toEqual([7, 100, null]);
  });

  it("is refused where a call waits for a tool that it has not", () => {
    const of = (name: string, status: string) => () =>
      adopt(spec(), waiting(name, status), over([]));
    expect(of("look", "waiting")().agentName).toBe("new");
    expect(of("gone", "settled")().agentName).toBe("new");
    for (const name of ["gone", "toString"]) {
      expect(refusal(of(name, "waiting"))).toMatchObject({
        code: "upgrade.refused",
        message: expect.stringContaining(`the call tool/0/0 waits, and new has no tool ${name}`),
      });
    }
  });
});

describe("a call that is under way where the code is changed", () => {
  const of = (kind: string, call: object) => () =>
    adopt(
      {
        name: "new",
        tools: { look: { kind } },
        limits: {},
        plugins: [],
        behaviour: {},
      } as never,
      {
        ...newContext({ runId: "r", agentName: "old", systemPrompt: null }),
        batch: { calls: vectorOf([{ id: "tool/0/0", name: "look", ...call }]) } as never,
      },
      { at: 1, differs: () => false, input: "go" } as never,
    );
  const settlements = vectorOf([null]);
  const rows: readonly (readonly [object, readonly string[]])[] = [
    [{ status: "waiting" }, ["execute", "reduce", "issue", "provider"]],
    [{ status: "asking" }, ["execute", "reduce", "issue"]],
    [{ status: "settled" }, ["execute", "reduce", "issue", "provider"]],
    [{ status: "inline" }, ["reduce", "issue"]],
    [{ status: "inline", settlements }, ["issue"]],
    [{ status: "issued" }, ["execute"]],
    [{ status: "issued", settlements }, ["issue"]],
  ];

  it.each(rows)("%j goes on as %j alone", (call, kinds) => {
    for (const kind of ["execute", "reduce", "issue", "provider"]) {
      if (kinds.includes(kind)) expect(of(kind, call)().agentName).toBe("new");
      else {
        expect(refusal(of(kind, call))).toMatchObject({
          code: "upgrade.refused",
          message: expect.stringContaining(
            `the call tool/0/0 is under way, and look does it in another way now (${kind})`,
          ),
        });
      }
    }
  });
});

describe("an agent as a tool", () => {
  const child = agent({ name: "child" });
  const issued = (made: Tool, given: unknown) =>
    ((made.issue?.(given as never, {} as never) ?? []) as readonly unknown[])[0] as
      | RunDirective
      | undefined;

  it("takes a prompt, or what its schema says", () => {
    const plain = agentTool(child as never, { name: "ask" });
    expect(plain.schema.inputSchema).toMatchObject({ required: ["prompt"] });
    expect(issued(plain, { prompt: "go" })).toEqual({ type: "run", reasoner: "ask", input: "go" });
    const own = agentTool(child as never, {
      name: "ask",
      inputSchema: z.object({ a: z.number() }),
      input: ({ a }) => ({ prompt: `${a}` }),
    });
    expect(own.schema.inputSchema).toMatchObject({ required: ["a"] });
    expect(issued(own, { a: 1 })?.input).toEqual({ prompt: "1" });
    const described = agentTool(child as never, { name: "ask", jsonSchema: { type: "object" } });
    expect(described.schema.inputSchema).toEqual({ type: "object" });
  });

  it("has the child's output as its result, or what is made of it, and its failure as its own", () => {
    const settle = (made: Tool, settled?: object) =>
      made.settle?.({} as never, {} as never, (settled ? [settled] : []) as never);
    const plain = agentTool(child as never, { name: "ask" });
    const made = agentTool(child as never, { name: "ask", result: (out, run) => `${run}: ${out}` });
    const done = { type: "run.succeeded", output: "out", runId: "r" };
    expect([settle(plain, done), settle(made, done)]).toEqual(["out", "r: out"]);
    expect(() => settle(plain, { type: "run.failed", error: { message: "no" } })).toThrow("no");
    expect(() => settle(plain, { type: "read.succeeded" })).toThrow("was not settled");
    expect(() => settle(plain)).toThrow("was not settled");
  });
});

describe("characters of messages", () => {
  it("are those of texts, and of all else as JSON", () => {
    const file = { type: "file", data: "x", mediaType: "y" };
    expect(lettersOfMessages([])).toBe(0);
    expect(
      lettersOfMessages([
        { role: "user", content: "four" },
        { role: "user", content: [{ type: "text", text: "three" }, file] },
        { role: "assistant", content: [{ type: "reasoning", text: "six" }] },
      ] as never),
    ).toBe(4 + 5 + 12_000 + 3);
  });
});

describe("a transcript", () => {
  const call = (toolCallId: string, toolName = "t", more: object = {}) => ({
    type: "tool-call",
    toolCallId,
    toolName,
    input: {},
    ...more,
  });
  const result = (toolCallId: string, toolName = "t") => ({
    type: "tool-result",
    toolCallId,
    toolName,
    output: { type: "text", value: toolCallId },
  });
  const asks = (...content: object[]) => ({ role: "assistant", content });
  const told = (...content: object[]) => ({ role: "tool", content });
  const user = { role: "user", content: "go" };
  const provided = call("p", "t", { providerExecuted: true });

  it.each<[string, readonly object[], boolean, boolean?]>([
    ["nothing", [], true],
    ["words", [user, { role: "assistant", content: "x" }], true],
    [
      "calls with their results",
      [asks(call("1"), call("2")), told(result("1"), result("2"))],
      true,
    ],
    [
      "results a message each",
      [asks(call("1"), call("2")), told(result("1")), told(result("2"))],
      true,
    ],
    ["results out of order", [asks(call("1"), call("2")), told(result("2"), result("1"))], false],
    ["a call without its result", [asks(call("1")), user], false],
    ["one at the end", [asks(call("1"), call("2")), told(result("1"))], false],
    ["one at the end that is open", [asks(call("1"), call("2")), told(result("1"))], true, true],
    ["a result without its call", [user, told(result("1"))], false],
    ["one result more", [asks(call("1")), told(result("1"), result("1"))], false],
    ["a result of another tool", [asks(call("1")), told(result("1", "u"))], false],
    ["what is no result", [asks(call("1")), told({ ...result("1"), type: "text" })], false],
    ["an empty message", [asks(call("1")), told(result("1")), told()], false],
    ["two calls with one id", [asks(call("1"), call("1")), told(result("1"), result("1"))], false],
    ["a provider's own call", [asks(provided, result("p"))], true],
    ["a provider's result in a later answer", [asks(provided), asks(result("p"))], true],
    ["a result in an answer that is nobody's", [asks(call("1"), result("1"))], false],
    [
      "one call after the other",
      [asks(call("1")), told(result("1")), asks(call("2")), told(result("2"))],
      true,
    ],
  ])("of %s", (_name, messages, whole, open = false) => {
    expect(isWhole(messages as never, open)).toBe(whole);
    if (whole) {
      const repaired = repairTranscript(messages as never, open);
      expect(repaired.repair).toBeNull();
      expect(repaired.messages).toBe(messages);
    }
  });

  it("keeps messages that stand right as they are, and of others what they held beside", () => {
    const options = { p: { cache: true } };
    const right = [asks(call("1")), { ...told(result("1")), providerOptions: options }];
    const late = [asks(call("2")), user, told(result("2"))];
    const { messages, repair } = repairTranscript([...right, ...late] as never);
    expect(repair).toMatchObject({ moved: 1 });
    expect(messages.slice(0, 2)).toEqual(right);
    expect(messages[1]).toBe(right[1]);
    expect(messages.slice(2)).toEqual([late[0], told(result("2")), user]);
  });

  const context = (messages: readonly object[]) => newContext({ messages: messages as never });
  const spec = (prices?: object) =>
    ({ behaviour: { afterTool: () => {} }, ...(prices && { prices }) }) as never;

  it("is looked through once, and from where it ended the next time", () => {
    const first = checkTranscript(spec(), context([user]));
    expect(first.notices).toEqual([]);
    expect(first.context.checked).toMatchObject({ size: 1, characters: 2 });
    const more = context([user, { role: "assistant", content: "four" }]);
    const again = { ...more, checked: first.context.checked };
    expect(checkTranscript(spec(), again).context.checked).toMatchObject({
      size: 2,
      characters: 6,
    });
    // Another beginning is another transcript.
    const other = { ...context([{ ...user, content: "other" }]), checked: first.context.checked };
    expect(checkTranscript(spec(), other).context.checked).toMatchObject({
      size: 1,
      characters: 5,
    });
    const less = { ...context([]), checked: first.context.checked };
    expect(checkTranscript(spec(), less).context.checked).toMatchObject({ size: 0, characters: 0 });
  });

  it("that is broken behind what was looked through is repaired whole, and that is told", () => {
    const begun = checkTranscript(spec(), context([user]));
    const broken = context([user, asks(call("1"))]);
    const { context: mended, notices } = checkTranscript(spec(), {
      ...broken,
      checked: begun.context.checked,
    });
    expect(toArray(mended.messages)).toHaveLength(3);
    expect(mended.checked).toMatchObject({ size: 3, head: listHead(mended.messages) });
    expect(mended.checked?.characters).toBe(lettersOfMessages(toArray(mended.messages)));
    expect(notices).toEqual([
      {
        type: "notify",
        topic: "transcript.repaired",
        data: expect.objectContaining({ source: "behaviour", answered: 1 }),
      },
    ]);
    expect(repairNotices("input", null)).toEqual([]);
  });
});
