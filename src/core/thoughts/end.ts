/** How a run ends: with the best there is and the reason, or with nothing. */
import { vectorItems } from "../kernel/index.js";
import type { Entry, Reason, ThoughtsResult } from "./context.js";
import { thoughtCount } from "./graph.js";
import { bestLeaf, compareScores, leaves } from "./walk.js";
import { entryOf, progressOf, ROOT, seenAs, thoughtOf, type Work } from "./work.js";

/** Ends a run in which nothing is running any more, or whose time is up. */
export function end(work: Work, reason: Reason = work.cut ?? "success"): void {
  work.endedAt = work.at;
  // What is still being asked is called off by the kernel.
  work.running = [];
  work.reserved = 0;
  work.modelCalls -= work.outbox.length;
  work.outbox.length = 0;
  const best = bestFinal(work) ?? (reason === "success" ? undefined : bestSoFar(work));
  if (best === undefined && reason === "success") {
    const said = vectorItems(work.failures).findLast(({ message }) => message !== undefined);
    work.phase = "error";
    work.error = {
      code: "thoughts.nothingLeft",
      message: `Every branch was dropped; ${work.failures.size} failures were counted${
        said === undefined ? "" : `, the last of a model: ${said.message}`
      }.`,
    };
    return;
  }
  work.phase = "completed";
  work.result = resultOf(work, reason, best);
}

/** The best of what the policy names; of equals the first. */
function bestFinal(work: Work): Entry | undefined {
  const finals = work.spec.policy.finals(progressOf(work)).filter(({ id }) => id !== ROOT);
  return [...finals].sort((a, b) => compareScores(a.score, b.score, work.better))[0];
}

/** Where a budget was met on the way: the best leaf, else the leaf that was made last. */
function bestSoFar(work: Work): Entry | undefined {
  const leaf =
    bestLeaf(work.graph, work.better) ??
    leaves(work.graph)
      .filter(({ id }) => id !== ROOT)
      .at(-1);
  if (leaf === undefined || leaf.id === ROOT) return undefined;
  const { id, score, valid, solved } = leaf;
  return { ...entryOf(id), score, valid, solved };
}

function resultOf(work: Work, reason: Reason, best: Entry | undefined): ThoughtsResult {
  const thought = best === undefined ? undefined : seenAs(work, best);
  return {
    result: thought?.content ?? null,
    reason,
    thought: thought?.id ?? null,
    state: thought?.state ?? thoughtOf(work, ROOT).state,
    score: thought?.score ?? null,
    valid: thought?.valid ?? null,
    solved: thought?.solved ?? null,
    thoughts: thoughtCount(work.graph),
    modelCalls: work.modelCalls,
    totalTokens: work.usage.totalTokens,
    failures: work.failures.size,
  };
}
