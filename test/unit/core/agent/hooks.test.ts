// Hooks: before a request, before a tool, after a tool; and in what order all of it happens.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  agent,
  basicBehaviour,
  type Json,
  type Plugin,
  scriptedModel,
  tool,
} from "../../../../src/index.js";
import {
  answer,
  decided,
  failed,
  messagesOf,
  recordsOf,
  resultsOf,
  returned,
  wish,
} from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";
import { everyWay } from "../../../support/every-way.js";

const inputSchema = z.object({ path: z.string() });
const read = tool({ name: "read", inputSchema, idempotent: true, execute: () => "text" });
const remove = tool({ name: "remove", inputSchema, needsApproval: true, execute: () => "gone" });
const pure = tool({ name: "pure", reduce: () => ({ secret: "s", open: "o" }) });
const tools = [read, remove, pure];
const started = (hooks: Partial<Plugin>, more: object = {}) =>
  byHand(agent({ name: "a", tools, plugins: [{ ...hooks, name: "judge" }], ...more }), "Hello");

describe("before a request", () => {
  it("a denial ends the run with its reason, and asks nobody", () => {
    const a = agent({
      name: "a",
      plugins: [
        {
          name: "judge",
          beforeRequest: ({ iteration }) =>
            iteration > 0 ? { type: "deny", reason: "quiet hours" } : undefined,
        },
      ],
      tools,
    });
    const run = byHand(a, "Hello");
    run.take(answer(0, wish("pure")));
    expect(run.directives).toMatchObject([{ type: "notify", topic: "tool.settled" }]);
    expect(run.state).toMatchObject({ status: "failed", value: "denied" });
    expect(a.error(run.state)).toEqual({
      code: "agent.denied",
      message: "A plug-in denied the request: quiet hours",
    });
    expect(run.context.usage).toMatchObject({ requests: 1, toolCalls: 1 });
    expect(messagesOf(run.context)).toHaveLength(3);
  });

  it("a hook that throws denies", () => {
    const run = started({
      beforeRequest() {
        throw new Error("no rule for this");
      },
    });
    expect(run.state.value).toBe("denied");
    expect(run.context.error?.message).toContain("no rule for this");
  });

  it("sees the request as it would be sent", () => {
    let system: string | undefined;
    started(
      {
        beforeRequest(_context, request) {
          system = request.system;
          return undefined;
        },
      },
      {
        system: "Be brief.",
        behaviour: {
          ...basicBehaviour,
          beforeRequest: (_a: unknown, _c: unknown, r: { system?: string }) => ({
            ...r,
            system: `${r.system} Rhyme.`,
          }),
        },
      },
    );
    expect(system).toBe("Be brief. Rhyme.");
  });
});

describe("before a tool", () => {
  it.each([
    [{ type: "deny" } as const, "Tool call was denied by hook."],
    [{ type: "deny", reason: "off limits" } as const, "Tool call was denied by hook: off limits"],
  ])("%j is told to the model, and the run continues", (verdict, text) => {
    const run = started({ beforeTool: () => verdict });
    run.take(answer(0, wish("read", { path: "a" })));
    expect(resultsOf(run.context)).toEqual([text]);
    expect(recordsOf(run.context)[0]?.status).toBe("denied");
    expect(run.owed).toEqual(["llm/1"]);
  });

  it("allow, and nothing, let the call through", () => {
    for (const verdict of [undefined, { type: "allow" } as const]) {
      const run = started({ beforeTool: () => verdict });
      run.take(answer(0, wish("read", { path: "a" })));
      expect(run.owed).toEqual(["tool/0/0"]);
    }
  });

  it("modify changes the arguments that run, are approved and are remembered", () => {
    const run = started({ beforeTool: () => ({ type: "modify", input: { path: "safe" } }) });
    run.take(answer(0, wish("read", { path: "a" }), wish("remove", { path: "b" })));
    expect(run.directives).toMatchObject([
      { id: "tool/0/0", input: { path: "safe" } },
      { id: "approval/0/1", subject: { tool: "remove", input: { path: "safe" } } },
    ]);
    run.take(returned("tool/0/0", "text"));
    run.take(decided("approval/0/1", false));
    expect(recordsOf(run.context).map(({ input }) => input)).toEqual([
      { path: "safe" },
      { path: "safe" },
    ]);
  });

  it("arguments that it makes are validated like the model's own", () => {
    const run = started({ beforeTool: () => ({ type: "modify", input: { path: 5 } }) });
    run.take(answer(0, wish("read", { path: "a" })));
    expect(resultsOf(run.context)[0]).toContain("did not match the schema (path: ");
  });

  it("arguments that it makes are an object, though no schema says so", () => {
    const free = tool({ name: "free", jsonSchema: { type: "object" }, execute: () => "" });
    const beforeTool = () => ({ type: "modify", input: ["a"] }) as const;
    const run = byHand(
      agent({ name: "a", tools: [free], plugins: [{ name: "judge", beforeTool }] }),
      "Hello",
    );
    run.take(answer(0, wish("free", { path: "a" })));
    expect(run.owed).toEqual(["llm/1"]);
    expect(resultsOf(run.context)[0]).toContain('valid JSON but not an object: ["a"]');
  });

  it.each([
    [
      "that throws",
      () => {
        throw new Error("no rule");
      },
      "Tool call was denied by hook: no rule",
    ],
    [
      "that modifies to what is not JSON",
      () => ({ type: "modify", input: { when: new Date(0) } }),
      "denied by hook",
    ],
  ])("a hook %s denies", (_what, beforeTool, text) => {
    const run = started({ beforeTool: beforeTool as unknown as NonNullable<Plugin["beforeTool"]> });
    run.take(answer(0, wish("read", { path: "a" })));
    expect(resultsOf(run.context)[0]).toContain(text);
    expect(run.state.status).toBe("active");
  });

  it("is not asked of a tool that is not there, nor of arguments that are none", () => {
    const judged: string[] = [];
    const run = started({
      beforeTool(_context, { name }) {
        judged.push(name);
        return undefined;
      },
    });
    run.take(answer(0, wish("nope"), { ...wish("read", "{"), malformed: true }));
    expect(judged).toEqual([]);
  });
});

describe("after a tool", () => {
  const hide: Plugin = {
    name: "judge",
    afterTool: (_context, _call, outcome) =>
      outcome.type === "returned"
        ? { ...outcome, output: "[hidden]" }
        : { ...outcome, text: "It did not work." },
    afterNoResult: (_context, _call, outcome) => ({ ...outcome, text: "Nothing came of it." }),
  };

  it("replaces what the model reads and what is remembered", () => {
    const run = started(hide);
    run.take(answer(0, wish("pure"), wish("nope")));
    expect(resultsOf(run.context)).toEqual(["[hidden]", "Nothing came of it."]);
    expect(recordsOf(run.context).map(({ output, status }) => [output, status])).toEqual([
      ["[hidden]", "succeeded"],
      ["Nothing came of it.", "failed"],
    ]);
  });

  it("holds also where the run is cut off in the middle of a batch", () => {
    const run = started(hide);
    run.take(answer(0, wish("read", { path: "a" }), wish("read", { path: "b" }, "c2")));
    run.take(returned("tool/0/0", "a secret"));
    run.take({ type: "cancel" });
    expect(JSON.stringify(run.context)).not.toContain("a secret");
    expect(resultsOf(run.context)).toEqual(["[hidden]", "Nothing came of it."]);
  });

  it("what ran and what did not are two callbacks, each with all that says which call it is", () => {
    const seen: unknown[] = [];
    const hooks: Plugin = {
      name: "judge",
      beforeTool: (_context, call) => {
        seen.push(["before", call.id, call.runId, call.idempotencyKey]);
        return call.name === "pure" ? { type: "deny" } : undefined;
      },
      afterTool(_context, { id, idempotencyKey }, outcome) {
        const status = outcome.type === "said" ? outcome.reason : "returned";
        seen.push(["ran", id, idempotencyKey, status]);
        return undefined;
      },
      afterNoResult(_context, { id, runId }, { status, reason }) {
        seen.push(["not", id, runId, status, reason]);
        return undefined;
      },
    };
    const run = started(hooks);
    const reads = ["a", "b", "c"].map((path) => wish("read", { path }, path));
    run.take(answer(0, wish("nope"), wish("pure"), ...reads));
    run.take(returned("tool/0/2", "A"));
    run.take(failed("tool/0/3", "no", "timeout"));
    run.take(failed("tool/0/4", "killed", "unknown"));
    expect(seen).toEqual([
      ...[1, 2, 3, 4].map((n) => ["before", `tool/0/${n}`, "run", `run:tool/0/${n}`]),
      ["not", "tool/0/0", "run", "failed", "missing"],
      ["not", "tool/0/1", "run", "denied", undefined],
      ["ran", "tool/0/2", "run:tool/0/2", "returned"],
      ["ran", "tool/0/3", "run:tool/0/3", "timeout"],
      ["not", "tool/0/4", "run", "unknown", "unknown"],
    ]);
  });

  const threw = () => {
    throw new Error("no rule");
  };
  const mustBe = "it must return nothing, or the outcome with another output or text";
  it.each([
    ["throws", threw, "no rule"],
    ["returns a promise", () => Promise.reject(new Error("x")), "afterTool returned a promise"],
    ["returns null", () => null, mustBe],
    ["makes a failure of a success", () => ({ type: "said", status: "failed", text: "" }), mustBe],
    ["gives what is not JSON", () => ({ type: "returned", output: new Map() }), "is a Map"],
    [
      "gives what is no update",
      () => ({ type: "returned", output: 1, update: [{ op: "set" }] }),
      "update[0].key is missing; it must be the name of a part of deps, not empty",
    ],
    [
      "gives what is no content",
      () => ({ type: "returned", output: 1, content: [{ type: "text" }] }),
      "content[0].text is missing; it must be a string",
    ],
  ])("lets nothing pass where its hook %s", (_what, afterTool, why) => {
    const run = started({ afterTool: afterTool as never });
    run.take(answer(0, wish("pure")));
    const [result] = resultsOf(run.context);
    const at = "The tool has run, and its outcome is withheld: the hook afterTool failed";
    // What it threw may quote what was to be hidden: observers read it, and the model does not.
    expect(result).toBe(`${at}.`);
    const notices = run.directives.filter(
      (each) => each.type === "notify" && each.topic !== "tool.settled",
    );
    expect(notices).toEqual([
      {
        type: "notify",
        topic: "hook.failed",
        data: {
          id: "tool/0/0",
          plugin: "judge",
          hook: "afterTool",
          message: expect.stringContaining(why),
        },
      },
    ]);
    expect(JSON.stringify(run.context)).not.toContain('"s"');
    expect(recordsOf(run.context)[0]).toMatchObject({ status: "failed", output: result });
    expect(run.state.status).toBe("active");
  });

  it("says of what it withholds whether the tool has run", () => {
    const run = started({ afterTool: threw, afterNoResult: threw });
    const reads = ["a", "b"].map((path) => wish("read", { path }, path));
    run.take(answer(0, wish("nope"), ...reads));
    run.take(failed("tool/0/1", "a secret", "error"));
    run.take(failed("tool/0/2", "a secret", "unknown"));
    const behind = "and its outcome is withheld: the hook";
    expect(resultsOf(run.context)).toEqual([
      `The tool was not run, ${behind} afterNoResult failed.`,
      `The tool failed, ${behind} afterTool failed.`,
      `The tool may have run, ${behind} afterNoResult failed.`,
    ]);
    expect(recordsOf(run.context).map(({ status }) => status)).toEqual([
      "failed",
      "failed",
      "unknown",
    ]);
  });

  it("may leave out what an outcome holds beside its output", () => {
    const run = started({
      afterTool: (_context, _call, outcome) =>
        outcome.type === "returned" ? { ...outcome, output: undefined as never } : undefined,
    });
    run.take(answer(0, wish("pure")));
    expect(resultsOf(run.context)).toEqual([null]);
  });
});

describe("hooks of several plug-ins", () => {
  it("are asked in their order, each of what those in front of it made of a call", () => {
    const seen: Json[] = [];
    const first: Plugin = {
      name: "first",
      beforeTool: () => ({ type: "modify", input: { path: "b" } }),
      afterTool: (_c, _call, outcome) =>
        outcome.type === "returned" ? { ...outcome, output: ["first", outcome.output] } : outcome,
    };
    const second: Plugin = {
      name: "second",
      beforeTool: (_c, { input }) => void seen.push(input),
      afterTool: (_c, _call, outcome) =>
        outcome.type === "returned" ? { ...outcome, output: ["second", outcome.output] } : outcome,
    };
    const run = byHand(agent({ name: "a", tools, plugins: [first, second] }), "Hello");
    run.take(answer(0, wish("read", { path: "a" })));
    run.take(returned("tool/0/0", "text"));
    expect(seen).toEqual([{ path: "b" }]);
    expect(resultsOf(run.context)).toEqual([["second", ["first", "text"]]]);
  });

  it("ask no other once one has denied, and a plug-in that is disabled still judges", () => {
    const asked: string[] = [];
    const broken: Plugin = {
      name: "broken",
      init: () => {
        throw new Error("no state");
      },
      beforeTool: (_c, { name }) => (name === "read" ? { type: "deny" } : undefined),
    };
    const behind: Plugin = {
      name: "behind",
      beforeTool: (_c, { name }) => void asked.push(name),
      beforeRequest: ({ iteration }) =>
        iteration === 0 ? undefined : { type: "deny", reason: "enough" },
    };
    const run = byHand(agent({ name: "a", tools, plugins: [broken, behind] }), "Hello");
    expect(run.context.plugins.broken?.failed).not.toBeNull();
    run.take(answer(0, wish("read", { path: "a" }), wish("pure")));
    expect(asked).toEqual(["pure"]);
    expect(run.context.error).toEqual({
      code: "agent.denied",
      message: "A plug-in denied the request: enough",
    });
  });
});

describe("the order", () => {
  /** Hooks that say when they are called. */
  function telling(log: string[]) {
    const hooks: Plugin = {
      name: "judge",
      beforeRequest: ({ iteration }) => void log.push(`hook before request ${iteration}`),
      beforeTool: (_c, { name }) => void log.push(`hook before ${name}`),
      afterTool: (_c, { name }) => void log.push(`hook after ${name}`),
    };
    const asking = tool({
      name: "asking",
      needsApproval: () => {
        log.push("approval of asking");
        return false;
      },
      idempotent: true,
      execute: () => "ok",
    });
    const behaviour = {
      ...basicBehaviour,
      name: "telling",
      beforeRequest: (_a: unknown, { iteration }: { iteration: number }, r: never) => {
        log.push(`behaviour before request ${iteration}`);
        return r;
      },
      afterTool: (_a: unknown, { name }: { name: string }, c: never) => {
        log.push(`behaviour after ${name}`);
        return c;
      },
    };
    return agent({ name: "a", tools: [asking, pure], plugins: [hooks], behaviour });
  }

  it("is: behaviour, hooks, model; before and approval, tool, after and behaviour", () => {
    const log: string[] = [];
    const run = byHand(telling(log), "Hello");
    run.take(answer(0, wish("asking"), wish("pure")));
    run.take(returned("tool/0/0", "ok"));
    expect(log).toEqual([
      "behaviour before request 0",
      "hook before request 0",
      "hook before asking",
      "approval of asking",
      "hook before pure",
      "hook after asking",
      "behaviour after asking",
      "hook after pure",
      "behaviour after pure",
      "behaviour before request 1",
      "hook before request 1",
    ]);
  });

  it("comes to the same after a crash anywhere", async () => {
    const hooks: Plugin = {
      name: "judge",
      beforeTool: (_c, { name, input }) =>
        name === "read"
          ? { type: "modify", input: { path: `${(input as { path: Json }).path}!` } }
          : undefined,
      afterTool: (_c, _call, outcome) =>
        outcome.type === "returned" ? { ...outcome, output: [outcome.output] } : outcome,
    };
    const model = scriptedModel([
      {
        calls: [
          { name: "read", input: { path: "a" } },
          { name: "remove", input: { path: "b" } },
          { name: "pure" },
        ],
      },
      "Done.",
    ]);
    const { end } = await everyWay({
      reasoner: agent({ name: "a", tools, plugins: [hooks] }),
      input: "Hello",
      world: () => ({ model }),
      word: ({ approvals }) => ({ approvals: { [approvals[0]!.id]: { approve: false } } }),
    });
    expect(resultsOf(end.context)).toEqual([
      ["text"],
      "Tool call was rejected by approval handler.",
      [{ secret: "s", open: "o" }],
    ]);
  });
});
