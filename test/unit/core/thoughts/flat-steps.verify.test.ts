// Thoughts by the thousand: a step costs what it cost at a few hundred, in what is run and copied.
import "../../../support/work.js";

import { expect, it } from "vitest";
import type { LlmDirective } from "../../../../src/index.js";
import {
  beamSearch,
  generate,
  plan,
  plans,
  type Thoughts,
  thoughts,
} from "../../../../src/thoughts.js";
import { expectGrowth, type Work, workOf } from "../../../support/work.js";
import { answer, hashOf } from "./drive.js";

const WINDOW = 150;

/** What so many steps cost that begin at three hundred thoughts and at 2 700. */
async function windowsOf(reasoner: Thoughts): Promise<readonly [early: Work, late: Work]> {
  let step = reasoner.start("go", { at: 0, runId: "r" });
  const queue = [...step.directives];
  let at = 0;
  const stepUntil = (end: number) => {
    for (; at < end && at < queue.length && step.state.status === "active"; at++) {
      const event = answer(queue[at] as LlmDirective, ({ id }) => `said by ${id}`, at);
      step = reasoner.step(step.state, event);
      queue.push(...step.directives.filter(({ type }) => type === "llm"));
    }
  };
  stepUntil(300);
  const early = await workOf(() => stepUntil(300 + WINDOW));
  stepUntil(2_700);
  const late = await workOf(() => stepUntil(2_700 + WINDOW));
  stepUntil(Number.POSITIVE_INFINITY);
  expect([step.state.status, at >= 3_000]).toEqual(["done", true]);
  return [early, late];
}

const byHash = ({ id }: { id: string }) => hashOf(id) % 1_000;

it.each([
  [
    "a tree of three hundred rounds",
    () => plans.tot({ scorer: byHash }, { branches: 10, rounds: 300 }),
  ],
  [
    "a beam search",
    () => beamSearch({ rounds: 300, branching: 10, score: { by: byHash }, connect: false }),
  ],
  [
    "ten chains side by side",
    () =>
      plan(
        Array.from({ length: 3_000 }, (_, i) =>
          generate({
            id: `g${i}`,
            after: i < 10 ? [] : [`g${i - 10}`],
            prompt: ({ thought }) => thought.content,
          }),
        ),
      ),
  ],
])("%s of 3 000 thoughts: what a step costs is flat", async (_, policy) => {
  const prompts = {
    generate: ({ thought }: { thought: { id: string } }) => `go on from ${thought.id}`,
  };
  const limits = { maxNodes: 10_000, maxDepth: 10_000, prompts };
  const [early, late] = await windowsOf(thoughts({ policy: policy(), ...limits }));
  // A step that goes through what is there would cost nine times as much in the end.
  expectGrowth(early, late, 1.5);
});
