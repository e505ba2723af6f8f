// Limits of a host: tokens of a model in any minute, and the money of a tenant's day.
import { agent, type ModelPort, tool, virtualClock } from "reckoner";
import { describe, expect, it } from "vitest";
import { Gate, type Pass } from "../../../src/serve/model-gates.js";
import { memoryHost } from "../../support/serve.js";
import { refusal, rejection } from "../../support/thrown.js";

const MINUTE = 60_000;

describe("a gate", () => {
  /** Calls by their names, in the order in which they began. */
  function calls(limit: ConstructorParameters<typeof Gate>[0]) {
    const clock = virtualClock(1_000_000);
    const gate = new Gate(limit, clock);
    const begun: string[] = [];
    const passes = new Map<string, Pass>();
    const enter = (name: string, tokens: number) =>
      gate.enter(tokens, (pass) => {
        begun.push(name);
        passes.set(name, pass);
      });
    const done = (name: string, tokens?: number) => passes.get(name)?.done(tokens);
    return { clock, begun, enter, done };
  }

  it("lets a call in where its request fits in beside the last minute, the first first", () => {
    const { clock, begun, enter, done } = calls({ tokensPerMinute: 100 });
    expect(enter("a", 60)).toBeUndefined();
    enter("b", 60);
    // It would fit, but came later.
    enter("c", 10);
    expect(begun).toEqual(["a"]);
    done("a", 80);
    clock.advance(MINUTE - 1);
    expect(begun).toEqual(["a"]);
    clock.advance(1);
    expect(begun).toEqual(["a", "b", "c"]);
  });

  it("counts what calls took, and their estimate where they do not say", () => {
    const { clock, begun, enter, done } = calls({ tokensPerMinute: 100 });
    enter("a", 90);
    done("a", 5);
    enter("b", 90);
    done("b");
    enter("c", 20);
    expect(begun).toEqual(["a", "b"]);
    clock.advance(MINUTE);
    expect(begun).toEqual(["a", "b", "c"]);
  });

  it("lets in alone what is larger than a minute has room for", () => {
    const { clock, begun, enter, done } = calls({ tokensPerMinute: 100 });
    enter("a", 50);
    enter("huge", 500);
    enter("c", 1);
    done("a", 50);
    clock.advance(MINUTE);
    expect(begun).toEqual(["a", "huge"]);
    done("huge", 500);
    clock.advance(MINUTE);
    expect(begun).toEqual(["a", "huge", "c"]);
  });

  it("bounds calls and tokens together, and whoever gives up lets the next in", () => {
    const { clock, begun, enter, done } = calls({ calls: 1, tokensPerMinute: 100 });
    enter("a", 10);
    const giveUp = enter("b", 95);
    enter("c", 10);
    done("a", 10);
    expect(begun).toEqual(["a"]);
    giveUp?.();
    expect(begun).toEqual(["a", "c"]);
    done("c");
    done("c");
    enter("d", 80);
    enter("e", 1);
    expect(begun).toEqual(["a", "c", "d"]);
    done("d");
    expect(begun).toEqual(["a", "c", "d"]);
    clock.advance(MINUTE);
    expect(begun).toEqual(["a", "c", "d", "e"]);
  });
});

describe("a host with limits", () => {
  const HELLO = { input: { prompt: "Hello." } };
  const spender = agent({
    name: "spender",
    conversation: true,
    prices: { spender: { inputPerMillion: 0, outputPerMillion: 1 } },
    tools: [tool({ name: "look", execute: () => "seen" })],
  });
  /** Calls its tool again and again; each answer takes half a million tokens. */
  const model: ModelPort = {
    name: "spender",
    async generate({ messages }) {
      const last = messages.at(-1)?.content;
      const content =
        last === "Enough."
          ? [{ type: "text", text: "Well." }]
          : [{ type: "tool-call", toolCallId: `c${messages.length}`, toolName: "look", input: {} }];
      return {
        content: content as never,
        model: "spender",
        finishReason: last === "Enough." ? "stop" : "tool-calls",
        usage: { inputTokens: 1, outputTokens: 500_000 },
      };
    },
  };

  it("ends the turns of a tenant whose day is spent, in the middle, and goes on the next day", async () => {
    const limits = { tenants: { acme: { moneyPerDay: 2 } } };
    const { host, store, at, until, clock } = memoryHost({ reasoners: [spender], model, limits });
    const run = host.tenant("acme").run("r1");
    expect((await at(run.start(HELLO))).outcome).toBe("taken");
    await until(async () => (await run.row()).status === "ready");
    const row = await at(run.row());
    expect(row.failure).toMatchObject({
      code: "host.limit",
      message: expect.stringContaining("has spent 2 of 2 on 2026-01-31"),
    });
    // Four answers at half a unit each, and no fifth.
    expect(await at(store.spent("acme", "2026-01-31"))).toBe(2);
    expect(row.usage.requests).toBe(4);
    expect(await at(run.message("Enough."))).toMatchObject({ code: "host.limit" });
    // Other tenants, and no tenant at all, go on.
    expect((await at(host.run("r1").start({ input: { prompt: "Enough." } }))).outcome).toBe(
      "taken",
    );
    clock.advance(24 * 60 * MINUTE);
    expect((await at(run.message("Enough."))).outcome).toBe("taken");
    await until(async () => (await run.row()).words === "Well.");
    expect((await at(run.row())).failure).toBeUndefined();
    expect(await at(store.spent("acme", "2026-02-01"))).toBe(0.5);
    await at(host.drain());
  });

  it("holds back calls beyond a model's tokens in a minute, and their limits stand still", async () => {
    const begun: number[] = [];
    const clock = virtualClock(1_000_000);
    const counted: ModelPort = {
      name: "counted",
      async generate(request, call) {
        begun.push(clock.now() - 1_000_000);
        return { ...(await model.generate(request, call)), finishReason: "stop" };
      },
    };
    const limits = { models: { counted: { tokensPerMinute: 600_000 } } };
    const made = memoryHost(
      { reasoners: [spender], model: counted, limits, llmTimeoutMs: 30_000 },
      clock,
    );
    const input = { prompt: "Enough." };
    for (const id of ["a", "b", "c"]) await made.at(made.host.run(id).start({ input }));
    for (const id of ["a", "b", "c"]) {
      await made.until(async () => (await made.host.run(id).row()).words === "Well.");
    }
    // Two take more than a minute has room for; the third waits until the first two are over a minute old.
    expect(begun.map((ms) => Math.floor(ms / MINUTE))).toEqual([0, 0, 1]);
    await made.at(made.host.drain());
  });

  it("leaves room for the neighbours of a tenant that has more runs than may go on", async () => {
    const silent: ModelPort = {
      name: "silent",
      generate: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("aborted")));
        }),
    };
    const limits = { tenants: { acme: { runs: 1 } } };
    const { host, at } = memoryHost({ limits, model: silent, runs: 4, answerMs: 100 });
    const started = Array.from({ length: 30 }, (_, n) =>
      host.tenant("acme").run(`r${n}`).start(HELLO),
    );
    const outcomes = (await at(Promise.all(started))).map(({ outcome }) => outcome);
    expect(outcomes.filter((outcome) => outcome === "taken")).toHaveLength(1);
    expect((await at(host.tenant("other").run("r").start(HELLO))).outcome).toBe("taken");
    await at(host.drain());
  });

  it("is refused where one of them is none, with the place", () => {
    for (const [limits, words] of [
      [{ model: {} }, "model is not an option of limits; models, tenants are."],
      [{ models: 5 }, "models of limits must be an object; it is 5."],
      [
        { models: { fast: 0 } },
        "limits.models.fast must be a whole number of calls, 1 or more, or { calls, tokensPerMinute }; it is 0.",
      ],
      [
        { models: { fast: { calls: 1.5 } } },
        "calls of limits.models.fast must be a whole number, 1 or more; it is 1.5.",
      ],
      [
        { models: { fast: { tokens: 5 } } },
        "tokens is not an option of limits.models.fast; calls, tokensPerMinute are.",
      ],
      [
        { models: { fast: { tokensPerMinute: Number.NaN } } },
        "tokensPerMinute of limits.models.fast must be a whole number, 1 or more; it is NaN.",
      ],
      [{ tenants: [] }, "tenants of limits must be an object or"],
      [{ tenants: async () => ({}) }, "tenants of limits must be an object or"],
      [{ tenants: { acme: 3 } }, "The options of limits.tenants.acme must be an object; it is 3."],
      [
        { tenants: { acme: { runs: 0 } } },
        "runs of limits.tenants.acme must be a whole number, 1 or more; it is 0.",
      ],
      [
        { tenants: { acme: { moneyPerDay: "5" } } },
        "moneyPerDay of limits.tenants.acme must be a number, 0 or more; it is",
      ],
      [
        { tenants: { acme: { messagesPerMinute: -1 } } },
        "messagesPerMinute of limits.tenants.acme must be a whole number, 0 or more; it is -1.",
      ],
      [
        { tenants: { acme: { money: 1 } } },
        "money is not an option of limits.tenants.acme; runs, moneyPerDay, messagesPerMinute are.",
      ],
    ] as const) {
      const fault = refusal(() => memoryHost({ limits: limits as never }));
      expect(fault).toMatchObject({
        code: "option.invalid",
        message: expect.stringContaining(words),
      });
    }
  });

  it("refuses of retries and stores what a run refuses", () => {
    for (const wrong of [
      { retry: { attempts: 0 } },
      { retry: { atempts: 1 } },
      { stores: { a: 1 } },
    ]) {
      expect(refusal(() => memoryHost(wrong as never)).code).toBe("option.invalid");
    }
  });

  it("refuses at its door where a function tells no limits, and its runs go on", async () => {
    let told: unknown = {};
    const limits = {
      tenants: () => {
        if (told === "throw") throw new Error("no database");
        return told as never;
      },
    };
    const { host, at, until } = memoryHost({ limits });
    const run = host.tenant("acme").run("r1");
    expect((await at(run.start(HELLO))).outcome).toBe("taken");
    await until(async () => (await run.row()).status === "ready");
    for (const [each, words] of [
      ["throw", "limits.tenants tells no limits of acme (no database)"],
      [{ runs: -1 }, "runs of limits.tenants.acme must be"],
      [Promise.resolve({}), "(it returned a promise)"],
    ] as const) {
      told = each;
      expect(await rejection(at(run.message("Hi.")))).toMatchObject({
        code: "option.invalid",
        message: expect.stringContaining(words),
      });
      expect((await at(run.interrupt())).outcome).not.toBe("accepted");
    }
    told = undefined;
    expect((await at(run.message("Hi."))).outcome).toBe("taken");
    await at(host.drain());
  });
});
