/** The operation Aggregate: makes one thought of several, by a model, by votes or by weights. */
import type { Entry } from "../context.js";
import type { Thought } from "../graph/thought.js";
import { attempt, entryOf, seenAs, type Work } from "../work-on-context.js";
import { growingKind } from "./generate.js";
import { grow } from "./grow.js";
import { isMerge } from "./is-merge.js";
import type { Kind } from "./kind.js";
import type { Operation } from "./operation.js";
import { normaliseText, type Vote, winnerOf } from "./vote.js";

type Aggregate = Operation<"aggregate">;

export const aggregateKind: Kind<"aggregate"> = {
  ...growingKind,
  asks: isMerge,
  begin(work, operation, inputs) {
    if (isMerge(operation)) growingKind.begin(work, operation, inputs);
  },
  close(work, operation, inputs) {
    if (isMerge(operation)) return growingKind.close(work, operation, inputs);
    const winner = winnerIn(work, operation, inputs);
    if (winner === undefined) return [];
    const id = `thought/${operation.id}/0/0`;
    const { content, state } = winner;
    const sources = inputs.map((entry) => entry.id);
    const made = grow(work, operation, sources, "aggregates", { id, content, state, read: {} });
    return made === undefined ? [] : [entryOf(made)];
  },
};

function winnerIn(work: Work, operation: Aggregate, inputs: readonly Entry[]): Thought | undefined {
  const { normalise = normaliseText, strategy } = operation;
  const votes = inputs.flatMap((entry): Vote[] => {
    const thought = seenAs(work, entry);
    const call = () => normalise(thought);
    const outcome = attempt(work, operation, entry.id, "normaliser", call, A_TEXT);
    return outcome === undefined ? [] : [{ answer: outcome.answer, thought }];
  });
  return winnerOf(votes, strategy === "weighted" ? "weighted" : "voting", work.better);
}

const A_TEXT = { is: (answer: unknown) => typeof answer === "string", otherwise: "notText" };
