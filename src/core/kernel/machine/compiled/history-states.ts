/**
 * Remembers which states were active when a parent with history states was left, and finds the states to
 * which a history state leads: those, or its default before that. For the compiled tables.
 */
import type { AnyStateNode } from "xstate";
import { inOrder, type StatesById } from "../history-json.js";
import { isLeaf, liesIn } from "../nodes.js";
import type { History } from "../path.js";

/** The history states of a machine, with what they remember. */
export class HistoryStates {
  /** As a run's state has it: ids of states, in the machine's own order. */
  readonly remembered: History | undefined;
  readonly #byId: StatesById;

  constructor(remembered: History, byId: StatesById) {
    this.remembered = inOrder(remembered, byId);
    this.#byId = byId;
  }

  /** The states that a history state remembers. */
  recall({ id }: AnyStateNode): readonly AnyStateNode[] | undefined {
    if (this.remembered === undefined || !Object.hasOwn(this.remembered, id)) return undefined;
    return this.remembered[id]?.map((each) => this.#byId.get(each) as AnyStateNode);
  }

  /** The same when states are left: what of them was active is remembered. */
  after(exits: readonly AnyStateNode[], active: readonly AnyStateNode[]): HistoryStates {
    const pasts = exits.flatMap((left) =>
      Object.values(left.states)
        .filter(({ type }) => type === "history")
        .map((node) => [node.id, pastOf(node, left, active)] as const),
    );
    if (pasts.length === 0) return this;
    return new HistoryStates({ ...this.remembered, ...Object.fromEntries(pasts) }, this.#byId);
  }
}

/** The ids of what a history state remembers of a state that is left. */
function pastOf(
  { history }: AnyStateNode,
  left: AnyStateNode,
  active: readonly AnyStateNode[],
): readonly string[] {
  return active
    .filter((node) =>
      history === "deep" ? isLeaf(node) && liesIn(node, left) : node.parent === left,
    )
    .map(({ id }) => id);
}

/** The state that a history state's `target` names; `undefined` where there is none. */
export function targetOfHistory(
  { parent, machine }: AnyStateNode,
  target: string,
): AnyStateNode | undefined {
  if (!target.startsWith("#")) {
    return target.split(".").reduce<AnyStateNode | undefined>((at, key) => at?.states[key], parent);
  }
  try {
    return machine.getStateNodeById(target);
  } catch {
    return undefined;
  }
}

/** The states that a history state leads to as long as it remembers nothing. */
export function defaultOfHistory(node: AnyStateNode): readonly AnyStateNode[] {
  const parent = node.parent as AnyStateNode;
  const { target } = node.config as { readonly target?: string };
  if (target !== undefined) return [targetOfHistory(node, target) as AnyStateNode];
  return parent.type === "parallel" ? [parent] : parent.initial.target;
}

/** Returns true where that is the initial state of the parent, whose initial transition is taken then. */
export function leadsToInitial({ parent, config }: AnyStateNode): boolean {
  return config.target === undefined && parent?.type !== "parallel";
}
