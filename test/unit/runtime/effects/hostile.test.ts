// Whatever tools, models and approvers return or throw is data: it fails the call, never the run.
import { describe, expect, it } from "vitest";
import {
  agent,
  contextUpdate,
  type JsonObject,
  type ToolFailed,
  tool,
  withUpdate,
} from "../../../../src/index.js";
import { listOf } from "../../../../src/kernel.js";
import {
  type End,
  type ModelResponse,
  memoryJournal,
  replay,
  run,
  scriptedModel,
} from "../../../../src/runtime/index.js";

const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = [value];
  return value;
};
const circle: unknown[] = [];
circle.push(circle);

/** Runs one tool call and gives what settled it; the run has to end well and to replay. */
async function settlementOf(
  execute: () => unknown,
): Promise<Partial<Omit<ToolFailed, "type">> & { type: string }> {
  const one = agent({ name: "a", tools: [tool({ name: "t", execute })] });
  const journal = memoryJournal();
  const live = run(one, "go", {
    journal,
    model: scriptedModel([{ calls: [{ name: "t" }] }, "done"]),
  });
  let settled: { type: string } | undefined;
  for await (const seen of live) {
    if (seen.type === "step" && seen.event.type.startsWith("tool.")) settled = seen.event;
  }
  expect(await live).toMatchObject({ status: "done", output: "done" });
  expect((await replay(one, journal)).status).toBe("identical");
  return settled as { type: string };
}

describe("a tool's result that is not JSON fails the call", () => {
  const results: readonly (readonly [string, () => unknown, RegExp])[] = [
    ["NaN", () => Number.NaN, /^result is NaN/],
    ["a circle", () => circle, /nested more than 200 deep, or circular/],
    ["nesting over 200", () => deep(201), /nested more than 200 deep/],
    ["a function", () => ({ f: () => 1 }), /^result\.f is a function/],
    ["a Map", () => new Map(), /^result is a Map/],
    ["a key __proto__", () => JSON.parse('{"__proto__":1}'), /has a key __proto__/],
    ["a List", () => listOf([1]), /reserved/],
    ["six MiB", () => "x".repeat(6 * 1024 * 1024), /larger than 5 MiB/],
    [
      "an update that is none",
      () => withUpdate(1, [{ op: "drop" }] as never),
      /^Operation 0 .* no usable key/,
    ],
    [
      "an update with a Date",
      () => withUpdate(1, contextUpdate().set("a", new Date(0))),
      /^update\[0\]\.value is a Date/,
    ],
  ];
  for (const [name, execute, message] of results) {
    it(name, async () => {
      const { type, reason, error } = await settlementOf(execute);
      expect([type, reason, error?.code]).toEqual(["tool.failed", "result", "tool.result"]);
      expect(error?.message).toMatch(message);
    });
  }

  it("nothing is null, and a deep result is a result", async () => {
    expect(await settlementOf(() => undefined)).toMatchObject({
      type: "tool.succeeded",
      output: null,
    });
    expect(await settlementOf(() => deep(190))).toMatchObject({ type: "tool.succeeded" });
  });

  it("lone surrogates are replaced", async () => {
    expect(await settlementOf(() => "a\uD800")).toMatchObject({ output: "a\uFFFD" });
  });
});

describe("whatever a tool throws fails the call", () => {
  const hostile = {
    toString() {
      throw new Error("no");
    },
  };
  const thrown: readonly (readonly [string, unknown, string])[] = [
    ["an Error", new Error("why"), "why"],
    ["a string", "why", "why"],
    ["nothing", undefined, "undefined"],
    ["an object without a prototype", Object.create(null), "an unknown error"],
    ["an object that throws on its own", hostile, "an unknown error"],
    [
      "an Error whose message is an object",
      Object.assign(new Error(), { message: { a: circle } }),
      "",
    ],
  ];
  for (const [name, value, message] of thrown) {
    it(name, async () => {
      const settled = await settlementOf(() => {
        throw value;
      });
      expect(settled).toMatchObject({ type: "tool.failed", reason: "error" });
      expect(settled.error?.message).toContain(message);
    });
  }

  it("a promise that rejects", async () => {
    const settled = await settlementOf(() => Promise.reject(new Error("late")));
    expect(settled.error).toEqual({ code: "tool.threw", message: "late" });
  });
});

describe("a model's answer that is none fails the call", () => {
  const text = [{ type: "text", text: "hi" }];
  const answers: readonly (readonly [string, unknown])[] = [
    ["nothing", undefined],
    ["a text", "hi"],
    ["no content", { finishReason: "stop", usage: {} }],
    ["content that is text", { content: "hi", finishReason: "stop", usage: {} }],
    ["a part that is none", { content: [null], finishReason: "stop", usage: {} }],
    ["a part without a type", { content: [{ text: "hi" }], finishReason: "stop", usage: {} }],
    ["a text without its text", { content: [{ type: "text" }], finishReason: "stop", usage: {} }],
    [
      "a call without an id",
      {
        content: [{ type: "tool-call", toolName: "t", input: {} }],
        finishReason: "stop",
        usage: {},
      },
    ],
    [
      "a call without a name",
      {
        content: [{ type: "tool-call", toolCallId: "1", input: {} }],
        finishReason: "stop",
        usage: {},
      },
    ],
    [
      "usage that is not JSON",
      { content: text, finishReason: "stop", usage: { inputTokens: Number.NaN } },
    ],
    ["a Date", { content: text, finishReason: "stop", usage: {}, warnings: [new Date(0)] }],
    [
      "a circle",
      {
        content: [{ type: "tool-call", toolCallId: "1", toolName: "t", input: circle }],
        finishReason: "stop",
        usage: {},
      },
    ],
    [
      "eighteen MiB",
      {
        content: [{ type: "text", text: "x".repeat(18 * 1024 * 1024) }],
        finishReason: "stop",
        usage: {},
      },
    ],
  ];
  for (const [name, answer] of answers) {
    it(name, async () => {
      const one = agent({ name: "a" });
      const journal = memoryJournal();
      const model = { name: "hostile", generate: async () => answer as ModelResponse };
      const end: End = await run(one, "go", { model, journal });
      expect(end).toMatchObject({
        status: "failed",
        reason: "modelFailed",
        error: { code: "llm.failed" },
      });
      expect((await replay(one, journal)).status).toBe("identical");
    });
  }

  it("no usage counts as the request alone; an unknown finish reason is kept as it is", async () => {
    const answer = { content: text, finishReason: "because" } as unknown as ModelResponse;
    const end = await run(agent({ name: "a" }), "go", {
      model: { name: "m", generate: async () => answer },
    });
    expect(end.status).toBe("done");
    expect(end.context.usage).toMatchObject({ requests: 1, inputTokens: 0 });
  });

  it("arguments nested as deep as may be are carried through", async () => {
    const input = { deep: deep(190) } as JsonObject;
    const one = agent({
      name: "a",
      tools: [tool({ name: "t", reduce: (given) => given })],
    });
    const journal = memoryJournal();
    const model = scriptedModel([{ calls: [{ name: "t", input }] }, "done"]);
    expect((await run(one, "go", { model, journal })).status).toBe("done");
    expect((await replay(one, journal)).status).toBe("identical");
  });
});

describe("an approver's answer that is none denies", () => {
  const answers: readonly (readonly [string, unknown])[] = [
    ["nothing", undefined],
    ["a plain true", true],
    ["a text that says no", { approve: "false" }],
    ["a one", { approve: 1 }],
    ["a Date", { approve: true, input: { at: new Date(0) } }],
  ];
  for (const [name, answer] of answers) {
    it(name, async () => {
      let ran = 0;
      const asking = tool({ name: "t", needsApproval: true, execute: () => ++ran });
      const end = await run(agent({ name: "a", tools: [asking] }), "go", {
        model: scriptedModel([{ calls: [{ name: "t" }] }, "done"]),
        approve: () => answer as { approve: boolean },
      });
      expect([end.status, ran]).toEqual(["done", 0]);
    });
  }
});
