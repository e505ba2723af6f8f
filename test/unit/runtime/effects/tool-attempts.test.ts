// Attempts of tools: retries, time limits, what may be repeated and what is unknown.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { agent, type ToolContext, tool } from "../../../../src/index.js";
import {
  type Observation,
  run,
  scriptedModel,
  virtualClock,
} from "../../../../src/runtime/index.js";
import { settle } from "../../../support/watched-journal.js";

interface Options {
  readonly idempotent?: boolean;
  readonly retries?: number;
  readonly timeoutMs?: number;
}

/** Runs one call of a tool that does something else at each attempt; time jumps when all sleep. */
async function attempts(options: Options, execute: (count: number, ctx: ToolContext) => unknown) {
  const clock = virtualClock(1_000);
  const seen: Observation[] = [];
  const contexts: ToolContext[] = [];
  const one = tool({
    name: "t",
    ...options,
    execute: (_input, ctx) => {
      contexts.push(ctx);
      return execute(contexts.length, ctx);
    },
  });
  const live = run(agent({ name: "a", tools: [one] }), "go", {
    model: scriptedModel([{ calls: [{ name: "t" }] }, "done"]),
    clock,
    runId: "r",
    observers: [(observation) => seen.push(observation)],
  });
  let over = false;
  void live.then(() => {
    over = true;
  });
  for (let i = 0; i < 20 && !over; i++) {
    await settle();
    if (!over) clock.jump();
  }
  await live;
  const settled = seen.flatMap((each) =>
    each.type === "step" && each.event.type.startsWith("tool.") ? [each.event] : [],
  )[0];
  return { settled, contexts, seen, clock };
}

const fail = () => {
  throw new Error("no");
};
const never = () => new Promise<never>(() => {});

describe("a tool that throws", () => {
  it("is not tried again where nothing is said", async () => {
    const { settled, contexts } = await attempts({}, fail);
    expect(contexts).toHaveLength(1);
    expect(settled).toMatchObject({ type: "tool.failed", reason: "error" });
    expect(settled).not.toHaveProperty("attempts");
  });

  it("is tried once more where it is idempotent", async () => {
    const { settled, contexts } = await attempts({ idempotent: true }, fail);
    expect(contexts).toHaveLength(2);
    expect(settled).toMatchObject({ reason: "error", attempts: 2 });
  });

  it("with two retries is tried three times, and then has failed", async () => {
    const { settled, contexts, seen } = await attempts({ retries: 2 }, fail);
    expect(contexts.map(({ retry }) => retry)).toEqual([0, 1, 2]);
    expect(settled).toMatchObject({ reason: "error", attempts: 3, error: { message: "no" } });
    const retries = seen.filter(({ type }) => type === "retry");
    expect(retries).toMatchObject([{ attempt: 2 }, { attempt: 3 }]);
  });

  it("and then does not has succeeded", async () => {
    const { settled } = await attempts({ retries: 2 }, (count) => (count < 2 ? fail() : "ok"));
    expect(settled).toMatchObject({ type: "tool.succeeded", output: "ok", attempts: 2 });
    expect(settled).not.toHaveProperty("update");
  });

  it("has the same idempotency key at every attempt", async () => {
    const { contexts } = await attempts({ retries: 1 }, fail);
    expect(contexts.map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      "r:tool/0/0",
      "r:tool/0/0",
    ]);
  });
});

describe("a tool that takes too long", () => {
  it("is unknown, and never tried again, where it may not be repeated", async () => {
    const { settled, contexts, clock } = await attempts({ retries: 5, timeoutMs: 700 }, never);
    expect(contexts).toHaveLength(1);
    expect(settled).toMatchObject({
      type: "tool.failed",
      reason: "unknown",
      error: { code: "tool.unknown", message: "Tool t did not finish within 700 ms." },
    });
    expect(clock.now()).toBe(1_700);
  });

  it("is tried again where it is idempotent, and then has timed out", async () => {
    const { settled, contexts, clock, seen } = await attempts(
      { idempotent: true, timeoutMs: 700 },
      never,
    );
    expect(contexts).toHaveLength(2);
    const error = { code: "tool.timeout", message: "Tool t did not finish within 700 ms." };
    expect(seen.filter(({ type }) => type === "retry")).toMatchObject([{ attempt: 2, error }]);
    expect(settled).toMatchObject({
      reason: "timeout",
      attempts: 2,
      error: { code: "tool.timeout" },
    });
    expect(clock.now()).toBe(2_400);
  });

  it("has its signal aborted", async () => {
    const { contexts } = await attempts({ timeoutMs: 5 }, never);
    expect(contexts[0]?.signal.aborted).toBe(true);
  });

  it("has thirty seconds where nothing is said", async () => {
    expect((await attempts({}, never)).clock.now()).toBe(31_000);
  });

  it("and gives its result later changes nothing", async () => {
    let late: (value: string) => void = () => {};
    const { settled, seen } = await attempts({ timeoutMs: 5 }, () => {
      return new Promise((resolve) => {
        late = resolve;
      });
    });
    late("too late");
    await settle();
    expect(settled).toMatchObject({ type: "tool.failed", reason: "unknown" });
    expect(JSON.stringify(seen)).not.toContain("too late");
  });
});

describe("a call that cannot begin", () => {
  it("gets no attempt where its arguments do not fit", async () => {
    // A machine of one's own may issue whatever it likes; the agent checks before it issues.
    const { defineReasoner, setupReasoner } = await import("../../../../src/kernel.js");
    let ran = 0;
    const strict = tool({
      name: "t",
      inputSchema: z.object({ n: z.number() }),
      execute: () => ++ran,
    });
    const { createMachine } = setupReasoner<Record<string, never>, null>();
    const call = { type: "tool", id: "tool/0", name: "t", input: { n: "x" } } as const;
    const missing = { type: "tool", id: "tool/1", name: "constructor", input: {} } as const;
    const machine = createMachine({
      context: {},
      entry: { type: "issue", params: [call, missing] },
    });
    const live = run(defineReasoner({ id: "own", machine, tools: { t: strict } }), null);
    const settled: unknown[] = [];
    for await (const each of live) if (each.type === "step") settled.push(each.event);
    expect(settled.slice(1)).toMatchObject([
      { id: "tool/0", reason: "arguments", error: { code: "tool.arguments" } },
      { id: "tool/1", reason: "missing", error: { message: "Tool not found: constructor" } },
    ]);
    expect(ran).toBe(0);
  });

  it("gets no attempt where its schema throws, and says what it threw", async () => {
    const { defineReasoner, setupReasoner } = await import("../../../../src/kernel.js");
    let ran = 0;
    const inputSchema = {
      "~standard": {
        version: 1 as const,
        vendor: "own",
        validate() {
          throw new Error("no schema for this");
        },
      },
    };
    const jsonSchema = { type: "object" };
    const broken = tool({ name: "t", inputSchema, jsonSchema, execute: () => ++ran });
    const { createMachine } = setupReasoner<Record<string, never>, null>();
    const call = { type: "tool", id: "tool/0", name: "t", input: {} } as const;
    const machine = createMachine({ context: {}, entry: { type: "issue", params: [call] } });
    const live = run(defineReasoner({ id: "own", machine, tools: { t: broken } }), null);
    const settled: unknown[] = [];
    for await (const each of live) if (each.type === "step") settled.push(each.event);
    expect(settled.slice(1)).toMatchObject([
      {
        id: "tool/0",
        reason: "arguments",
        error: { code: "tool.arguments", message: "no schema for this" },
      },
    ]);
    expect(ran).toBe(0);
  });

  it("gets the parsed arguments where they do", async () => {
    const inputSchema = z.object({ n: z.coerce.number(), d: z.string().default("x") });
    const got: unknown[] = [];
    const one = tool({ name: "t", inputSchema, execute: (input) => got.push(input) });
    await run(agent({ name: "a", tools: [one] }), "go", {
      model: scriptedModel([{ calls: [{ name: "t", input: { n: "5" } }] }, "done"]),
    });
    expect(got).toEqual([{ n: 5, d: "x" }]);
  });
});

it("a tool sees deps, usage, services and a signal", async () => {
  const seen: ToolContext[] = [];
  const one = tool({ name: "t", execute: (_input, ctx) => seen.push(ctx) });
  const services = { handle: () => 1 };
  await run(agent({ name: "a", tools: [one], deps: { n: 1 } }), "go", {
    model: scriptedModel([{ calls: [{ name: "t" }] }, "done"]),
    services,
    runId: "r",
  });
  expect(seen).toMatchObject([{ deps: { n: 1 }, usage: { requests: 1 }, retry: 0, runId: "r" }]);
  expect(seen[0]?.services).toBe(services);
});
