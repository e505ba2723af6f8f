/** Score: a function's number, or the mean of a model's samples. */
import { tableValues } from "../../kernel/index.js";
import { parseScore, parseScores } from "../answers/parse-score.js";
import { ask, resolve, viewOf } from "../ask.js";
import type { Entry } from "../context.js";
import { nameOf, type Scorer } from "../functions.js";
import type { Operation } from "../operation.js";
import { attempt, fail, judge, problemOf, seenAs, stateOf, type Work } from "../work.js";
import type { Kind } from "./kind.js";

export const scoreKind: Kind<"score"> = {
  begin(work, operation, inputs) {
    if (scorerOf(work, operation) !== undefined) return;
    const { samples = 1, combined = false } = operation;
    const prompt = operation.prompt ?? work.spec.prompts.score;
    const groups = combined ? [inputs] : inputs.map((entry) => [entry]);
    groups.forEach((group, source) => {
      const thoughts = group.map((entry) => seenAs(work, entry));
      for (let i = 0; i < samples; i++) {
        ask(work, operation, { path: `${source}/${i}`, source, thoughts, prompt, makes: false });
      }
    });
  },

  answer(work, operation, asked, text) {
    const { combined = false } = operation;
    const inputs = stateOf(work, operation.id).inputs;
    const group = combined ? inputs : [inputs[asked.source] as Entry];
    const parse = operation.parse ?? (combined ? parseScores : parseScore);
    const thoughts = group.map((entry) => seenAs(work, entry));
    const read = attempt(work, operation, asked.thought, "parser", () => ({
      scores: parse(text, viewOf(work, { thoughts })),
    }));
    if (read === undefined) return;
    const scores = typeof read.scores === "number" ? [read.scores] : (read.scores ?? []);
    const usable = scores.length === group.length && scores.every(Number.isFinite);
    if (usable) resolve(work, operation.id, asked, scores);
    else fail(work, operation.id, asked.thought, "answer.unreadable");
  },

  close(work, operation, inputs) {
    const by = scorerOf(work, operation);
    if (by !== undefined) {
      return inputs.map((entry) => {
        const outcome = attempt(work, operation, entry.id, "scorer", () => ({
          score: by(seenAs(work, entry), problemOf(work)),
        }));
        if (outcome === undefined) return unscored(entry);
        if (Number.isFinite(outcome.score)) return scored(work, operation, entry, outcome.score);
        fail(work, operation.id, entry.id, "scorer.notANumber");
        return unscored(entry);
      });
    }
    const samples: number[][] = inputs.map(() => []);
    for (const { source, result } of tableValues(stateOf(work, operation.id).asks)) {
      ((result ?? []) as readonly number[]).forEach((score, i) => {
        samples[operation.combined === true ? i : source]?.push(score);
      });
    }
    return inputs.map((entry, i) => {
      const given = samples[i] as number[];
      if (given.length === 0) return unscored(entry);
      const sum = given.reduce((total, score) => total + score, 0);
      return scored(work, operation, entry, sum / given.length);
    });
  },
};

function scorerOf(work: Work, { by, prompt }: Operation<"score">): Scorer | undefined {
  return by ?? (prompt === undefined ? work.spec.scorer : undefined);
}

function scored(work: Work, operation: Operation<"score">, entry: Entry, score: number): Entry {
  const scorer = nameOf(
    scorerOf(work, operation) ?? operation.prompt,
    operation.by === undefined ? "model" : operation.id,
  );
  judge(work, operation, entry.id, { score, scorer });
  return { ...entry, score };
}

/** A thought that could not be scored goes on; it is kept where nothing better is left. */
function unscored(entry: Entry): Entry {
  return { ...entry, score: null };
}
