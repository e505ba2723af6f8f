/**
 * One step of an XState machine, without an actor. XState's `transition()` builds an actor at each
 * call; here one inert scope is re-used, which is several times as fast and gives the same result
 * (K7: a property compares the two).
 */
import { type AnyMachineSnapshot, type AnyStateMachine, createActor, createMachine } from "xstate";

/** What a transition came to: the next snapshot and the params of its `issue` actions, in order. */
export interface Taken {
  readonly snapshot: AnyMachineSnapshot;
  readonly issued: readonly unknown[];
  /** The first action that was neither an assign nor an issue. */
  readonly foreign: string | undefined;
}

interface Action {
  readonly type: string;
  readonly params?: unknown;
}

/** Microsteps in one step; a machine that takes more goes round in circles. */
const MAX_MICROSTEPS = 1_000;

let sink: Action[] = [];

// The scope's actor belongs to an empty machine: XState would run a user's context factory to make one.
const self = createActor(createMachine({}));
const scope = {
  self,
  system: self.system,
  id: "",
  sessionId: "",
  logger: () => {},
  defer: () => {},
  emit: () => {},
  stopChild: () => {},
  actionExecutor: (action: Action) => {
    sink.push(action);
  },
};
type Scope = Parameters<AnyStateMachine["transition"]>[2];
const inert = scope as unknown as Scope;
const executor = scope.actionExecutor;

function collect(snapshot: AnyMachineSnapshot): Taken {
  const issued: unknown[] = [];
  let foreign: string | undefined;
  for (const action of sink) {
    if (action.type === "issue") issued.push(action.params);
    else foreign ??= action.type;
  }
  if (Object.keys(snapshot.children).length > 0) foreign ??= "spawn";
  return { snapshot, issued, foreign };
}

function clear(): void {
  // A throw leaves actions, and XState's wrapper of the executor, behind.
  sink = [];
  scope.actionExecutor = executor;
}

/** The initial snapshot. A context factory that throws gives a snapshot with status `error`. */
export function initialSnapshot(machine: AnyStateMachine, input: unknown): Taken {
  clear();
  return collect(machine.getInitialSnapshot(inert, input) as AnyMachineSnapshot);
}

/** The next snapshot. Throws what a guard or an assign throws. */
export function nextSnapshot(
  machine: AnyStateMachine,
  snapshot: AnyMachineSnapshot,
  event: { readonly type: string },
): Taken {
  clear();
  return collect(machine.transition(snapshot, event, inert) as AnyMachineSnapshot);
}

/** Whether the present state has a transition for an event. */
export function handles(
  machine: AnyStateMachine,
  snapshot: AnyMachineSnapshot,
  event: { readonly type: string },
): boolean {
  return machine.getTransitionData(snapshot, event).length > 0;
}

/** Bounds a machine's microsteps (K6); XState's own default is no bound at all. */
export function boundMicrosteps(machine: AnyStateMachine): void {
  const options = machine.options as { maxIterations?: number };
  if (!Number.isFinite(options.maxIterations)) options.maxIterations = MAX_MICROSTEPS;
}

/** Whether an error is XState's word for a machine that goes round in circles. */
export function isLoop(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message.startsWith("Infinite loop detected");
}
