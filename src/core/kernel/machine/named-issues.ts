/**
 * Issues with names. To XState such a name is an action that enqueues one `issue`, so that its own
 * `transition()` needs to know nothing of it; the tables call the function that is behind it.
 */
import { enqueueActions } from "xstate";
import type { MachineFunction } from "./tables.js";

const behind: WeakMap<object, MachineFunction> = new WeakMap();

/** An action that issues the directives that a function returns. */
export function namedIssue(directives: MachineFunction): object {
  const action = enqueueActions(({ context, event, enqueue }, params) => {
    enqueue({ type: "issue", params: directives({ context, event }, params) } as never);
  });
  behind.set(action, directives);
  return action;
}

/** The function behind a named issue. */
export function issueNamedBy(action: object): MachineFunction | undefined {
  return behind.get(action);
}
