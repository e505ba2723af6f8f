/**
 * Finds the thoughts that answer the whole problem, and the best of them. Scores of parts are never
 * compared with scores of the whole.
 */
import { vectorItems } from "../kernel/index.js";
import type { Entry } from "./context.js";
import { listThoughts } from "./graph/graph.js";
import type { Thought } from "./graph/thought.js";
import { compareIds, compareScores, isBefore } from "./graph/walk.js";
import { sourceOf } from "./operations/score.js";
import {
  fail,
  knownEntry,
  knownState,
  problemOf,
  ROOT,
  stateOf,
  thoughtOf,
  trial,
  type Work,
} from "./work.js";

/**
 * Returns true when a thought is about the whole problem: by the task's own word, else by how it was
 * made.
 */
export function isWhole(work: Work, thought: Thought): boolean {
  const { whole, policy } = work.spec;
  if (thought.id === ROOT) return false;
  if (whole !== undefined) {
    const outcome = trial("whole", () => whole(thought, problemOf(work)));
    if ("said" in outcome && typeof outcome.said === "boolean") return outcome.said;
    const { code, message } = "said" in outcome ? { code: "whole.notABoolean" } : outcome;
    // It is asked of a thought whenever that matters; what goes wrong is counted once.
    if (!hasFailed(work, thought.id)) {
      fail(work, thought.operation ?? ROOT, thought.id, code, message);
      work.failedWhole?.add(thought.id);
    }
    return false;
  }
  if (thought.parts.length > 0) return false;
  return policy.whole?.(thought.operation ?? ROOT) ?? true;
}

/** Returns true when it was counted before that `whole` has failed to speak of a thought. */
function hasFailed(work: Work, id: string): boolean {
  if (thoughtOf(work, id).failures === 0) return false;
  // Many thoughts may fail: what was counted is gone through once a step.
  work.failedWhole ??= new Set(
    vectorItems(work.failures)
      .filter(({ code }) => code.startsWith("whole."))
      .map(({ thought }) => thought),
  );
  return work.failedWhole.has(id);
}

/** Returns true when a thought is whole, and as good as a score or better. */
export function reaches(work: Work, entry: Entry, score: number): boolean {
  if (entry.score === null || compareScores(entry.score, score, work.better) > 0) return false;
  return isWhole(work, thoughtOf(work, entry.id));
}

/**
 * The best of all that is whole. Scores of two scorers do not compare: those of the scorer count whose
 * operation comes last in the plan. Where nothing is scored, the first of what was made last.
 */
export function bestWhole(work: Work): Entry | undefined {
  const all = listThoughts(work.graph).filter((thought) => isWhole(work, thought));
  const scored = all.filter(({ score }) => score !== null);
  if (scored.length === 0) {
    const [first] = all.sort(
      (a, b) => indexOf(work, b.operation) - indexOf(work, a.operation) || compareIds(a.id, b.id),
    );
    return first === undefined ? undefined : knownEntry(first);
  }
  const last = scored.reduce((one, other) =>
    judgedAt(work, other) > judgedAt(work, one) ? other : one,
  );
  const best = scored
    .filter((each) => scorerOf(work, each) === scorerOf(work, last))
    .reduce((one, other) => (isBefore(other, one, work.better) ? other : one));
  return knownEntry(best);
}

/** Names that a function has from the place it was written in; many have the same. */
const placed: ReadonlySet<string> = new Set(["", "by", "byAll", "prompt", "scorer"]);

/** Returns the scorer of a thought: a name, or the function itself where it has no name of its own. */
function scorerOf(work: Work, { scorer, judgedBy }: Thought): unknown {
  const use = judgedBy.score === undefined ? undefined : knownState(work, judgedBy.score)?.use;
  // A run that was upgraded may have scores of an operation that is no longer there.
  const operation = use === undefined ? undefined : work.spec.policy.operations.get(use);
  if (operation?.kind !== "score") return scorer;
  const source = sourceOf(work, operation);
  return source !== undefined && placed.has(source.name) ? source : scorer;
}

function judgedAt(work: Work, { judgedBy }: Thought): number {
  return indexOf(work, judgedBy.score ?? null);
}

function indexOf(work: Work, operation: string | null): number {
  return operation === null ? -1 : stateOf(work, operation).index;
}
