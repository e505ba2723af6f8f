/**
 * Finds the thoughts that answer the whole problem, and the best of them. Scores of parts are never
 * compared with scores of the whole.
 */
import type { Entry } from "./context.js";
import { listThoughts } from "./graph/graph.js";
import type { Thought } from "./graph/thought.js";
import { compareIds, compareScores, isBefore } from "./graph/walk.js";
import { sourceOf } from "./operations/score.js";
import { called } from "./policies/decide.js";
import { progressOf } from "./policies/progress.js";
import {
  A_BOOLEAN,
  allStates,
  attempt,
  entryOfThought,
  findState,
  problemOf,
  ROOT,
  thoughtOf,
  trial,
  type Work,
} from "./work-on-context.js";

/** The thoughts that are about the whole problem, by their ids: by the task's own word, else by the policy's. */
export function wholeThoughts(work: Work): ReadonlySet<string> {
  const { whole } = work.spec;
  const all = listThoughts(work.graph).filter((thought) => {
    if (whole === undefined || thought.id === ROOT) return isWhole(work, thought);
    const operation = { id: thought.operation ?? ROOT };
    const call = () => whole(thought, problemOf(work));
    return attempt(work, operation, thought.id, "whole", call, A_BOOLEAN)?.answer === true;
  });
  return new Set(all.map(({ id }) => id));
}

/** Returns true when a thought is whole. Faults of the task's own functions are counted when the run ends. */
function isWhole(work: Work, thought: Thought): boolean {
  const { whole, policy } = work.spec;
  if (thought.id === ROOT) return false;
  if (whole === undefined) {
    return called("whole", () => policy.whole?.(thought, progressOf(work, null))) ?? true;
  }
  const outcome = trial(() => whole(thought, problemOf(work)));
  return "answer" in outcome && outcome.answer === true;
}

/** Returns true when a thought is whole, and as good as a score or better. */
export function reaches(work: Work, entry: Entry, score: number): boolean {
  if (entry.score === null || compareScores(entry.score, score, work.better) > 0) return false;
  return isWhole(work, thoughtOf(work, entry.id));
}

/**
 * The best of all that is whole. Scores of two scorers do not compare: those of the scorer count whose
 * operation began last. Where nothing is scored, the first of what was made last.
 */
export function bestWhole(work: Work, whole: ReadonlySet<string>): Entry | undefined {
  const places = new Map(allStates(work).map(({ id }, i): [string | null, number] => [id, i]));
  const placeOf = (operation: string | null) => places.get(operation) ?? -1;
  const all = listThoughts(work.graph).filter(({ id }) => whole.has(id));
  const scored = all.filter(({ score }) => score !== null);
  if (scored.length === 0) {
    const [first] = all.sort(
      (a, b) => placeOf(b.operation) - placeOf(a.operation) || compareIds(a.id, b.id),
    );
    return first === undefined ? undefined : entryOfThought(first);
  }
  const last = scored.reduce((one, other) =>
    placeOf(other.scoredBy) > placeOf(one.scoredBy) ? other : one,
  );
  const best = scored
    .filter((each) => scorerOf(work, each) === scorerOf(work, last))
    .reduce((one, other) => (isBefore(other, one, work.better) ? other : one));
  return entryOfThought(best);
}

/** Returns the scorer of a thought; of an operation that an upgrade took away, the operation's id. */
function scorerOf(work: Work, { scoredBy }: Thought): unknown {
  const use = scoredBy === null ? undefined : findState(work, scoredBy)?.use;
  const operation = use === undefined ? undefined : work.spec.policy.operations.get(use);
  return operation?.kind === "score" ? sourceOf(operation) : scoredBy;
}
