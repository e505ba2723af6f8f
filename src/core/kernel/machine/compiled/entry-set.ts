/**
 * Computes the states that a set of transitions enters, in order, by the rules of SCXML as XState implements
 * them, also where XState deviates. Used by `lay-out.ts`; tests of rule K7 compare it with XState.
 */
import type { AnyStateNode } from "xstate";
import { childrenOf, liesIn, type Transition, upwards } from "../nodes.js";
import { domainOf, effectiveTargets } from "./exit-set.js";
import { defaultOfHistory, type HistoryStates, leadsToInitial } from "./history-states.js";

/** The states that transitions enter. */
export class EntrySet {
  readonly #states = new Set<AnyStateNode>();
  readonly #byDefault = new Set<AnyStateNode>();
  readonly #history: HistoryStates;

  /** @param history what history states remember when the transitions' states have been left */
  constructor(transitions: readonly Transition[], history: HistoryStates) {
    this.#history = history;
    for (const transition of transitions) this.#add(transition);
  }

  /** In the order in which they are entered, the outermost first. */
  get states(): readonly AnyStateNode[] {
    return [...this.#states].sort((a, b) => a.order - b.order);
  }

  /** Returns true for a state whose initial transition is taken too. */
  isByDefault(node: AnyStateNode): boolean {
    return this.#byDefault.has(node);
  }

  #add(transition: Transition): void {
    const { source, reenter, target: targets = [] } = transition;
    const domain = domainOf(transition, this.#history);
    for (const target of targets) {
      // A target within which the transition happens was never left.
      const isLeft = target !== source || source !== domain || reenter;
      if (target.type !== "history" && isLeft) this.#enter(target);
      this.#addWithin(target);
    }
    for (const target of effectiveTargets(targets, this.#history)) {
      const above = domain !== undefined && domain.type === "parallel" ? [domain] : [];
      this.#addAbove([...between(target, domain), ...above], domain);
    }
  }

  #enter(node: AnyStateNode): void {
    this.#states.add(node);
    this.#byDefault.add(node);
  }

  /** Adds the states that are entered within one that is. */
  #addWithin(node: AnyStateNode): void {
    if (node.type === "history") this.#addPast(node);
    else if (node.type === "parallel") this.#addRegions(node, true);
    else if (node.type === "compound") {
      const initial = node.initial.target[0] as AnyStateNode;
      if (initial.type !== "history") this.#enter(initial);
      this.#addWithin(initial);
      this.#addAbove(between(initial, node), undefined);
    }
  }

  /** Adds the states that a history state leads to, up to the state that it lies in. */
  #addPast(node: AnyStateNode): void {
    const past = this.#history.recall(node);
    const states = past ?? defaultOfHistory(node);
    for (const each of states) {
      this.#states.add(each);
      if (past === undefined && leadsToInitial(node)) {
        this.#byDefault.add(node.parent as AnyStateNode);
      }
      this.#addWithin(each);
    }
    for (const each of states) this.#addAbove(between(each, node.parent), undefined);
  }

  /**
   * Adds states around an entered one.
   * @param domain only what lies in it is entered; without one all of it
   */
  #addAbove(above: readonly AnyStateNode[], domain: AnyStateNode | undefined): void {
    for (const node of above) {
      if (domain === undefined || liesIn(node, domain)) this.#states.add(node);
      if (node.type === "parallel") this.#addRegions(node, false);
    }
  }

  /** Adds the regions of a parallel state in which no state is entered yet. */
  #addRegions(parallel: AnyStateNode, byDefault: boolean): void {
    for (const region of childrenOf(parallel)) {
      if ([...this.#states].some((node) => liesIn(node, region))) continue;
      if (byDefault) this.#enter(region);
      else this.#states.add(region);
      this.#addWithin(region);
    }
  }
}

/** The states between a state and one that it lies in, or above it all, the innermost first. */
function between(node: AnyStateNode, outer: AnyStateNode | undefined): readonly AnyStateNode[] {
  if (node === outer) return [];
  const above = upwards(node).slice(1);
  const end = outer === undefined ? -1 : above.indexOf(outer);
  return end < 0 ? above : above.slice(0, end);
}
