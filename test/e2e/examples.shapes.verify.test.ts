// The operation graphs of the paper's tasks and methods, as facts in a file beside the project: the examples
// have the same ones. Whoever has the project alone has no such file, and misses no test of it.
import { existsSync, readFileSync } from "node:fs";
import type { ThoughtsPolicy } from "reckoner/thoughts";
import { describe, expect, it } from "vitest";
import { dataFolder } from "../../examples/thoughts/cases.js";
import { countingPolicy } from "../../examples/thoughts/keywords.js";
import { merger, mergingPolicy } from "../../examples/thoughts/merging.js";
import type { Method } from "../../examples/thoughts/method.js";
import { setPolicy } from "../../examples/thoughts/sets.js";
import { sortingPolicy } from "../../examples/thoughts/sorting.js";
import { type Answers, drive, promptOf } from "../unit/core/thoughts/drive.js";

const file = `${dataFolder}/shapes.json`;

interface Shape {
  readonly kind: string;
  readonly after: readonly (number | string)[];
  readonly responses?: number;
  readonly n?: number;
  readonly samples?: number;
  readonly tries?: number;
  readonly fn?: boolean;
}

const kinds: { readonly [theirs: string]: string } = {
  keep_best_n: "keepBest",
  ground_truth_evaluator: "groundTruth",
  selector: "select",
  validate_and_improve: "validate",
};

/** The nodes of a graph, each as the text of its parameters and of all that it comes after. */
function textsOf(shapes: ReadonlyMap<number | string, Shape>): string[] {
  const known = new Map<number | string, { text: string; number: number }>();
  const numbers = new Map<string, number>();
  const numberOf = (id: number | string): number => {
    const found = known.get(id);
    if (found !== undefined) return found.number;
    const { kind, after, responses = 1, n = 1, samples = 1, tries = 3, fn } = shapes.get(id)!;
    const [before] = after;
    // The best one of the best one alone is that one.
    const first = before === undefined ? undefined : shapes.get(before);
    if (kind === "keepBest" && after.length === 1 && first?.kind === "keepBest" && first.n === n) {
      return numberOf(before as number | string);
    }
    const own =
      kind === "generate" || kind === "aggregate"
        ? `${responses}`
        : kind === "keepBest"
          ? `${n}`
          : kind === "score"
            ? `${samples} ${fn}`
            : kind === "validate"
              ? `${samples} ${tries} ${fn}`
              : "";
    // Where it stands in the order of two that were kept says which of two equals wins.
    // The best of one and of all that it is scored with is the best of these.
    const isTwice = (each: number | string) =>
      kind === "keepBest" &&
      after.some((other) => {
        const { kind: of, after: from } = shapes.get(other)!;
        return of === "score" && from.includes(each);
      });
    const befores = after.filter((each) => !isTwice(each));
    const text = `${kind} ${own} after ${befores.map(numberOf).join(", ")}`;
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    known.set(id, { text, number });
    return number;
  };
  for (const id of shapes.keys()) numberOf(id);
  const inText = new Map([...known.values()].map(({ text, number }) => [number, text]));
  const whole = (number: number): string =>
    inText.get(number)!.replace(/after (.*)$/, (_, list: string) =>
      list === ""
        ? ""
        : `after (${list
            .split(", ")
            .map((each) => whole(Number(each)))
            .join("; ")})`,
    );
  return [...known.values()].map(({ number }) => whole(number)).sort();
}

function ofPolicy({ operations }: ThoughtsPolicy<never>): Map<string, Shape> {
  return new Map(
    [...operations].map(([name, operation]): [string, Shape] => {
      const own = operation as unknown as Shape & { readonly by?: unknown };
      return [name, { n: 1, ...own, fn: own.by !== undefined }];
    }),
  );
}

const methods: readonly Method[] = ["io", "cot", "tot", "tot2", "got"];
const table: readonly (readonly [string, () => unknown])[] = [
  ...[32, 64, 128].flatMap((size) =>
    methods.flatMap((method) => [
      [`sorting-${size}-${method}`, () => sortingPolicy(method, size)] as const,
      [`sets-${size}-${method}`, () => setPolicy(method, size)] as const,
    ]),
  ),
  ...(["io", "cot", "tot", "tot2"] as const).map(
    (method) => [`keywords-${method}`, () => countingPolicy(method)] as const,
  ),
  ["keywords-got4", () => countingPolicy("got", 4)],
  ["keywords-got8", () => countingPolicy("got", 8)],
  ["keywords-gotx", () => countingPolicy("got", 32)],
  ...(["io", "cot", "tot", "got", "got2"] as const).map(
    (method) => [`merging-${method}`, () => mergingPolicy(method)] as const,
  ),
];

it.each(existsSync(file) ? table : [])("%s has the paper's shape", (name, policy) => {
  const all = JSON.parse(readFileSync(file, "utf8")) as { [name: string]: Shape[] };
  const theirs = new Map(
    all[name]!.map(({ kind, ...rest }, i): [number, Shape] => [
      i,
      { ...rest, kind: kinds[kind] ?? kind },
    ]),
  );
  expect(textsOf(ofPolicy(policy() as ThoughtsPolicy<never>))).toEqual(textsOf(theirs));
});

/** A model whose documents have the quality that its call says, and a judge that reads it. */
const qualities =
  (of: (id: string) => number): Answers =>
  (call) => {
    if (!call.id.includes("score")) return `<merged>Q${of(call.id)}</merged>`;
    const quality = Number(/Q(\d+)/.exec(promptOf(call))?.[1]);
    return JSON.stringify({ redundancy: quality, retained: quality });
  };

describe("what was better before goes on to the end of a merge", () => {
  const documents = ["a", "b", "c", "d"];
  const isMerged = (id: string) => id.includes("aggregate");
  const isDraft = (id: string) => /^llm\/[01]-generate/.test(id);

  it("a draft, beside what was merged of it, and both beside what was refined", () => {
    const of = (id: string) => (isDraft(id) ? 8 : 3);
    expect(drive(merger("got"), { documents }, qualities(of)).output?.state.merged).toBe("Q8");
  });

  it("what was merged of two pairs, beside what was refined", () => {
    const of = (id: string) => (isMerged(id) ? 4 : 3);
    expect(drive(merger("got2"), { documents }, qualities(of)).output?.state.merged).toBe("Q4");
  });
});
