/** Positions in a machine beside the states of runs that they belong to. */
import type { Position } from "./path.js";

/**
 * The positions of the states that were made last. Whoever steps a run steps its newest state; for
 * any other the position is resolved anew. A WeakMap of all of them costs more than it saves.
 */
export class RecentPositions<State extends object> {
  readonly #states: (State | undefined)[] = new Array(8).fill(undefined);
  readonly #positions: (Position | undefined)[] = new Array(8).fill(undefined);
  #next = 0;

  get(state: State): Position | undefined {
    const at = this.#states.indexOf(state);
    return at < 0 ? undefined : this.#positions[at];
  }

  set(state: State, position: Position): void {
    this.#states[this.#next] = state;
    this.#positions[this.#next] = position;
    this.#next = (this.#next + 1) % this.#states.length;
  }
}
