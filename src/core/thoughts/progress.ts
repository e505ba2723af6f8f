/** What a policy sees of a run. */
import type { Done, Progress } from "./policy.js";
import { drawnBits } from "./random.js";
import { outputsOf, type Work } from "./work.js";

/** The progress of a run. */
export function progressOf(work: Work, done: Done | null): Progress {
  const { graph, better, cut, begun, memory, usage, modelCalls, seed } = work;
  return {
    // Everything but the graph is copied for this call.
    graph: Object.freeze(graph),
    better,
    cut,
    done,
    begun,
    running: Object.values(work.running).reduce((sum, count) => sum + count, 0),
    spent: { modelCalls, tokens: usage.totalTokens, cost: usage.cost ?? 0 },
    memory,
    output: (id) => outputsOf(work, id),
    random: (key) => drawnBits(seed ?? "", key) / 2 ** 31,
  };
}
