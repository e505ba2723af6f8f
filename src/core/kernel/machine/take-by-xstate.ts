/**
 * Computes a step with XState's own `transition()`. The actor and its system are replaced, so that
 * using them is refused, microsteps are counted, and each is checked.
 */
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  initialTransition,
  transition,
} from "xstate";
import type { Afters } from "./after.js";
import { checkRaised, EffectUsed, EndlessLoop, ImpossibleState } from "./fault.js";
import { noActor, noSystem } from "./no-actor.js";
import { microstepLimit } from "./own-machine.js";
import type { MachineEvent } from "./path.js";
import { isPossible } from "./state-value.js";

type Scope = Parameters<AnyStateMachine["transition"]>[2];

/** An action as XState tells of it: only type and params are data. */
export interface XStateAction {
  readonly type: string;
  readonly params?: unknown;
}

/** XState's snapshot, and its actions in order. */
export type TakenByXState = readonly [AnyMachineSnapshot, readonly XStateAction[]];

/** Takes a start or a step, and tells of the actions. */
export interface Taker {
  start(input: unknown): TakenByXState;
  next(snapshot: AnyMachineSnapshot, event: MachineEvent): TakenByXState;
}

/** Takes the starts and steps of a machine. */
export function takerOf(machine: AnyStateMachine, afters: Afters): Taker {
  /** @param first how many microsteps are the event's own, and not of XState's loop */
  const logic = (first: number): AnyStateMachine => {
    const hidden = (scope: Scope) =>
      ({
        ...scope,
        self: noActor,
        system: watchingSystem(machine, first),
        actionExecutor: (action: Parameters<Scope["actionExecutor"]>[0]) => {
          checkAction(action, afters);
          scope.actionExecutor(action);
        },
      }) as Scope;
    const own: Pick<AnyStateMachine, "getInitialSnapshot" | "transition"> = {
      // `transition()` starts an actor that is never used, without an input: no factory is to see it.
      getInitialSnapshot: (scope, input) =>
        input === undefined
          ? machine.resolveState({ value: {}, context: {} } as never)
          : machine.getInitialSnapshot(hidden(scope), input),
      transition: (snapshot, event, scope) => machine.transition(snapshot, event, hidden(scope)),
    };
    return own as AnyStateMachine;
  };
  return {
    start: (input) => initialTransition(logic(0), input) as TakenByXState,
    next: (snapshot, event) => transition(logic(1), snapshot, event) as TakenByXState,
  };
}

/**
 * A system that is told of each microstep: it stops a machine that never becomes stable, and one in states
 * that exclude each other.
 */
function watchingSystem(machine: AnyStateMachine, first: number): object {
  const limit = microstepLimit(machine);
  let count = -first;
  const inspect = (inspectionEvent: {
    readonly type: string;
    readonly snapshot?: AnyMachineSnapshot;
  }): void => {
    const { type, snapshot } = inspectionEvent;
    if (type !== "@xstate.microstep" || snapshot === undefined) return;
    if (!isPossible(machine.root as AnyStateNode, new Set(snapshot._nodes))) {
      throw new ImpossibleState();
    }
    count += 1;
    if (count >= limit && snapshot.status === "active") throw new EndlessLoop(limit);
  };
  return new Proxy(Object.freeze({}), {
    get: (_target, key) => (key === "_sendInspectionEvent" ? inspect : Reflect.get(noSystem, key)),
  });
}

/** @throws EffectUsed where an action acts on the world, or raises what is not an event */
function checkAction({ type, params }: XStateAction, { names }: Afters): void {
  if (type === "issue") return;
  if (type === "xstate.raise") {
    const { event, delay, id } = params as Raised;
    if (id !== undefined && names.has(id)) return;
    if (delay !== undefined) throw new EffectUsed("raise with a delay");
    checkRaised(event);
    return;
  }
  if (type === "xstate.cancel" && names.has((params as Cancelled).sendId)) return;
  throw new EffectUsed(type.replace("xstate.", ""));
}

/** Params of a raised event. */
export interface Raised {
  readonly event: unknown;
  readonly delay?: unknown;
  readonly id?: string;
}

/** Params of a delayed event that is taken back. */
export interface Cancelled {
  readonly sendId: string;
}
