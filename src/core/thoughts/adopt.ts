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
  const tokens = least(spec.tokens, over.budget?.tokens);
  const cost = least(spec.costBudget, over.budget?.cost);
  return {
    ...context,
    name: spec.name,
    better: spec.better,
    budgets: { maxNodes, maxDepth, tokens, cost, modelCalls, deadline },
    ...(isOther && followed(spec, context, over.at)),
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

/** How the operations stand under another policy. */
function followed(
  spec: ThoughtsSpec,
  context: ThoughtsContext,
  at: number,
): Pick<ThoughtsContext, "operations" | "due" | "reached"> {
  const comes = toCome(spec, context.operations);
  return {
    ...placed(spec, context.operations, comes),
    reached: isReached(spec, context, at, comes),
  };
}

type Operations = ThoughtsContext["operations"];

/**
 * Which operations are to come: those that wait for a model, and those of the new policy that have not
 * begun. But a new one is passed over where one that comes after it has begun, and so is what comes
 * after nothing else.
 */
function toCome({ policy }: ThoughtsSpec, operations: Operations): (id: string) => boolean {
  const afterOf = (id: string) => policy.operation(id)?.after ?? [];
  const isPast = (id: string) => hasBegun(tableGet(operations, id));
  const past = new Set(
    tableValues(operations)
      .filter(hasBegun)
      .map(({ id }) => id),
  );
  for (const id of past) for (const each of afterOf(id)) past.add(each);
  const known = new Map<string, boolean>();
  const comes = (id: string): boolean => {
    const state = tableGet(operations, id);
    if (hasBegun(state)) return state.status === "running";
    const said = known.get(id);
    if (said !== undefined) return said;
    // The operations of a policy of one's own may form a cycle.
    known.set(id, false);
    const after = afterOf(id);
    const isDue =
      (state !== undefined || (policy.fixed === true && !past.has(id))) &&
      (after.length === 0 || after.some(isPast));
    const found = policy.operation(id) !== undefined && (after.some(comes) || isDue);
    known.set(id, found);
    return found;
  };
  return comes;
}

/**
 * Operations that have not begun wait for what the new policy says is before them; one that is left
 * nothing to wait for is due.
 */
function placed(
  { policy, name }: ThoughtsSpec,
  before: Operations,
  comes: (id: string) => boolean,
): Pick<ThoughtsContext, "operations" | "due"> {
  let operations = before;
  const due: string[] = [];
  const ids = tableValues(before).map(({ id }) => id);
  for (const id of new Set([...(policy.names ?? []), ...ids])) {
    const known = tableGet(before, id);
    const operation = policy.operation(id);
    const { after = [], index = 0 } = operation ?? {};
    if (hasBegun(known)) {
      const early = after.find(comes);
      if (early !== undefined) {
        throw upgradeRefused(`the operation ${id} has begun, and in ${name} it waits for ${early}`);
      }
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
  return { operations, due };
}

/**
 * Whether what has reached the score at which nothing more is asked is still good enough, and on its way
 * to the end: else nothing would be asked, and nothing be left.
 */
function isReached(
  spec: ThoughtsSpec,
  context: ThoughtsContext,
  at: number,
  comes: (id: string) => boolean,
): boolean {
  const { policy, better } = spec;
  const { until, names = [] } = policy;
  if (!context.reached || until === undefined) return false;
  const isOnItsWay = ({ id, use, status }: OperationState): boolean => {
    if (status !== "done" || policy.operation(use) === undefined) return false;
    const next = names.filter((each) => policy.operation(each)?.after.includes(id));
    const isOpen = (each: string) => !hasBegun(tableGet(context.operations, each)) && comes(each);
    return next.length === 0 || next.some(isOpen);
  };
  const work = workOn({ ...context, better }, spec, at);
  return tableValues(context.operations)
    .filter(isOnItsWay)
    .some(({ output }) => vectorItems(output).some((entry) => reaches(work, entry, until)));
}

function hasBegun(state: OperationState | undefined): state is OperationState {
  return state !== undefined && state.status !== "waiting";
}
