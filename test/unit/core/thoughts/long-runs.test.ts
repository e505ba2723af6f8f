// Ten thousand thoughts: a step costs what it cost at a hundred, in time and in bytes of the journal.

import { expect, it } from "vitest";
import {
  type LlmDirective,
  type ModelPort,
  memoryJournal,
  type Observation,
  replay,
  resume,
  run,
} from "../../../../src/index.js";
import {
  explore,
  generate,
  keepBest,
  plan,
  plans,
  type Thoughts,
  thoughtGraph,
  thoughts,
} from "../../../../src/thoughts.js";
import { textIn } from "../../../support/journal-text.js";
import { answer, hashOf } from "./drive.js";

const WINDOW = 2_000;

/** Microseconds of a step in the first and in the last window of a run, garbage collection aside. */
function timesOf(reasoner: Thoughts): { steps: number; early: number; late: number } {
  let step = reasoner.start("go", { at: 0, runId: "r" });
  const times: number[] = [];
  const queue = [...step.directives];
  for (let at = 0; at < queue.length && step.state.status === "active"; at++) {
    const event = answer(queue[at] as LlmDirective, ({ id }) => `said by ${id}`, at);
    const began = performance.now();
    step = reasoner.step(step.state, event);
    times.push(performance.now() - began);
    queue.push(...step.directives.filter(({ type }) => type === "llm"));
  }
  const median = (window: number[]) => window.sort((a, b) => a - b)[window.length / 2] as number;
  expect(step.state.status).toBe("done");
  return {
    steps: times.length,
    early: median(times.slice(WINDOW / 2, 1.5 * WINDOW)),
    late: median(times.slice(-WINDOW)),
  };
}

const byHash = ({ id }: { id: string }) => hashOf(id) % 1_000;

it.each([
  [
    "a tree of a thousand rounds",
    () => plans.tot({ scorer: byHash }, { branches: 10, rounds: 1_000 }),
  ],
  [
    "an exploration",
    () => explore({ rounds: 1_000, branching: 10, score: { by: byHash }, connect: false }),
  ],
  [
    "ten chains side by side",
    () =>
      plan(
        Array.from({ length: 10_000 }, (_, i) =>
          generate({
            id: `g${i}`,
            after: i < 10 ? [] : [`g${i - 10}`],
            prompt: ({ thought }) => thought.content,
          }),
        ),
      ),
  ],
])("%s of 10 000 thoughts: the time per step is flat", (_, policy) => {
  const prompts = {
    generate: ({ thought }: { thought: { id: string } }) => `go on from ${thought.id}`,
  };
  const limits = { maxNodes: 20_000, maxDepth: 20_000, prompts };
  const { steps, early, late } = timesOf(thoughts({ policy: policy(), ...limits }));
  expect(steps).toBeGreaterThanOrEqual(10_000);
  // A step that copies what is there would take fifty times as long in the end.
  expect(late).toBeLessThan(4 * early + 0.05);
});

it("the journal's bytes per thought are flat, and the run replays", async () => {
  const prompts = {
    generate: ({ thought }: { thought: { id: string } }) => `go on from ${thought.id}`,
  };
  const bytes = async (rounds: number) => {
    const policy = plans.tot({ scorer: byHash }, { branches: 10, rounds });
    const journal = memoryJournal();
    const reasoner = thoughts({ policy, prompts });
    const model: ModelPort = {
      name: "short",
      generate: async () => ({
        content: [{ type: "text", text: "so" }],
        finishReason: "stop",
        usage: {},
      }),
    };
    const end = await run(reasoner, "go", { model, journal, runId: "r" });
    expect(thoughtGraph.thoughtCount(end.context.graph)).toBe(10 * rounds + 1);
    if (rounds < 100) expect((await replay(reasoner, journal)).status).toBe("identical");
    return (await textIn(journal)).length / (10 * rounds);
  };
  expect(await bytes(500)).toBeLessThan(1.2 * (await bytes(50)));
});

it("a wide plan that is killed in the middle repeats no call that was settled", async () => {
  const policy = plan([
    generate({ responses: 40 }),
    ...plansScore(),
    keepBest({ n: 5 }),
    generate({ responses: 8 }),
  ]);
  const reasoner = thoughts({ policy });
  const asked: string[] = [];
  const modelOf = (limit: number): ModelPort => ({
    name: "counting",
    async generate(request, { signal }) {
      if (asked.length >= limit) {
        return new Promise((_, fail) =>
          signal.addEventListener("abort", () => fail(signal.reason)),
        );
      }
      asked.push(JSON.stringify(request.settings));
      return {
        content: [{ type: "text", text: `number ${asked.length}` }],
        finishReason: "stop",
        usage: {},
      };
    },
  });
  const journal = memoryJournal();
  const killed = run(reasoner, "go", {
    model: modelOf(23),
    journal,
    seed: "s",
    concurrency: 4,
  });
  const seen: Observation[] = [];
  // Not cancelled: only its journal is taken over, as if the process were gone.
  const settled = (async () => {
    for await (const each of killed) {
      seen.push(each);
      if (seen.filter(({ type }) => type === "step").length === 24) return textIn(journal);
    }
    throw new Error("The run ended.");
  })();
  const text = await settled;
  const copy = memoryJournal();
  const writer = await copy.open("create");
  await writer.append(text.trimEnd().split("\n"), { lines: 0, bytes: 0 });
  await writer.close();
  const end = await resume(reasoner, copy, { model: modelOf(1_000) });
  expect(end.status).toBe("done");
  expect(asked).toHaveLength(40 + 40);
  expect(new Set(asked).size).toBe(80);
  expect((await replay(reasoner, copy)).status).toBe("identical");
  killed.cancel();
  await killed;
});

function plansScore() {
  return [{ kind: "score" as const, by: byHash }];
}
