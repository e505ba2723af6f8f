// The paper's tasks: their scores, the number of model calls of each method counted by hand, and runs
// on the simulated model, on rows of the paper where they are there and on cases from a seed.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryJournal, replay, run } from "reckoner";
import type { Thought, Thoughts } from "reckoner/thoughts";
import { describe, expect, it, test } from "vitest";
import {
  countingRows,
  dataFolder,
  mergingRows,
  parseCsv,
  setRows,
  sortingRows,
} from "../../examples/thoughts/cases.js";
import { thoughtsDemo } from "../../examples/thoughts/demo.js";
import {
  added,
  type Counting,
  counter,
  countingCase,
  countingErrors,
} from "../../examples/thoughts/keywords.js";
import { harmonic, merger, readMergeScore } from "../../examples/thoughts/merging.js";
import type { Method, methods } from "../../examples/thoughts/method.js";
import {
  common,
  intersecter,
  type Sets,
  setCase,
  setErrors,
} from "../../examples/thoughts/sets.js";
import { simulatedModel } from "../../examples/thoughts/simulated-model.js";
import {
  type Sorting,
  sorter,
  sortingCase,
  sortingErrors,
} from "../../examples/thoughts/sorting.js";
import { isLong } from "../support/is-long.js";
import { type Answers, drive, promptOf } from "../unit/core/thoughts/drive.js";

const simulated = async (reasoner: Thoughts, input: object, seed = "1") => {
  const journal = memoryJournal();
  const end = await run(reasoner, input as never, { model: simulatedModel(), journal, seed });
  if (end.status !== "done") throw new Error(end.reason);
  return { output: end.output, context: end.context, journal };
};

/**
 * Model calls, counted by hand from the plans of the paper: G(n) is n calls for each thought, A(n) is
 * n, a split is one; KeepBest keeps one, so each later G(n) is n as well.
 */
const calls: readonly [string, (typeof methods)[number] | "got2", number, number][] = [
  // task, method, size, calls
  ["sorting", "io", 32, 1],
  ["sorting", "cot", 32, 1],
  ["sorting", "tot", 32, 20 + 20],
  ["sorting", "tot2", 32, 10 + 10 + 10],
  ["sorting", "got", 32, 1 + 2 * 5 + 10 + 10],
  ["sorting", "tot", 64, 4 * 20],
  ["sorting", "tot2", 64, 7 * 10],
  ["sorting", "got", 64, 1 + 4 * 5 + 2 * (10 + 5) + 10 + 10],
  ["sorting", "tot", 128, 4 * 20],
  ["sorting", "tot2", 128, 10 * 10],
  ["sorting", "got", 128, 1 + 8 * 5 + 4 * (10 + 5) + 2 * (10 + 5) + 10 + 10],
  ["sets", "io", 32, 1],
  ["sets", "cot", 32, 1],
  ["sets", "tot", 32, 20 + 20],
  ["sets", "tot2", 32, 10 + 10 + 10],
  ["sets", "got", 32, 1 + 2 * 5 + 10],
  ["sets", "tot", 64, 4 * 20],
  ["sets", "tot2", 64, 7 * 10],
  ["sets", "got", 64, 1 + 4 * 5 + 2 * 10 + 10],
  ["sets", "tot", 128, 4 * 25],
  ["sets", "tot2", 128, 9 * 10],
  ["sets", "got", 128, 1 + 8 * 5 + 4 * 5 + 2 * 5 + 5],
  // Where every sum is right, nothing is mended.
  ["keywords", "io", 4, 1],
  ["keywords", "cot", 4, 1],
  ["keywords", "tot", 4, 4 * 20],
  ["keywords", "tot2", 4, 6 * 10],
  ["keywords", "got", 4, 1 + 4 * 10 + 2 * 3 + 3],
  ["keywords", "got", 8, 1 + 8 * 10 + 4 * 3 + 2 * 3 + 3],
  ["keywords", "got", 32, 1 + 32 * 10 + 31 * 3],
  // Each thought is scored by three calls.
  ["merging", "io", 4, 1 + 3],
  ["merging", "tot", 4, 3 * (10 + 10 * 3)],
  ["merging", "got", 4, 5 + 5 * 3 + 5 + 5 * 3 + 10 + 10 * 3],
  ["merging", "got2", 4, 2 * (5 + 5 * 3) + (5 + 5 * 3) + (5 + 5 * 3)],
];

/** A model that counts without a mistake, by the names it knows. */
const perfectCounter: Answers = (call) => {
  const prompt = promptOf(call);
  if (prompt.startsWith("Split")) {
    const sentences = prompt.slice(prompt.indexOf("\n\n") + 2).split(/(?<=\.) /);
    const pieces = call.id.includes("split") ? Number(/one of (\d+)/.exec(prompt)?.[1] ?? 32) : 0;
    const length = Math.ceil(sentences.length / pieces);
    const texts = Array.from({ length: pieces }, (_, i) =>
      sentences.slice(i * length, (i + 1) * length).join(" "),
    );
    return JSON.stringify(Object.fromEntries(texts.map((text, i) => [`piece ${i + 1}`, text])));
  }
  if (prompt.startsWith("Add these counts up")) {
    return JSON.stringify(
      added(
        prompt
          .split("\n")
          .filter((line) => line.startsWith("{"))
          .map((line) => JSON.parse(line)),
      ),
    );
  }
  const text = prompt.slice(prompt.indexOf("\n\n"));
  const counts = ["Norway", "Peru", "Ghana", "Japan", "Canada", "Italy", "Kenya", "Brazil"].map(
    (name): [string, number] => [name, text.split(name).length - 1],
  );
  return JSON.stringify(Object.fromEntries(counts.filter(([, count]) => count > 0)));
};

const merging: Answers = ({ id }) =>
  id.includes("score") || /^llm\/\d+-score/.test(id)
    ? '{"redundancy": 8, "retained": 6}'
    : `<merged>${id}</merged>`;

describe("the number of model calls is what the plans of the paper imply", () => {
  // The larger ones have the same stages, oftener.
  const some = calls.filter(([task, , size]) => isLong || size < (task === "keywords" ? 32 : 128));
  it.each(some)("%s, %s, %d: %d calls", async (task, method, size, expected) => {
    if (task === "keywords") {
      const input = countingCase("1", 32);
      const { output } = drive(counter(method as Method, size), input, perfectCounter);
      expect(output).toMatchObject({ modelCalls: expected, score: 0, solved: true });
      return;
    }
    if (task === "merging") {
      const { output } = drive(merger(method), { documents: ["a", "b", "c", "d"] }, merging);
      expect(output).toMatchObject({ modelCalls: expected, failures: 0 });
      expect(output?.score).toBeCloseTo(6.857, 3);
      return;
    }
    const of = method as Method;
    const { output } =
      task === "sorting"
        ? await simulated(sorter(of, size), sortingCase("1", size))
        : await simulated(intersecter(of, size), setCase("1", size));
    expect(output.modelCalls).toBe(expected);
  });
});

describe("a sum that is wrong is mended, up to three times", () => {
  it("and validated again", () => {
    const wrong: Answers = (call) =>
      promptOf(call).startsWith("Add") ? '{"Peru": 1}' : perfectCounter(call);
    const mends: Answers = (call) =>
      promptOf(call).startsWith("These counts were")
        ? perfectCounter({
            ...call,
            messages: [
              {
                role: "user",
                content: promptOf(call)
                  .replace("These counts were added", "Add these counts up")
                  .replace(/The wrong sum.*/, ""),
              },
            ],
          })
        : wrong(call);
    const never = drive(counter("got", 4), countingCase("1", 32), wrong).output;
    // Each of the nine merged thoughts is mended three times; the mender answers with nothing right.
    expect(never).toMatchObject({ modelCalls: 1 + 40 + 9 + 27, valid: false });
    const mended = drive(counter("got", 4), countingCase("1", 32), mends).output;
    expect(mended).toMatchObject({ modelCalls: 1 + 40 + 9 + 9, valid: true, solved: true });
  });
});

describe("scores", () => {
  const sorting = (list: number[], sorted?: number[]) =>
    sortingErrors({ state: { list, ...(sorted && { sorted }) } } as Thought<Sorting>);
  it("of sorting: lost, added and misplaced numbers", () => {
    expect(sorting([3, 1, 2], [1, 2, 3])).toBe(0);
    expect(sorting([3, 1, 2, 2], [1, 2, 3])).toBe(1);
    expect(sorting([3, 1, 2], [1, 3, 2])).toBe(1);
    expect(sorting([3, 1, 2], [1, 1, 2, 12])).toBe(3);
    expect(sorting([3, 1, 2])).toBeNaN();
  });

  it("of sets: the empty answer is an answer (the paper's scores it as a failure)", () => {
    const sets = (set1: number[], set2: number[], intersection: number[]) =>
      setErrors({ state: { set1, set2, intersection } } as unknown as Thought<Sets>);
    expect(sets([1, 2], [3, 4], [])).toBe(0);
    expect(sets([1, 2], [2, 4], [])).toBe(1);
    expect(sets([1, 2], [2, 4], [2, 2, 7])).toBe(2);
  });

  it("of counting: the truth for the whole text, occurrences in a passage", () => {
    const problem = { text: "Peru, Peru and Ghana", countries: ["Peru", "Peru", "Ghana"] };
    const of = (text: string, counts: Counting["counts"]) =>
      countingErrors({ state: { ...problem, text, counts } } as Thought<Counting>, {
        prompt: "",
        problem,
      });
    expect(of(problem.text, { Peru: 2, Ghana: 1 })).toBe(0);
    expect(of(problem.text, { Peru: 1, Spain: 1 })).toBe(3);
    expect(of("and Ghana", { Ghana: 1 })).toBe(0);
  });

  it("of merging: no division by zero where both are 0 (the paper's divides)", () => {
    expect(harmonic(0, 0)).toBe(0);
    expect(readMergeScore('{"redundancy": 0, "retained": 0}')).toBe(0);
    expect(readMergeScore('well: {"redundancy": 5, "retained": 10}')).toBeCloseTo(6.667, 3);
    expect(readMergeScore('{"redundancy": 50, "retained": 10}')).toBeUndefined();
  });
});

describe("the simulated model", () => {
  it("gives the same answer to the same request, and another to another seed", async () => {
    const once = await simulated(sorter("io", 128), sortingCase("1", 128), "1");
    const again = await simulated(sorter("io", 128), sortingCase("1", 128), "1");
    const other = await simulated(sorter("io", 128), sortingCase("1", 128), "2");
    expect(again.output).toEqual(once.output);
    expect(other.output.result).not.toBe(once.output.result);
  });

  it("really does the task: without frailty every method solves every case", async () => {
    for (const method of ["io", "cot", "tot", "tot2", "got"] as const) {
      const model = simulatedModel({ rate: 0 });
      const sorted = await run(sorter(method, 64), sortingCase("1", 64), { model, seed: "1" });
      const met = await run(intersecter(method, 64), setCase("1", 64), { model, seed: "1" });
      expect([sorted, met].map((end) => end.status === "done" && end.output.solved)).toEqual([
        true,
        true,
      ]);
    }
  });

  it("errs the oftener the longer the list", async () => {
    const errors = async (size: number) => {
      let sum = 0;
      for (let i = 0; i < 30; i++) {
        sum += (await simulated(sorter("io", size), sortingCase(`${i}`, size))).output.score ?? 0;
      }
      return sum / size;
    };
    expect(await errors(128)).toBeGreaterThan(1.5 * (await errors(32)));
  });

  it("says of other tasks that it does not know them", async () => {
    const end = await run(counter("io"), countingCase("1"), { model: simulatedModel() });
    expect(end).toMatchObject({ status: "failed", error: { code: "thoughts.nothingLeft" } });
  });
});

test("a run of a graph of thoughts replays identical", async () => {
  const { journal } = await simulated(sorter("got", 64), sortingCase("9", 64));
  expect((await replay(sorter("got", 64), journal)).status).toBe("identical");
});

test("the demo prints a tree and writes the pictures", async () => {
  const folder = mkdtempSync(join(tmpdir(), "thoughts-demo-"));
  const shown = await thoughtsDemo(folder);
  expect(shown).toMatchObject({
    status: "done",
    modelCalls: 31,
    thoughts: 33,
    replay: "identical",
  });
  expect(shown.tree).toContain("★");
  expect(shown.tree.split("\n").length).toBeLessThan(20);
  const [svg = "", mermaid = ""] = shown.files.map((file) => readFileSync(file, "utf8"));
  expect(svg).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
  expect(svg.match(/<g class="node">/g)).toHaveLength(33);
  expect(svg).toContain(">led to the result</text>");
  expect(mermaid.match(/^ {2}n\d+[[({]/gm)).toHaveLength(33);
  rmSync(folder, { recursive: true });
});

test("the benchmark runs every method on the same rows, and draws them", () => {
  const svg = join(mkdtempSync(join(tmpdir(), "thoughts-bench-")), "plot.svg");
  const words = ["--json", "--rows", "2", "--tasks", "sorting-32,sets-64", "--svg", svg];
  const { stdout, status } = spawnSync(process.execPath, ["bench/thoughts.mjs", ...words], {
    encoding: "utf8",
  });
  expect(status).toBe(0);
  const { results } = JSON.parse(stdout);
  const shown = results.map((row: Record<string, unknown>) => [
    row.task,
    row.method,
    row.modelCalls,
  ]);
  expect(shown).toEqual([
    ["sorting-32", "io", 1],
    ["sorting-32", "cot", 1],
    ["sorting-32", "tot", 40],
    ["sorting-32", "tot2", 30],
    ["sorting-32", "got", 31],
    ["sets-64", "io", 1],
    ["sets-64", "cot", 1],
    ["sets-64", "tot", 80],
    ["sets-64", "tot2", 70],
    ["sets-64", "got", 51],
  ]);
  const drawn = readFileSync(svg, "utf8");
  for (const text of ["sorting-32: errors of 2 rows", "sets-64: errors of 2 rows", "51 calls"]) {
    expect(drawn).toContain(text);
  }
});

test("the benchmark says where GoT's tokens go, and compares at equal tokens", () => {
  const bench = (...words: string[]) => {
    const all = ["bench/thoughts.mjs", "--json", "--rows", "2", "--tasks", "sorting-32", ...words];
    const { stdout, status } = spawnSync(process.execPath, all, { encoding: "utf8" });
    expect(status).toBe(0);
    return JSON.parse(stdout).results as Record<string, unknown>[];
  };
  const stages = bench("--stages");
  expect(stages.map(({ stage, calls }) => [stage, calls])).toEqual([
    ["split", 1],
    ["solve", 10],
    ["merge 1", 10],
    ["refine 1", 10],
  ]);
  const equal = bench("--equal");
  expect(equal.map(({ method }) => method)).toEqual(["best", "tot", "tot2", "got"]);
  for (const { budget, tokens } of equal)
    expect(Number(tokens)).toBeLessThanOrEqual(Number(budget));
});

test("CSV is read with its quotes, commas and lines", () => {
  expect(parseCsv('a,b\n1,"x, ""y""\nz"\n')).toEqual([{ a: "1", b: 'x, "y"\nz' }]);
});

// Whoever has the project alone has no such folder, and misses no test of it.
const folders = sortingRows(32) === undefined ? [] : [dataFolder];
describe.each(folders)("the paper's rows (%s)", () => {
  it("are read, a hundred of each", () => {
    expect(sortingRows(32)).toHaveLength(100);
    expect(sortingRows(64)?.every(({ list }) => list.length === 64)).toBe(true);
    expect(setRows(32)).toHaveLength(100);
    expect(countingRows()?.[0]?.countries).toContain("Norway");
    expect(mergingRows()?.every(({ documents }) => documents.every((text) => text !== ""))).toBe(
      true,
    );
  });

  it("have the answers that the scorers expect", async () => {
    const [row] = setRows(32) as Sets[];
    expect(common(row as Sets)).toEqual([3, 11, 14, 19, 37, 46, 49, 50, 56]);
    const { output } = await simulated(
      sorter("got", 32),
      (sortingRows(32) as Sorting[])[0] as Sorting,
    );
    expect(output.modelCalls).toBe(31);
  });
});
