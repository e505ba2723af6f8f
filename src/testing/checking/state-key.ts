/**
 * The key of a state in a search: two states are equal if the machine cannot tell them apart. The
 * order of issued ids and the number of events are ignored.
 */

import { owedBy, type RunState } from "../../core/kernel/machine/index.js";
import { hashOf, sealJson, toArray } from "../../core/kernel/values/index.js";
import type { Memories } from "./monitor.js";
import type { TreeState } from "./tree.js";

/** A name for a state, and what laws remember in it. */
export function stateKey(state: RunState<unknown>, memories: Memories): string {
  const { version, status, value, context, at, history, fault } = state;
  const { children = {} } = state as Partial<TreeState>;
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
        ...Object.fromEntries(
          Object.entries(children).map(([path, child]) => [
            `child ${path}`,
            [child.value, child.context, toArray(child.issued).toSorted()],
          ]),
        ),
      },
      "$",
    ),
  );
}
