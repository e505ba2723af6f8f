/**
 * The path that computes steps with XState. What its snapshots contain that is not JSON (the order
 * of regions, sets of states) is rebuilt from the state at each step, so that a live run and a
 * resumed one cannot differ.
 */
import type { AnyMachineSnapshot, AnyStateMachine, AnyStateNode } from "xstate";
import { AfterStarts, AfterStops, type Afters } from "./after.js";
import { ImpossibleState } from "./fault.js";
import { nodesOf } from "./nodes.js";
import { microstepLimit } from "./own-machine.js";
import type { History, Path, Position, Taken } from "./path.js";
import { canBe, checkHistory, inOrder, isWhole, recalled, remembered } from "./snapshot-json.js";
import { hearing } from "./synchronous.js";
import {
  byTransition,
  type Cancelled,
  inBareScope,
  type Raised,
  type XStateAction,
} from "./take-by-xstate.js";

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

/** The path through XState, in a bare scope or by `transition()`. */
export function xstatePath(
  machine: AnyStateMachine,
  afters: Afters,
  name: "scope" | "transition" = "scope",
): Path {
  const limit = microstepLimit(machine);
  const nodes = nodesOf(machine.root as AnyStateNode);
  const regions = nodes.some(({ type }) => type === "parallel");
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const remembers = nodes.some(({ type }) => type === "history");
  // XState keeps regions in the order of their last entry, and where a history state leads back into
  // the state that it lies in, it loses a state from its own set: no JSON tells of either, and so each
  // step goes on from what the value says.
  const renewed = regions || remembers;
  const take = name === "scope" ? inBareScope(machine, afters) : byTransition(machine, afters);

  const at = (value: unknown, context: unknown, history: History | undefined) => {
    const root = machine.root as AnyStateNode;
    const historyValue = history === undefined ? {} : recalled(history, byId);
    const config = { value: inOrder(root, value), context, historyValue };
    const snapshot = machine.resolveState(config as never) as AnyMachineSnapshot;
    const ordered = inOrder(root, snapshot.value);
    return new SnapshotPosition(snapshot, ordered, remembered(snapshot, nodes));
  };
  const restore: Path["restore"] = (value, context, history) => {
    if (history !== undefined) checkHistory(history, byId);
    const position = at(value, context, history);
    // XState takes a value that is in two states at once.
    if (canBe(machine.root as AnyStateNode, position.value)) return position;
    throw new Error(`No state is ${JSON.stringify(value)}`);
  };
  const withContext = (position: Position, context: unknown): Position => {
    const { snapshot, value, history } = position as SnapshotPosition;
    if (renewed) return at(value, context, history);
    return new SnapshotPosition({ ...snapshot, context: context as Context }, value, history);
  };
  const taken = (
    snapshot: AnyMachineSnapshot,
    told: readonly XStateAction[],
    unhandled: boolean,
  ): Taken => {
    // XState does not throw what the context factory threw.
    if (snapshot.status === "error") throw snapshot.error;
    const root = machine.root as AnyStateNode;
    const value = renewed ? inOrder(root, snapshot.value) : snapshot.value;
    if (remembers && !(canBe(root, value) && isWhole(snapshot))) throw new ImpossibleState();
    const history = remembers ? remembered(snapshot, nodes) : undefined;
    const position = new SnapshotPosition(snapshot, value, history);
    return { position, unhandled, issued: told.flatMap((each) => issuedBy(each, afters)) };
  };

  return {
    name,
    restore,
    withContext,
    start(input) {
      const [snapshot, told] = hearing(() => take.start(input, limit));
      return taken(snapshot, told, false);
    },
    next(position, event) {
      const { snapshot } = position as SnapshotPosition;
      const [next, told] = hearing(() => take.next(snapshot, event, limit));
      const unhandled =
        next === snapshot &&
        told.length === 0 &&
        machine.getTransitionData(snapshot, event).length === 0;
      return taken(next, told, unhandled);
    },
  };
}

/** What an action that passed the check issues. */
function issuedBy({ type, params }: XStateAction, { names }: Afters): readonly unknown[] {
  if (type === "issue") return [params];
  if (type === "xstate.cancel") return [new AfterStops((params as Cancelled).sendId)];
  const { id, delay } = params as Raised;
  return id !== undefined && names.has(id) ? [new AfterStarts(id, delay)] : [];
}
