/**
 * Named `issue` actions. XState sees such a name as an action that enqueues one `issue`, so that
 * its own `transition()` handles it; the tables call the function directly.
 */
import { enqueueActions } from "xstate";
import { hiddenField } from "../values/hidden.js";
import { answering, answersAtOnce } from "./synchronous.js";
import type { MachineFunction } from "./tables.js";

const behind = /* @__PURE__ */ hiddenField<MachineFunction>();

/** An action that issues the directives that a function returns. */
export function namedIssue(directives: MachineFunction): object {
  const sound = answering(directives, "issue");
  const action = enqueueActions(({ context, event, enqueue }, params) => {
    enqueue({ type: "issue", params: sound({ context, event }, params) } as never);
  });
  behind.set(action, sound);
  return answersAtOnce(action);
}

/** The function behind a named issue. */
export function issueNamedBy(action: object): MachineFunction | undefined {
  return behind.get(action);
}
