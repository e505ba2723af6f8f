// Agents shaped by output, behaviour, policy and plug-ins in strict consumer code.
import {
  type AgentContext,
  type AgentSpec,
  agent,
  agentCallbacks,
  agentContext,
  agentTool,
  type Behaviour,
  basicBehaviour,
  type Json,
  type JsonObject,
  type Plugin,
  resume,
  run,
  type ToolContext,
  tool,
  type UserMessage,
} from "reckoner";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";

const { deserialize, serialize } = agentContext;

const city = z.object({ name: z.string(), people: z.coerce.number() });

test("structured output is what the schema parses to, at the end and where a run waits", async () => {
  const shaped = agent({ name: "a", output: { schema: city } });
  const end = await run(shaped, "x");
  if (end.status === "done") {
    expectTypeOf(end.output).toEqualTypeOf<{ name: string; people: number }>();
    // @ts-expect-error no such field
    end.output.mayor;
  }
  expectTypeOf(shaped.output(end.state)).toEqualTypeOf<
    { name: string; people: number } | undefined
  >();
  const called = await run(agent({ name: "a", output: { schema: z.number(), via: "tool" } }), "x");
  if (called.status === "done") expectTypeOf(called.output).toEqualTypeOf<number>();
});

test("output and deps are inferred side by side", async () => {
  const shaped = agent({ name: "a", deps: { region: "eu" }, output: { schema: city } });
  const end = await run(shaped, { prompt: "x", deps: { region: "us" } });
  expectTypeOf(end.context.deps).toEqualTypeOf<{ region: string }>();
  if (end.status === "done") expectTypeOf(end.output.people).toEqualTypeOf<number>();
  // @ts-expect-error deps of another type
  run(shaped, { prompt: "x", deps: { region: 5 } });
});

test("outputs that cannot be are errors", () => {
  // @ts-expect-error no schema
  agent({ name: "a", output: { via: "json" } });
  // @ts-expect-error no such way
  agent({ name: "a", output: { schema: city, via: "mail" } });
  // @ts-expect-error no such end
  agent({ name: "a", onLimit: "shrug" });
  // @ts-expect-error a limit is a number
  agent({ name: "a", tokenBudget: "many" });
});

test("a run is given the services of all its tools", () => {
  interface Db {
    readonly db: { get(key: string): string };
  }
  interface Mail {
    send(text: string): void;
  }
  const get = tool({
    name: "get",
    services: ["db"],
    execute: (_input, { services }: ToolContext<JsonObject, Db>) => services.db.get("x"),
  });
  const send = tool({
    name: "send",
    execute: (_input, { services }: ToolContext<JsonObject, Mail>) => services.send("x"),
  });
  const none = tool({ name: "none", execute: () => 1 });
  const [db, mail]: [Db, Mail] = [{ db: { get: (key) => key } }, { send: () => {} }];
  const both = agent({ name: "both", tools: [get, send, none] });
  run(both, "go", { services: { ...db, ...mail } });
  // @ts-expect-error it needs Mail as well
  run(both, "go", { services: db });
  // @ts-expect-error it needs services
  run(both, "go");
  // @ts-expect-error it needs services
  resume(both, "journal.jsonl", {});
  const child = agent({
    name: "parent",
    tools: [agentTool(agent({ name: "c", tools: [get] }), { name: "c" })],
  });
  // @ts-expect-error its child's tool needs services
  run(child, "go", {});
  run(child, "go", { services: db });
  run(agent({ name: "a", tools: [none] }), "go");
  // @ts-expect-error no service of that name
  tool({ name: "t", services: ["bd"], execute: (_input, _of: ToolContext<JsonObject, Db>) => 1 });
});

test("a tool's services and deps are typed by its context", () => {
  tool({
    name: "t",
    execute: (
      _input,
      { deps, services }: ToolContext<{ n: number }, { db: { get(key: string): string } }>,
    ) => {
      expectTypeOf(deps.n).toEqualTypeOf<number>();
      return services.db.get("x");
    },
  });
});

test("a behaviour's callbacks are typed, four of them needed", () => {
  const mine: Behaviour = {
    ...basicBehaviour,
    name: "mine",
    initContext: (of, context) => {
      expectTypeOf(of).toEqualTypeOf<AgentSpec>();
      expectTypeOf(context).toEqualTypeOf<AgentContext>();
      return agentContext.mergeDeps(context, { n: 1 });
    },
    handleError: (_agent, { code }, context) =>
      code === "x" ? { type: "retry", context } : { type: "continue", context },
  };
  agent({ name: "a", behaviour: mine });
  // @ts-expect-error buildMessages and others are missing
  agent({ name: "a", behaviour: { name: "mine" } });
  const wrong: Behaviour = {
    ...basicBehaviour,
    // @ts-expect-error a recovery is one of three
    handleError: (_agent, _error, context) => ({ type: "ignore", context }),
  };
  agent({ name: "a", behaviour: wrong });
});

test("plug-ins and their hooks are typed", () => {
  const judge: Plugin = {
    name: "judge",
    beforeTool: (_context, { name }) => (name === "rm" ? { type: "deny" } : { type: "allow" }),
    // @ts-expect-error a request cannot be modified here
    beforeRequest: () => ({ type: "modify" }),
  };
  const plugin: Plugin = {
    name: "p",
    issue: () => [{ type: "read", store: "s", query: 1 }],
    settle: (_context, state, settlements, { runId, id, at }) => {
      expectTypeOf({ runId, id, at }).toEqualTypeOf<{ runId: string; id: string; at: number }>();
      expectTypeOf(state).toEqualTypeOf<Json>();
      return { state: settlements.length, prompt: null };
    },
  };
  agent({ name: "a", plugins: [judge, plugin] });
  // @ts-expect-error a plug-in has a name
  agent({ name: "a", plugins: [{ tools: [] }] });
});

test("callbacks are an observer of any run", () => {
  const observer = agentCallbacks({
    onAgentComplete: (output, context) => {
      expectTypeOf(output).toEqualTypeOf<Json>();
      expectTypeOf(context).toEqualTypeOf<AgentContext>();
    },
  });
  run(agent({ name: "a" }), "x", { observers: [observer] });
  // @ts-expect-error no such callback
  agentCallbacks({ onAgentPause: () => {} });
});

test("a context as data, and back with its deps", () => {
  const context = agentContext.newContext({ deps: { n: 1 } });
  const data = serialize(context);
  expectTypeOf(data.version).toEqualTypeOf<1>();
  const read = deserialize<{ n: number }>(data);
  if (read.ok) expectTypeOf(read.context.deps).toEqualTypeOf<{ n: number }>();
  else expectTypeOf(read.error).toEqualTypeOf<string>();
  // @ts-expect-error to be checked first
  read.context;
  const queue: readonly UserMessage[] = data.queue;
  expectTypeOf(queue).toExtend<readonly UserMessage[]>();
});
