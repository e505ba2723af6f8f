// Wide is as flat as long (P5): what happens to each of hundreds of calls of one answer costs what it
// costs one of fifty, in what is hashed, run and copied.
import "../../../support/work.js";

import { describe, expect, it, vi } from "vitest";
import { Recorder } from "../../../../src/core/journal/index.js";
import { sizeOf } from "../../../../src/core/kernel/values/index.js";
import {
  type Agent,
  agent,
  agentCallbacks,
  agentTool,
  contextUpdate,
  type Tool,
  tool,
  withUpdate,
} from "../../../../src/index.js";
import { type Effect, owedBy, type RunEvent, type RunState } from "../../../../src/kernel.js";
import { answer, wish } from "../../../support/agent-events.js";
import { countHashes } from "../../../support/hashed.js";
import { expectFlat } from "../../../support/work.js";

vi.mock("#platform", async (original) =>
  (await import("../../../support/hashed.js")).counted(await original()),
);

const jsonSchema = { type: "object" };

/** What may be settled, as a world answers it. */
function settlementOf(effect: Effect): object {
  const { id } = effect;
  switch (effect.type) {
    case "approval":
      return { type: "approval.decided", id, approve: true };
    case "read":
      return { type: "read.succeeded", id, value: "row" };
    case "run":
      return { type: "run.succeeded", id, output: "done", runId: id, usage: { totalTokens: 1 } };
    default:
      return { type: "tool.succeeded", id, output: `result of ${id}` };
  }
}

/** Takes an answer of so many calls and what settles them, until all have their results. */
function settling(cleaner: Agent, count: number): () => void {
  const recorder = new Recorder();
  const { id, version, fingerprint } = cleaner;
  recorder.header({ reasoner: { id, version }, fingerprint, runId: "r", at: 0, input: "go" });
  const observer = agentCallbacks({ onToolCall: () => {} });
  let state: RunState<never> = cleaner.start("go", { at: 0, runId: "r" }).state as never;
  const take = (given: object) => {
    const event = { at: 1, ...given } as RunEvent;
    const step = cleaner.step(state as never, event);
    recorder.event(cleaner, event, step, []);
    observer({ type: "step", event, state: step.state as never });
    state = step.state as never;
    return step.directives;
  };
  return () => {
    const calls = Array.from({ length: count }, (_, i) => wish("each", { prompt: `${i}` }, `${i}`));
    take(answer(0, ...calls));
    let owed = owedBy(state).filter(({ type }) => type !== "llm");
    while (owed.length > 0) {
      const next: Effect[] = [];
      // From both ends, so that order helps nobody.
      owed.forEach((_, i) => {
        const effect = owed[i % 2 === 0 ? i / 2 : owed.length - (i + 1) / 2] as Effect;
        for (const asked of take(settlementOf(effect))) {
          if ("id" in asked && asked.type !== "llm") next.push(asked as Effect);
        }
      });
      owed = next;
    }
    const { toolCalls, batch } = state.context as { toolCalls: never; batch: unknown };
    expect([sizeOf(toolCalls), batch]).toEqual([count, null]);
  };
}

/** Characters that some work hashes. */
function hashedBy(work: () => void): number {
  const hashedSince = countHashes();
  work();
  return hashedSince().characters;
}

const worker = agent({ name: "worker" });
const each = (more: object): Tool => tool({ name: "each", jsonSchema, ...more } as never);
const asked = { needsApproval: true };
const execute = () => "done";
const requests = Array.from({ length: 2 }, () => ({ type: "read", store: "s", query: 1 }));
const secret = () => withUpdate("ok", contextUpdate().set("apiKey", "x"));
const kinds: readonly (readonly [string, Tool, object])[] = [
  ["that execute", each({ execute }), {}],
  ["that execute one after the other", each({ execute, sequential: true }), {}],
  ["that ask a person", each({ execute, ...asked }), {}],
  ["that are pure", each({ reduce: () => "done" }), {}],
  ["that are pure, one after the other", each({ reduce: () => "done" }), { sequential: true }],
  ["that are pure and ask a person", each({ reduce: () => "done", ...asked }), {}],
  ["that set what looks like a secret", each({ reduce: secret }), {}],
  ["that read", each({ issue: () => requests, settle: () => "read" }), {}],
  [
    "that are denied",
    each({ execute }),
    { plugins: [{ name: "judge", beforeTool: () => ({ type: "deny", reason: "no" }) }] },
  ],
  ["of no tool", tool({ name: "other", jsonSchema, execute }), {}],
  ["that start children", agentTool(worker, { name: "each" }), { tokenBudget: 1e9 }],
  [
    "that ask a person and start children",
    agentTool(worker, { name: "each", ...asked }),
    { tokenBudget: 1e9 },
  ],
];

describe("calls of one answer", () => {
  it.each(kinds)("%s cost each the same, however many there are", async (_what, calls, more) => {
    const cleaner = agent({ name: "wide", tools: [calls], ...more });
    const sums = new Map<number, number>();
    const prepare = (count: number) => {
      const settle = settling(cleaner, count);
      return () => sums.set(count, hashedBy(settle) / count);
    };
    await expectFlat(prepare, 50, 400);
    expect((sums.get(400) as number) / (sums.get(50) as number)).toBeLessThan(1.5);
  });

  it("and the requests of one call", () => {
    const reads = (count: number) => {
      const all = Array.from({ length: count }, () => ({ type: "read", store: "s", query: 1 }));
      return agent({ name: "wide", tools: [each({ issue: () => all, settle: () => "read" })] });
    };
    const [few, many] = [reads(50), reads(400)];
    const cost = (cleaner: Agent, count: number) => hashedBy(settling(cleaner, 1)) / count;
    cost(few, 50);
    expect(cost(many, 400) / cost(few, 50)).toBeLessThan(1.5);
  });

  it("that are all denied settle in the step of their answer, and the model reads of each", () => {
    const judge = { name: "judge", beforeTool: () => ({ type: "deny" as const, reason: "no" }) };
    const cleaner = agent({ name: "wide", tools: [each({ execute })], plugins: [judge] });
    const { state } = cleaner.start("go", { at: 0, runId: "r" });
    const calls = Array.from({ length: 1_000 }, (_, i) => wish("each", { i }, `${i}`));
    const step = cleaner.step(state, { ...answer(0, ...calls), at: 1 } as never);
    expect(step.directives.map(({ type }) => type)).toEqual(["llm"]);
    expect(sizeOf(step.state.context.messages)).toBe(1_002);
  });
});
