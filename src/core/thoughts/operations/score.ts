/**
 * The operation Score: gives thoughts a number, by a function or as the mean of several answers of a model.
 */

import type { Entry } from "../context.js";
import { parseScore, parseScores } from "../parsing/parse-score.js";
import { attempt, fail, judge, problemOf, seenAs, type Work } from "../work-on-context.js";
import { viewOf } from "./ask.js";
import type { CombinedScorer, Prompt, Scorer } from "./functions.js";
import type { Kind } from "./kind.js";
import type { Operation } from "./operation.js";
import {
  askAll,
  groupOf,
  groupsOf,
  keptAsks,
  readAnswer,
  recordAnswer,
  textsOf,
} from "./read-answer.js";

type Score = Operation<"score">;

export const scoreKind: Kind<"score"> = {
  asks: (operation) => !hasFunction(operation),
  begin(work, operation, inputs) {
    if (hasFunction(operation)) return;
    const { prompt = work.spec.prompts.score, samples = 1 } = operation;
    askAll(work, operation, inputs, samples, (group) => {
      const thoughts = group.map((entry) => seenAs(work, entry));
      return { thoughts, prompt, makes: 0 };
    });
  },

  answer(work, operation, asked, text) {
    const parse = operation.parse ?? (operation.combined === true ? parseScores : parseScore);
    const group = groupOf(work, operation, asked);
    recordAnswer(work, operation, asked, text, () =>
      read(work, operation, group, (view) => parse(text, view)),
    );
  },

  close(work, operation, inputs) {
    const scores = hasFunction(operation)
      ? scoresByFunction(work, operation, inputs)
      : scoresByModel(work, operation, inputs);
    return inputs.map((entry, i) => {
      const score = scores[i];
      // A thought that could not be scored goes on; it is kept where nothing better is left.
      if (score === undefined) return { ...entry, score: null };
      judge(work, entry.id, { score, scoredBy: operation.id });
      return { ...entry, score };
    });
  },
};

/** A parser's scores of a group, one for each thought; else a counted failure. */
function read(
  work: Work,
  operation: Score,
  group: readonly Entry[],
  parse: (view: ReturnType<typeof viewOf>) => unknown,
): readonly number[] | undefined {
  const thoughts = group.map((entry) => seenAs(work, entry));
  return readAnswer(work, operation, viewOf(work, { thoughts }), parse, (answer) => {
    const scores = Array.isArray(answer) ? answer : [answer];
    return scores.length === group.length && scores.every(Number.isFinite) ? scores : undefined;
  });
}

/** The mean of the model's samples for each thought; `undefined` where no sample could be read. */
function scoresByModel(
  work: Work,
  operation: Score,
  inputs: readonly Entry[],
): readonly (number | undefined)[] {
  const { combined, parseAll } = operation;
  const groups = groupsOf(operation, inputs);
  const samples: number[][] = inputs.map(() => []);
  for (const [source, asks] of keptAsks(work, operation.id)) {
    const group = groups[source] as readonly Entry[];
    const all =
      parseAll === undefined
        ? asks.map(({ result }) => result as readonly number[])
        : [read(work, operation, group, (view) => parseAll(textsOf(asks), view)) ?? []];
    for (const [i, score] of all.flatMap((scores) => [...scores.entries()])) {
      samples[combined === true ? i : source]?.push(score);
    }
  }
  return samples.map((of) =>
    of.length === 0 ? undefined : of.reduce((sum, score) => sum + score, 0) / of.length,
  );
}

function hasFunction({ by, byAll }: Score): boolean {
  return by !== undefined || byAll !== undefined;
}

/** The function that a score comes from: the scorer, or what asks the model; none: the default prompt. */
export function sourceOf({
  by,
  byAll,
  prompt,
}: Score): CombinedScorer | Scorer | Prompt | undefined {
  return byAll ?? by ?? prompt;
}

const A_NUMBER = { is: Number.isFinite, otherwise: "notANumber" };

/** The scores of a function, of all thoughts or of each; `undefined` and a counted failure for none. */
function scoresByFunction(
  work: Work,
  operation: Score,
  inputs: readonly Entry[],
): readonly (number | undefined)[] {
  const { by, byAll } = operation;
  const thoughts = inputs.map((entry) => seenAs(work, entry));
  const [{ id }] = inputs as [Entry];
  const problem = problemOf(work);
  if (byAll === undefined) {
    return thoughts.map((thought) => {
      const call = () => (by as Scorer)(thought, problem);
      return attempt(work, operation, thought.id, "scorer", call, A_NUMBER)?.answer;
    });
  }
  const each = {
    is: (answer: unknown) => Array.isArray(answer) && answer.length === inputs.length,
    otherwise: "notAScoreForEach",
  };
  const scores =
    attempt(work, operation, id, "scorer", () => byAll(thoughts, problem), each)?.answer ?? [];
  return scores.map((score, i) => {
    if (Number.isFinite(score)) return score;
    fail(work, operation.id, (inputs[i] as Entry).id, "scorer.notANumber");
    return undefined;
  });
}
