/**
 * On an upgrade: recomputes the parts of a run's context that come from its definition and not from
 * the past. What cannot be migrated is refused.
 */
import {
  type CarriedOver,
  checkCarried,
  tableDelete,
  tableGet,
  tableSet,
  tableValues,
  upgradeRefused,
  vectorItems,
} from "../kernel/index.js";
import { least } from "./budget.js";
import type { OperationState, ThoughtsContext } from "./context.js";
import { blank } from "./decide.js";
import { emptyGraph } from "./graph.js";
import { emptyContext } from "./machine.js";
import type { Operation } from "./operation.js";
import { mannerOf } from "./operations/index.js";
import type { ThoughtsSpec } from "./spec.js";
import { reaches } from "./whole.js";
import { workOn } from "./work.js";

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
  const isOther = over.differs("policy") || over.differs("better");
  const { operations, due, reached } = isOther ? later(spec, context, over.at) : context;
  const tokens = least(spec.tokens, over.budget?.tokens);
  const cost = least(spec.costBudget, over.budget?.cost);
  return {
    ...context,
    name: spec.name,
    better: spec.better,
    operations,
    due,
    reached,
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
  for (const { id, use, with: over, status, manner } of tableValues(context.operations)) {
    if (status !== "running") continue;
    const operation = policy.operation(use);
    if (operation === undefined) {
      throw upgradeRefused(`the operation ${id} is not done, and ${name} has none named ${use}`);
    }
    const now = mannerOf({ ...operation, ...over } as Operation);
    if (now !== manner) {
      throw upgradeRefused(`the operation ${id} waits for a model as ${manner}, and is ${now} now`);
    }
  }
}

/**
 * Operations that have not begun are the new policy's, and wait for what that says is before them. One
 * that is left nothing to wait for is due; but a new one is passed over where one that comes after it
 * has begun, and so is what comes after nothing else.
 */
function later(
  spec: ThoughtsSpec,
  context: ThoughtsContext,
  at: number,
): Pick<ThoughtsContext, "operations" | "due" | "reached"> {
  const { policy, name } = spec;
  const before = context.operations;
  const states = tableValues(before);
  const afterOf = (id: string) => policy.operation(id)?.after ?? [];
  const past = new Set(states.filter(hasBegun).map(({ id }) => id));
  for (const id of past) for (const each of afterOf(id)) past.add(each);
  const isToCome = new Map<string, boolean>();
  const comes = (id: string): boolean => {
    const state = tableGet(before, id);
    if (hasBegun(state)) return state.status === "running";
    const known = isToCome.get(id);
    if (known !== undefined) return known;
    // The operations of a policy of one's own may form a cycle.
    isToCome.set(id, false);
    const after = afterOf(id);
    const isDue =
      (state !== undefined || (policy.fixed === true && !past.has(id))) &&
      (after.length === 0 || after.some((each) => hasBegun(tableGet(before, each))));
    const found = policy.operation(id) !== undefined && (after.some(comes) || isDue);
    isToCome.set(id, found);
    return found;
  };
  let operations = before;
  const due: string[] = [];
  for (const id of new Set([...(policy.names ?? []), ...states.map((each) => each.id)])) {
    const known = tableGet(before, id);
    const operation = policy.operation(id);
    const { after = [], index = 0 } = operation ?? {};
    const early = hasBegun(known) ? after.find(comes) : undefined;
    if (early !== undefined) {
      throw upgradeRefused(`the operation ${id} has begun, and in ${name} it waits for ${early}`);
    }
    if (hasBegun(known)) {
      // Which of two verdicts counts goes by their operations' places.
      const isMoved = policy.fixed === true && operation !== undefined && known.index !== index;
      if (isMoved) operations = tableSet(operations, id, { ...known, index });
      continue;
    }
    const missing = after.filter(comes).length;
    const isDue = missing === 0 && comes(id);
    if (isDue) due.push(id);
    operations =
      isDue || (missing > 0 && missing < after.length)
        ? tableSet(operations, id, { ...blank(id, index, id, {}), missing })
        : tableDelete(operations, id);
  }
  // What is as good must still be on its way to the end, or nothing more is asked, and nothing is left.
  const isOnItsWay = ({ id, use, status }: OperationState): boolean => {
    if (status !== "done" || policy.operation(use) === undefined) return false;
    const next = (policy.names ?? []).filter((each) => afterOf(each).includes(id));
    return (
      next.length === 0 || next.some((each) => !hasBegun(tableGet(before, each)) && comes(each))
    );
  };
  const work = workOn({ ...context, better: spec.better }, spec, at);
  const { until } = policy;
  const reached =
    context.reached &&
    until !== undefined &&
    states.some(
      (state) =>
        isOnItsWay(state) && vectorItems(state.output).some((entry) => reaches(work, entry, until)),
    );
  return { operations, due, reached };
}

function hasBegun(state: OperationState | undefined): state is OperationState {
  return state !== undefined && state.status !== "waiting";
}
