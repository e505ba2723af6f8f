/**
 * Makes the XState action for a function of `setupReasoner`'s `issues`, which returns directives. XState's
 * own `transition()` runs it as an `enqueueActions`; the compiled tables call the function directly.
 */
import { enqueueActions } from "xstate";
import { hiddenField } from "../values/hidden.js";
import type { MachineFunction } from "./compiled/table-types.js";

const behind = /* @__PURE__ */ hiddenField<MachineFunction>();

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
