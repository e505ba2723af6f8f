/**
 * A reasoner that can be upgraded to later code at any moment, as an event of the search. A state's
 * version tells which code it belongs to.
 */

import type { Reasoner, RunState, Step } from "../../core/kernel/machine/index.js";
import {
  isReckonerError,
  type Json,
  ReckonerError,
  toJson,
} from "../../core/kernel/values/index.js";
import type { IncomingEvent } from "../../core/kernel/vocabulary/index.js";

/** The type under which an upgrade happens in a run that is checked. */
export const UPGRADE = "reckoner.upgrade";

/** The option with a reasoner's later code. */
export interface Upgrading {
  /**
   * Later code, of a higher version, under which a run may go on at any moment: `resume` with `upgrade`.
   * Laws about states hold for those of both. Default: none.
   */
  readonly upgrade?: Reasoner<never, unknown, never> | undefined;
}

type Code<Input, Output, Context> = Reasoner<Input, Output, Context>;

/**
 * The reasoner with its upgrades.
 * @throws ReckonerError `option.invalid` where the code is no later one of the same reasoner
 */
export function upgradable<Input, Output, Context>(
  reasoner: Code<Input, Output, Context>,
  { upgrade }: Upgrading,
): Code<Input, Output, Context> {
  if (upgrade === undefined) return reasoner;
  const later = upgrade as Code<Input, Output, Context>;
  if (later?.id !== reasoner.id || !(later.version > reasoner.version)) {
    const message = `The check: upgrade must be ${reasoner.id} of a version above ${reasoner.version}.`;
    throw new ReckonerError("option.invalid", message);
  }
  const of = (state: RunState<Context>) => (state.version === later.version ? later : reasoner);
  // The states of a run do not hold its input, which a migration is told.
  let input: Json = null;
  return {
    ...reasoner,
    start(runInput, origin) {
      input = toJson<Json>(runInput ?? null, "$.input");
      return reasoner.start(runInput, origin);
    },
    step: (state, event) =>
      event.type === UPGRADE
        ? upgraded(reasoner, later, state, event, input)
        : of(state).step(state, event),
    output: (state) => of(state).output(state),
    error: (state) => of(state).error(state),
  };
}

/** A refused upgrade changes nothing: the run stays as it was, for the code that it has. */
function upgraded<Input, Output, Context>(
  from: Code<Input, Output, Context>,
  to: Code<Input, Output, Context>,
  state: RunState<Context>,
  { at, type }: IncomingEvent,
  input: Json,
): Step<Context> {
  const differs = (part: string) => from.configuration[part] !== to.configuration[part];
  try {
    const over = { at, differs, input, budget: undefined };
    return { state: to.migrate(state, over), directives: [] };
  } catch (thrown) {
    if (!isReckonerError(thrown)) throw thrown;
    return { state, directives: [], ignored: { reason: "unhandled", type }, thrown };
  }
}
