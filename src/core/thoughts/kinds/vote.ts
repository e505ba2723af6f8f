/** Votes: which answer wins, and which thought stands for it. */
import type { Thought } from "../thought.js";
import { type Better, compareScores } from "../walk.js";

/** A thought's vote for an answer. */
export interface Vote {
  readonly answer: string;
  readonly thought: Thought;
}

/** How answers are compared, where nothing is said: the text, case and spaces aside. */
export function normaliseText(thought: Thought): string {
  return thought.content.trim().toLowerCase().replace(/\s+/g, " ");
}

/**
 * The thought whose answer wins. `voting` counts votes; of answers with the same count the one with
 * the better-scored thought wins. `weighted` adds up the weights: a score, not below 0, where high is
 * good, and 1/(1 + score) where low is; 0 where there is none. What is still equal is decided by the
 * smaller id.
 */
export function winnerOf(
  votes: readonly Vote[],
  strategy: "voting" | "weighted",
  better: Better,
): Thought | undefined {
  const answers = new Map<string, { total: number; best: Thought }>();
  // In the order of their ids, so that a sum of weights does not depend on the order of arrival.
  const sorted = [...votes].sort((a, b) => (a.thought.id < b.thought.id ? -1 : 1));
  for (const { answer, thought } of sorted) {
    const weight = strategy === "voting" ? 1 : weightOf(thought.score, better);
    const known = answers.get(answer);
    const best =
      known === undefined || isBetter(thought, known.best, better) ? thought : known.best;
    answers.set(answer, { total: (known?.total ?? 0) + weight, best });
  }
  let winner: { total: number; best: Thought } | undefined;
  for (const answer of answers.values()) {
    const ahead =
      winner === undefined ||
      answer.total > winner.total ||
      (answer.total === winner.total && isBetter(answer.best, winner.best, better));
    if (ahead) winner = answer;
  }
  return winner?.best;
}

function weightOf(score: number | null, better: Better): number {
  if (score === null) return 0;
  return better === "higher" ? Math.max(0, score) : 1 / (1 + Math.max(0, score));
}

function isBetter(a: Thought, b: Thought, better: Better): boolean {
  const gain = compareScores(a.score, b.score, better);
  return gain < 0 || (gain === 0 && a.id < b.id);
}
