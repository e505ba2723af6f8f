/**
 * The key with which tools changed `deps` before there were context updates: a result
 * `{ success: true, __update_context__: { notes } }`. It still works; `withUpdate` is the way.
 */
import type { ContextOperation, Json } from "../kernel/index.js";
import type { CallOutcome } from "./context.js";

/** The key. */
export const UPDATE_KEY = "__update_context__";

/** An outcome whose legacy key, where it has one, is taken out of the result and made an update. */
export function withoutLegacyUpdate(outcome: CallOutcome): CallOutcome {
  if (outcome.type !== "returned" || !isObject(outcome.output)) return outcome;
  const { [UPDATE_KEY]: changes, ...output } = outcome.output;
  if (!isObject(changes)) return outcome;
  const sets = Object.entries(changes).map(
    ([key, value]): ContextOperation => ({ op: "set", key, value }),
  );
  return { ...outcome, output, update: [...outcome.update, ...sets] };
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
