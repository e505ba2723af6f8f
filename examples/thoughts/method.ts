/**
 * The paper's methods and their sizes, for all tasks, and the best of many answers, as many as a budget
 * allows. A config says which one it runs by METHOD (io,
 * cot, tot, tot2, got) and SIZE in the environment.
 */
import {
  plans,
  type Task,
  type ThoughtsPolicy,
  type TreeShape,
  type WebShape,
} from "reckoner/thoughts";

export const methods = ["io", "cot", "tot", "tot2", "got"] as const;
export type Method = (typeof methods)[number] | "best";

/** So many answers no budget of a comparison pays for. */
const MANY = 500;

/** How wide and deep each method goes on a task of one size. */
export interface Sizes {
  readonly tot: TreeShape;
  readonly tot2: TreeShape;
  readonly got: WebShape;
}

/** The policy of a method. */
export function policyOf<State extends object>(
  method: Method,
  task: Task<State>,
  sizes: Sizes,
): ThoughtsPolicy<State> {
  switch (method) {
    case "io":
      return plans.io(task);
    case "cot":
      return plans.cot(task);
    case "best":
      return plans.tot(task, { branches: MANY, rounds: 1 });
    case "tot":
    case "tot2":
      return plans.tot(task, sizes[method]);
    case "got":
      return plans.got(task, sizes.got);
  }
}

/** The method that the environment asks for. */
export function methodFromEnvironment(): (typeof methods)[number] {
  const asked = process.env.METHOD ?? "got";
  const method = methods.find((each) => each === asked);
  if (method === undefined)
    throw new Error(`METHOD is one of ${methods.join(", ")}, not ${asked}.`);
  return method;
}

/** The size that the environment asks for. */
export function sizeFromEnvironment(sizes: readonly number[]): number {
  const asked = Number(process.env.SIZE ?? sizes[0]);
  if (!sizes.includes(asked)) throw new Error(`SIZE is one of ${sizes.join(", ")}, not ${asked}.`);
  return asked;
}
