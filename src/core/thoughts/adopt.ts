/**
 * Carries a Graph-of-Thoughts run over to another definition when it is upgraded. Open questions and
 * operations that have begun stay as they are; the new policy holds from the next decision on, and budgets
 * with the next call. A context that cannot be carried over is refused.
 */
import { type CarriedOver, checkCarried, upgradeRefused } from "../kernel/machine/index.js";
import { tableValues } from "../kernel/values/index.js";
import { least } from "./budget.js";
import type { ThoughtsContext } from "./context.js";
import { emptyGraph } from "./graph/graph.js";
import { emptyContext } from "./machine.js";
import { mannerOf } from "./operations/index.js";
import type { ThoughtsSpec } from "./spec.js";

/**
 * The context under another definition. A deadline stays as it was when the run began: its timer is
 * outstanding.
 * @throws ReckonerError `upgrade.refused`
 */
export function adopt(
  spec: ThoughtsSpec,
  context: ThoughtsContext,
  over: CarriedOver,
): ThoughtsContext {
  checkCarried(spec.name, context, emptyContext(spec, emptyGraph, context.budgets));
  if (over.differs("policy")) checkPolicy(spec, context);
  const { maxNodes, maxDepth, modelCalls } = spec;
  const { deadline } = context.budgets;
  const tokens = least(spec.tokens, over.budget?.tokens);
  const cost = least(spec.costBudget, over.budget?.cost);
  const carried: ThoughtsContext = {
    ...context,
    better: spec.better,
    budgets: { maxNodes, maxDepth, tokens, cost, modelCalls, deadline },
  };
  const isOther = over.differs("policy") || over.differs("better");
  // A score that was reached is looked at anew, with the next operation that is done.
  return isOther ? { ...carried, reached: false } : carried;
}

/** @throws ReckonerError where an operation that runs is not the same in the new policy */
function checkPolicy({ policy, name }: ThoughtsSpec, context: ThoughtsContext): void {
  if (policy.name !== context.policy) {
    throw upgradeRefused(
      `its policy was ${context.policy} and is ${policy.name}, which does not know what that one remembers`,
    );
  }
  for (const { id, use, status, manner } of tableValues(context.operations)) {
    if (status !== "running") continue;
    const operation = policy.operations.get(use);
    if (operation === undefined) {
      throw upgradeRefused(`the operation ${id} is not done, and ${name} has none named ${use}`);
    }
    const now = mannerOf(operation);
    if (now !== manner) {
      throw upgradeRefused(`the operation ${id} waits for a model as ${manner}, and is ${now} now`);
    }
  }
}
