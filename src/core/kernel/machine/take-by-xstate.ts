/**
 * Computes a step with XState. Its `transition()` creates an actor at each call; calling the
 * machine's `transition` method with a minimal actor scope gives the same (K7) several times as
 * fast. Each step has its own scope, so that nested steps and steps that threw leave nothing
 * behind.
 */
import {
  type AnyMachineSnapshot,
  type AnyStateMachine,
  initialTransition,
  transition,
} from "xstate";
import type { Afters } from "./after.js";
import { checkRaised, EffectUsed, EndlessLoop } from "./fault.js";
import { noActor, noSystem } from "./no-actor.js";
import type { MachineEvent } from "./path.js";

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
  start(input: unknown, limit: number): TakenByXState;
  next(snapshot: AnyMachineSnapshot, event: MachineEvent, limit: number): TakenByXState;
}

/** The machine's own methods, in a scope that has what they use and nothing more. */
export function inBareScope(machine: AnyStateMachine, afters: Afters): Taker {
  const scopeOf = (told: XStateAction[], system: object) =>
    ({
      self: noActor,
      system,
      id: "",
      sessionId: "",
      logger: () => {},
      defer: () => {},
      emit: () => {},
      stopChild: () => {},
      actionExecutor: (action: XStateAction) => {
        checkAction(action, afters);
        told.push(action);
      },
    }) as unknown as Scope;
  return {
    start(input, limit) {
      const told: XStateAction[] = [];
      const scope = scopeOf(told, countingSystem(limit, 0));
      return [machine.getInitialSnapshot(scope, input) as AnyMachineSnapshot, told];
    },
    next(snapshot, event, limit) {
      const told: XStateAction[] = [];
      const scope = scopeOf(told, countingSystem(limit, 1));
      return [machine.transition(snapshot, event, scope) as AnyMachineSnapshot, told];
    },
  };
}

/**
 * XState's own `transition()`, with the actor and its system replaced, so that using them is
 * refused.
 */
export function byTransition(machine: AnyStateMachine, afters: Afters): Taker {
  const logic = (limit: number, first: number): AnyStateMachine => {
    const hidden = (scope: Scope) =>
      ({
        ...scope,
        self: noActor,
        system: countingSystem(limit, first),
        actionExecutor: (action: Parameters<Scope["actionExecutor"]>[0]) => {
          checkAction(action, afters);
          scope.actionExecutor(action);
        },
      }) as unknown as Scope;
    const own: Pick<AnyStateMachine, "getInitialSnapshot" | "transition"> = {
      // `transition()` starts an actor that is never used, without an input: no factory is to see it.
      getInitialSnapshot: (scope, input) =>
        input === undefined
          ? (machine.resolveState({ value: {}, context: {} } as never) as never)
          : machine.getInitialSnapshot(hidden(scope), input),
      transition: (snapshot, event, scope) => machine.transition(snapshot, event, hidden(scope)),
    };
    return own as AnyStateMachine;
  };
  return {
    start: (input, limit) =>
      initialTransition(logic(limit, 0), input as never) as unknown as TakenByXState,
    next: (snapshot, event, limit) =>
      transition(logic(limit, 1), snapshot as never, event) as unknown as TakenByXState,
  };
}

/**
 * A system that counts microsteps, as XState does in its own loop, and stops one that never rests.
 * @param first how many microsteps are the event's own, and not the loop's
 */
function countingSystem(limit: number, first: number): object {
  let count = -first;
  const inspect = (told: {
    readonly type: string;
    readonly snapshot?: AnyMachineSnapshot;
  }): void => {
    if (told.type !== "@xstate.microstep") return;
    count += 1;
    if (count >= limit && told.snapshot?.status === "active") throw new EndlessLoop(limit);
  };
  return new Proxy(Object.freeze({}), {
    get: (_target, key) =>
      key === "_sendInspectionEvent" ? inspect : Reflect.get(noSystem, key as string),
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
