/**
 * On an upgrade: recomputes the parts of a run's context that come from its definition and not from
 * the past. What cannot be migrated is refused.
 */
import {
  type CarriedOver,
  checkCarried,
  type Table,
  tableDelete,
  tableGet,
  tableSet,
  tableValues,
  upgradeRefused,
} from "../kernel/index.js";
import { least } from "./budget.js";
import type { OperationState, ThoughtsContext } from "./context.js";
import { blank } from "./decide.js";
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
  const operations = over.differs("policy") ? later(spec, context) : context.operations;
  const tokens = least(spec.tokens, over.budget?.tokens);
  const cost = least(spec.costBudget, over.budget?.cost);
  return {
    ...context,
    name: spec.name,
    better: spec.better,
    operations,
    budgets: { maxNodes, maxDepth, tokens, cost, modelCalls, deadline },
  };
}

/** Operations that have begun must be the same. */
function checkPolicy({ policy, name }: ThoughtsSpec, context: ThoughtsContext): void {
  if (policy.name !== context.policy) {
    throw upgradeRefused(
      `its policy was ${context.policy} and is ${policy.name}, which does not know what that one remembers`,
    );
  }
  const running: Record<string, number> = { ...idle };
  for (const { id, use, status } of tableValues(context.operations)) {
    if (status !== "running") continue;
    const operation = policy.operation(use);
    if (operation === undefined) {
      throw upgradeRefused(`the operation ${id} is not done, and ${name} has none named ${use}`);
    }
    const activity = activityOf(operation.kind);
    if (activity !== undefined) {
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

/**
 * Operations that have not begun are the new policy's, and wait for what that says is before them. What
 * would have begun before the upgrade is passed over: nobody waits for it.
 */
function later({ policy, name }: ThoughtsSpec, context: ThoughtsContext): Table<OperationState> {
  const before = context.operations;
  const isToCome = new Map<string, boolean>();
  const comes = (id: string): boolean => {
    const status = tableGet(before, id)?.status ?? "waiting";
    if (status !== "waiting") return status === "running";
    const known = isToCome.get(id);
    if (known !== undefined) return known;
    // The operations of a policy of one's own may form a cycle.
    isToCome.set(id, false);
    const found = policy.operation(id)?.after.some(comes) ?? false;
    isToCome.set(id, found);
    return found;
  };
  const ids = tableValues(before).map(({ id }) => id);
  let operations = before;
  for (const id of new Set([...ids, ...(policy.names ?? [])])) {
    const known = tableGet(before, id);
    const operation = policy.operation(id);
    const { after = [], index = 0 } = operation ?? {};
    if (known !== undefined && known.status !== "waiting") {
      const early = after.find(comes);
      if (early === undefined) continue;
      throw upgradeRefused(`the operation ${id} has begun, and in ${name} it waits for ${early}`);
    }
    const missing = after.filter(comes).length;
    if (operation !== undefined && known !== undefined && missing === 0) {
      throw upgradeRefused(`the operation ${id} waits, and ${name} leaves it nothing to wait for`);
    }
    if (missing === 0 || missing === after.length) operations = tableDelete(operations, id);
    else if (missing !== known?.missing) {
      operations = tableSet(operations, id, { ...(known ?? blank(id, index, id, {})), missing });
    }
  }
  return operations;
}
