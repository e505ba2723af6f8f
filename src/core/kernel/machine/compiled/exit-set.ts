/**
 * Computes the states that transitions leave, and which of several transitions are taken where they exclude
 * each other, by the rules of SCXML as XState implements them. Used by `lay-out.ts`; tests of rule K7 compare
 * it with XState.
 */
import type { AnyStateNode } from "xstate";
import { liesIn, type Transition, upwards } from "../nodes.js";
import { defaultOfHistory, type HistoryStates } from "./history-states.js";

/** The states that a transition leads to, with those that history states stand for. */
export function effectiveTargets(
  targets: readonly AnyStateNode[] | undefined,
  history: HistoryStates,
): readonly AnyStateNode[] {
  return (targets ?? []).flatMap((target) =>
    target.type === "history"
      ? (history.recall(target) ?? effectiveTargets(defaultOfHistory(target), history))
      : [target],
  );
}

/**
 * The state within which a transition happens: all in it is left, and what leads to the targets is
 * entered. `undefined` where the machine itself is left and entered again.
 */
export function domainOf(
  { source, reenter, target }: Transition,
  history: HistoryStates,
): AnyStateNode | undefined {
  const targets = effectiveTargets(target, history);
  const within = (node: AnyStateNode) => node === source || liesIn(node, source);
  if (!reenter && targets.every(within)) return source;
  const all = [...targets, source];
  const common = upwards(all[0] as AnyStateNode)
    .slice(1)
    .find((node) => all.every((each) => liesIn(each, node)));
  return common ?? (reenter ? undefined : source.machine.root);
}

/** The active states that a transition leaves. */
export function exitSet(
  transition: Transition,
  active: readonly AnyStateNode[],
  history: HistoryStates,
): readonly AnyStateNode[] {
  if (transition.target === undefined || transition.target.length === 0) return [];
  const domain = domainOf(transition, history);
  return domain === undefined ? active : active.filter((node) => liesIn(node, domain));
}

/**
 * The transitions that are taken: of two that leave the same state the one whose source lies within
 * that of the other, else the first.
 */
export function withoutConflicts(
  transitions: readonly Transition[],
  active: readonly AnyStateNode[],
  history: HistoryStates,
): readonly Transition[] {
  const taken = new Map<Transition, readonly AnyStateNode[]>();
  for (const transition of transitions) {
    const exits = exitSet(transition, active, history);
    const rivals = [...taken]
      .filter(([, others]) => others.some((node) => exits.includes(node)))
      .map(([rival]) => rival);
    if (!rivals.every(({ source }) => liesIn(transition.source, source))) continue;
    for (const rival of rivals) taken.delete(rival);
    taken.set(transition, exits);
  }
  return [...taken.keys()];
}
