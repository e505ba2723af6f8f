/**
 * Counts votes among answers for an Aggregate operation: which answer wins, and which thought represents
 * it. Answers are compared by a normalised text.
 */

import type * as shapes from "../../kernel/shapes.js";
import { checkArguments } from "../../kernel/vocabulary/index.js";
import type { Thought } from "../graph/thought.js";
import { type Better, compareIds, isBefore } from "../graph/walk.js";

/** A thought's vote for an answer. */
export interface Vote {
  readonly answer: string;
  readonly thought: Thought;
}

/** Returns the text by which answers are compared by default: case and spaces aside. */
export function normaliseText({ content }: Pick<Thought, "content">): string {
  return content.trim().toLowerCase().replace(/\s+/g, " ");
}

const answerMark = /(?:\banswer(?: is)?\s*[:=]|\banswer is\b|####|\\boxed)/gi;

const SAID: shapes.Shape = [
  (value) => typeof (value as Pick<Thought, "content"> | undefined)?.content === "string",
  "a thought, with a content that is a string",
];

/**
 * Returns the text by which answers are compared that come with their reasoning: the part behind the last
 * "answer:", "answer is" or "####", else all of it; case, spaces, Markdown and a final point aside.
 */
export function normaliseAnswer(thought: Pick<Thought, "content">): string {
  checkArguments("normaliseAnswer", { thought }, { thought: SAID });
  const { content } = thought;
  const mark = [...content.slice(-20_000).matchAll(answerMark)].at(-1);
  const text =
    mark === undefined ? content : content.slice(-20_000).slice(mark.index + mark[0].length);
  return text
    .normalize("NFKC")
    .replace(/[*_`"'“”$(){}[\]]/g, "")
    .trim()
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/(?<![.!])[.!]+$/, "")
    .trim();
}

/**
 * The thought whose answer wins. `voting` counts votes; of answers with the same count the one with the
 * better-scored thought wins. `weighted` adds up the weights: a score, not below 0, where high is good,
 * and 1/(1 + score) where low is; 0 where there is none. Of thoughts that are still equal the one with
 * the smaller id wins.
 */
export function winnerOf(
  votes: readonly Vote[],
  strategy: "voting" | "weighted",
  better: Better,
): Thought | undefined {
  const answers = new Map<string, { total: number; best: Thought }>();
  // In the order of their ids, so that a sum of weights does not depend on the order of arrival.
  const sorted = [...votes].sort((a, b) => compareIds(a.thought.id, b.thought.id));
  for (const { answer, thought } of sorted) {
    const weight = strategy === "voting" ? 1 : weightOf(thought.score, better);
    const found = answers.get(answer);
    const best =
      found === undefined || isBefore(thought, found.best, better) ? thought : found.best;
    answers.set(answer, { total: (found?.total ?? 0) + weight, best });
  }
  let winner: { total: number; best: Thought } | undefined;
  for (const answer of answers.values()) {
    const ahead =
      winner === undefined ||
      answer.total > winner.total ||
      (answer.total === winner.total && isBefore(answer.best, winner.best, better));
    if (ahead) winner = answer;
  }
  return winner?.best;
}

function weightOf(score: number | null, better: Better): number {
  if (score === null) return 0;
  return better === "higher" ? Math.max(0, score) : 1 / (1 + Math.max(0, score));
}
