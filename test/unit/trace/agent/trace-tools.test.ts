// An agent asks for its own trace: its run and those before it, and no other.
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/core/kernel/values/index.js";
import type {
  RunContext,
  Tool,
  ToolSettlement,
} from "../../../../src/core/kernel/vocabulary/index.js";
import { agent, memoryJournal, scriptedModel, tool } from "../../../../src/index.js";
import type { StorePort } from "../../../../src/runtime/index.js";
import { traceStorePort, traceTools } from "../../../../src/trace/agent/index.js";
import { journalTraces } from "../../../../src/trace/live/index.js";
import { traceEventTypes } from "../../../../src/trace/pure/index.js";
import { refusal, rejection } from "../../../support/thrown.js";
import { lived } from "../../../support/traced.js";

const talker = agent({ name: "talker" }) as never;
const call = { signal: new AbortController().signal };

async function store(everything = false): Promise<StorePort> {
  const one = memoryJournal("one");
  const two = memoryJournal("two");
  const other = memoryJournal("other");
  const model = scriptedModel(() => "Well.");
  await lived(talker, "first", { journal: one, model, runId: "one" });
  await lived(talker, "second", { journal: two, model, runId: "two", from: one });
  await lived(talker, "secret", { journal: other, model, runId: "other" });
  return traceStorePort(journalTraces([two, other]), { everything });
}

/** Calls a tool as the agent would: its request, answered by the store, and what it makes of it. */
async function asked(port: StorePort, name: string, input: JsonObject, runId = "two") {
  const tool = traceTools().find((each) => each.name === name) as Tool;
  const context = { runId } as RunContext;
  const [request] = tool.issue?.(input as never, context) ?? [];
  if (request?.type !== "read") throw new Error("no read");
  expect(request.store).toBe("trace");
  const value = await port.read(request.query, call);
  const settled = { type: "read.succeeded", id: "x", at: 0, value } as ToolSettlement;
  return tool.settle?.(input as never, context, [settled]) as {
    readonly count: number;
    readonly events: { readonly id: string }[];
    readonly text: string;
    readonly chain: { readonly eventId: string }[];
    readonly stats: object;
  };
}

describe("the tools", () => {
  it("are shown to the model with what may be asked, and nothing else is", () => {
    const text = { type: "string", description: expect.stringMatching(/\w/) };
    const filter = { agentId: text, from: text, to: text };
    const format = (...formats: string[]) => ({ ...text, enum: formats });
    const types = {
      type: "array",
      items: { type: "string", enum: [...traceEventTypes] },
      description: text.description,
    };
    const shape = (properties: object, required: readonly string[] = []) => ({
      type: "object",
      properties,
      required,
      additionalProperties: false,
    });
    expect(traceEventTypes).toContain("llm_call");
    expect(traceTools().map(({ name, schema }) => [name, schema.inputSchema])).toEqual([
      ["trace_query", shape({ ...filter, types, format: format("json", "terminal", "markdown") })],
      ["trace_explain", shape({ eventId: text }, ["eventId"])],
      ["trace_stats", shape({ ...filter, format: format("json", "terminal") })],
    ]);
  });

  it("answer over the run and those that it goes on from", async () => {
    const port = await store();
    const { count, events } = await asked(port, "trace_query", {});
    expect(count).toBe(4);
    expect(events.map(({ id }) => id)).toEqual(["one#@0", "one#llm/0", "two#@0", "two#llm/0"]);
    expect((await asked(port, "trace_query", { types: ["llm_call"] })).count).toBe(2);
    expect((await asked(port, "trace_query", { agentId: "nobody" })).count).toBe(0);
    expect((await asked(port, "trace_query", { from: "1999-01-01T00:00:00Z" })).count).toBe(0);
    expect((await asked(port, "trace_query", { format: "terminal" })).text).toContain("llm_call");
    const why = await asked(port, "trace_explain", { eventId: "two#llm/0" });
    expect(why.chain.map(({ eventId }) => eventId)).toEqual([
      "one#@0",
      "one#llm/0",
      "two#@0",
      "two#llm/0",
    ]);
    expect((await asked(port, "trace_stats", {})).stats).toMatchObject({ llmCalls: 2 });
    expect((await asked(port, "trace_stats", { format: "terminal" })).text).toContain("2  (avg");
  });

  it("give the last hundred events, and say that there are more", async () => {
    const count = tool({ name: "count", jsonSchema: { type: "object" }, reduce: () => "done" });
    const counter = agent({ name: "counter", tools: [count], maxIterations: 99 });
    const turns = Array.from({ length: 60 }, () => ({ calls: [{ name: "count", input: {} }] }));
    const journal = memoryJournal("long");
    const model = scriptedModel([...turns, "Done."]);
    await lived(counter as never, "go", { journal, model, runId: "two" });
    const port = traceStorePort(journalTraces(journal));
    const found = await asked(port, "trace_query", {});
    expect(found).toMatchObject({ count: 122, truncated: true });
    expect(found.events).toHaveLength(100);
    expect(found.events.at(-1)?.id).toBe("two#llm/60");
  });

  it("see no other session, unless they may see everything", async () => {
    const port = await store();
    for (const eventId of ["other#llm/0", "other"]) {
      expect(await rejection(asked(port, "trace_explain", { eventId }))).toMatchObject({
        code: "trace.missing",
      });
    }
    expect((await asked(await store(true), "trace_query", {})).count).toBe(6);
    expect(await rejection(asked(port, "trace_query", {}, "nobody"))).toMatchObject({
      code: "trace.missing",
    });
  });

  it("fail as calls where the store does, and the store takes no writes", async () => {
    const [query] = traceTools({ store: "mine" });
    const failed = { type: "read.failed", error: { code: "x", message: "down" } };
    expect(() => query?.settle?.({} as never, {} as never, [failed as never])).toThrow("down");
    expect(() => query?.settle?.({} as never, {} as never, [])).toThrow("did not answer");
    expect(query?.issue?.({} as never, { runId: "r" } as never)).toMatchObject([{ store: "mine" }]);
    const port = await store();
    expect(refusal(() => port.write([], { ...call, idempotencyKey: "k" }))).toMatchObject({
      code: "trace.query",
    });
  });
});
