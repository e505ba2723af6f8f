/** A policy's view of a run. */

import { drawnBits } from "../random.js";
import { outputsOf, type Work } from "../work.js";
import type { Done, Progress } from "./policy.js";

/** The progress of a run. */
export function progressOf(work: Work, done: Done | null): Progress {
  const { graph, better, cut, begun, running, memory, spent, modelCalls, seed } = work;
  return {
    // Everything but the graph is copied for this call.
    graph: Object.freeze(graph),
    better,
    cut,
    done,
    begun,
    running,
    spent: { modelCalls, ...spent },
    memory,
    output: (id) => outputsOf(work, id),
    random: (key) => drawnBits(seed ?? "", key) / 2 ** 31,
  };
}
