/**
 * The interface of a path, which computes a machine's step. There are two: compiled tables, and
 * XState's own `transition()`. Both give the same step (K7).
 */

/** The memory of a machine's history states: ids of states, in the machine's own order. */
export type History = { readonly [historyState: string]: readonly string[] };

/** The position of a machine. Each path has its own class of it. */
export interface Position {
  readonly status: "active" | "done";
  /** A statechart's value, its regions in the machine's order. */
  readonly value: unknown;
  readonly context: unknown;
  readonly tags: ReadonlySet<string>;
  /** The value of the machine's `output`, where it is done. */
  readonly output: unknown;
  /** Absent where no history state remembers anything. */
  readonly history: History | undefined;
}

/** The outcome of an event. */
export interface Taken {
  readonly position: Position;
  /** The requests of a step, in order: params of `issue`, and starts and stops of `after` timers. */
  readonly issued: readonly unknown[];
  /** No transition was there for the event, and nothing at all happened. */
  readonly unhandled: boolean;
}

/** An event as a machine sees it. */
export type MachineEvent = { readonly type: string };

/** A way to compute steps. All of it is pure, and throws what a function of the machine throws. */
export interface Path {
  readonly name: "tables" | "transition";
  /** The first position. `input` is what the context factory is given. */
  start(input: unknown): Taken;
  /** The position after an event, and what was issued on the way. */
  next(position: Position, event: MachineEvent): Taken;
  /**
   * A position from its JSON.
   * @throws Error where the machine has no such state
   */
  restore(value: unknown, context: unknown, history: History | undefined): Position;
  /** The same position with its context as it has passed the border. */
  withContext(position: Position, context: unknown): Position;
}
