/** Score: a function's number, or the mean of a model's samples. */
import { tableValues } from "../../kernel/index.js";
import { ask, resolve, viewOf } from "../ask.js";
import type { Entry } from "../context.js";
import { parseScore, parseScores } from "../parsing/parse-score.js";
import {
  attempt,
  fail,
  inputOf,
  inputsOf,
  judge,
  problemOf,
  seenAs,
  stateOf,
  type Work,
} from "../work.js";
import { type CombinedScorer, nameOf, type Prompt, type Scorer } from "./functions.js";
import { keepText, keptTexts } from "./generate.js";
import type { Kind } from "./kind.js";
import type { Operation } from "./operation.js";

type Score = Operation<"score">;

export const scoreKind: Kind<"score"> = {
  asks: (work, operation) => !hasFunction(work, operation),
  begin(work, operation, inputs) {
    if (hasFunction(work, operation)) return;
    const { samples = 1 } = operation;
    const prompt = operation.prompt ?? work.spec.prompts.score;
    groupsOf(operation, inputs).forEach((group, source) => {
      const thoughts = group.map((entry) => seenAs(work, entry));
      for (let i = 0; i < samples; i++) {
        ask(work, operation, { path: `${source}/${i}`, source, thoughts, prompt, makes: 0 });
      }
    });
  },

  answer(work, operation, asked, text) {
    if (operation.parseAll !== undefined) return keepText(work, operation, asked, text);
    const { id, combined } = operation;
    const group = combined === true ? inputsOf(work, id) : [inputOf(work, id, asked.source)];
    const parse = operation.parse ?? (operation.combined === true ? parseScores : parseScore);
    const scores = read(work, operation, group, (view) => parse(text, view));
    if (scores !== undefined) resolve(work, operation.id, asked, scores);
  },

  close(work, operation, inputs) {
    const { byAll, parseAll } = operation;
    if (byAll !== undefined) return scoredTogether(work, operation, inputs);
    const by = scorerOf(work, operation);
    if (by !== undefined) {
      return inputs.map((entry) => {
        const outcome = attempt(work, operation, entry.id, "scorer", () =>
          by(seenAs(work, entry), problemOf(work)),
        );
        return outcome === undefined
          ? unscored(entry)
          : scored(work, operation, entry, outcome.said);
      });
    }
    const samples: number[][] = inputs.map(() => []);
    const add = (source: number, scores: readonly number[]): void =>
      scores.forEach((score, i) => {
        samples[operation.combined === true ? i : source]?.push(score);
      });
    if (parseAll !== undefined) {
      const kept = keptTexts(work, operation.id);
      groupsOf(operation, inputs).forEach((group, source) => {
        const texts = kept.get(source) ?? [];
        if (texts.length === 0) return;
        add(source, read(work, operation, group, (view) => parseAll(texts, view)) ?? []);
      });
    } else {
      for (const { source, result } of tableValues(stateOf(work, operation.id).asks)) {
        add(source, (result ?? []) as readonly number[]);
      }
    }
    return inputs.map((entry, i) => {
      const given = samples[i] as number[];
      if (given.length === 0) return unscored(entry);
      const sum = given.reduce((total, score) => total + score, 0);
      return scored(work, operation, entry, sum / given.length);
    });
  },
};

/** The thoughts that are asked about together: each alone, or all. */
function groupsOf({ combined }: Score, inputs: readonly Entry[]): readonly (readonly Entry[])[] {
  return combined === true ? [inputs] : inputs.map((entry) => [entry]);
}

/** A parser's scores of a group, one for each thought; else a counted failure. */
function read(
  work: Work,
  operation: Score,
  group: readonly Entry[],
  parse: (view: ReturnType<typeof viewOf>) => number | readonly number[] | undefined,
): readonly number[] | undefined {
  const [{ id }] = group as [Entry];
  const thoughts = group.map((entry) => seenAs(work, entry));
  const outcome = attempt(work, operation, id, "parser", () => parse(viewOf(work, { thoughts })));
  if (outcome === undefined) return undefined;
  const { said } = outcome;
  const scores = Array.isArray(said) ? said : [said];
  if (scores.length === group.length && scores.every(Number.isFinite)) return scores;
  fail(work, operation.id, id, "answer.unreadable");
  return undefined;
}

function hasFunction(work: Work, operation: Score): boolean {
  return operation.byAll !== undefined || scorerOf(work, operation) !== undefined;
}

function scorerOf(work: Work, { by, prompt }: Score): Scorer | undefined {
  return by ?? (prompt === undefined ? work.spec.scorer : undefined);
}

/** The function that a score comes from: the scorer, or what asks the model; none: the default prompt. */
export function sourceOf(
  work: Work,
  operation: Score,
): CombinedScorer | Scorer | Prompt | undefined {
  return operation.byAll ?? scorerOf(work, operation) ?? operation.prompt;
}

function scoredTogether(work: Work, operation: Score, inputs: readonly Entry[]): Entry[] {
  const [{ id }] = inputs as [Entry];
  const thoughts = inputs.map((entry) => seenAs(work, entry));
  const outcome = attempt(work, operation, id, "scorer", () =>
    operation.byAll?.(thoughts, problemOf(work)),
  );
  if (outcome === undefined) return inputs.map(unscored);
  const { said: scores } = outcome;
  if (!Array.isArray(scores) || scores.length !== inputs.length) {
    fail(work, operation.id, id, "scorer.notAScoreForEach");
    return inputs.map(unscored);
  }
  return inputs.map((entry, i) => scored(work, operation, entry, scores[i]));
}

function scored(work: Work, operation: Score, entry: Entry, score: unknown): Entry {
  if (typeof score !== "number" || !Number.isFinite(score)) {
    fail(work, operation.id, entry.id, "scorer.notANumber");
    return unscored(entry);
  }
  const { by, byAll } = operation;
  const own = by === undefined && byAll === undefined ? "model" : operation.id;
  const scorer = nameOf(sourceOf(work, operation), own);
  judge(work, operation, entry.id, { score, scorer });
  return { ...entry, score };
}

/** A thought that could not be scored goes on; it is kept where nothing better is left. */
function unscored(entry: Entry): Entry {
  return { ...entry, score: null };
}
