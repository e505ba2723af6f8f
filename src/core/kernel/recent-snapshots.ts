/** Snapshots of XState beside the states of ours that they belong to. */
import type { AnyMachineSnapshot } from "xstate";

/**
 * The snapshots of the states that were made last. Whoever steps a run steps its newest state; for
 * any other the snapshot is resolved anew. A WeakMap of all of them costs more than it saves.
 */
export class RecentSnapshots<State extends object> {
  readonly #states: (State | undefined)[] = new Array(8).fill(undefined);
  readonly #snapshots: (AnyMachineSnapshot | undefined)[] = new Array(8).fill(undefined);
  #next = 0;

  get(state: State): AnyMachineSnapshot | undefined {
    const at = this.#states.indexOf(state);
    return at < 0 ? undefined : this.#snapshots[at];
  }

  set(state: State, snapshot: AnyMachineSnapshot): void {
    this.#states[this.#next] = state;
    this.#snapshots[this.#next] = snapshot;
    this.#next = (this.#next + 1) % this.#states.length;
  }
}
