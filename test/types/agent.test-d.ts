// Agents and tools in strict consumer code: arguments from schemas, deps, the end as a union.
import {
  type Agent,
  type AgentContext,
  type ApprovalDirective,
  agent,
  contextUpdate,
  type EffectError,
  type End,
  type Json,
  run,
  type ToolContext,
  tool,
  withUpdate,
} from "reckoner";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

interface Deps {
  readonly region: string;
}

test("a tool's arguments are what its schema parses to", () => {
  tool({
    name: "t",
    inputSchema: z.object({ path: z.string(), depth: z.coerce.number().default(1) }),
    execute: (ctx, input) => {
      expectTypeOf(input).toEqualTypeOf<{ path: string; depth: number }>();
      expectTypeOf(ctx).toExtend<ToolContext>();
      expectTypeOf(ctx.idempotencyKey).toEqualTypeOf<string>();
      return withUpdate(input.path, contextUpdate().increment("seen"));
    },
  });
  tool({
    name: "t",
    inputSchema: z.object({ n: z.number() }),
    reduce: (_, input) => input.n + 1,
  });
  tool({
    name: "t",
    inputSchema: z.object({ q: z.string() }),
    issue: (_, input) => [{ type: "read", store: "s", query: input.q }],
    settle: (_, input, settlements) => [input.q, settlements.length],
  });
});

test("tools that cannot be are errors", () => {
  // @ts-expect-error no kind
  tool({ name: "t" });
  // @ts-expect-error no name
  tool({ execute: () => 1 });
  // @ts-expect-error issue needs a settle
  tool({ name: "t", issue: () => [] });
  // @ts-expect-error a tool may not ask for a model call
  tool({ name: "t", issue: () => [{ type: "llm", messages: [] }], settle: () => 1 });
  // @ts-expect-error no such argument
  tool({ name: "t", inputSchema: z.object({ a: z.string() }), execute: (_, input) => input.b });
});

test("an agent knows its deps", () => {
  const one = agent<Deps>({ name: "a", deps: { region: "eu" } });
  expectTypeOf(one).toExtend<Agent<Deps>>();
  run(one, "hi");
  run(one, { prompt: "hi", deps: { region: "us" } });
  // @ts-expect-error deps of another type
  run(one, { prompt: "hi", deps: { zone: 1 } });
  // @ts-expect-error no such property
  agent({ name: "a", prompt: "hi" });
});

test("an end is a union over its status", async () => {
  const end = await run(agent<Deps>({ name: "a" }), "hi");
  expectTypeOf(end).toEqualTypeOf<End<Json, AgentContext<Deps>>>();
  // @ts-expect-error only a run that is done has an output
  end.output;
  switch (end.status) {
    case "done":
      expectTypeOf(end.output).toEqualTypeOf<Json>();
      break;
    case "waiting":
      expectTypeOf(end.approvals).toEqualTypeOf<readonly ApprovalDirective[]>();
      break;
    case "failed":
      expectTypeOf(end.error).toEqualTypeOf<EffectError>();
      break;
    case "cancelled":
      break;
    default:
      expectTypeOf(end).toEqualTypeOf<never>();
  }
  expectTypeOf(end.context.deps).toEqualTypeOf<Deps>();
  expectTypeOf(end.context.usage.cacheReadInputTokens).toEqualTypeOf<number>();
});

test("observations are a union over their type", async () => {
  for await (const seen of run(agent({ name: "a" }), "hi")) {
    if (seen.type === "delta") expectTypeOf(seen.delta.text).toEqualTypeOf<string>();
    if (seen.type === "step") expectTypeOf(seen.seq).toEqualTypeOf<number>();
    // @ts-expect-error only a step has a number
    seen.seq;
  }
});
