/**
 * The path that computes steps with XState's own `transition()`. Parts of its snapshots that are not JSON
 * (the order of regions, sets of states) are rebuilt from the state at each step, so that a live run and
 * a resumed one cannot differ.
 */
import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode } from "xstate";
import { AfterStarts, AfterStops, type Afters } from "./after.js";
import { ImpossibleState } from "./fault.js";
import { checkHistory, inOrder, recalled } from "./history-json.js";
import { nodesOf } from "./nodes.js";
import type { History, Path, Position, Taken } from "./path.js";
import { isPossible, statesOf, valueOfStates } from "./state-value.js";
import { type Cancelled, type Raised, takerOf, type XStateAction } from "./take-by-xstate.js";

type Context = AnyMachineSnapshot["context"];

/** Where a machine stands, with XState's own snapshot. */
class SnapshotPosition implements Position {
  readonly snapshot: AnyMachineSnapshot;
  readonly value: unknown;
  readonly history: History | undefined;
  constructor(snapshot: AnyMachineSnapshot, value: unknown, history: History | undefined) {
    this.snapshot = snapshot;
    this.value = value;
    this.history = history;
  }
  get status(): "active" | "done" {
    return this.snapshot.status === "done" ? "done" : "active";
  }
  get context(): unknown {
    return this.snapshot.context;
  }
  get tags(): ReadonlySet<string> {
    return this.snapshot.tags;
  }
  get output(): unknown {
    return this.snapshot.output;
  }
}

/** The path through XState. */
export function xstatePath(machine: AnyStateMachine, afters: Afters): Path {
  const root = machine.root as AnyStateNode;
  const byId = new Map(nodesOf(root).map((node) => [node.id, node]));
  const take = takerOf(machine, afters);

  /** @param value one that is whole, its regions in order */
  const at = (value: unknown, context: unknown, history: History = {}) => {
    const historyValue = recalled(history, byId);
    const snapshot = machine.resolveState({ value, context, historyValue } as never);
    return new SnapshotPosition(snapshot, value, inOrder(history, byId));
  };
  const taken = (
    snapshot: AnyMachineSnapshot,
    actions: readonly XStateAction[],
    unhandled: boolean,
  ): Taken => {
    // XState does not throw what the context factory threw.
    if (snapshot.status === "error") throw snapshot.error;
    const active = new Set(snapshot._nodes);
    if (!isPossible(root, active)) throw new ImpossibleState();
    const value = valueOfStates(root, active);
    const history = inOrder(idsOf(snapshot), byId);
    const position =
      snapshot.status === "active"
        ? at(value, snapshot.context, history)
        : new SnapshotPosition(snapshot, value, history);
    return { position, unhandled, issued: actions.flatMap((each) => issuedBy(each, afters)) };
  };

  return {
    name: "transition",
    start(input) {
      const [snapshot, actions] = take.start(input);
      return taken(snapshot, actions, false);
    },
    next(position, event) {
      const { snapshot } = position as SnapshotPosition;
      const [next, actions] = take.next(snapshot, event);
      const unhandled =
        next === snapshot &&
        actions.length === 0 &&
        machine.getTransitionData(snapshot, event).length === 0;
      return taken(next, actions, unhandled);
    },
    restore(value, context, history = {}) {
      checkHistory(history, byId);
      return at(valueOfStates(root, statesOf(root, value)), context, history);
    },
    withContext(position, context) {
      const { snapshot, value, history } = position as SnapshotPosition;
      return new SnapshotPosition({ ...snapshot, context: context as Context }, value, history);
    },
  };
}

/** Returns the states that a snapshot's history states remember, as ids. */
function idsOf({ historyValue }: AnyMachineSnapshot): History {
  return Object.fromEntries(
    Object.entries(historyValue).map(([id, was]) => [id, was.map((node) => node.id)]),
  );
}

/** Returns the directives of an action that passed the check. */
function issuedBy({ type, params }: XStateAction, { names }: Afters): readonly unknown[] {
  if (type === "issue") return [params];
  if (type === "xstate.cancel") return [new AfterStops((params as Cancelled).sendId)];
  const { id, delay } = params as Raised;
  return id !== undefined && names.has(id) ? [new AfterStarts(id, delay)] : [];
}
