/**
 * Depth first, with pruning and backtracking: a policy of one's own. The most promising thought is
 * expanded; what a model judges hopeless is pruned; where nothing is left below, the search goes back
 * to the best that was left waiting above.
 */
import { type OperationSpec, policy, type ThoughtsPolicy } from "reckoner/thoughts";
import { outputOf, type Search, solvedOnes } from "./search.js";

/** What it has to know beside. */
export interface Judging<State extends object> extends Search<State> {
  /** Scores thoughts. */
  readonly judge: OperationSpec<State>;
  /** Scores below are pruned. */
  readonly prune: number;
}

/** Thoughts that wait to be expanded, the next one last: so many as depth and width allow. */
interface Memory {
  readonly waiting: readonly string[];
}

/** Makes the policy. */
export function depthFirst<State extends object>(task: Judging<State>): ThoughtsPolicy<State> {
  const { expand, judge, check, isSolved, isLeaf, prune } = task;
  return policy<State, Memory>({
    name: "depth first",
    operations: { expand, judge, check },
    configuration: { prune },
    memory: { waiting: ["root"] },

    decide({ done, memory, graph, cut }) {
      // A budget is met: what is there is all there will be.
      if (cut !== null || done?.use === "check") return [];
      /** Goes on with the newest that waits: deeper where there is something, else back up. */
      const next = (waiting: readonly string[]) => {
        const on = waiting.at(-1);
        return {
          begin: on === undefined ? [] : [{ use: "expand", on }],
          memory: { waiting: waiting.slice(0, -1) },
        };
      };
      const output = outputOf(graph, done);
      if (done?.use === "expand") {
        const solved = output.find(isSolved);
        if (solved !== undefined) return [{ use: "check", on: solved.id }];
        const open = output.filter((thought) => !isLeaf(thought)).map(({ id }) => id);
        return open.length === 0 ? next(memory.waiting) : [{ use: "judge", on: open }];
      }
      if (done?.use === "judge") {
        const kept = output.filter(({ score }) => (score ?? 0) >= prune);
        const worstFirst = kept.sort((a, b) => (a.score ?? 0) - (b.score ?? 0));
        return next([...memory.waiting, ...worstFirst.map(({ id }) => id)]);
      }
      return next(memory.waiting);
    },

    finals: solvedOnes,
  });
}
