/**
 * On an upgrade: recomputes the parts of a run's context that come from its definition and not from
 * the past. What cannot be migrated is refused.
 */
import { type CarriedOver, checkCarried, tableValues, upgradeRefused } from "../kernel/index.js";
import { least } from "./budget.js";
import type { ThoughtsContext } from "./context.js";
import { idle } from "./end.js";
import { activityOf } from "./engine.js";
import { emptyGraph } from "./graph.js";
import { emptyContext } from "./machine.js";
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
  return {
    ...context,
    name: spec.name,
    better: spec.better,
    budgets: { maxNodes, maxDepth, tokens, cost, modelCalls, deadline },
  };
}

/** Operations that have begun must be the same; later ones are the new policy's. */
function checkPolicy({ policy, name }: ThoughtsSpec, context: ThoughtsContext): void {
  if (policy.name !== context.policy) {
    throw upgradeRefused(
      `its policy was ${context.policy} and is ${policy.name}, which does not know what that one remembers`,
    );
  }
  const running: Record<string, number> = { ...idle };
  for (const { id, use, status } of tableValues(context.operations)) {
    if (status === "done") continue;
    const operation = policy.operation(use);
    if (operation === undefined) {
      throw upgradeRefused(`the operation ${id} is not done, and ${name} has none named ${use}`);
    }
    const activity = activityOf(operation.kind);
    if (status === "running" && activity !== undefined) {
      running[activity] = (running[activity] as number) + 1;
    }
  }
  const other = Object.entries(context.running).find(([activity, n]) => running[activity] !== n);
  if (other !== undefined) {
    throw upgradeRefused(
      `an operation that waits for a model was ${other[0]}, and is of another kind now`,
    );
  }
}
