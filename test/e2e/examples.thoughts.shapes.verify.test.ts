// The plans of the examples have the edges of the paper's tables: each operation of ours is one of the paper's,
// with the same parameters, after the same operations in the same order.
import { existsSync, readFileSync } from "node:fs";
import type { ThoughtsPolicy } from "reckoner/thoughts";
import { describe, expect, it } from "vitest";
import { countingPolicy } from "../../examples/thoughts/keywords.js";
import { merger, mergingPolicy } from "../../examples/thoughts/merging.js";
import type { Method } from "../../examples/thoughts/method.js";
import { setPolicy } from "../../examples/thoughts/sets.js";
import { sortingPolicy } from "../../examples/thoughts/sorting.js";
import { type Answers, drive, promptOf } from "../unit/core/thoughts/drive.js";

interface Operation {
  readonly id: string;
  readonly kind: string;
  readonly after: readonly string[];
  readonly parameters: readonly unknown[];
}

/** A row of the paper's tables: an operation comes after others by their places in the list. */
interface Row {
  readonly kind: string;
  readonly after: readonly number[];
  readonly responses?: number;
  readonly samples?: number;
  readonly n?: number;
  readonly fn?: boolean;
  readonly tries?: number;
}

const kinds: Readonly<Record<string, string>> = {
  generate: "generate",
  score: "score",
  aggregate: "aggregate",
  keep_best_n: "keepBest",
  selector: "select",
  ground_truth_evaluator: "groundTruth",
  validate_and_improve: "validate",
};

type Asked = Pick<Row, "responses" | "samples" | "n" | "fn" | "tries">;

function parametersOf(kind: string, { responses = 1, samples = 1, n = 1, fn, tries }: Asked) {
  if (kind === "generate" || kind === "aggregate") return [responses];
  if (kind === "score") return [samples, fn];
  if (kind === "validate") return [samples, fn, tries];
  return kind === "keepBest" ? [n] : [];
}

const papers = (rows: readonly Row[]): Operation[] =>
  rows.map(({ kind: named, after, ...asked }, i) => {
    const kind = kinds[named] as string;
    return { id: `${i}`, kind, after: after.map(String), parameters: parametersOf(kind, asked) };
  });

function ours({ names = [], operation }: ThoughtsPolicy<never>): Operation[] {
  return names.map((id) => {
    const own = operation(id) as unknown as Row & { readonly by?: unknown };
    const { kind, tries = 3 } = own;
    const fn = own.by !== undefined;
    const after = own.after.map(String);
    return { id, kind, after, parameters: parametersOf(kind, { ...own, fn, tries }) };
  });
}

/**
 * The shape of a graph of operations: each with all that it comes after, by number; equal ones have the same.
 * The best of one best thought is that thought: the tables of the paper's trees end in one such step. What a
 * score hands on need not come to the choice a second time, as it does at the end of the table of sorting 128.
 */
function shapeOf(operations: readonly Operation[], known: Map<string, number>): number[] {
  const numbers = new Map<string, number>();
  const single = new Set<string>();
  const handed = new Map<string, readonly string[]>();
  const shape: number[] = [];
  for (const { id, kind, after: all, parameters } of operations) {
    if (kind === "score") handed.set(id, all);
    const twice = new Set(kind === "keepBest" ? all.flatMap((each) => handed.get(each) ?? []) : []);
    const after = all.filter((each) => !twice.has(each));
    const [before = "", ...others] = after;
    const isOne = kind === "keepBest" && parameters[0] === 1;
    if (isOne) single.add(id);
    if (isOne && others.length === 0 && single.has(before)) {
      numbers.set(id, numbers.get(before) as number);
      continue;
    }
    const said = JSON.stringify([kind, parameters, after.map((each) => numbers.get(each))]);
    known.set(said, known.get(said) ?? known.size);
    numbers.set(id, known.get(said) as number);
    shape.push(known.get(said) as number);
  }
  return shape.sort((a, b) => a - b);
}

const path = new URL("../../../shared/data/thoughts/shapes.json", import.meta.url);
const tables: Readonly<Record<string, readonly Row[]>> = existsSync(path)
  ? JSON.parse(readFileSync(path, "utf8"))
  : {};

/** The plan of a table: `sorting-32-got`, `keywords-got4`, `merging-got2`. */
function policyOf(table: string): ThoughtsPolicy<never> {
  const [task, ...rest] = table.split("-");
  const method = rest.at(-1) as Method;
  const passages = /^got(4|8|x)$/.exec(method)?.[1];
  const policy =
    task === "sorting"
      ? sortingPolicy(method, Number(rest[0]))
      : task === "sets"
        ? setPolicy(method, Number(rest[0]))
        : task === "merging"
          ? mergingPolicy(method as never)
          : passages === undefined
            ? countingPolicy(method)
            : countingPolicy("got", passages === "x" ? 32 : Number(passages));
  return policy as unknown as ThoughtsPolicy<never>;
}

describe.skipIf(!existsSync(path))("the shape of the paper's table", () => {
  it.each(Object.keys(tables))("%s", (table) => {
    const known = new Map<string, number>();
    const paper = shapeOf(papers(tables[table] as readonly Row[]), known);
    expect(shapeOf(ours(policyOf(table)), known)).toEqual(paper);
  });
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
