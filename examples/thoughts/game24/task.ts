/**
 * The Game of 24: make 24 of four numbers by + - * /, each used once. A thought is some steps and the
 * numbers that are left; it is an answer when one is left.
 */
import {
  type Generate,
  type GroundTruth,
  generate,
  groundTruth,
  type Score,
  score,
} from "reckoner/thoughts";
import { compute, type Fraction } from "./arithmetic.js";

/** A puzzle, and how far one has come with it. */
export type Game = {
  readonly numbers: number[];
  readonly steps?: string[];
  /** Fractions as texts. Absent: all four. */
  readonly left?: Fraction[];
};

/** The numbers that are left. */
export const leftOf = ({ numbers, left }: Game): readonly Fraction[] => left ?? numbers.map(String);

/** Whether all numbers are used: only then it is an answer. */
export const isWhole = ({ state }: { readonly state: Game }): boolean => leftOf(state).length === 1;

/** Whether it is 24. */
export const isSolved = ({ state }: { readonly state: Game }): boolean =>
  isWhole({ state }) && leftOf(state)[0] === "24";

/** The state after a step, or nothing where the step cannot be taken or is computed wrongly. */
export function take(state: Game, step: string): Game | undefined {
  const match = /(-?[\d/]+) *([-+*/]) *(-?[\d/]+) *= *(-?[\d/]+)/.exec(step);
  if (match === null) return undefined;
  const [, a = "", sign = "", b = "", result = ""] = match;
  const left = [...leftOf(state)];
  for (const each of [a, b]) {
    const at = left.indexOf(each);
    if (at < 0) return undefined;
    left.splice(at, 1);
  }
  if (compute(a, sign, b) !== result) return undefined;
  const text = `${a} ${sign} ${b} = ${result}`;
  return { ...state, steps: [...(state.steps ?? []), text], left: [...left, result] };
}

/** The state after some steps, as far as they can be taken. */
export function takeAll(state: Game, steps: readonly string[]): Game | undefined {
  let now: Game | undefined = state;
  for (const step of steps) now = now === undefined ? undefined : take(now, step);
  return now;
}

const lines = (text: string): string[] => text.split("\n").filter((line) => line.includes("="));

/** Asks for possible next steps, several in one answer: a thought for each that can be taken. */
export const propose = (branches = 5): Generate<Game> & { readonly kind: "generate" } =>
  generate<Game>({
    branches,
    prompt: ({ state }) =>
      `Use each of these numbers once, with + - * /, to get 24. Propose ${branches} different next steps, each in a line of its own: two of the numbers, and what they make, as in "4 + 8 = 12".\n\nLeft: ${leftOf(state).join(" ")}`,
    parse: (text, { state }) => {
      const taken = lines(text).flatMap((line) => take(state, line) ?? []);
      // Two ways to the same numbers are one.
      return [...new Map(taken.map((each) => [[...leftOf(each)].sort().join(" "), each])).values()];
    },
    settings: { temperature: 1 },
  });

const verdicts: { readonly [word: string]: number } = { sure: 10, likely: 5, impossible: 0 };

/** Asks whether 24 can still be reached: 10 for sure, 5 for likely, 0 for impossible. */
export const judge = (samples = 1): Score<Game> & { readonly kind: "score" } =>
  score<Game>({
    samples,
    prompt: ({ state }) =>
      `Can these numbers, each used once, with + - * /, make 24? End with one word: sure, likely or impossible.\n\nLeft: ${leftOf(state).join(" ")}`,
    parse: (text) => verdicts[/(\w+)\W*$/.exec(text.toLowerCase())?.[1] ?? ""],
    settings: { temperature: 0 },
  });

/** Asks to go on to the end: one thought with all numbers used. */
export const finish = (responses = 1): Generate<Game> & { readonly kind: "generate" } =>
  generate<Game>({
    responses,
    prompt: ({ state }) =>
      `Use each of these numbers once, with + - * /, to get 24. Write the steps to the end, each in a line of its own, as in "4 + 8 = 12".\n\nLeft: ${leftOf(state).join(" ")}`,
    parse: (text, { state }) => {
      const end = takeAll(state, lines(text));
      return end !== undefined && isWhole({ state: end }) ? end : undefined;
    },
    settings: { temperature: 1 },
  });

/** Says of an answer whether it is 24. */
export const check = (): GroundTruth<Game> & { readonly kind: "groundTruth" } =>
  groundTruth<Game>({ by: isSolved });
