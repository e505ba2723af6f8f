/**
 * Compiles the actions and guards of all states and transitions of a machine, each once, when it is
 * compiled; the moves of the tables are put together from these.
 */
import type { AnyStateNode } from "xstate";
import { type Transition, transitionsOf } from "../nodes.js";
import { compileActions } from "./compile-action.js";
import { compileGuard, type Setup } from "./compile-guard.js";
import type { Action, Test } from "./table-types.js";

/** A state's own actions. */
export interface StateParts {
  readonly entry: readonly Action[];
  readonly exit: readonly Action[];
  /** Those on the way to its initial state. */
  readonly initial: readonly Action[];
}

/** A transition with its compiled guard and actions. */
export interface TransitionParts {
  /** Its number in the machine. */
  readonly number: number;
  readonly transition: Transition;
  readonly test: Test | undefined;
  readonly actions: readonly Action[];
}

/** The parts of a machine. */
export class MachineParts {
  readonly #states = new Map<AnyStateNode, StateParts>();
  readonly #transitions = new Map<Transition, TransitionParts>();

  constructor(nodes: readonly AnyStateNode[], setup: Setup) {
    for (const node of nodes) {
      const actions = (all: readonly unknown[]) => compileActions(all, setup);
      this.#states.set(node, {
        entry: actions(node.entry),
        exit: actions(node.exit),
        initial: actions(node.initial.actions),
      });
      for (const transition of transitionsOf(node)) {
        this.#transitions.set(transition, {
          number: this.#transitions.size,
          transition,
          test: compileGuard(transition.guard, setup),
          actions: actions(transition.actions),
        });
      }
    }
  }

  of(node: AnyStateNode): StateParts {
    return this.#states.get(node) as StateParts;
  }

  ofTransition(transition: Transition): TransitionParts {
    return this.#transitions.get(transition) as TransitionParts;
  }
}
