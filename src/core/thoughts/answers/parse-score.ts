/** Reads scores from a model's answer, leniently: JSON in prose, "Score: 7/10", "7 out of 10", "70 %". */
import type { Json, JsonObject } from "../../kernel/index.js";
import { jsonIn } from "./json-in.js";

/** The scale that the prompts ask for: 0 to 10. */
export const MAX_SCORE = 10;

const NUMBER = String.raw`(-?\d{1,9}(?:\.\d{1,9})?)`;
const labelled = new RegExp(
  `(?:score|rating|grade)["*\\s]{0,4}(?:is|of|=|:)?["*\\s]{0,4}${NUMBER}(.{0,12})`,
  "gi",
);
const plain = new RegExp(`${NUMBER}(.{0,12})`, "g");

/**
 * The score in an answer, on the scale from 0 to 10. The last labelled number wins over the last
 * number; a fraction or a percentage is converted.
 * @returns `undefined` where there is none, or none on the scale
 */
export function parseScore(text: string): number | undefined {
  for (const value of jsonIn(text).reverse()) {
    const score = scoreIn(value);
    if (score !== undefined) return score;
  }
  return lastOf(text, labelled) ?? lastOf(text, plain);
}

/** The scores in an answer about several thoughts: a JSON array of numbers, or one in each line. */
export function parseScores(text: string): readonly number[] | undefined {
  for (const value of jsonIn(text).reverse()) {
    const list = Array.isArray(value) ? value : ((value as JsonObject | null)?.scores ?? null);
    if (Array.isArray(list) && list.length > 0) {
      const scores = list.map(scoreIn);
      if (scores.every((score) => score !== undefined)) return scores;
    }
  }
  const scores = text.split("\n").flatMap((line) => lastOf(line, labelled) ?? []);
  return scores.length === 0 ? undefined : scores;
}

function scoreIn(value: Json): number | undefined {
  if (typeof value === "number") return onScale(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { score, rating } = value as JsonObject;
  const found = score ?? rating;
  return typeof found === "number" ? onScale(found) : undefined;
}

function lastOf(text: string, pattern: RegExp): number | undefined {
  const last = [...text.slice(-20_000).matchAll(pattern)].at(-1);
  if (last === undefined) return undefined;
  const score = Number(last[1]);
  const [, whole] = /^\s*(?:\/|out of)\s*(\d{1,9})/i.exec(last[2] ?? "") ?? [];
  if (whole !== undefined) return onScale((score / Number(whole)) * MAX_SCORE);
  return onScale(/^\s*%/.test(last[2] ?? "") ? (score / 100) * MAX_SCORE : score);
}

function onScale(score: number): number | undefined {
  return score >= 0 && score <= MAX_SCORE ? score : undefined;
}
