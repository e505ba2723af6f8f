// Model calls: what is asked, what is tried again, and what comes back.

import { describe, expect, it } from "vitest";
import { type AgentContext, agent, type EffectError } from "../../../../src/index.js";
import { lists } from "../../../../src/kernel.js";
import {
  type ModelCall,
  ModelError,
  type ModelPort,
  type ModelRequest,
  type Observation,
  type RunOptions,
  run,
  type VirtualClock,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { textIn } from "../../../support/journal-text.js";
import { settle } from "../../../support/watched-journal.js";

const hello = {
  content: [{ type: "text", text: "hello" }],
  finishReason: "stop",
  usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
} as const;

type Generate = (request: ModelRequest, call: ModelCall) => unknown;
const port = (generate: Generate, name = "m"): ModelPort => ({
  name,
  generate: async (request, call) => (await generate(request, call)) as typeof hello,
});
const transient = (more: Partial<EffectError> = {}) =>
  new ModelError({ code: "llm.failed", message: "busy", transient: true, ...more });

/** A run whose time jumps whenever everybody sleeps. */
async function ended(model: RunOptions["model"], options: RunOptions = {}, clock = virtualClock()) {
  const seen: Observation[] = [];
  const live = run(agent({ name: "a" }), "go", {
    ...(model === undefined ? {} : { model }),
    clock,
    observers: [(observation) => seen.push(observation)],
    ...options,
  });
  await jumping(live, clock);
  return { end: await live, seen, clock };
}

async function jumping(live: PromiseLike<unknown>, clock: VirtualClock): Promise<void> {
  let over = false;
  void live.then(() => {
    over = true;
  });
  for (let i = 0; i < 30 && !over; i++) {
    await settle();
    if (!over) clock.jump();
  }
}

describe("an answer that the provider ended with an error", () => {
  const broken = (...content: readonly object[]) => ({
    content,
    finishReason: "error",
    usage: { inputTokens: 7 },
  });
  const thinking = { type: "reasoning", text: "Hm." } as const;

  it.each([[[]], [[{ type: "text", text: " " }]], [[thinking]]])(
    "is none where the model has said nothing, and is asked for again: %j",
    async (content) => {
      const answers = [broken(...content), hello];
      const { end, seen } = await ended(port(() => answers.shift()));
      expect(end).toMatchObject({ status: "done", output: "hello" });
      expect(end.context).toMatchObject({
        usage: { requests: 2, inputTokens: 8, totalTokens: 10 },
      });
      const retry = seen.find(({ type }) => type === "retry");
      expect(retry).toMatchObject({ error: { code: "llm.failed", transient: true } });
    },
  );

  it("fails the call where it stays so, with what it cost", async () => {
    const { end } = await ended(port(() => broken()));
    expect(end).toMatchObject({
      status: "failed",
      error: {
        code: "llm.failed",
        message: expect.stringContaining("ended the answer with an error"),
      },
    });
    expect(end.context).toMatchObject({ usage: { requests: 3, inputTokens: 21 } });
  });

  it("is for the agent to judge where the model has said something", async () => {
    const { end } = await ended(port(() => broken(thinking, { type: "text", text: "Half" })));
    expect(end).toMatchObject({
      status: "failed",
      reason: "faultyAnswer",
      finishReason: "error",
      error: { code: "agent.faultyAnswer" },
      context: { usage: { requests: 3 } },
    });
  });
});

it("what the provider says of the whole answer is recorded, and its reasoning counted", async () => {
  const providerMetadata = { acme: { tier: "flex" } };
  const usage = { inputTokens: 3, outputTokens: 9, reasoningTokens: 4 };
  const { end, seen } = await ended(port(() => ({ ...hello, usage, providerMetadata })));
  expect(end.context).toMatchObject({ usage: { outputTokens: 9, reasoningTokens: 4 } });
  expect(end.usage.reasoningTokens).toBe(4);
  expect(JSON.stringify(seen)).toContain('"providerMetadata":{"acme":{"tier":"flex"}}');
  const wrong = await ended(port(() => ({ ...hello, providerMetadata: "flex" as never })));
  expect("error" in wrong.end && wrong.end.error.message).toContain(
    "providerMetadata must be an object",
  );
});

describe("several models", () => {
  it("of which none is asked by name, and none is the default, are named", async () => {
    const model = { small: port(() => hello), large: port(() => hello) };
    const { end } = await ended(model);
    expect(end).toMatchObject({ status: "failed", error: { code: "port.missing" } });
    expect("error" in end && end.error.message).toContain("several models (small, large)");
    const named = await run(agent({ name: "a", model: "big" }), "go", { model });
    expect("error" in named && named.error.message).toContain(
      "no model named big, but small, large;",
    );
  });
});

describe("what a model is asked", () => {
  it("the transcript as an array, never a List; its name in the house is not shown", async () => {
    let asked: ModelRequest | undefined;
    await ended(
      port((request) => {
        asked = { ...request };
        return hello;
      }),
    );
    expect(lists.is(asked?.messages)).toBe(false);
    expect(asked).toEqual({ messages: [{ role: "user", content: "go" }] });
  });

  it("several models go by their names; the only one needs none", async () => {
    const asked: string[] = [];
    const named = (name: string) =>
      port(() => {
        asked.push(name);
        return hello;
      }, name);
    const models = { big: named("big"), small: named("small"), default: named("default") };
    await run(agent({ name: "a", model: "small" }), "go", { model: models });
    await run(agent({ name: "a" }), "go", { model: models });
    await run(agent({ name: "a" }), "go", { model: { only: named("only") } });
    expect(asked).toEqual(["small", "default", "only"]);
  });

  const missing: readonly (readonly [string, RunOptions["model"], string | undefined, RegExp])[] = [
    ["no model at all", undefined, undefined, /given no model; pass one/],
    [
      "none of that name",
      { big: port(() => hello), other: port(() => hello) },
      "small",
      /no model named small/,
    ],
    [
      "a name of an object's machinery",
      { big: port(() => hello) },
      "constructor",
      /no model named constructor/,
    ],
  ];
  for (const [name, model, which, message] of missing) {
    it(`${name} fails the call with a code`, async () => {
      const one = agent({ name: "a", ...(which === undefined ? {} : { model: which }) });
      const end = await run(one, "go", model === undefined ? {} : { model });
      expect(end).toMatchObject({ status: "failed", error: { code: "port.missing" } });
      expect("error" in end && end.error.message).toMatch(message);
    });
  }
});

describe("what is tried again", () => {
  it("what is transient, three times in all, with growing delays", async () => {
    let calls = 0;
    const { end, seen, clock } = await ended(
      port((_, { attempt }) => {
        expect(attempt).toBe(++calls);
        throw transient();
      }),
    );
    expect([calls, clock.now()]).toEqual([3, 1_500]);
    expect(end).toMatchObject({
      status: "failed",
      reason: "modelFailed",
      error: { message: "busy" },
    });
    expect(seen.filter(({ type }) => type === "retry")).toMatchObject([
      { attempt: 2, delayMs: 500 },
      { attempt: 3, delayMs: 1_000 },
    ]);
  });

  it("and then answers: the settlement says how many attempts it took", async () => {
    let calls = 0;
    const { end, seen } = await ended(
      port(() => {
        if (++calls === 1) throw transient();
        return hello;
      }),
    );
    expect(end.status).toBe("done");
    expect(end.context.usage).toMatchObject({ requests: 2, inputTokens: 1 });
    expect(seen.find((each) => each.type === "step" && each.seq === 1)).toMatchObject({
      event: { type: "llm.succeeded", attempts: 2 },
    });
  });

  it("after as long as the provider asks for, up to the longest delay", async () => {
    const waits = [2_000, 999_999].map(async (retryAfterMs) => {
      let calls = 0;
      const { clock } = await ended(
        port(() => {
          if (++calls === 1) throw transient({ retryAfterMs });
          return hello;
        }),
      );
      return clock.now();
    });
    expect(await Promise.all(waits)).toEqual([2_000, 60_000]);
  });

  it.each([-5, Number.NaN, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, "3", null, 1e300])(
    "after the run's own delay, or its longest, where the provider asks for %s",
    async (asked) => {
      let calls = 0;
      const { clock, seen } = await ended(
        port(() => {
          if (++calls === 1) throw transient({ retryAfterMs: asked as number });
          return hello;
        }),
      );
      const wait = asked === 1e300 ? 60_000 : 500;
      const retries = seen.flatMap((each) => (each.type === "retry" ? [each] : []));
      expect([clock.now(), retries.map(({ delayMs }) => delayMs)]).toEqual([wait, [wait]]);
      expect(retries[0]?.error.retryAfterMs).toBe(asked === 1e300 ? asked : undefined);
    },
  );

  it("without a delay, however often", async () => {
    let calls = 0;
    const seen: number[] = [];
    const model = port(() => {
      calls += 1;
      if (calls < 1_100) throw transient();
      return hello;
    });
    const end = await run(agent({ name: "a" }), "go", {
      model,
      retry: { attempts: Number.POSITIVE_INFINITY, delayMs: 0 },
      observers: [(each) => each.type === "retry" && seen.push(each.delayMs)],
    });
    expect([end.status, new Set(seen)]).toEqual(["done", new Set([0])]);
  });

  it("as often and after as long as the run is told", async () => {
    let calls = 0;
    const retry = { attempts: 2, delayMs: 7 };
    const model = port(() => {
      calls += 1;
      throw transient();
    });
    const { clock } = await ended(model, { retry });
    expect([calls, clock.now()]).toEqual([2, 7]);
  });

  const final: readonly (readonly [string, unknown, object])[] = [
    [
      "an error that is not transient",
      new ModelError({ code: "llm.failed", message: "no key", status: 401 }),
      { message: "no key", status: 401 },
    ],
    ["any other error", new Error("boom"), { code: "llm.failed", message: "boom" }],
    [
      "an error whose data is not JSON",
      new ModelError({ code: "x", message: "m", detail: new Date(0) as never }),
      { code: "x", message: "m" },
    ],
    ["something that is no error", Object.create(null), { message: "an unknown error" }],
  ];
  for (const [name, thrown, error] of final) {
    it(`${name} is not tried again`, async () => {
      let calls = 0;
      const { end } = await ended(
        port(() => {
          calls += 1;
          throw thrown;
        }),
      );
      expect(calls).toBe(1);
      expect(end).toMatchObject({ status: "failed", error });
    });
  }

  it("a call that takes too long, and its signal is aborted", async () => {
    const signals: AbortSignal[] = [];
    const { end, clock } = await ended(
      port((_, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      }),
      { llmTimeoutMs: 100, retry: { attempts: 2, delayMs: 10 } },
    );
    expect(end).toMatchObject({ error: { code: "llm.timeout", transient: true } });
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(clock.now()).toBe(210);
  });
});

describe("an answer", () => {
  it("is in its event with the model, the id and the warnings that it has, and nothing else", async () => {
    const said = { model: "big-2", responseId: "r-1", warnings: ["careful"] };
    const { seen } = await ended(port(() => ({ ...hello, ...said, body: "raw" })));
    const events = seen.flatMap((each) => (each.type === "step" ? [each.event] : []));
    expect(events.at(-1)).toEqual({
      type: "llm.succeeded",
      id: "llm/0",
      at: 0,
      ...hello,
      usage: { requests: 1, ...hello.usage },
      ...said,
    });
  });
});

describe("deltas", () => {
  it("reach the observers, are not journalled, and end with their attempt", async () => {
    let late: ModelCall["onDelta"] = () => {};
    const { seen, end } = await ended(
      port((_, { onDelta }) => {
        onDelta({ type: "text", text: "hel" });
        onDelta({ type: "text", text: "lo" });
        late = onDelta;
        return hello;
      }),
    );
    late({ type: "text", text: "more" });
    const deltas = seen.flatMap((each) => (each.type === "delta" ? [each.delta.text] : []));
    expect(deltas).toEqual(["hel", "lo"]);
    expect(await textIn(end.journal)).not.toContain('"hel"');
  });

  it("are whole where a provider cuts a surrogate pair, and all that was written is told", async () => {
    const written = ["smile \uD83D", "\uDE00, ", "and \uD83D"];
    const { seen } = await ended(
      port((_, { onDelta }) => {
        for (const text of written) onDelta({ type: "text", text });
        return { ...hello, content: [{ type: "text", text: written.join("") }] };
      }),
    );
    const deltas = seen.flatMap((each) => (each.type === "delta" ? [each.delta.text] : []));
    expect(deltas).toEqual(["smile ", "😀, ", "and ", "\uFFFD"]);
    const answers = seen.flatMap((each) =>
      each.type === "step" && each.event.type === "llm.succeeded" ? each.event.content : [],
    );
    expect(answers).toEqual([{ type: "text", text: deltas.join("") }]);
  });
});

describe("an answer that is refused", () => {
  const usage = { inputTokens: 91, outputTokens: 17, totalTokens: 108 };
  const large = [{ type: "text", text: "x".repeat(6_000_000) }];
  it.each<[string, unknown, number]>([
    ["that is not an answer", { content: 5, usage }, 108],
    ["that is too large", { content: large, finishReason: "stop", usage }, 108],
    ["whose usage is none", { content: 5, usage: [1] }, 0],
    ["whose usage is too large to be one", { content: 5, usage: { ...usage, more: large } }, 0],
    [
      "whose usage cannot be read",
      {
        content: 5,
        get usage() {
          throw new Error("no");
        },
      },
      0,
    ],
    ["that is nothing", null, 0],
  ])("%s was paid for", async (_name, answer, totalTokens) => {
    const end = await run(agent({ name: "a" }), "go", {
      model: port(() => answer),
    });
    expect(end.status).toBe("failed");
    expect(end.usage).toMatchObject({ requests: 1, totalTokens });
    expect((end.context as AgentContext).usage).toMatchObject({ requests: 1, totalTokens });
  });
});
