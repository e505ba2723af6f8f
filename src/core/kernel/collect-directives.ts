/** What a machine issued in one step: checked, and counted into what the run owes. */
import { type Directive, directiveFault, type Effect, isEffect } from "./directive.js";
import type { ErrorCode } from "./errors.js";
import { addId, hasId, type IdSet } from "./id-set.js";
import { asJson } from "./json.js";
import { sealJson } from "./list.js";
import { cancelAll, type RunState, type RunStatus, type StateValue } from "./state.js";

/** What is known of the run before a machine has had its say. */
export interface Before {
  readonly base: Pick<RunState, "reasoner" | "version" | "runId" | "seq" | "at">;
  readonly outstanding: readonly Effect[];
  readonly ids: IdSet;
  readonly value: StateValue;
  readonly context: unknown;
}

/** A machine's fault with its code; anything else that is thrown is `machine.threw`. */
export class Fault extends Error {
  readonly code: ErrorCode;
  readonly place: string;
  constructor(code: ErrorCode, place: string) {
    super(`${code} at ${place}`);
    this.code = code;
    this.place = place;
  }
}

/**
 * @param issued the params of the step's `issue` actions
 * @param place for the fault
 * @throws Fault `directive.*`
 */
export function collectDirectives(
  issued: readonly unknown[],
  before: Before,
  status: RunStatus,
  place: string,
): { directives: Directive[]; outstanding: readonly Effect[]; ids: IdSet } {
  const directives: Directive[] = [];
  let outstanding: readonly Effect[] = before.outstanding;
  let ids = before.ids;
  const flat = issued.flatMap((params) => (Array.isArray(params) ? params : [params]));
  for (let i = 0; i < flat.length; i++) {
    const at = `${place}, directive ${i}`;
    if (flat[i] === undefined) throw new Fault("directive.invalid", `${at}: is undefined`);
    const directive = sealJson<Directive>(flat[i], "$");
    const fault = directiveFault(asJson(directive));
    if (fault !== undefined) throw new Fault("directive.invalid", `${at}: ${fault}`);
    directives.push(directive);
    if (isEffect(directive)) {
      if (status !== "active") throw new Fault("directive.afterEnd", `${at}: ${directive.id}`);
      if (hasId(ids, directive.id)) throw new Fault("directive.repeated", `${at}: ${directive.id}`);
      ids = addId(ids, directive.id);
      outstanding = [...outstanding, directive];
    } else if (directive.type === "cancel") {
      outstanding = outstanding.filter((each) => each.id !== directive.target);
    }
  }
  if (status === "active") return { directives, outstanding, ids };
  return { directives: [...directives, ...cancelAll(outstanding)], outstanding: [], ids };
}
