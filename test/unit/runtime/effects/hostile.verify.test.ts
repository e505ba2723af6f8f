// Whatever tools, models and approvers return or throw is data: it fails the call, never the run.
import { describe, expect, it } from "vitest";
import {
  agent,
  contextUpdate,
  type JsonObject,
  ModelError,
  type ToolFailed,
  toArray,
  tool,
  withContent,
  withUpdate,
} from "../../../../src/index.js";
import { lists } from "../../../../src/kernel.js";
import {
  type End,
  type ModelResponse,
  memoryJournal,
  type Observation,
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

describe("a tool's result that is not JSON becomes JSON, and the call succeeds", () => {
  const results: readonly (readonly [string, () => unknown, unknown])[] = [
    ["NaN", () => Number.NaN, null],
    ["a circle", () => circle, ["[circular]"]],
    ["a function", () => ({ f: () => 1, a: 1 }), { a: 1 }],
    ["a Map", () => new Map([["at", new Date(0)]]), { at: "1970-01-01T00:00:00.000Z" }],
    ["a key __proto__", () => JSON.parse('{"__proto__":1}'), [["__proto__", 1]]],
    ["a List", () => lists.of([1]), [1]],
    ["a function alone", () => () => 1, expect.stringMatching(/^The tool ran\./)],
    ["a proxy that throws at each look", wall, expect.stringMatching(/^The tool ran\./)],
    ["a proxy that was revoked", async () => ({ a: revoked() }), { a: null }],
    ["a revoked proxy alone", revoked, expect.stringMatching(/^The tool ran\./)],
    ["a proxy that cannot be asked what it has", () => new Proxy({ b: 1 }, { has: no }), { b: 1 }],
    ["a getter that throws", () => throwing({ b: 1 }, "a"), { b: 1, a: null }],
    ["a then that throws when it is read", () => throwing({ b: 1 }, "then"), { b: 1 }],
    ["a getter deep inside", () => ({ a: [throwing({}, "b")] }), { a: [{ b: null }] }],
  ];
  it.each(results)("%s", async (_name, execute, output) => {
    expect(await settlementOf(execute)).toMatchObject({ type: "tool.succeeded", output });
  });

  it("nesting over 200 is cut there", async () => {
    const { output } = (await settlementOf(() => deep(5_000))) as { output?: unknown };
    expect(JSON.stringify(output)).toContain("[nested too deep]");
  });

  const MiB = 1024 * 1024;
  it.each([
    ["six MiB of text", "x".repeat(6 * MiB)],
    ["six MiB in an object", { a: "x".repeat(6 * MiB) }],
    ["text in letters of three bytes", "請".repeat(6 * MiB)],
  ])("%s is cut at 5 MiB, and says at its end how much is missing", async (_name, value) => {
    const { type, output = "" } = (await settlementOf(() => value)) as Partial<ToolFailed> & {
      output?: string;
    };
    expect(type).toBe("tool.succeeded");
    const whole = typeof value === "string" ? value : JSON.stringify(value);
    const [end = "", missing] = / \[cut: (\d+) more characters\]$/.exec(output) ?? [];
    const kept = output.length - end.length;
    expect(JSON.stringify(output.slice(0, kept)).length - 2).toBe(5 * MiB);
    expect(kept + Number(missing)).toBe(whole.length);
  });

  it("observers are told what became of it", async () => {
    const one = agent({ name: "a", tools: [tool({ name: "t", execute: () => ({ n: 1n }) })] });
    const live = run(one, "go", { model: scriptedModel([{ calls: [{ name: "t" }] }, "done"]) });
    const notices: unknown[] = [];
    for await (const seen of live) if (seen.type === "notice") notices.push(seen);
    const message = "Tool t, call tool/0/0: result.n is a bigint, kept as its decimal text.";
    expect(notices).toEqual([{ type: "notice", code: "tool.result", message }]);
  });

  it("parts that cannot be kept are told of in their place, and the result stays", async () => {
    const parts = [{ type: "image" }] as never;
    expect(await settlementOf(() => withContent({ id: 7 }, parts))).toMatchObject({
      type: "tool.succeeded",
      output: { id: 7 },
      content: [{ type: "text", text: expect.stringContaining("content[0].image is missing") }],
    });
    const large = [{ type: "text" as const, text: "x".repeat(6 * MiB) }];
    const settled = (await settlementOf(() => withContent("y".repeat(4 * MiB), large))) as object;
    expect(settled).toMatchObject({ output: "y".repeat(4 * MiB) });
    expect(JSON.stringify(settled).length).toBeLessThan(5 * MiB);
  });
});

describe("a tool that ran and whose result cannot be used", () => {
  const results: readonly (readonly [string, () => unknown, RegExp])[] = [
    [
      "an update that is none",
      () => withUpdate(1, [{ op: "drop" }] as never),
      /^The context update\[0\]\.op must be "set"/,
    ],
    [
      "an update with a Date",
      () => withUpdate(1, contextUpdate().set("a", new Date(0))),
      /^update\[0\]\.value is a Date/,
    ],
  ];
  it.each(results)("%s", async (_name, execute, message) => {
    const { type, reason, error } = await settlementOf(execute);
    expect([type, reason, error?.code]).toEqual(["tool.failed", "result", "tool.result"]);
    expect(error?.message).toMatch(message);
  });

  it("a final tool's result is not cut: the call tells that it ran, and the run goes on", async () => {
    const execute = () => "x".repeat(6 * 1024 * 1024);
    const one = agent({ name: "a", tools: [tool({ name: "t", final: true, execute })] });
    const model = scriptedModel([{ calls: [{ name: "t" }] }, "done"]);
    const end = await run(one, "go", { model });
    expect(end).toMatchObject({ status: "done", output: "done" });
    const read = toArray(end.context.messages).find(({ role }) => role === "tool");
    expect(JSON.stringify(read)).toContain(
      "The tool ran, and its result is lost: The result is larger than 5 MiB of JSON",
    );
  });
});

describe("a tool's result", () => {
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

/** An object that throws where a property is read. */
function throwing<T extends object>(value: T, name: string): T {
  return Object.defineProperty(value, name, {
    enumerable: true,
    get() {
      throw new Error("no");
    },
  });
}

/** A promise of nobody's. */
function thenable(then: (yes: unknown, no: (thrown: unknown) => void) => void): object {
  return { then };
}

function no(): never {
  throw new Error("no");
}

/** A proxy that throws at each look. */
function wall(): object {
  const names = Reflect.ownKeys(Reflect) as readonly string[];
  const traps = names.filter((name) => typeof name === "string").map((name) => [name, no]);
  return new Proxy(() => {}, Object.fromEntries(traps));
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** A model's error that holds what it should not. */
function bare(data: unknown): ModelError {
  const error = new ModelError({ code: "x", message: "broken" });
  return Object.assign(error, { error: data });
}

describe("a value that cannot be looked at", () => {
  const values: readonly (readonly [string, () => unknown])[] = [
    ["a proxy that throws at each look", wall],
    ["a proxy that was revoked", revoked],
    ["a getter that throws", () => throwing({}, "a")],
    ["a then that throws when it is read", () => throwing({}, "then")],
    ["a getter deep inside", () => ({ a: [throwing({}, "b")] })],
    ["an update that cannot be read", () => withUpdate(1, wall() as never)],
    ["a promise of one", async () => ({ a: wall() })],
    ["a thenable that throws", () => thenable(() => throwing({}, "a")["a" as never])],
    ["a thenable that rejects with one", () => thenable((_, no) => no(wall()))],
  ];
  it.each(values)("%s, returned by a tool", async (_name, execute) => {
    const settled = await settlementOf(execute);
    const isSettled = "output" in settled || typeof settled.error?.message === "string";
    expect(isSettled).toBe(true);
  });

  it.each(values)("%s, answered by a model", async (_name, generate) => {
    const one = agent({ name: "a" });
    const journal = memoryJournal();
    const model = { name: "hostile", generate: generate as never };
    const end: End = await run(one, "go", { model, journal });
    expect(end).toMatchObject({ status: "failed", reason: "modelFailed" });
    expect((await replay(one, journal)).status).toBe("identical");
  });

  it.each(values)("%s, decided by an approver", async (_name, approve) => {
    const asks = tool({ name: "t", needsApproval: true, jsonSchema: {}, execute: () => "done" });
    const one = agent({ name: "a", tools: [asks] });
    const model = scriptedModel([{ calls: [{ name: "t" }] }, "denied, then"]);
    const journal = memoryJournal();
    const end = await run(one, "go", { model, journal, approve: approve as never });
    expect(end).toMatchObject({ status: "done", output: "denied, then" });
    expect((await replay(one, journal)).status).toBe("identical");
  });

  it("a frozen result is a result, and stays the caller's", async () => {
    const frozen = Object.freeze({ a: Object.freeze([1]) });
    expect(await settlementOf(() => frozen)).toMatchObject({ output: { a: [1] } });
    const own = { a: [1] };
    await settlementOf(() => own);
    expect(Object.isFrozen(own) || Object.isFrozen(own.a)).toBe(false);
  });

  it("pieces that are none are not shown, and the answer counts", async () => {
    const pieces = [
      undefined,
      5,
      {},
      { type: "x", text: "a" },
      { type: "text" },
      wall(),
      throwing({}, "text"),
    ];
    const seen: unknown[] = [];
    const live = run(agent({ name: "a" }), "go", {
      model: {
        name: "m",
        async generate(request, call) {
          for (const each of [...pieces, { type: "text", text: "shown", at: 5 }]) {
            call.onDelta(each as never);
          }
          return scriptedModel(["said"]).generate(request, { ...call, onDelta: () => {} });
        },
      },
    });
    for await (const each of live) if (each.type === "delta") seen.push(each.delta);
    expect((await live).status).toBe("done");
    expect(seen).toEqual([{ type: "text", text: "shown" }]);
  });
});

describe("whatever a model throws fails the call", () => {
  it.each([
    ["a proxy that throws at each look", wall()],
    ["a proxy that was revoked", revoked()],
    ["an Error without a message", new Error()],
    ["data that throw", bare(throwing({}, "transient"))],
    ["data that are none", bare(wall())],
  ])("%s", async (_name, thrown) => {
    const one = agent({ name: "a" });
    const journal = memoryJournal();
    const generate = () => {
      throw thrown;
    };
    const end: End = await run(one, "go", { model: { name: "m", generate }, journal });
    expect(end).toMatchObject({ status: "failed", reason: "modelFailed" });
    expect((await replay(one, journal)).status).toBe("identical");
  });

  it("no model at all was asked nothing", async () => {
    const end = await run(agent({ name: "a" }), "go", {});
    expect(end).toMatchObject({ status: "failed", error: { code: "port.missing" } });
    expect([end.usage.requests, (end.context as { usage: object }).usage]).toMatchObject([
      0,
      { requests: 0 },
    ]);
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
    ["an Error without a message", new Error(), "Error"],
    ["an Error whose message throws", throwing(new Error(), "message"), "Error"],
    ["an Error without a name either", Object.assign(new Error(), { name: "" }), ""],
    ["a proxy that throws at each look", wall(), "an unknown error"],
    ["a proxy that was revoked", revoked(), "an unknown error"],
    ["something frozen", Object.freeze(new Error("cold")), "cold"],
    ["a symbol", Symbol("s"), "Symbol(s)"],
    ["a model's error without its data", bare(undefined), "broken"],
    ["a model's error whose data throw", bare(throwing({}, "message")), "broken"],
    ["a model's error whose data are none", bare({ code: 5, message: {} }), "broken"],
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
    const stack = expect.stringContaining("hostile.verify.test");
    expect(settled.error).toEqual({ code: "tool.threw", message: "late", stack });
  });

  it("says why, where only its fields or causes do", async () => {
    const failing = async (thrown: unknown) => {
      const execute = () => Promise.reject(thrown);
      return (await settlementOf(execute as never)).error;
    };
    const refused = Object.assign(new Error("connect ECONNREFUSED ::1:9"), {
      code: "ECONNREFUSED",
    });
    expect(await failing({ code: 404, detail: "no such order" })).toMatchObject({
      message: '{"code":404,"detail":"no such order"}',
      detail: { code: 404, detail: "no such order" },
    });
    expect(await failing({ code: 404, message: "no such order" })).toMatchObject({
      message: "no such order",
      detail: { code: 404 },
    });
    expect(await failing(new AggregateError([refused, new Error("also")]))).toMatchObject({
      name: "AggregateError",
      message: "connect ECONNREFUSED ::1:9; also",
      cause: [{ code: "ECONNREFUSED" }, { message: "also" }],
    });
    expect(await failing(new TypeError("fetch failed", { cause: refused }))).toMatchObject({
      name: "TypeError",
      message: "fetch failed: connect ECONNREFUSED ::1:9",
      cause: { name: "Error", code: "ECONNREFUSED", stack: expect.any(String) },
    });
    const loop = new Error("loop");
    loop.cause = loop;
    expect((await failing(loop))?.message).toBe("loop");
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

  it("no usage is charged by the estimate, which is said; an unknown finish reason is kept as it is", async () => {
    const answer = { content: text, finishReason: "because" } as unknown as ModelResponse;
    const seen: Observation[] = [];
    const end = await run(agent({ name: "a" }), "go", {
      model: { name: "m", generate: async () => answer },
      observers: [(each) => void seen.push(each)],
    });
    expect(end).toMatchObject({ status: "done", finishReason: "because" });
    const { requests, inputTokens, outputTokens, totalTokens } = end.context.usage;
    expect([requests, inputTokens > 0, outputTokens > 0]).toEqual([1, true, true]);
    expect(totalTokens).toBe(inputTokens + outputTokens);
    const notices = seen.flatMap((each) => (each.type === "notice" ? [each.code] : []));
    expect(notices).toEqual(["usage.estimated"]);
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
