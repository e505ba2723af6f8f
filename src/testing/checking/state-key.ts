/**
 * When two states of one search are the same: in all that the machine will ever see of them. The order
 * in which ids were issued is not looked at, nor how many events it took.
 */
import { hashOf, owedBy, type RunState, sealJson, toArray } from "../../core/kernel/index.js";
import type { Memories } from "./monitor.js";

/** A name for a state, and what laws remember in it. */
export function stateKey(state: RunState<unknown>, memories: Memories): string {
  const { version, status, value, context, at, history, fault } = state;
  const owed = owedBy(state).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  return hashOf(
    sealJson(
      {
        version,
        status,
        value,
        context,
        at,
        owed,
        issued: toArray(state.issued).toSorted(),
        memories,
        ...(history === undefined ? {} : { history }),
        ...(fault === undefined ? {} : { fault }),
      },
      "$",
    ),
  );
}
