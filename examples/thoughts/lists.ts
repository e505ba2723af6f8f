/** Lists of numbers in a model's answers. */
import { parsers } from "reckoner/thoughts";

/** A list as prompts show it. */
export const shown = (list: readonly number[]): string => `[${list.join(", ")}]`;

/** The last list of whole numbers in an answer; `[]` is one too. */
export function lastList(text: string): number[] | undefined {
  return listsIn(text).at(-1);
}

/** All lists of whole numbers in an answer: arrays, or an object's arrays. */
export function listsIn(text: string): number[][] {
  return parsers
    .json(text)
    .flatMap((value) =>
      Array.isArray(value) || typeof value !== "object" || value === null
        ? [value]
        : Object.values(value),
    )
    .filter((value): value is number[] => Array.isArray(value) && value.every(Number.isInteger));
}
