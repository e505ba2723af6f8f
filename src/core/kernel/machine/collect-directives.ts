/** Validates the directives issued in one step, and adds them to what is outstanding. */

import { asJson, type Json } from "../values/json.js";
import { isRecordable } from "../values/recordable.js";
import { sealJson } from "../values/seal.js";
import { type Directive, directiveFault, isEffect } from "../vocabulary/directive.js";
import { type Afters, withTimers } from "./after.js";
import { Fault } from "./fault.js";
import { type IssuedIds, newId } from "./issued-ids.js";
import { addOwed, cancelAll, dropOwed, nothingOwed, type Owed } from "./outstanding.js";
import type { History } from "./path.js";
import type { RunState, RunStatus, StateValue } from "./state.js";

/** The run before the machine's step. */
export interface PreviousRun {
  readonly base: Pick<RunState, "reasoner" | "version" | "runId" | "seq" | "at">;
  readonly outstanding: Owed;
  readonly ids: IssuedIds;
  readonly value: StateValue;
  readonly context: unknown;
  readonly history: History | undefined;
}

/**
 * @param issued the params of the step's `issue` actions, and its starts and stops of timers
 * @param place for the fault
 * @throws Fault `directive.*`, `machine.tooLarge`
 */
export function collectDirectives(
  issued: readonly unknown[],
  before: PreviousRun,
  status: RunStatus,
  afters: Afters,
  place: string,
): { directives: readonly Directive[]; outstanding: Owed; ids: IssuedIds } {
  const directives: Directive[] = [];
  let { outstanding, ids } = before;
  const results = withTimers(issued, afters, outstanding, ids, before.base.at, place);
  const flat = flattened(results);
  for (let i = 0; i < flat.length; i++) {
    const at = `${place}, directive ${i}`;
    if (flat[i] === undefined) throw new Fault("directive.invalid", `${at}: is undefined`);
    const directive = sealJson<Directive>(flat[i], "$");
    const fault = directiveFault(asJson(directive));
    if (fault !== undefined) throw new Fault("directive.invalid", `${at}: ${fault}`);
    for (const part in directive) {
      if (isRecordable(directive[part as keyof Directive] as Json)) continue;
      throw new Fault("machine.tooLarge", `${at}: ${directive.type}.${part}`);
    }
    directives.push(directive);
    if (isEffect(directive)) {
      if (status !== "active") throw new Fault("directive.afterEnd", `${at}: ${directive.id}`);
      const more = newId(ids, directive.id);
      if (more === undefined) throw new Fault("directive.repeated", `${at}: ${directive.id}`);
      ids = more;
      outstanding = addOwed(outstanding, directive);
    } else if (directive.type === "cancel") outstanding = dropOwed(outstanding, directive.target);
  }
  if (status === "active") return { directives: Object.freeze(directives), outstanding, ids };
  return {
    directives: Object.freeze([...directives, ...cancelAll(outstanding)]),
    outstanding: nothingOwed,
    ids,
  };
}

/** Flattens the results of `issue`, each a directive or a list of some. */
function flattened(results: readonly unknown[]): readonly unknown[] {
  const flat: unknown[] = [];
  for (const params of results) {
    if (!Array.isArray(params)) flat.push(params);
    // One by one: how many arguments a call may have depends on the engine.
    else for (let i = 0; i < params.length; i++) flat.push(params[i]);
  }
  return flat;
}
