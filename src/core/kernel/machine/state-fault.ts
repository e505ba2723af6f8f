/** Validates a state that comes from outside: from a snapshot, or from a caller's storage. */
import { isJsonObject, type Json, LIST_KEY, MAX_OWN_DEPTH, TABLE_KEY } from "../values/json.js";
import { malformedCollection } from "../values/malformed-collection.js";
import { sealJson } from "../values/seal.js";
import { type Table, tableCells } from "../values/table.js";
import type { Effect } from "../vocabulary/directive.js";
import { messageOf } from "../vocabulary/errors.js";
import { shownBriefly } from "../vocabulary/size-limits.js";
import type { RunState } from "./state.js";

/** A state wraps its context, and in its rows what is outstanding. */
const MAX_STATE_DEPTH = MAX_OWN_DEPTH + 16;

/**
 * A state from outside: what is made of it shares parts with it that nobody changes any more.
 * @param refuse makes the error of what is wrong with it
 * @throws what `refuse` makes
 */
export function sealedState<State extends RunState>(
  state: State,
  refuse: (why: string, cause?: unknown) => Error,
): State {
  const fault = stateFault(state);
  if (fault !== undefined) throw refuse(`it ${fault}`);
  try {
    return sealJson(state, "$", MAX_STATE_DEPTH);
  } catch (cause) {
    throw refuse(messageOf(cause).replace(/\.$/, ""), cause);
  }
}

/**
 * Describes the fault of a value that claims to be a state, behind its name; `undefined` where there is
 * none.
 */
export function stateFault(state: unknown): string | undefined {
  if (!isJsonObject(state as Json)) return "is not an object";
  const { reasoner, version, runId, seq, at, status, value, outstanding, issued } =
    state as RunState;
  const texts = [reasoner, runId, status].every((each) => typeof each === "string");
  const numbers =
    Number.isSafeInteger(seq) && Number.isSafeInteger(version) && typeof at === "number";
  if (!texts || !numbers) return "lacks its names and numbers";
  if (typeof value !== "string" && !isJsonObject(value as Json)) return "has no value";
  if (!isCollection(outstanding, TABLE_KEY)) return "lacks what is outstanding";
  for (const cell of tableCells<unknown>(outstanding as Table<unknown>)) {
    if (cell === null) continue;
    const [id, directive] = cell;
    if (isJsonObject(directive as Json) && (directive as Effect).id === id) continue;
    return `has something outstanding at ${shownBriefly(id)} that is not a directive of that id`;
  }
  if (!isCollection(issued, LIST_KEY)) return "lacks what was issued";
  return "context" in (state as RunState) ? undefined : "lacks its context";
}

function isCollection(value: unknown, key: string): boolean {
  const isObject = isJsonObject(value as Json) && key in (value as object);
  return isObject && malformedCollection(value as never) === undefined;
}
