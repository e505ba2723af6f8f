/**
 * Intersecting two sets, the second task of the Graph-of-Thoughts paper. A configuration for the
 * command line: `METHOD=tot npx --no reckoner run examples/thoughts/sets.ts --input @case.json`.
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
import { randomOf, shuffled } from "./random.js";
import { simulatedModel } from "./simulated-model.js";

/** A case, a part of one, and what was made of it. */
export type Sets = {
  readonly set1: number[];
  /** For a part of a case, its share of the second set. */
  readonly set2: number[];
  readonly intersection?: number[];
};

/** The paper's numbers for sets of 32, 64 and 128. */
export const setSizes: { readonly [size: number]: Sizes } = {
  32: {
    tot: { branches: 20, rounds: 2 },
    tot2: { branches: 10, rounds: 3 },
    got: { parts: 2, solve: 5, merge: 10 },
  },
  64: {
    tot: { branches: 20, rounds: 4 },
    tot2: { branches: 10, rounds: 7 },
    got: { parts: 4, solve: 5, merge: 10 },
  },
  128: {
    tot: { branches: 25, rounds: 4 },
    tot2: { branches: 10, rounds: 9 },
    got: { parts: 8, solve: 5, merge: 5 },
  },
};

/** What two sets have in common. */
export function common({ set1, set2 }: Sets): number[] {
  return set1.filter((n) => set2.includes(n)).sort((a, b) => a - b);
}

/** Errors: numbers that are missing, wrong or there twice. An empty answer is an answer: sets may be disjoint. */
export function setErrors({ state }: Thought<Sets>): number {
  if (state.intersection === undefined) return Number.NaN;
  const expected = new Set(common(state));
  const answered = new Set(state.intersection);
  const missing = [...expected].filter((n) => !answered.has(n)).length;
  const wrong = [...answered].filter((n) => !expected.has(n)).length;
  return missing + wrong + (state.intersection.length - answered.size);
}

const read = (text: string) => {
  const intersection = lastList(text);
  return intersection === undefined ? undefined : { intersection };
};

/** Intersecting as the plans have to know it. */
export function setTask(parts: number): Task<Sets> {
  return {
    solve: {
      prompt: ({ state }) =>
        `Which numbers are in both of these sets? Answer with the list of them and nothing else; [] where there is none.\n\nSet 1: ${shown(state.set1)}\nSet 2: ${shown(state.set2)}`,
      parse: read,
    },
    stepByStep: {
      prompt: ({ state }) =>
        `Which numbers are in both of these sets? Go step by step: take the numbers of the second set one by one and look for each in the first. End with the list of common numbers in a line of its own.\n\nSet 1: ${shown(state.set1)}\nSet 2: ${shown(state.set2)}`,
      parse: read,
    },
    refine: {
      prompt: ({ state }) =>
        `Somebody looked for the numbers that are in both of these sets, and may have missed some or named too many. Compare, and answer with the right list and nothing else.\n\nSet 1: ${shown(state.set1)}\nSet 2: ${shown(state.set2)}\nAttempt: ${shown(state.intersection ?? [])}`,
      parse: read,
    },
    split: {
      prompt: ({ state }) =>
        `Split this list into ${parts} lists of the same length: the first ${parts}th of the numbers, the next, and so on, without changing their order. Answer with JSON: {"List 1": [...], "List 2": [...]} and nothing else.\n\nInput: ${shown(state.set2)}`,
      parse: (text) => {
        const lists = listsIn(text);
        return lists.length === parts ? lists.map((set2) => ({ set2 })) : undefined;
      },
    },
    merge: {
      prompt: ({ thoughts }) =>
        `Put these lists together into one list that holds every number of each once. Answer with the list and nothing else.\n\n${thoughts
          .map(({ state }, i) => `List ${i + 1}: ${shown(state.intersection ?? [])}`)
          .join("\n")}`,
      parse: (text, { thoughts, problem }) => {
        const set2 = thoughts.flatMap((each) => each.state.set2);
        const all = set2.length >= problem.set2.length;
        const intersection = lastList(text);
        if (intersection === undefined) return undefined;
        return { intersection, set2: all ? problem.set2 : set2 };
      },
    },
    scorer: setErrors,
    truth: ({ state }, { problem }) =>
      shown([...(state.intersection ?? [])].sort((a, b) => a - b)) === shown(common(problem)),
  };
}

/** The plan of a method for sets of a size. */
export function setPolicy(method: Method, size = 32): ThoughtsPolicy<Sets> {
  const sizes = setSizes[size] as Sizes;
  return policyOf(method, setTask(sizes.got.parts), sizes);
}

/** A reasoner that intersects sets of a size by a method, within budgets. */
export function intersecter(
  method: Method,
  size = 32,
  budgets: { readonly tokens?: number; readonly modelCalls?: number } = {},
): Thoughts<Sets> {
  const policy = setPolicy(method, size);
  return thoughts({ name: `sets-${size}-${method}`, policy, better: "lower", ...budgets });
}

/** A case from a seed: two sets of numbers below twice their size. */
export function setCase(seed: string, size = 32): Sets {
  const random = randomOf(seed);
  const numbers = Array.from({ length: 2 * size }, (_, i) => i);
  const draw = () => shuffled(numbers, random).slice(0, size);
  return { set1: draw(), set2: draw() };
}

const size = sizeFromEnvironment(Object.keys(setSizes).map(Number));

export default defineConfig({
  reasoner: intersecter(methodFromEnvironment(), size),
  input: setCase("an example", size),
  model: simulatedModel(),
  options: { seed: "an example" },
});
