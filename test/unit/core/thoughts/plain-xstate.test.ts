// The chart is the machine: XState's own actor runs it to its end, with a host of twenty lines that answers
// model calls in any order and knows nothing of this package's steps.
import { describe, expect, it } from "vitest";
import { createActor } from "xstate";
import type { Directive, LlmDirective } from "../../../../src/index.js";
import {
  aggregate,
  beamSearch,
  generate,
  improve,
  keepBest,
  plan,
  score,
  type Thoughts,
  type ThoughtsContext,
  thoughts,
  validateAndImprove,
} from "../../../../src/thoughts.js";
import { type Answers, answer, drive } from "./drive.js";

interface Seen {
  readonly status: string;
  readonly value: unknown;
  readonly context: ThoughtsContext;
}

function host(reasoner: Thoughts, answers: Answers, pick: (outstanding: number) => number) {
  const calls: LlmDirective[] = [];
  const values: unknown[] = [];
  const input = { input: "why?", at: 1_000, runId: "run" };
  const actor = createActor(
    reasoner.machine as never,
    {
      input,
      inspect: (seen: { type: string; action?: { type: string; params: unknown } }) => {
        if (seen.type !== "@xstate.action" || seen.action?.type !== "issue") return;
        for (const each of [seen.action.params].flat() as Directive[]) {
          if (each.type === "llm") calls.push(each);
        }
      },
    } as never,
  );
  const seen = () => actor.getSnapshot() as unknown as Seen;
  actor.start();
  for (let at = 1_001; seen().status === "active"; at++) {
    values.push(seen().value);
    const [call] = calls.splice(pick(calls.length) % calls.length, 1);
    actor.send(answer(call as LlmDirective, answers, at) as never);
  }
  const { value, context } = seen();
  return { value, context, values: [...new Set(values)] };
}

const length = ({ content }: { content: string }) => content.length;
const answers: Answers = ({ id }) =>
  id.endsWith("/1") ? { error: "overloaded" } : id.includes("check") ? "invalid" : `7 by ${id}`;

const kinds = [
  ["a beam search", () => beamSearch({ refine: { every: 1 }, connect: { every: 1 } })],
  [
    "a plan",
    () =>
      plan([
        generate({ id: "a", responses: 3 }),
        score({ id: "rated", parse: () => 7 }),
        keepBest({ id: "best" }),
        generate({ id: "b", after: [] }),
        validateAndImprove({ id: "checked", tries: 1 }),
        improve({ id: "better", after: "best" }),
        aggregate({ after: ["better", "checked"], responses: 2 }),
        score({ by: length }),
      ]),
  ],
] as const;

describe.each(kinds)("%s under XState's own actor", (_what, policy) => {
  const make = () => thoughts({ policy: policy(), tokens: 5_000 });

  it.each([
    ["the first call first", () => 0],
    ["the last call first", (outstanding: number) => outstanding - 1],
  ])("runs to its end, %s, and comes to what the kernel comes to", (_order, pick) => {
    const { value, context, values } = host(make(), answers, pick);
    const { state } = drive(make(), "why?", answers);
    expect(value).toBe("completed");
    expect(JSON.parse(JSON.stringify(context))).toEqual(JSON.parse(JSON.stringify(state.context)));
    expect(values.length).toBeGreaterThan(2);
  });
});

it("is cancelled by its own event", () => {
  const actor = createActor(thoughts({ policy: plan([generate()]) }).machine as never, {
    input: { input: "why?", at: 0, runId: "run" } as never,
  });
  actor.start();
  actor.send({ type: "cancel", reason: "enough", at: 1 } as never);
  const { status, value, context } = actor.getSnapshot() as unknown as Seen;
  expect([status, value, context.cancelReason]).toEqual(["done", "cancelled", "enough"]);
});
