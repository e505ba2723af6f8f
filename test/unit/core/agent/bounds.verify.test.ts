// How much may come of one step: results are refused, texts are cut, and the model reads it.
import { describe, expect, it } from "vitest";
import {
  cutText,
  MAX_STEP_LENGTH,
  MAX_TEXT_LENGTH,
} from "../../../../src/core/kernel/values/index.js";
import {
  type AgentDefinition,
  agent,
  basicBehaviour,
  type Plugin,
  type Tool,
  ToolError,
  tool,
  withUpdate,
} from "../../../../src/index.js";
import {
  answer,
  decided,
  errorsOf,
  failed,
  messagesOf,
  recordsOf,
  resultsOf,
  transcriptFault,
  wish,
} from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";

const MiB = 1024 * 1024;
const jsonSchema = { type: "object" };
const started = (tools: readonly Tool[], more: Partial<AgentDefinition> = {}) =>
  byHand(agent({ name: "a", tools, ...more }), "x");
const returns = (name: string, length: number) =>
  tool({ name, jsonSchema, reduce: () => "r".repeat(length) });
/** Characters of what the step added to the run. */
const lengthOf = (value: unknown) => JSON.stringify(value).length;

describe("a text that is cut", () => {
  it("says by how much, and leaves no half of a pair", () => {
    expect(cutText("abc", 3)).toBe("abc");
    expect(cutText("abcd", 3)).toBe("abc [cut: 1 more characters]");
    expect(cutText("ab\u{1F600}d", 3)).toBe("ab [cut: 3 more characters]");
  });
});

describe("results of pure tools", () => {
  it("are refused where they are too large, and the model reads what to do", () => {
    const run = started([returns("large", MAX_STEP_LENGTH), returns("small", 1_000)]);
    run.take(answer(0, wish("large"), wish("small")));
    const [large, small] = resultsOf(run.context) as readonly string[];
    expect(large).toMatch(/^Tool execution failed: The result is larger than 2 MiB of JSON/);
    expect(small).toHaveLength(1_000);
    expect(recordsOf(run.context).map(({ status }) => status)).toEqual(["failed", "succeeded"]);
  });

  it("share what a step has room for, in call order, over all its waves", () => {
    const tools = [returns("half", MAX_STEP_LENGTH / 2 - 100)];
    const run = started(tools, { sequential: true });
    run.take(answer(0, ...["1", "2", "3"].map((id) => wish("half", {}, id))));
    expect(recordsOf(run.context).map(({ status }) => status)).toEqual([
      "succeeded",
      "succeeded",
      "failed",
    ]);
    expect(lengthOf(messagesOf(run.context))).toBeLessThan(MAX_STEP_LENGTH + 10_000);
  });

  it("count with their updates", () => {
    const update = [{ op: "set" as const, key: "k", value: "u".repeat(MAX_STEP_LENGTH) }];
    const sets = tool({
      name: "sets",
      jsonSchema,
      reduce: () => withUpdate("ok", update),
    });
    const run = started([sets]);
    run.take(answer(0, wish("sets")));
    expect(run.context.deps).toEqual({});
    expect(String(resultsOf(run.context)[0])).toContain("2 MiB");
  });

  it("have their room anew in the next step", () => {
    const run = started([returns("large", MAX_STEP_LENGTH - 200)]);
    run.take(answer(0, wish("large")));
    run.take(answer(1, wish("large")));
    expect(recordsOf(run.context).map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  });
});

describe("what an issue tool asks for", () => {
  it("is refused where it is too large", () => {
    const asks = tool({
      name: "asks",
      jsonSchema,
      issue: () => [{ type: "write", store: "s", operations: ["o".repeat(MAX_STEP_LENGTH)] }],
      settle: () => null,
    });
    const run = started([asks]);
    run.take(answer(0, wish("asks")));
    expect(run.directives.map(({ type }) => type)).toEqual(["llm"]);
    expect(String(resultsOf(run.context)[0])).toContain("What the tool asks for is larger than");
  });
});

describe("texts about failures are cut", () => {
  const large = "e".repeat(3 * MiB);
  const throws = tool({
    name: "throws",
    jsonSchema,
    reduce: () => {
      throw new ToolError(large);
    },
  });
  const formats = tool({
    name: "formats",
    jsonSchema,
    formatError: () => large,
    execute: () => "",
  });
  const asked = tool({ name: "asked", jsonSchema, needsApproval: true, execute: () => "" });
  const acts = tool({ name: "acts", jsonSchema, execute: () => "" });
  const most = MAX_TEXT_LENGTH + 100;
  const textOf = (run: ReturnType<typeof started>) => String(resultsOf(run.context)[0]);

  it.each<[string, () => ReturnType<typeof started>]>([
    [
      "of what was thrown",
      () => {
        const run = started([throws]);
        run.take(answer(0, wish("throws")));
        return run;
      },
    ],
    [
      "of formatError",
      () => {
        const run = started([formats]);
        run.take(answer(0, wish("formats")));
        run.take(failed("tool/0/0", "no"));
        return run;
      },
    ],
    [
      "of a tool's error",
      () => {
        const run = started([acts]);
        run.take(answer(0, wish("acts")));
        run.take({ ...failed("tool/0/0", large), forModel: true });
        return run;
      },
    ],
    [
      "of a rejection",
      () => {
        const run = started([asked]);
        run.take(answer(0, wish("asked")));
        run.take(decided("approval/0/0", false, { reason: large }));
        return run;
      },
    ],
    [
      "of a hook",
      () => {
        const judge = {
          name: "judge",
          beforeTool: () => ({ type: "deny" as const, reason: large }),
        };
        const run = started([acts], { plugins: [judge] });
        run.take(answer(0, wish("acts")));
        return run;
      },
    ],
    [
      "of a hook's own word",
      () => {
        const judge = {
          name: "judge",
          afterNoResult: (...args: unknown[]) => ({ ...(args[2] as object), text: large }),
        };
        const run = started([acts], { plugins: [judge] as never });
        run.take(answer(0, wish("nope")));
        return run;
      },
    ],
  ])("%s", (_what, make) => {
    const run = make();
    expect(textOf(run).length).toBeLessThan(most);
    expect(textOf(run)).toContain("[cut: ");
    expect(lengthOf(messagesOf(run.context))).toBeLessThan(2 * most);
  });

  it("of a tool that there is not: a model may call anything", () => {
    const run = started([]);
    run.take(answer(0, wish(large)));
    expect(textOf(run).length).toBeLessThan(200);
  });

  it("two thousand at once stay within what a step may make", () => {
    const texts = tool({
      name: "texts",
      jsonSchema,
      formatError: () => large,
      reduce: () => {
        throw new Error("no");
      },
    });
    const run = started([texts]);
    run.take(answer(0, ...Array.from({ length: 2_000 }, (_, i) => wish("texts", {}, `${i}`))));
    const results = resultsOf(run.context) as readonly string[];
    expect(results).toHaveLength(2_000);
    expect(results.join("").length).toBeLessThan(MAX_STEP_LENGTH + 2_000 * 100);
    expect(results.at(-1)).toMatch(/^Error: left out/);
    expect(transcriptFault(messagesOf(run.context))).toBeUndefined();
  });
});

describe("what ends a run, or is told to the model of its answer, is cut", () => {
  const large = "e".repeat(3 * MiB);
  const most = MAX_TEXT_LENGTH + 200;
  const refuses = {
    "~standard": {
      version: 1 as const,
      vendor: "test",
      validate: () => ({ issues: [{ message: large }] }),
    },
  };

  it("the issues of an output", () => {
    const output = { schema: refuses, jsonSchema, retries: 1 };
    const run = byHand(agent({ name: "a", output }), "x");
    run.take(answer(0, "{}"));
    const told = messagesOf(run.context).at(-1);
    expect(told).toMatchObject({ role: "user", content: expect.stringContaining("[cut: ") });
    expect(lengthOf(told)).toBeLessThan(most);
    run.take(answer(1, "{}"));
    expect(run.state.status).toBe("failed");
    expect(lengthOf(run.context.error)).toBeLessThan(most);
    expect(run.context.error?.message).toContain("[cut: ");
  });

  it("the error of a behaviour that finds no output", () => {
    const behaviour = { ...basicBehaviour, extractOutput: () => ({ ok: false, error: large }) };
    const run = byHand(agent({ name: "a", behaviour: behaviour as never }), "x");
    run.take(answer(0, "hm"));
    expect(run.state.status).toBe("failed");
    expect(lengthOf(run.context.error)).toBeLessThan(most);
  });

  it("a hook's reason to deny a request; what gives none is no verdict", () => {
    const denied = (verdict: unknown) =>
      byHand(
        agent({ name: "a", plugins: [{ name: "judge", beforeRequest: () => verdict as never }] }),
        "x",
      ).context.error?.message;
    expect(denied({ type: "deny", reason: large })?.length).toBeLessThan(most);
    expect(denied({ type: "deny", reason: large })).toContain("[cut: ");
    for (const verdict of [null, 1, {}]) {
      expect(denied(verdict)).toBe(
        'A plug-in denied the request: its verdict is invalid; beforeRequest must return nothing, or { type: "deny", reason: a string }',
      );
    }
  });

  const steps: readonly (readonly [string, Partial<Plugin>, string])[] = [
    [
      "what it threw",
      {
        issue: () => {
          throw new Error(large);
        },
      },
      "[cut: ",
    ],
    [
      "what it asks for",
      { issue: () => [{ type: "read", store: "s", query: large }] },
      "What it asks for is larger than 2 MiB of JSON.",
    ],
    ["its result", { settle: () => ({ state: large }) }, "Its result is larger than 2 MiB"],
    ["its state", { init: () => large }, "Its state is larger than 2 MiB"],
  ];
  it.each(steps)("of a plug-in: %s; it does nothing from then on", (_what, step, text) => {
    const run = byHand(agent({ name: "a", plugins: [{ name: "p", ...step }] }), "x");
    expect(run.context.plugins.p?.failed).toContain(text);
    expect(lengthOf(run.context.plugins)).toBeLessThan(most);
    expect(run.owed).toEqual(["llm/0"]);
  });
});

describe("whatever a pure function throws is a text in the record", () => {
  const trap = () => {
    throw new Error("trapped");
  };
  const hostile: readonly (readonly [string, () => unknown, string])[] = [
    ["an error without a message", () => new Error(), "Error"],
    ["an engine's own error", () => new RangeError("Maximum call stack"), "RangeError"],
    ["a text", () => "no", "no"],
    ["nothing", () => undefined, "an unknown error"],
    [
      "an error whose message is none",
      () => Object.assign(new Error("x"), { message: { a: 1 } }),
      "[object Object]",
    ],
    [
      "an error whose message throws",
      () => Object.defineProperty(new Error("x"), "message", { get: trap }),
      "an unknown error",
    ],
    [
      "a proxy that throws at each look",
      () => new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap }),
      "an unknown error",
    ],
    ["a symbol", () => Symbol("x"), "an unknown error"],
  ];
  it.each(hostile)("%s", (_what, make, text) => {
    const throws = tool({
      name: "throws",
      jsonSchema,
      reduce: () => {
        throw make();
      },
    });
    const run = started([throws]);
    run.take(answer(0, wish("throws")));
    expect(resultsOf(run.context)).toEqual(["Tool execution failed: throws threw an error."]);
    expect(errorsOf(run.context)).toEqual([text]);
    expect(run.state.status).toBe("active");
  });
});
