// Thoughts by the thousand: their journal's bytes, and a run of them that is killed.
import { expect, it } from "vitest";
import {
  type ModelPort,
  memoryJournal,
  type Observation,
  replay,
  resume,
  run,
} from "../../../../src/index.js";
import {
  generate,
  keepBest,
  plan,
  plans,
  thoughtGraph,
  thoughts,
} from "../../../../src/thoughts.js";
import { textIn } from "../../../support/journal-text.js";
import { hashOf } from "./drive.js";

const byHash = ({ id }: { id: string }) => hashOf(id) % 1_000;

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
