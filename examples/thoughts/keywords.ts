/**
 * Counting how often each country occurs in a text, the third task of the Graph-of-Thoughts paper. It
 * needs a real model: `npx --no reckoner run examples/thoughts/keywords.ts --input @case.json --model
 * PROVIDER:MODEL`. SIZE says into how many passages GoT splits the text: 4, 8, or 32 for sentences.
 */
import { defineConfig } from "reckoner";
import {
  type Problem,
  parsers,
  type Task,
  type Thought,
  type Thoughts,
  type ThoughtsPolicy,
  thoughts,
} from "reckoner/thoughts";
import {
  type Method,
  methodFromEnvironment,
  policyOf,
  type Sizes,
  sizeFromEnvironment,
} from "./method.js";
import { randomOf } from "./random.js";

type Counts = { readonly [country: string]: number };

/** A case, a passage of one, and what was made of it. */
export type Counting = {
  readonly text: string;
  /** Every country in the text, once for each time that it occurs: the truth. */
  readonly countries: string[];
  readonly counts?: Counts;
  readonly parts?: number[];
  /** What a sum was made of, so that it can be checked. */
  readonly summands?: Counts[];
};

/** The paper's numbers, by the passages of GoT. */
export const countingSizes: { readonly [passages: number]: Sizes } = Object.fromEntries(
  [4, 8, 32].map((parts) => [
    parts,
    {
      tot: { branches: 20, rounds: 4 },
      tot2: { branches: 10, rounds: 6 },
      got: { parts, solve: 10, merge: 3 },
    },
  ]),
);

const total = (names: readonly string[]): Counts => {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

/** Sum of the differences between two counts. */
export function distance(a: Counts, b: Counts): number {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].reduce((sum, name) => sum + Math.abs((a[name] ?? 0) - (b[name] ?? 0)), 0);
}

/** Sums counts. */
export function added(all: readonly Counts[]): Counts {
  const sum: Record<string, number> = {};
  for (const counts of all) {
    for (const [name, count] of Object.entries(counts)) sum[name] = (sum[name] ?? 0) + count;
  }
  return sum;
}

/** What there is to count: the truth for (nearly) the whole text, occurrences of its names in a passage. */
function expected({ text }: Counting, problem: Counting): Counts {
  if (text.length >= 0.75 * problem.text.length) return total(problem.countries);
  const names = [...new Set(problem.countries)];
  const counts = names.map((name): [string, number] => [name, text.split(name).length - 1]);
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

/** Errors: by how much each country's count is off. */
export function countingErrors(
  { state }: Thought<Counting>,
  { problem }: Problem<Counting>,
): number {
  return state.counts === undefined ? Number.NaN : distance(state.counts, expected(state, problem));
}

function readCounts(text: string): Counts | undefined {
  const found = parsers
    .json(text)
    .findLast((value) => typeof value === "object" && value !== null && !Array.isArray(value));
  const entries = Object.entries(found ?? {});
  const whole = entries.every(([, count]) => Number.isInteger(count) && Number(count) >= 0);
  return found === undefined || !whole ? undefined : (Object.fromEntries(entries) as Counts);
}

const parse = (text: string) => {
  const counts = readCounts(text);
  return counts === undefined ? undefined : { counts };
};

const FORM = 'Answer with JSON, each country with how often it occurs: {"Spain": 2, "Peru": 1}.';

/** Counting as the plans have to know it. */
export function countingTask(parts: number): Task<Counting> {
  const piece = parts === 32 ? "sentence" : `of ${parts} passages of about the same length`;
  return {
    solve: {
      prompt: ({ state }) =>
        `How often does each country occur in this text? Count every mention by name. ${FORM} Nothing else.\n\n${state.text}`,
      parse,
    },
    stepByStep: {
      prompt: ({ state }) =>
        `How often does each country occur in this text? Go sentence by sentence and write down the countries in it, each as often as it is named. Then add up. ${FORM}\n\n${state.text}`,
      parse,
    },
    refine: {
      prompt: ({ state }) =>
        `Somebody counted how often each country occurs in this text, perhaps wrongly. Check, and correct what is wrong. ${FORM}\n\n${state.text}\n\nTheir count: ${JSON.stringify(state.counts)}`,
      parse,
    },
    split: {
      prompt: ({ state }) =>
        `Split this text into pieces, each one ${piece}, without changing a word. Answer with JSON: {"1": "first piece", "2": "second piece"} and nothing else.\n\n${state.text}`,
      parse: (text) => {
        const pieces = Object.values(
          (parsers.json(text).findLast((value) => typeof value === "object") ?? {}) as object,
        ).filter((value): value is string => typeof value === "string");
        return pieces.slice(0, parts).map((text, i) => ({ text, parts: [i + 1] }));
      },
    },
    merge: {
      prompt: ({ thoughts }) =>
        `Add these counts up: a country that is in several gets the sum. ${FORM}\n\n${thoughts.map(({ state }) => JSON.stringify(state.counts)).join("\n")}`,
      parse: (text, { thoughts }) => {
        const counts = readCounts(text);
        if (counts === undefined) return undefined;
        return {
          counts,
          // What it was made of, so that the sum can be checked.
          summands: thoughts.map(({ state }) => state.counts ?? {}),
          text: thoughts.map(({ state }) => state.text).join(" "),
          parts: thoughts.flatMap(({ state }) => state.parts ?? []),
        };
      },
    },
    validate: {
      by: ({ state }) => distance(state.counts ?? {}, added(state.summands ?? [])) === 0,
      improve: {
        prompt: ({ state }) =>
          `These counts were added up wrongly. Correct the sum. ${FORM}\n\n${(state.summands ?? []).map((counts) => JSON.stringify(counts)).join("\n")}\n\nThe wrong sum: ${JSON.stringify(state.counts)}`,
        parse,
      },
      tries: 3,
    },
    scorer: countingErrors,
    truth: ({ state }, { problem }) => distance(state.counts ?? {}, total(problem.countries)) === 0,
  };
}

/** The plan of a method for a text of so many passages. */
export function countingPolicy(method: Method, passages = 4): ThoughtsPolicy<Counting> {
  return policyOf(method, countingTask(passages), countingSizes[passages] as Sizes);
}

/** A reasoner that counts by a method. */
export function counter(method: Method, passages = 4): Thoughts<Counting> {
  const policy = countingPolicy(method, passages);
  return thoughts({ name: `keywords-${passages}-${method}`, policy, better: "lower" });
}

/** A case from a seed: a dull text with so many sentences. */
export function countingCase(seed: string, sentences = 12): Counting {
  const random = randomOf(seed);
  const names = ["Norway", "Peru", "Ghana", "Japan", "Canada", "Italy", "Kenya", "Brazil"];
  const draw = () => names[Math.floor(random() * names.length)] as string;
  const countries: string[] = [];
  const lines = Array.from({ length: sentences }, () => {
    const [from, to] = [draw(), draw()];
    countries.push(from, to);
    return `A letter went from ${from} to ${to}.`;
  });
  return { text: lines.join(" "), countries };
}

export default defineConfig({
  reasoner: counter(methodFromEnvironment(), sizeFromEnvironment([4, 8, 32])),
  input: countingCase("an example"),
});
