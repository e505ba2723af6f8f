/**
 * A machine as plain tables: for each leaf and event the candidate transitions, each with its
 * exits, actions and entries in order. `compile.ts` makes them, `run-tables.ts` runs them.
 */

/** What guards and actions are called with. */
export interface Args {
  readonly context: unknown;
  readonly event: unknown;
}

/** A function of a machine's own. */
export type MachineFunction = (args: Args, params?: unknown) => unknown;

/** Whether a transition may be taken. */
export type Test = (args: Args) => unknown;

/** One thing that happens on the way of a transition. */
export type Action =
  /** The context changes: by a function that returns a part of it, or key by key. */
  | {
      readonly kind: "assign";
      readonly change: MachineFunction | { readonly [key: string]: unknown };
      readonly params: unknown;
      /** The function returns the next context, and no part of it. */
      readonly whole: boolean;
    }
  /** Directives are issued: the params themselves, or what a named issue makes of them. */
  | {
      readonly kind: "issue";
      readonly directives: MachineFunction | undefined;
      readonly params: unknown;
    }
  /** An event of the machine's own comes next. */
  | { readonly kind: "raise"; readonly event: unknown; readonly params: unknown }
  | { readonly kind: "afterStarts"; readonly event: string; readonly delay: unknown }
  | { readonly kind: "afterStops"; readonly event: string }
  /** A final state was entered: its parent is done, and at the top the machine. */
  | {
      readonly kind: "final";
      /** The event that tells of the parent. */
      readonly done: string;
      readonly output: unknown;
      /** Absent below the top. */
      readonly machine: { readonly done: string; readonly output: unknown } | undefined;
    };

/** A transition from a leaf, with all that happens on its way. */
export interface Move {
  readonly test: Test | undefined;
  readonly actions: readonly Action[];
  readonly to: Leaf;
}

/** A leaf of the machine's tree: as long as there are no regions, the one active leaf is the state. */
export interface Leaf {
  readonly value: unknown;
  readonly tags: ReadonlySet<string>;
  /** Whether the machine is done there. */
  readonly done: boolean;
  /** The moves for an event type, those of the innermost state first. */
  on(type: string): readonly Move[];
  /** The moves that need no event. */
  readonly always: readonly Move[];
}

/** A machine's tables. */
export interface Tables {
  /** Microsteps in one step, at most. */
  readonly limit: number;
  /** What happens when the machine begins, and where it is then. */
  readonly start: Move;
  /** The context that it begins with. */
  contextOf(input: unknown): unknown;
  /** The leaf of a statechart's value; `undefined` where it is not whole, or not of this machine. */
  leafOf(value: unknown): Leaf | undefined;
}
