/** Validates a state that comes from outside: from a snapshot, or from a caller's storage. */

import { messageOf } from "../values/errors.js";
import { isJsonObject, type Json, LIST_KEY, MAX_OWN_DEPTH, TABLE_KEY } from "../values/json.js";
import { malformedCollection } from "../values/malformed-collection.js";
import { childPath } from "../values/refusal.js";
import { sealJson } from "../values/seal.js";
import { type Table, tableCells } from "../values/table.js";
import type { Effect } from "../vocabulary/directive.js";
import {
  ANYTHING,
  either,
  misfit,
  NUMBER,
  OBJECT,
  open,
  type Shape,
  TEXT,
  WHOLE,
} from "../vocabulary/shapes.js";
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
  if (fault !== undefined) throw refuse(fault);
  try {
    return sealJson(state, "$", MAX_STATE_DEPTH);
  } catch (cause) {
    throw refuse(messageOf(cause).replace(/\.$/, ""), cause);
  }
}

/** The outstanding directives: a Table of them, each under its id. */
const OUTSTANDING: Shape = [
  (value) => isCollection(value, TABLE_KEY),
  "a Table",
  (value: Table<Effect>) => {
    for (const cell of tableCells<unknown>(value)) {
      if (cell === null || (cell[1] as Partial<Effect> | null)?.id === cell[0]) continue;
      return [childPath("", cell[0]), "must be a directive of that id"];
    }
    return undefined;
  },
];
const PARTS = {
  reasoner: TEXT,
  version: WHOLE,
  runId: TEXT,
  seq: WHOLE,
  at: NUMBER,
  status: TEXT,
  value: either(TEXT, OBJECT),
  outstanding: OUTSTANDING,
  issued: [(value: unknown) => isCollection(value, LIST_KEY), "a List"],
  context: ANYTHING,
} satisfies { readonly [part in keyof RunState]?: Shape };
const STATE: Shape = open(PARTS, ...Object.keys(PARTS));

/** Describes the fault of a value that claims to be a state; `undefined` where there is none. */
export function stateFault(state: unknown, name?: string): string | undefined {
  return misfit(state, STATE, name);
}

function isCollection(value: unknown, key: string): boolean {
  const isObject = isJsonObject(value as Json) && key in (value as object);
  return isObject && malformedCollection(value as never) === undefined;
}
