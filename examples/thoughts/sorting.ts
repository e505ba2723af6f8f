/**
 * Sorting a list of digits, the first task of the Graph-of-Thoughts paper. A configuration for the
 * command line: `METHOD=tot SIZE=64 npx --no reckoner run examples/thoughts/sorting.ts --input @case.json`.
 */
import { defineConfig } from "reckoner";
import {
  type Task,
  type Thought,
  type Thoughts,
  type ThoughtsPolicy,
  thoughts,
} from "reckoner/thoughts";
import { lastList, listsIn, shown } from "./lists.js";
import {
  type Method,
  methodFromEnvironment,
  policyOf,
  type Sizes,
  sizeFromEnvironment,
} from "./method.js";
import { randomOf } from "./random.js";
import { simulatedModel } from "./simulated-model.js";

/** A case, a part of one, and what was made of it. */
export type Sorting = {
  /** What is to be sorted. */
  readonly list: number[];
  readonly sorted?: number[];
  /** Which parts of the case the list is; absent: all of it. */
  readonly parts?: number[];
};

/** The paper's numbers for lists of 32, 64 and 128. */
export const sortingSizes: { readonly [size: number]: Sizes } = {
  32: {
    tot: { branches: 20, rounds: 2 },
    tot2: { branches: 10, rounds: 3 },
    got: { parts: 2, solve: 5, merge: 10, refine: 10 },
  },
  64: {
    tot: { branches: 20, rounds: 4 },
    tot2: { branches: 10, rounds: 7 },
    got: { parts: 4, solve: 5, merge: 10, polish: 5, refine: 10 },
  },
  128: {
    tot: { branches: 20, rounds: 4 },
    tot2: { branches: 10, rounds: 10 },
    got: { parts: 8, solve: 5, merge: 10, polish: 5, refine: 10 },
  },
};

const readSorted = (text: string) => {
  const sorted = lastList(text);
  return sorted === undefined ? undefined : { sorted };
};

/** Errors: how often each digit is missing or too many, and how often a number is below the one before. */
export function sortingErrors({ state }: Thought<Sorting>): number {
  const { list, sorted } = state;
  if (sorted === undefined) return Number.NaN;
  let errors = 0;
  for (let digit = 0; digit <= 9; digit++) {
    const count = (numbers: readonly number[]) => numbers.filter((n) => n === digit).length;
    errors += Math.abs(count(list) - count(sorted));
  }
  // A number that is no digit is one too many.
  errors += sorted.filter((n) => n < 0 || n > 9).length;
  return errors + sorted.filter((n, i) => i > 0 && n < (sorted[i - 1] as number)).length;
}

/** Sorting as the plans have to know it. */
export function sortingTask(parts: number): Task<Sorting> {
  return {
    solve: {
      prompt: ({ state }) =>
        `Sort this list of numbers in ascending order. Keep every number, also those that occur more than once. Answer with the sorted list and nothing else.\n\nInput: ${shown(state.list)}`,
      parse: readSorted,
    },
    stepByStep: {
      prompt: ({ state }) =>
        `Sort this list of numbers in ascending order. Go step by step: count how often each digit occurs, then write the digits down as often as you counted them. End with the sorted list in a line of its own.\n\nInput: ${shown(state.list)}`,
      parse: readSorted,
    },
    refine: {
      prompt: ({ state }) =>
        `Somebody tried to sort a list and may have lost numbers, added some, or put some in the wrong place. Compare, and answer with the correctly sorted list and nothing else.\n\nInput: ${shown(state.list)}\nAttempt: ${shown(state.sorted ?? [])}`,
      parse: readSorted,
    },
    split: {
      prompt: ({ state }) =>
        `Split this list into ${parts} lists of the same length: the first ${parts}th of the numbers, the next, and so on, without changing their order. Answer with JSON: {"List 1": [...], "List 2": [...]} and nothing else.\n\nInput: ${shown(state.list)}`,
      parse: (text) => {
        const lists = listsIn(text);
        if (lists.length !== parts) return undefined;
        return lists.map((list, i) => ({ list, parts: [i + 1] }));
      },
    },
    merge: {
      prompt: ({ thoughts }) =>
        `Merge these sorted lists into one sorted list that holds every number of each. Answer with the merged list and nothing else.\n\n${thoughts
          .map(({ state }, i) => `List ${i + 1}: ${shown(state.sorted ?? [])}`)
          .join("\n")}`,
      parse: (text, { thoughts, problem }) => {
        const merged = thoughts.flatMap(({ state }) => state.parts ?? []);
        const all = merged.length === parts;
        const list = all ? problem.list : thoughts.flatMap(({ state }) => state.list);
        const sorted = lastList(text);
        return sorted === undefined ? undefined : { sorted, list, parts: merged };
      },
    },
    scorer: sortingErrors,
    truth: ({ state }, { problem }) =>
      shown(state.sorted ?? []) === shown([...problem.list].sort((a, b) => a - b)),
  };
}

/** The plan of a method for lists of a size. */
export function sortingPolicy(method: Method, size = 32): ThoughtsPolicy<Sorting> {
  const sizes = sortingSizes[size] as Sizes;
  return policyOf(method, sortingTask(sizes.got.parts), sizes);
}

/** A reasoner that sorts lists of a size by a method, within budgets. */
export function sorter(
  method: Method,
  size = 32,
  budgets: { readonly tokens?: number; readonly modelCalls?: number } = {},
): Thoughts<Sorting> {
  const policy = sortingPolicy(method, size);
  return thoughts({ name: `sorting-${size}-${method}`, policy, better: "lower", ...budgets });
}

/** A case from a seed. */
export function sortingCase(seed: string, size = 32): Sorting {
  const random = randomOf(seed);
  return { list: Array.from({ length: size }, () => Math.floor(random() * 10)) };
}

const size = sizeFromEnvironment(Object.keys(sortingSizes).map(Number));

export default defineConfig({
  reasoner: sorter(methodFromEnvironment(), size),
  input: sortingCase("an example", size),
  model: simulatedModel(),
  options: { seed: "an example" },
});
