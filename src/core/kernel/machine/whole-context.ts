/**
 * Changes that return the whole of the next context, in an object of their own making: it is taken as
 * it is, where `assign` would copy the context before and lay over it what a change returns. For
 * contexts of many keys that copy is most of what a small step costs.
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

/** Whether what a change returns is the next context. */
export function returnsWholeContext(change: unknown): boolean {
  return typeof change === "function" && whole.get(change) === true;
}
