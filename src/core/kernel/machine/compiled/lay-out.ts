/**
 * Lists, for transitions that are taken together, all actions in order (exit, transition, entry) and the
 * states that are active afterwards, by the rules of SCXML as XState implements them. `configuration.ts`
 * keeps the result in the tables; tests of rule K7 compare it with XState.
 */
import type { AnyStateNode } from "xstate";
import { childrenOf, type Transition } from "../nodes.js";
import type { MachineParts } from "./compile-parts.js";
import { EntrySet } from "./entry-set.js";
import { exitSet, withoutConflicts } from "./exit-set.js";
import type { HistoryStates } from "./history-states.js";
import type { Action } from "./table-types.js";

/** The active states, in XState's order: those that were entered last come last. */
export interface Active {
  readonly nodes: readonly AnyStateNode[];
  readonly history: HistoryStates;
}

/** The actions on the way, and the states that are active behind it. */
export interface LaidOut extends Active {
  readonly actions: readonly Action[];
  /** True where other states are active, or history states remember anew. */
  readonly moves: boolean;
}

/** Lays out the move of transitions that are taken together. */
export function layOut(
  transitions: readonly Transition[],
  from: Active,
  parts: MachineParts,
): LaidOut {
  const taken = withoutConflicts(transitions, from.nodes, from.history);
  const left = new Set(taken.flatMap((each) => exitSet(each, from.nodes, from.history)));
  const exits = [...left].sort((a, b) => b.order - a.order);
  const history = from.history.after(exits, from.nodes);
  const stay = from.nodes.filter((node) => !left.has(node));
  const entered = enter(new EntrySet(taken, history), stay, parts);
  const moves = history !== from.history || !sameStates(entered.nodes, from.nodes);
  return {
    actions: [
      ...exits.flatMap((node) => parts.of(node).exit),
      ...taken.flatMap((each) => parts.ofTransition(each).actions),
      ...entered.actions,
    ],
    // XState keeps the order where the states are the same.
    nodes: moves ? entered.nodes : from.nodes,
    history,
    moves,
  };
}

/** Lays out the first move: a machine enters itself. */
export function layOutStart(
  root: AnyStateNode,
  history: HistoryStates,
  parts: MachineParts,
): LaidOut {
  const itself = { source: root, target: [root], reenter: true } as unknown as Transition;
  return { ...enter(new EntrySet([itself], history), [], parts), history, moves: true };
}

/** Enters states one after the other, each with its entry; final ones say what is done with them. */
function enter(
  entry: EntrySet,
  stay: readonly AnyStateNode[],
  parts: MachineParts,
): { readonly nodes: readonly AnyStateNode[]; readonly actions: readonly Action[] } {
  const active = new Set(stay);
  const done = new Set<AnyStateNode>();
  const actions: Action[] = [];
  let ends = false;
  for (const node of entry.states) {
    active.add(node);
    const { entry: own, initial } = parts.of(node);
    actions.push(...own, ...(entry.isByDefault(node) ? initial : []));
    if (node.type !== "final") continue;
    const endActions = completions(node, active, done);
    actions.push(...endActions);
    ends ||= endActions.some(({ kind }) => kind === "output");
  }
  const nodes = [...active];
  // A machine that is done leaves the states that it is in, the innermost first.
  const last = ends ? [...nodes].sort((a, b) => b.order - a.order) : [];
  return { nodes, actions: [...actions, ...last.flatMap((node) => parts.of(node).exit)] };
}

/**
 * The events of a final state that is entered: the state that it ends is done, and so are parallel
 * states in which every region is; at the top the machine.
 * @param done the parallel states that have told so in the same microstep
 */
function completions(
  node: AnyStateNode,
  active: ReadonlySet<AnyStateNode>,
  done: Set<AnyStateNode>,
): readonly Action[] {
  const actions: Action[] = [];
  const tell = ({ id }: AnyStateNode, output: unknown) =>
    actions.push({ kind: "done", event: `xstate.done.state.${id}`, output });
  const parent = node.parent as AnyStateNode | undefined;
  let above = (parent?.type === "parallel" ? parent : parent?.parent) as AnyStateNode | undefined;
  let last = above ?? node;
  if (parent?.type === "compound") tell(parent, node.output);
  while (above?.type === "parallel" && !done.has(above) && isDone(above, active)) {
    done.add(above);
    tell(above, undefined);
    last = above;
    above = above.parent;
  }
  if (above !== undefined) return actions;
  const root = node.machine.root as AnyStateNode;
  const final = last.parent === undefined ? undefined : last.output;
  const event = `xstate.done.state.${last.id}`;
  actions.push({ kind: "output", event, final, output: root.output });
  return actions;
}

/** Returns true for a state in which a final state is active, or one in each region. */
export function isDone(node: AnyStateNode, active: ReadonlySet<AnyStateNode>): boolean {
  const children = childrenOf(node);
  if (node.type === "compound") {
    return children.some((each) => each.type === "final" && active.has(each));
  }
  if (node.type === "parallel") return children.every((each) => isDone(each, active));
  return node.type === "final";
}

function sameStates(some: readonly AnyStateNode[], others: readonly AnyStateNode[]): boolean {
  const set = new Set(some);
  return set.size === others.length && others.every((node) => set.has(node));
}
