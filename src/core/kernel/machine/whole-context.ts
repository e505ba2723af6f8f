/**
 * Marks a change of a context whose function returns the complete next context, so that it is used as it
 * is. `assign` would copy the old context and merge the change, which is most of the cost of a small step
 * if the context has many keys.
 */
import { hiddenField } from "../values/hidden.js";

const whole = /* @__PURE__ */ hiddenField<true>();

/**
 * Marks a change as one that returns a new object with at least all keys of the context.
 * @internal
 */
export function wholeContext<Change extends object>(change: Change): Change {
  whole.set(change, true);
  return change;
}

/** Returns true when a change returns the whole next context. */
export function returnsWholeContext(change: unknown): boolean {
  return typeof change === "function" && whole.get(change) === true;
}
