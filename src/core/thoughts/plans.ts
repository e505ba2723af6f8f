/**
 * The plans of the paper's experiments, for any task: input and output (IO), chain of thought, self-
 * consistency, tree of thoughts, graph of thoughts. Each is a few lines; write your own like them.
 */
import type { Parser, Prompt, PromptView, Scorer, Validator } from "./functions.js";
import {
  aggregate,
  generate,
  groundTruth,
  keepBest,
  type OperationSpec,
  score,
  select,
  type ValidateAndImprove,
  validateAndImprove,
} from "./operation.js";
import { PREVIOUS, plan } from "./plan.js";
import type { Policy } from "./policy.js";

/** A prompt and how its answer is read. */
export interface Question {
  readonly prompt?: Prompt;
  readonly parse?: Parser;
}

/** What a plan has to know of a task. */
export interface Task {
  /** Solves the task, or a part of it. */
  readonly solve?: Question;
  /** Makes a solution better. Default: solves again. */
  readonly refine?: Question;
  /** Solves the task step by step. Default: `solve`. */
  readonly stepByStep?: Question;
  /** Splits the task; the parser returns a state for each part. */
  readonly split?: Question;
  /** Merges the solutions of parts. */
  readonly merge?: Question;
  /** Validates what was merged, and has it mended. Default: nothing does. */
  readonly validate?: ValidateAndImprove;
  /** Default: the reasoner's scorer, else the model. */
  readonly scorer?: Scorer;
  /** Samples of a model that scores. Default 1. */
  readonly samples?: number;
  /** Whether a solution is right, where that is known. */
  readonly truth?: Validator;
}

/** How wide and how deep a tree of thoughts is. */
export interface Tree {
  readonly branches: number;
  readonly rounds: number;
}

/** How a graph of thoughts splits, solves, merges and refines. */
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
}

const scored = ({ scorer, samples }: Task, after?: readonly string[]): OperationSpec =>
  score({
    ...(scorer === undefined ? {} : { by: scorer }),
    ...(samples === undefined ? {} : { samples }),
    ...(after === undefined ? {} : { after }),
  });

const checked = ({ truth }: Task): OperationSpec[] =>
  truth === undefined ? [] : [groundTruth({ by: truth })];

/** One answer. */
function io(task: Task): Policy {
  return plan([generate(task.solve), scored(task), ...checked(task)], "io");
}

/** One answer, thought through step by step. */
function cot(task: Task): Policy {
  return plan([generate(task.stepByStep ?? task.solve), scored(task), ...checked(task)], "cot");
}

/** Several answers side by side, and a vote. */
function selfConsistency(task: Task, { samples }: { readonly samples: number }): Policy {
  const ask = { ...(task.stepByStep ?? task.solve), responses: samples };
  return plan(
    [
      generate(ask),
      scored(task),
      aggregate({ strategy: "voting" }),
      scored(task),
      ...checked(task),
    ],
    "selfConsistency",
  );
}

/** Several answers, the best one kept and worked on, so many times. */
function tot(task: Task, { branches, rounds }: Tree): Policy {
  const operations: OperationSpec[] = [
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
  return plan([...operations, ...checked(task)], "tot");
}

/** Split, solve the parts, merge them pair by pair, refine. */
function got(task: Task, web: Web): Policy {
  const { parts, solve, merge, polish = 0, refine = 0 } = web;
  const operations: OperationSpec[] = [
    generate({ id: "split", ...task.split, parse: inParts(task) }),
  ];
  const refined = (name: string, best: string, responses: number): string => {
    operations.push(
      generate({ after: best, ...(task.refine ?? task.solve), responses }),
      scored(task, [best, PREVIOUS]),
      keepBest({ id: name }),
    );
    return name;
  };
  let row = Array.from({ length: parts }, (_, i) => {
    operations.push(
      select({ id: `part-${i + 1}`, after: "split", where: isPart(i + 1) }),
      generate({ ...task.solve, responses: solve }),
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
      next.push(responses === 0 ? merged : refined(`refined-${name}`, merged, responses));
    }
    // One that has no partner waits for the next level.
    row = row.length % 2 === 0 ? next : [...next, row.at(-1) as string];
  }
  return plan([...operations, ...checked(task)], "got");
}

/** The split's parser, with each part's number in its state. */
function inParts({ split }: Task): Parser {
  return function parts(text: string, view: PromptView) {
    const states = split?.parse?.(text, view);
    const list = (Array.isArray(states) ? states : [states ?? []].flat()) as readonly object[];
    return list.map((state, i) => ({ part: i + 1, ...state }));
  };
}

function isPart(part: number): Parameters<typeof select>[0]["where"] {
  return (thoughts) => thoughts.filter(({ state }) => state.part === part);
}

/** Plans for any task. */
export const plans: {
  readonly io: typeof io;
  readonly cot: typeof cot;
  readonly selfConsistency: typeof selfConsistency;
  readonly tot: typeof tot;
  readonly got: typeof got;
} = { io, cot, selfConsistency, tot, got };
