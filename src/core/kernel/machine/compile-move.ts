/**
 * Compiles a transition: which states it leaves and enters from a leaf, and all actions on the way,
 * in order. The rules are those of SCXML as XState implements them; K7 compares.
 */
import type { AnyStateNode } from "xstate";
import { compileActions, type Known } from "./compile-action.js";
import { liesIn, placeOf, type Transition, upwards } from "./nodes.js";
import type { Action } from "./tables.js";

/** A transition from a leaf: the leaf it leads to, and what happens on its way. */
export interface LaidOut {
  readonly leaf: AnyStateNode;
  readonly actions: readonly Action[];
}

/** A state's own actions. */
export function ownActions(
  node: AnyStateNode,
  known: Known,
): { readonly entry: Action[]; readonly exit: Action[]; readonly initial: Action[] } {
  const place = placeOf(node);
  return {
    entry: compileActions(node.entry, known, place),
    exit: compileActions(node.exit, known, place),
    initial: compileActions(node.initial.actions, known, place),
  };
}

/** @throws NotCompiled */
export function layOutMove(from: AnyStateNode, transition: Transition, known: Known): LaidOut {
  const place = placeOf(transition.source);
  const own = compileActions(transition.actions, known, place);
  const target = transition.target?.[0];
  if (target === undefined) return { leaf: from, actions: own };
  const domain = domainOf(transition, target, known.root);
  const { entered, byDefault, leaf } = entrySet(transition, target, domain);
  const exits = exitSet(from, domain).flatMap((node) => ownActions(node, known).exit);
  return { leaf, actions: [...exits, ...own, ...entries(entered, byDefault, leaf, known)] };
}

/** How the machine begins: it enters itself and its initial states. @throws NotCompiled */
export function layOutStart(known: Known): LaidOut {
  const entered = [known.root, ...initialStates(known.root)];
  const leaf = entered.at(-1) as AnyStateNode;
  return { leaf, actions: entries(entered, new Set(entered), leaf, known) };
}

/** What happens where states are entered, the outermost first. */
function entries(
  entered: readonly AnyStateNode[],
  byDefault: ReadonlySet<AnyStateNode>,
  leaf: AnyStateNode,
  known: Known,
): readonly Action[] {
  const actions = entered.flatMap((node) => {
    const { entry, initial } = ownActions(node, known);
    return [...entry, ...(byDefault.has(node) ? initial : []), ...finalOf(node, known)];
  });
  const ends = entered.includes(leaf) && leaf.type === "final" && leaf.parent === known.root;
  // Where the machine is done, it leaves the states that it is in, the innermost first.
  const last = ends ? upwards(leaf).flatMap((node) => ownActions(node, known).exit) : [];
  return [...actions, ...last];
}

/**
 * The state within which a transition happens: all in it is left, and what leads to the target is
 * entered. `undefined` where the machine itself is left and entered again.
 */
function domainOf(
  { source, reenter }: Transition,
  target: AnyStateNode,
  root: AnyStateNode,
): AnyStateNode | undefined {
  if (!reenter && (target === source || liesIn(target, source))) return source;
  const common = upwards(target)
    .slice(1)
    .find((node) => liesIn(source, node));
  return common ?? (reenter ? undefined : root);
}

/** The states that are left, the innermost first. */
function exitSet(from: AnyStateNode, domain: AnyStateNode | undefined): readonly AnyStateNode[] {
  return upwards(from).filter((node) => domain === undefined || liesIn(node, domain));
}

/** The states that are entered, the outermost first, and the leaf that the last of them is. */
function entrySet(
  { source, reenter }: Transition,
  target: AnyStateNode,
  domain: AnyStateNode | undefined,
): {
  readonly entered: readonly AnyStateNode[];
  /** Those of them whose initial transition is taken too. */
  readonly byDefault: ReadonlySet<AnyStateNode>;
  readonly leaf: AnyStateNode;
} {
  const down = initialStates(target);
  const byDefault = new Set(down);
  // A target within which the transition happens was never left.
  if (source !== target || source !== domain || reenter) byDefault.add(target);
  // From what contains the target down to it, without the state within which all of it happens.
  const above = target === domain ? [] : upwards(target).slice(1);
  const end = domain === undefined ? -1 : above.indexOf(domain);
  const between = above.slice(0, end < 0 ? above.length : end);
  const entered = new Set([...between, ...byDefault]);
  return {
    entered: [...entered].sort((a, b) => a.order - b.order),
    byDefault,
    leaf: down.at(-1) ?? target,
  };
}

/** The states that follow from entering a state: its initial one, that one's, and so on. */
function initialStates(node: AnyStateNode): AnyStateNode[] {
  const states: AnyStateNode[] = [];
  let at = node;
  while (at.type === "compound") {
    at = at.initial.target[0] as AnyStateNode;
    states.push(at);
  }
  return states;
}

/** What a final state tells when it is entered. */
function finalOf(node: AnyStateNode, { root }: Known): readonly Action[] {
  if (node.type !== "final" || node.parent === undefined) return [];
  const done = `xstate.done.state.${node.parent.id}`;
  const machine =
    node.parent === root
      ? { done: `xstate.done.state.${node.id}`, output: root.output }
      : undefined;
  return [{ kind: "final", done, output: node.output, machine }];
}
