/**
 * Carries a run over to another definition. Open questions stay as they are; the new policy holds from
 * the next decision on, and budgets with the next call. A context that cannot be carried over is refused.
 */
import {
  type CarriedOver,
  checkCarried,
  tableGet,
  tableSet,
  tableValues,
  upgradeRefused,
  vectorItems,
} from "../kernel/index.js";
import { least } from "./budget.js";
import type { OperationState, ThoughtsContext } from "./context.js";
import { emptyGraph } from "./graph/graph.js";
import { emptyContext } from "./machine.js";
import { mannerOf } from "./operations/index.js";
import type { Operation } from "./operations/operation.js";
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
  const tokens = least(spec.tokens, over.budget?.tokens);
  const cost = least(spec.costBudget, over.budget?.cost);
  const carried: ThoughtsContext = {
    ...context,
    name: spec.name,
    better: spec.better,
    budgets: { maxNodes, maxDepth, tokens, cost, modelCalls, deadline },
  };
  const isOther = over.differs("policy") || over.differs("better");
  return isOther ? replanned(spec, carried, over.at) : carried;
}

/** @throws ReckonerError where an operation that runs is not the same in the new policy */
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

/** The context with the operations as the new policy has them. */
function replanned(spec: ThoughtsSpec, context: ThoughtsContext, at: number): ThoughtsContext {
  const { policy, name } = spec;
  const names = policy.fixed === true ? (policy.names ?? []) : [];
  const skipped = skippedIn(spec, context, names);
  let { operations } = context;
  const isToCome = (id: string): boolean => {
    const state = tableGet(operations, id);
    return !skipped.has(id) && (state === undefined || state.status === "running");
  };
  for (const id of names) {
    const state = tableGet(operations, id);
    const { after = [], index = 0 } = policy.operation(id) ?? {};
    if (state === undefined) continue;
    const early = after.find(isToCome);
    if (early !== undefined) {
      throw upgradeRefused(`the operation ${id} has begun, and in ${name} it waits for ${early}`);
    }
    // Of two verdicts on a thought the one of the later operation counts.
    if (state.index !== index) operations = tableSet(operations, id, { ...state, index });
  }
  const next: ThoughtsContext = { ...context, operations, skipped: [...skipped], replanned: true };
  const isOpen = (id: string) => tableGet(operations, id) === undefined && !skipped.has(id);
  return { ...next, reached: isReached(spec, next, at, isOpen) };
}

/**
 * The new operations that are skipped: a later one has already begun, or all of their predecessors were
 * skipped. Nothing waits for a skipped operation.
 */
function skippedIn(
  { policy }: ThoughtsSpec,
  { operations }: ThoughtsContext,
  names: readonly string[],
): ReadonlySet<string> {
  const afterOf = (id: string) => policy.operation(id)?.after ?? [];
  const begun = names.filter((id) => tableGet(operations, id) !== undefined);
  const past = new Set(begun.flatMap(afterOf));
  for (const id of past) for (const each of afterOf(id)) past.add(each);
  const skipped = new Set<string>();
  const isOver = (id: string) => tableGet(operations, id)?.status === "done" || skipped.has(id);
  for (let before = -1; before < skipped.size; ) {
    before = skipped.size;
    for (const id of names) {
      const after = afterOf(id);
      if (tableGet(operations, id) !== undefined || !after.every(isOver)) continue;
      const isLeft = after.length > 0 && after.every((each) => skipped.has(each));
      if (past.has(id) || isLeft) skipped.add(id);
    }
  }
  return skipped;
}

/**
 * Returns true when a thought that reached the score at which nothing more is asked is still good enough,
 * and on its way to the end: else nothing would be asked, and nothing be left.
 */
function isReached(
  spec: ThoughtsSpec,
  context: ThoughtsContext,
  at: number,
  isOpen: (id: string) => boolean,
): boolean {
  const { policy } = spec;
  const { until, names = [] } = policy;
  if (!context.reached || until === undefined) return false;
  const isOnItsWay = ({ id, use, status }: OperationState): boolean => {
    if (status !== "done" || policy.operation(use) === undefined) return false;
    const next = names.filter((each) => policy.operation(each)?.after.includes(id));
    return next.length === 0 || next.some(isOpen);
  };
  const work = workOn(context, spec, at);
  return tableValues(context.operations)
    .filter(isOnItsWay)
    .some(({ output }) => vectorItems(output).some((entry) => reaches(work, entry, until)));
}
