/**
 * A machine as plain tables: for each configuration and event the transitions that may be taken, and
 * for those that are taken together the actions in order and the next configuration. `compile.ts`
 * makes them, `run-tables.ts` runs them.
 */
import type { AnyStateNode } from "xstate";
import type { History } from "../path.js";

/** The arguments of guards and actions. */
export interface Args {
  readonly context: unknown;
  readonly event: unknown;
}

/** A function of a machine's own. */
export type MachineFunction = (args: Args, params?: unknown) => unknown;

/** Returns true where a transition may be taken. */
export type Test = (args: Args, at: Configuration) => unknown;

/** Collects actions that are known only when it is called. */
export type Collect = (args: Args, params: unknown, at: Configuration) => readonly unknown[];

/** One thing that happens on the way of a transition. */
export type Action =
  /** The context changes: by a function that returns a part of it, or key by key. */
  | {
      readonly kind: "assign";
      readonly change: MachineFunction | { readonly [key: string]: unknown };
      readonly params: unknown;
      /** The function returns the next context, and no part of it. */
      readonly whole: boolean;
      /** The function, as a fault names it. */
      readonly part: string;
    }
  /** Directives are issued: the params themselves, or what a named issue makes of them. */
  | {
      readonly kind: "issue";
      readonly directives: MachineFunction | undefined;
      readonly params: unknown;
      /** The params, as a fault names them. */
      readonly part: string;
    }
  /** Further actions, which are known only now. */
  | {
      readonly kind: "enqueue";
      readonly collect: Collect;
      readonly params: unknown;
      compile(action: unknown): Action;
    }
  /** An event of the machine's own comes next. */
  | { readonly kind: "raise"; readonly event: unknown; readonly params: unknown }
  | {
      readonly kind: "afterStarts";
      readonly event: string;
      readonly delay: unknown;
      /** The delay, as a fault names it. */
      readonly part: string;
    }
  | { readonly kind: "afterStops"; readonly event: string }
  /** A state is done: the event that says so comes next. */
  | { readonly kind: "done"; readonly event: string; readonly output: unknown }
  /** The machine is done, and has an output. */
  | {
      readonly kind: "output";
      /** The event that the machine's output is made of. */
      readonly event: string;
      /** The output of the final state, where it was one that ended the machine. */
      readonly final: unknown;
      readonly output: unknown;
    };

/** The outcome of transitions that are taken together. */
export interface Move {
  readonly actions: readonly Action[];
  /** Absent where states would be active that exclude each other. */
  readonly to: Configuration | undefined;
  /** True where other states are active behind it, or history states remember anew. */
  readonly moves: boolean;
}

/** A transition that may be taken. */
export interface Candidate {
  readonly test: Test | undefined;
  /** The move where it is taken alone. */
  readonly move: Move;
}

/**
 * The transitions that may be taken: those of each region, and only if no region takes any the first
 * candidate whose test holds.
 */
export interface Choice {
  readonly regions: readonly Choice[];
  /** Those of the innermost state first. */
  readonly candidates: readonly Candidate[];
}

/** The active states of a machine, and what its history states remember. */
export interface Configuration {
  /** The statechart's value, its regions in the machine's order. */
  readonly value: unknown;
  readonly history: History | undefined;
  readonly tags: ReadonlySet<string>;
  /** True where the machine is done. */
  readonly done: boolean;
  has(node: AnyStateNode): boolean;
  /** The choice for an event type. */
  on(type: string): Choice;
  /** The choice without an event. */
  readonly always: Choice;
  /** The move where several are taken at once, as far as they do not conflict. */
  together(taken: readonly Candidate[]): Move;
  /**
   * The same between two steps. XState keeps regions in the order of their last entry, which no JSON
   * tells; between two steps they are in the machine's own.
   */
  readonly restored: Configuration;
}

/** A machine's tables. */
export interface Tables {
  /** Microsteps in one step, at most. */
  readonly limit: number;
  /** The first move: the machine enters itself. */
  readonly start: Move;
  /** The context that it begins with. */
  contextOf(input: unknown): unknown;
  /**
   * The configuration of a value, and of what history states remember.
   * @throws Error where the machine has no such state
   */
  configurationOf(value: unknown, history: History | undefined): Configuration;
}
