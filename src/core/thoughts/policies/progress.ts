/**
 * Makes the view of a run of thoughts (`Progress`: graph, budgets spent, outputs of operations) that a
 * policy's functions are called with.
 */

import { inDollars } from "../../kernel/vocabulary/index.js";
import { drawnBits } from "../random.js";
import { begunCount, findState, outputsOf, type Work } from "../work-on-context.js";
import type { Done, Progress } from "./policy.js";

/** The progress of a run. */
export function progressOf(work: Work, done: Done | null): Progress {
  const { graph, better, cut, running, memory, spent, modelCalls, seed } = work;
  return {
    // Everything but the graph is copied for this call.
    graph: Object.freeze(graph),
    better,
    cut,
    done,
    begun: begunCount(work),
    running,
    spent: { modelCalls, ...inDollars(spent) },
    memory,
    output: (id) => outputsOf(work, id),
    standing: (id) => findState(work, id)?.status,
    random: (key) => drawnBits(seed ?? "", key) / 2 ** 31,
  };
}
