/**
 * The plans of the paper's experiments, for any task: input and output (IO), chain of thought,
 * self-consistency, tree of thoughts, graph of thoughts. Each is a few lines; write your own like
 * them.
 */

import * as shapes from "../../kernel/shapes.js";
import { asJson, canonical, type JsonObject } from "../../kernel/values/index.js";
import { checkDefinition } from "../../kernel/vocabulary/index.js";
import type { Thought } from "../graph/thought.js";
import { COUNT, COUNT_OR_NONE, FINITE } from "../operations/check-operation.js";
import type { Normaliser, Scorer, Selector, Validator } from "../operations/functions.js";
import {
  aggregate,
  type Generate,
  generate,
  groundTruth,
  keepBest,
  type OperationSpec,
  score,
  select,
  type ValidateAndImprove,
  validateAndImprove,
  type Without,
} from "../operations/operation.js";
import { normaliseAnswer } from "../operations/vote.js";
import { PREVIOUS, plan } from "./plan.js";
import type { Policy } from "./policy.js";

/** A prompt and how its answer is read; more than that as for `generate`. */
export type Question<State extends object = JsonObject> = Without<
  Generate<State>,
  "id" | "after" | "responses" | "splits"
>;

/** The facts of a task that plans need. */
export interface Task<State extends object = JsonObject> {
  /** Solves the task, or a part of it. */
  readonly solve?: Question<State>;
  /** Makes a solution better. Default: solves again. */
  readonly refine?: Question<State>;
  /** Solves the task step by step. Default: `solve`. */
  readonly stepByStep?: Question<State>;
  /** Splits the task; the parser returns a state for each part. */
  readonly split?: Question<State>;
  /** Merges the solutions of parts. */
  readonly merge?: Question<State>;
  /** Validates what was merged, and has it mended. Default: nothing does. */
  readonly validate?: ValidateAndImprove<State>;
  /** Default: the model. */
  readonly scorer?: Scorer<State>;
  /** Samples of a model that scores. Default 1. */
  readonly samples?: number;
  /** Tells a right solution, where that is known. */
  readonly truth?: Validator<State>;
  /**
   * The text by which two solutions count as the same, in a vote. Default: what the parser made of
   * them, where there is one, else the text behind "answer:", or all of it.
   */
  readonly normalise?: Normaliser<State>;
}

/** The width and depth of a tree of thoughts. */
export interface Tree {
  readonly branches: number;
  readonly rounds: number;
  /** A score at which no further round begins. */
  readonly until?: number;
}

/** The shape of a graph of thoughts that splits, solves, merges and refines. */
export interface Web {
  readonly parts: number;
  /** Solutions of each part. */
  readonly solve: number;
  /** Merged versions of each pair. */
  readonly merge: number;
  /** Refinements of each merged pair but the last. Default 0: none. */
  readonly polish?: number;
  /** Refinements in the end. Default 0: none. */
  readonly refine?: number;
  /** A score of the whole at which nothing more is asked. */
  readonly until?: number;
}

function scored<State extends object>(
  { scorer, samples }: Task<State>,
  after?: readonly string[],
): OperationSpec<State> {
  return score<State>({
    ...(scorer === undefined ? {} : { by: scorer }),
    ...(samples === undefined ? {} : { samples }),
    ...(after === undefined ? {} : { after }),
  });
}

function checked<State extends object>({ truth }: Task<State>): OperationSpec<State>[] {
  return truth === undefined ? [] : [groundTruth({ by: truth })];
}

const taskParts: shapes.Shapes<Task> = {
  solve: shapes.ANYTHING,
  refine: shapes.ANYTHING,
  stepByStep: shapes.ANYTHING,
  split: shapes.ANYTHING,
  merge: shapes.ANYTHING,
  validate: shapes.ANYTHING,
  scorer: shapes.ANYTHING,
  samples: shapes.ANYTHING,
  truth: shapes.ANYTHING,
  normalise: shapes.ANYTHING,
};
/** The parts of a shape that may be left out. */
const optional = ["polish", "refine", "until"];
const treeParts: shapes.Shapes<Tree> = { branches: COUNT, rounds: COUNT, until: FINITE };
const webParts: shapes.Shapes<Web> = {
  parts: COUNT,
  solve: COUNT,
  merge: COUNT,
  polish: COUNT_OR_NONE,
  refine: COUNT_OR_NONE,
  until: FINITE,
};

/**
 * Checks a plan's task, and its shape where it has one.
 * @throws ReckonerError `thoughts.plan`
 */
function check(
  name: string,
  task: unknown,
  shape: unknown = {},
  parts: Parameters<typeof checkDefinition>[3] = {},
): void {
  const needed = Object.keys(parts).filter((part) => !optional.includes(part));
  checkDefinition("thoughts.plan", `plans.${name}: the task`, task, taskParts);
  checkDefinition("thoughts.plan", `plans.${name}: its shape`, shape, parts, needed);
}

/** One answer. */
function io<State extends object = JsonObject>(task: Task<State>): Policy<State> {
  check("io", task);
  return plan([generate(task.solve), scored(task), ...checked(task)], { name: "io" });
}

/** One answer, thought through step by step. */
function cot<State extends object = JsonObject>(task: Task<State>): Policy<State> {
  check("cot", task);
  const solve = generate(task.stepByStep ?? task.solve);
  return plan([solve, scored(task), ...checked(task)], { name: "cot" });
}

/**
 * Several answers side by side, and a vote: as many calls as samples. The answer of the majority wins; a
 * scorer of the task's only says how good it is, and decides where two answers have as many votes.
 */
function selfConsistency<State extends object = JsonObject>(
  task: Task<State>,
  shape: { readonly samples: number },
): Policy<State> {
  check("selfConsistency", task, shape, { samples: COUNT });
  const question = task.stepByStep ?? task.solve;
  const isParsed = question?.parse ?? question?.parseAll ?? question?.schema;
  const byState = ({ state }: Thought<State>) => canonical(asJson(state));
  const normalise = task.normalise ?? (isParsed === undefined ? normaliseAnswer : byState);
  // A model's score would cost a call for each answer, and votes need none.
  const judged = task.scorer === undefined ? [] : [scored(task)];
  return plan(
    [
      generate({ ...question, responses: shape.samples }),
      ...judged,
      aggregate({ strategy: "voting", normalise }),
      ...judged,
      ...checked(task),
    ],
    { name: "selfConsistency" },
  );
}

/** Several answers, the best one kept and worked on, so many times. */
function tot<State extends object = JsonObject>(task: Task<State>, tree: Tree): Policy<State> {
  check("tot", task, tree, treeParts);
  const { branches, rounds, until } = tree;
  const operations: OperationSpec<State>[] = [
    generate({ id: "round-1", ...task.solve, responses: branches }),
    scored(task),
    keepBest({ id: "best-1" }),
  ];
  for (let round = 2; round <= rounds; round++) {
    const before = `best-${round - 1}`;
    operations.push(
      generate({ id: `round-${round}`, ...(task.refine ?? task.solve), responses: branches }),
      scored(task),
      keepBest({ id: `best-${round}`, after: [before, PREVIOUS] }),
    );
  }
  return plan([...operations, ...checked(task)], { name: "tot", until });
}

/** Split, solve the parts, merge them pair by pair, refine. */
function got<State extends object = JsonObject>(task: Task<State>, web: Web): Policy<State> {
  check("got", task, web, webParts);
  const { parts, solve, merge, polish = 0, refine = 0, until } = web;
  const operations: OperationSpec<State>[] = [generate({ id: "split", ...task.split })];
  const refined = (name: string, best: string, responses: number, last: boolean): string => {
    operations.push(
      generate({
        id: name.replace("refined", "refine"),
        after: best,
        ...(task.refine ?? task.solve),
        responses,
      }),
      // As in the paper: of equals the refined one wins, and in the end the one before.
      scored(task, last ? [best, PREVIOUS] : [PREVIOUS, best]),
      keepBest({ id: name }),
    );
    return name;
  };
  let row = Array.from({ length: parts }, (_, i) => {
    operations.push(
      select({ id: `part-${i + 1}`, after: "split", where: part(i) }),
      generate({ id: `solve-${i + 1}`, ...task.solve, responses: solve }),
      scored(task),
      keepBest({ id: `solved-${i + 1}` }),
    );
    return `solved-${i + 1}`;
  });
  for (let level = 1; row.length > 1; level++) {
    const last = row.length === 2;
    const next: string[] = [];
    for (let i = 0; i + 1 < row.length; i += 2) {
      const name = `${level}-${i / 2 + 1}`;
      operations.push(
        aggregate({
          id: `merge-${name}`,
          after: row.slice(i, i + 2),
          ...task.merge,
          responses: merge,
        }),
        ...(task.validate === undefined ? [] : [validateAndImprove(task.validate)]),
        scored(task),
        keepBest({ id: `merged-${name}` }),
      );
      const responses = last ? refine : polish;
      const merged = `merged-${name}`;
      next.push(responses === 0 ? merged : refined(`refined-${name}`, merged, responses, last));
    }
    // One that has no partner waits for the next level.
    row = row.length % 2 === 0 ? next : [...next, row.at(-1) as string];
  }
  return plan([...operations, ...checked(task)], { name: "got", until });
}

/** Picks the part of the split at an index. */
function part<State extends object>(index: number): Selector<State> {
  return (thoughts) => thoughts.slice(index, index + 1);
}

/** Plans for any task. */
export const plans: {
  readonly io: typeof io;
  readonly cot: typeof cot;
  readonly selfConsistency: typeof selfConsistency;
  readonly tot: typeof tot;
  readonly got: typeof got;
} = { io, cot, selfConsistency, tot, got };
