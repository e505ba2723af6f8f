// Agents and tools in strict consumer code: arguments from schemas, deps, the end as a union.
import {
  type Agent,
  type AgentContext,
  type ApprovalDirective,
  agent,
  agentTool,
  contextUpdate,
  type EffectError,
  type End,
  type Json,
  type LlmSucceeded,
  type MessageEvent,
  memoryJournal,
  type RunContext,
  type RunEvent,
  replay,
  resume,
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
    execute: (input, ctx) => {
      expectTypeOf(input).toEqualTypeOf<{ path: string; depth: number }>();
      expectTypeOf(ctx).toExtend<ToolContext>();
      expectTypeOf(ctx.idempotencyKey).toEqualTypeOf<string>();
      return withUpdate(input.path, contextUpdate().increment("seen"));
    },
  });
  tool({
    name: "t",
    inputSchema: z.object({ n: z.number() }),
    reduce: (input) => input.n + 1,
  });
  tool({
    name: "t",
    inputSchema: z.object({ q: z.string() }),
    issue: (input) => [{ type: "read", store: "s", query: input.q }],
    settle: (input, _context, settlements) => [input.q, settlements.length],
  });
});

test("tools that cannot be are errors", () => {
  // @ts-expect-error no kind
  tool({ name: "t" });
  // @ts-expect-error an effect, and pure
  tool({ name: "t", execute: () => 1, reduce: () => 1 });
  // @ts-expect-error an effect, and one that works through directives
  tool({ name: "t", execute: () => 1, issue: () => [], settle: () => 1 });
  // @ts-expect-error pure, and one that works through directives
  tool({ name: "t", reduce: () => 1, issue: () => [], settle: () => 1 });
  // A kind that is left out may be undefined.
  tool({ name: "t", execute: () => 1, reduce: undefined, issue: undefined });
  // @ts-expect-error no name
  tool({ execute: () => 1 });
  // @ts-expect-error issue needs a settle
  tool({ name: "t", issue: () => [] });
  // @ts-expect-error a tool may not ask for a model call
  tool({ name: "t", issue: () => [{ type: "llm", messages: [] }], settle: () => 1 });
  const inputSchema = z.object({ a: z.string() });
  // @ts-expect-error no such argument
  tool({ name: "t", inputSchema, execute: (input) => input.b });
});

test("deps and an output's schema: both named, or both inferred", () => {
  const schema = z.object({ title: z.string() });
  const named = agent<Deps, typeof schema>({ name: "a", output: { schema } });
  expectTypeOf(named).toExtend<Agent<Deps, { title: string }>>();
  const inferred = agent({ name: "a", deps: { region: "north" }, output: { schema } });
  expectTypeOf(inferred).toExtend<Agent<{ region: string }, { title: string }>>();
});

test("a function that asks for approval, and a child's arguments and output, have their types", () => {
  tool({
    name: "t",
    inputSchema: z.object({ amount: z.number() }),
    needsApproval: ({ amount }, { deps, runId, id, at }: RunContext<{ limit: number }>) => {
      expectTypeOf([runId, id]).toEqualTypeOf<string[]>();
      expectTypeOf(at).toEqualTypeOf<number>();
      return amount > deps.limit;
    },
    execute: ({ amount }) => amount,
  });
  const writer = agent({
    name: "writer",
    output: { schema: z.object({ title: z.string(), words: z.number() }) },
  });
  agentTool(writer, {
    name: "writer",
    inputSchema: z.object({ subject: z.string() }),
    needsApproval: ({ subject }) => subject === "",
    input: ({ subject }) => ({ prompt: subject }),
    result: ({ title }, runId) => `${title.toUpperCase()} ${runId}`,
  });
  agentTool(writer, { name: "writer", input: ({ prompt }) => prompt.trim() });
  // @ts-expect-error not what the child takes
  agentTool(writer, { name: "writer", input: ({ prompt }) => ({ question: prompt }) });
  // @ts-expect-error no such output
  agentTool(writer, { name: "writer", result: (output) => output.length });
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

test("events narrow by their type, and a switch over them leaves those of a machine's own", () => {
  const told = (event: RunEvent): string => {
    switch (event.type) {
      case "llm.succeeded":
        expectTypeOf(event).toEqualTypeOf<LlmSucceeded>();
        return event.finishReason;
      case "tool.failed":
        return event.error.message;
      case "message":
        expectTypeOf(event).toEqualTypeOf<MessageEvent>();
        return "user";
      default:
        return event.type;
    }
  };
  const own = (event: RunEvent<{ type: "tick"; n: number }>) =>
    event.type === "tick" ? expectTypeOf(event.n).toEqualTypeOf<number>() : told;
  const other = (event: RunEvent) => {
    if (event.type === "run.succeeded" || event.type === "llm.failed") return;
    const left: Exclude<RunEvent, { type: "run.succeeded" | "llm.failed" }> = event;
    return left;
  };
  expectTypeOf(other).not.toBeAny();
  run(agent({ name: "a" }), "hi", {
    observers: [
      (seen) => {
        if (seen.type === "step" && seen.event.type === "tool.succeeded") {
          expectTypeOf(seen.event.output).toEqualTypeOf<Json>();
        }
      },
    ],
  });
  expectTypeOf(own).not.toBeAny();
});

test("observations are a union over their type", async () => {
  for await (const seen of run(agent({ name: "a" }), "hi")) {
    if (seen.type === "delta") expectTypeOf(seen.delta.text).toEqualTypeOf<string>();
    if (seen.type === "step") expectTypeOf(seen.seq).toEqualTypeOf<number>();
    // @ts-expect-error only a step has a number
    seen.seq;
  }
});

test("versions of other types stand behind the newest, whose types a run then has", async () => {
  const counted = agent({ name: "a", conversation: true, deps: { count: 1 } });
  const listed = agent({ name: "a", conversation: true, version: 2, deps: { counts: [1] } });
  const journal = memoryJournal();
  const { context } = await resume([listed, counted], journal);
  expectTypeOf(context.deps).toEqualTypeOf<{ counts: number[] }>();
  await replay([listed, counted], journal);
  const alike = [counted, counted];
  for (const versions of [alike, alike as readonly (typeof counted)[]]) {
    const end = await resume(versions, journal);
    expectTypeOf(end.context.deps).toEqualTypeOf<{ count: number }>();
  }
  // @ts-expect-error which of them is the newest is not to be told from an array of both
  await resume([listed, counted].reverse(), journal);
});
