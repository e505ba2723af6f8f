// Thoughts know the task's state: what functions are given, what parsers return, what a run comes to.
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { run } from "../../src/index.js";
import {
  aggregate,
  beamSearch,
  generate,
  plan,
  plans,
  policy,
  score,
  type Task,
  type Thought,
  type ThoughtGraph,
  type Thoughts,
  thoughtGraph,
  thoughts,
  validateAndImprove,
} from "../../src/thoughts.js";

type Sorting = { readonly list: number[]; readonly sorted?: number[] };
const errors = ({ state }: Thought<Sorting>) => state.list.length - (state.sorted ?? []).length;

test("functions are given the task's state, without a cast", () => {
  plan<Sorting>([
    generate({
      prompt: ({ state, problem }) => {
        expectTypeOf(state.list).toEqualTypeOf<number[]>();
        expectTypeOf(problem.sorted).toEqualTypeOf<number[] | undefined>();
        return "sort";
      },
      parse: (_text, { thought }) => {
        expectTypeOf(thought.state.list).toEqualTypeOf<number[]>();
        return { sorted: [1] };
      },
    }),
    generate({ parseAll: (texts) => texts.map(() => ({ sorted: [] })) }),
    score({ by: ({ state }) => state.list.length }),
  ]);
});

test("a parser returns parts of the state", () => {
  // @ts-expect-error a number is not a list
  generate<Sorting>({ parse: () => ({ sorted: 7 }) });
  // @ts-expect-error not a part of the state
  generate<Sorting>({ parse: () => ({ sortd: [7] }) });
});

test("of parts that exclude each other one is taken", () => {
  const sorted = () => ({ sorted: [1] });
  // @ts-expect-error two ways to read an answer
  generate<Sorting>({ parse: sorted, parseAll: sorted });
  // @ts-expect-error
  plan<Sorting>([aggregate({ parse: sorted, schema: z.object({}) })]);
  // @ts-expect-error two scorers
  score<Sorting>({ by: errors, byAll: (all) => all.map(errors) });
  // @ts-expect-error two ways to read a verdict
  validateAndImprove<Sorting>({ parse: () => true, parseAll: () => true });
  // @ts-expect-error
  beamSearch<Sorting>({ generate: { parse: sorted, parseAll: sorted } });
  // @ts-expect-error
  const task: Task<Sorting> = { solve: { parse: sorted, schema: z.object({}) } };
  score<Sorting>({ by: errors, byAll: undefined, parse: undefined, parseAll: undefined });
  expectTypeOf(task).not.toBeAny();
});

test("functions of another task do not fit", () => {
  // @ts-expect-error its scorer needs a list
  plan<{ readonly text: string }>([generate(), score({ by: errors })]);
});

test("a task, its plans and its reasoner have one state", async () => {
  const task: Task<Sorting> = {
    solve: { prompt: ({ state }) => `${state.list}`, parse: () => ({ sorted: [1] }) },
    scorer: errors,
    truth: ({ state }, { problem }) => state.sorted?.length === problem.list.length,
  };
  const reasoner = thoughts({ policy: plans.tot(task, { branches: 2, rounds: 1 }) });
  const typed: Thoughts<Sorting> = reasoner;
  const end = await run(typed, { list: [2, 1] }, {} as never);
  if (end.status === "done")
    expectTypeOf(end.output.state.sorted).toEqualTypeOf<number[] | undefined>();
  expectTypeOf(end.context.graph).toEqualTypeOf<ThoughtGraph<Sorting>>();
  const [first] = thoughtGraph.listThoughts(end.context.graph);
  expectTypeOf(first?.state.list).toEqualTypeOf<number[] | undefined>();
  // @ts-expect-error a text is not a list
  await run(reasoner, "sort", {} as never);
  // @ts-expect-error nor is a list of strings
  await run(reasoner, { list: ["a"] }, {} as never);
});

test("without a state of its own it takes a text, or any JSON object", async () => {
  const reasoner = thoughts({ policy: beamSearch() });
  await run(reasoner, "why?", {} as never);
  await run(reasoner, { prompt: "why?", n: 3 }, {} as never);
});

test("a policy's memory has its own type", () => {
  policy<Sorting, { readonly round: number }>({
    name: "mine",
    operations: { solve: generate() },
    memory: { round: 0 },
    decide({ memory, graph }) {
      expectTypeOf(memory).toEqualTypeOf<{ readonly round: number }>();
      expectTypeOf(graph).toEqualTypeOf<ThoughtGraph<Sorting>>();
      return { begin: [{ use: "solve", on: "root" }], memory: { round: memory.round + 1 } };
    },
  });
});
