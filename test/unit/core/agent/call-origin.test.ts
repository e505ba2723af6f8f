// Where a call stands in its run: pure tools and plug-ins make ids and times from it, the same at
// each replay.
import { expect, it } from "vitest";
import { z } from "zod";
import {
  agent,
  agentContext,
  type CallOrigin,
  type Plugin,
  type RunContext,
  run,
  scriptedModel,
  tool,
  virtualClock,
} from "../../../../src/index.js";
import { answer, decided, resultsOf, wish } from "../../../support/agent-events.js";
import { byHand } from "../../../support/by-hand.js";
import { everyWay } from "../../../support/every-way.js";

const { deserialize, serialize } = agentContext;

const origin = ({ runId, id, at }: CallOrigin) => `${runId} ${id} ${at}`;
const stored = () => [{ type: "read" as const, store: "s", query: 1 }];

it("each pure function of a tool has the call's path and the time of the event it answers to", () => {
  const seen: string[] = [];
  const note = (what: string, context: RunContext) => seen.push(`${what}: ${origin(context)}`);
  const tools = [
    tool({ name: "thinks", reduce: (_input, context) => origin(context) }),
    tool({
      name: "asks",
      needsApproval(_input, context) {
        note("approval", context);
        return true;
      },
      issue(_input, context) {
        note("issue", context);
        return stored();
      },
      settle: (_input, context) => origin(context),
    }),
  ];
  const run = byHand(agent({ name: "a", tools }), "x");
  run.take({ ...answer(0, wish("thinks"), wish("asks")), at: 10 } as never);
  run.take({ ...decided("approval/0/1", true), at: 20 } as never);
  run.take({ type: "read.succeeded", id: "tool/0/1/0", value: 1, at: 30 });
  const { runId } = run.context;
  expect(seen).toEqual([`approval: ${runId} tool/0/1 10`, `issue: ${runId} tool/0/1 20`]);
  // A pure call is computed when its wave is written.
  expect(resultsOf(run.context)).toEqual([`${runId} tool/0/0 30`, `${runId} tool/0/1 30`]);
});

it("a plug-in's step has a path of its own, and the time at which it begins or ends", () => {
  const seen: string[] = [];
  const plugin = (name: string): Plugin => ({
    name,
    issue(_context, _state, at) {
      seen.push(`${name} issue ${origin(at)}`);
      return stored();
    },
    settle(_context, _state, _settlements, at) {
      seen.push(`${name} settle ${origin(at)}`);
      return {};
    },
  });
  const tools = [tool({ name: "t", reduce: () => 1 })];
  const run = byHand(agent({ name: "a", tools, plugins: [plugin("p"), plugin("q")] }), "x");
  run.take({ type: "read.succeeded", id: "plugin/0/0/0", value: 1, at: 10 });
  run.take({ type: "read.succeeded", id: "plugin/0/1/0", value: 1, at: 20 });
  run.take({ ...answer(0, wish("t")), at: 30 } as never);
  const { runId, startedAt } = run.context;
  expect(seen).toEqual([
    `p issue ${runId} plugin/0/0 ${startedAt}`,
    `p settle ${runId} plugin/0/0 10`,
    `q issue ${runId} plugin/0/1 10`,
    `q settle ${runId} plugin/0/1 20`,
    `p issue ${runId} plugin/1/0 30`,
  ]);
});

it("an executing tool has them too; live, replayed and resumed they are the same", async () => {
  const tools = [
    tool({
      name: "acts",
      idempotent: true,
      execute: (_input, { runId, id, idempotencyKey }) => [runId, id, idempotencyKey],
    }),
    tool({ name: "thinks", reduce: (_input, context) => origin(context) }),
  ];
  const { end } = await everyWay({
    reasoner: agent({ name: "a", tools }),
    input: "x",
    world: () => ({
      model: scriptedModel([{ calls: [{ name: "acts" }, { name: "thinks" }] }, "done"]),
    }),
  });
  const { runId } = end.context;
  const [acts, thinks] = resultsOf(end.context);
  expect(acts).toEqual([runId, "tool/0/0", `${runId}:tool/0/0`]);
  expect(thinks).toMatch(new RegExp(`^${runId} tool/0/1 \\d+$`));
});

it("an executing tool's time is that of the run's last event before the attempt", async () => {
  const clock = virtualClock(5_000);
  const acts = tool({ name: "acts", execute: (_input, { at }) => at });
  const model = scriptedModel([{ calls: [{ name: "acts" }] }, "done"]);
  const end = await run(agent({ name: "a", tools: [acts] }), "x", { model, clock });
  expect(resultsOf(end.context)).toEqual([5_000]);
});

it("a context that is stored and read back knows its run", () => {
  const context = agentContext.newContext({ runId: "r1" });
  const read = deserialize(JSON.parse(JSON.stringify(serialize(context))));
  expect(read.ok && read.context.runId).toBe("r1");
});

it("a function that asks for approval is given what the schema parses to", () => {
  const pay = tool({
    name: "pay",
    inputSchema: z.object({ amount: z.coerce.number() }),
    needsApproval: ({ amount }) => amount === 500,
    execute: () => "paid",
  });
  const run = byHand(agent({ name: "a", tools: [pay] }), "x");
  run.take(answer(0, wish("pay", { amount: "500" }), wish("pay", { amount: "5" }, "second")));
  expect(run.owed).toEqual(["approval/0/0", "tool/0/1"]);
});
