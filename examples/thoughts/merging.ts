/**
 * Merging four documents into one, the last task of the Graph-of-Thoughts paper. It needs a real
 * model, which also scores: `npx --no reckoner run examples/thoughts/merging.ts --input @case.json --model
 * PROVIDER:MODEL`. METHOD may also be got2, which merges two pairs first.
 */
import { defineConfig } from "reckoner";
import {
  aggregate,
  generate,
  keepBest,
  PREVIOUS,
  type PromptView,
  parsers,
  plan,
  score,
  select,
  type Thoughts,
  type ThoughtsPolicy,
  thoughts,
} from "reckoner/thoughts";
import { type Method, methodFromEnvironment } from "./method.js";

/** A case and what was made of it. */
export type Merging = {
  readonly documents: string[];
  /** Which documents are merged; absent: all of them. */
  readonly chosen?: number[];
  readonly merged?: string;
};

type View = PromptView<Merging>;

const chosen = ({ documents, chosen }: Merging): string[] =>
  documents.filter((_, i) => chosen === undefined || chosen.includes(i));
const listed = (texts: readonly string[], what: string) =>
  texts.map((text, i) => `<${what} ${i + 1}>\n${text}\n</${what} ${i + 1}>`).join("\n\n");
const parse = (text: string) => {
  const inside = /<merged>([\s\S]*?)<\/merged>/i.exec(text)?.[1] ?? text;
  return { merged: inside.trim() };
};
const FORM = "Answer with the document between <merged> and </merged>.";
const WISH =
  "Keep all the information, say nothing twice, and keep to the documents' own form and order as far as that goes.";

const solve = {
  prompt: ({ state }: View) =>
    `Merge these documents into one. ${WISH} ${FORM}\n\n${listed(chosen(state), "document")}`,
  parse,
};
const refine = {
  prompt: ({ state }: View) =>
    `These documents were merged into one. Improve the result. ${WISH} ${FORM}\n\n${listed(chosen(state), "document")}\n\nThe result so far:\n\n${state.merged}`,
  parse,
};
const merge = {
  prompt: ({ thoughts, problem }: View) =>
    `Here are documents and several attempts at merging them, or parts of them, into one. Take the best of the attempts and make one that is better than each. ${WISH} ${FORM}\n\n${listed(problem.documents, "document")}\n\n${listed(
      thoughts.map(({ state }) => state.merged ?? ""),
      "attempt",
    )}`,
  parse: (text: string, { problem }: View) => ({
    ...parse(text),
    chosen: problem.documents.map((_, i) => i),
  }),
};

/** Two numbers from 0 to 10 to one: their harmonic mean; 0 where both are. */
export function harmonic(redundancy: number, retained: number): number {
  const sum = redundancy + retained;
  return sum === 0 ? 0 : (2 * redundancy * retained) / sum;
}

/** Reads `{"redundancy": 7, "retained": 9}`. */
export function readMergeScore(text: string): number | undefined {
  for (const value of parsers.json(text).reverse()) {
    const { redundancy, retained } = value as { redundancy?: unknown; retained?: unknown };
    const onScale = (n: unknown): n is number => typeof n === "number" && n >= 0 && n <= 10;
    if (onScale(redundancy) && onScale(retained)) return harmonic(redundancy, retained);
  }
  return undefined;
}

const judged = () =>
  score({
    samples: 3,
    prompt: ({ state }: View) =>
      `These documents were merged into one. Judge two things from 0 to 10: redundancy (10: nothing is said twice) and retained (10: nothing is lost). End with JSON: {"redundancy": 0, "retained": 0}.\n\n${listed(chosen(state), "document")}\n\nThe result:\n\n${state.merged}`,
    parse: readMergeScore,
  });

const io = (): ThoughtsPolicy<Merging> => plan([generate(solve), judged()], { name: "io" });

const tot = (branches: number, rounds: number): ThoughtsPolicy<Merging> =>
  plan(
    Array.from({ length: rounds }, (_, round) => [
      generate({ ...(round === 0 ? solve : refine), responses: branches }),
      { ...judged(), id: `scored-${round}` },
      keepBest({
        id: `best-${round}`,
        after: round === 0 ? `scored-${round}` : [`best-${round - 1}`, `scored-${round}`],
      }),
    ]).flat(),
    { name: "tot" },
  );

const got = (): ThoughtsPolicy<Merging> =>
  plan(
    [
      generate({ ...solve, responses: 5 }),
      judged(),
      keepBest({ id: "drafts", n: 3 }),
      aggregate({ ...merge, responses: 5 }),
      judged(),
      keepBest({ id: "best", after: ["drafts", PREVIOUS] }),
      generate({ ...refine, responses: 10 }),
      judged(),
      keepBest({ after: ["best", PREVIOUS] }),
    ],
    { name: "got" },
  );

const got2 = (): ThoughtsPolicy<Merging> =>
  plan(
    [
      ...[0, 1].flatMap((pair) => [
        select({ id: `pair-${pair}`, after: [], where: (thoughts) => thoughts }),
        generate({
          ...solve,
          prompt: ({ state, ...view }: View) =>
            solve.prompt({ ...view, state: { ...state, chosen: [2 * pair, 2 * pair + 1] } }),
          parse: (text: string) => ({ ...parse(text), chosen: [2 * pair, 2 * pair + 1] }),
          responses: 5,
        }),
        judged(),
        keepBest({ id: `best-${pair}` }),
      ]),
      aggregate({ after: ["best-0", "best-1"], ...merge, responses: 5 }),
      judged(),
      keepBest({ id: "merged" }),
      generate({ ...refine, responses: 5 }),
      judged(),
      keepBest({ after: [PREVIOUS, "merged"] }),
    ],
    { name: "got2" },
  );

type MergingMethod = Exclude<Method, "best"> | "got2";

/** The plan of a method. */
export function mergingPolicy(method: MergingMethod): ThoughtsPolicy<Merging> {
  const policies = {
    io,
    cot: io,
    tot: () => tot(10, 3),
    // The paper has one tree for this task.
    tot2: () => tot(10, 3),
    got,
    got2,
  };
  return policies[method]();
}

/** A reasoner that merges by a method. */
export function merger(method: MergingMethod): Thoughts<Merging> {
  return thoughts({ name: `merging-${method}`, policy: mergingPolicy(method) });
}

export default defineConfig({
  reasoner: merger(process.env.METHOD === "got2" ? "got2" : methodFromEnvironment()),
  input: {
    documents: [
      "The parties keep the recipe secret. The agreement ends after two years.",
      "The recipe is secret. Whoever tells it pays 100 gold pieces.",
      "Signed by both parties. The law of the mountain applies.",
      "The agreement ends after two years, or when both parties say so.",
    ],
  },
});
