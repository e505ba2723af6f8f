/**
 * Judges where a simulated run may be over: it has ended, it may wait there, or it stands still, active with
 * nothing outstanding and no event that leads on, which breaks a law.
 */

import { owedBy, type Reasoner, type RunState } from "../../core/kernel/machine/index.js";
import type { Json } from "../../core/kernel/values/index.js";
import type { IncomingEvent } from "../../core/kernel/vocabulary/index.js";
import { plainest } from "./choose.js";
import { NEVER_STILL } from "./law-names.js";
import type { Breach } from "./monitor.js";
import { callUserFunction, wrongAnswer } from "./user-function.js";
import { Happenings, interruptOf, messageText, type WorldOptions } from "./what-may-happen.js";

/** Events that a function of the caller's gives are tried in one state, at most; of more nobody knows. */
const MOST_TRIED = 256;

/** The facts about a place where a run may be over. */
interface StandstillOptions<Context> extends WorldOptions<Context> {
  readonly without?: readonly string[] | undefined;
  readonly values?: readonly Json[] | undefined;
  readonly waits?: ((state: RunState<Context>) => boolean) | undefined;
}

/** Nothing further will happen by itself: the run has ended, or nothing is outstanding. */
export function isOver(state: RunState<unknown>): boolean {
  return state.status !== "active" || owedBy(state).length === 0;
}

/** A state in which a run that may not wait there has nothing outstanding and takes nothing that could come. */
export function standstill<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  state: RunState<Context>,
  options: StandstillOptions<Context>,
): Breach | undefined {
  if (options.without?.includes(NEVER_STILL) === true || mayWaitIn(state, options))
    return undefined;
  if (!standsStill(reasoner, state, options)) return undefined;
  const what = `it is in ${JSON.stringify(state.value)}, owes nothing, and takes nothing that could come`;
  return { law: NEVER_STILL, what };
}

/** A run that is active, owes nothing, and takes nothing that could come but a cancel: it stays so. */
function standsStill<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  state: RunState<Context>,
  options: StandstillOptions<Context>,
): boolean {
  if (state.status !== "active" || owedBy(state).length > 0) return false;
  const { at } = state;
  const { values = [{}] } = options;
  const happenings = new Happenings<Context>(reasoner, options);
  const own = happenings.everyOutside(state, values, MOST_TRIED);
  if (!own.isAll) return false;
  return ![...own.found.map((event) => ({ ...event, at })), ...byUsers(at)].some((event) =>
    leadsOn(reasoner, state, event),
  );
}

/** Lists the events that users may send at any moment. */
function byUsers(at: number): readonly IncomingEvent[] {
  return [{ type: "message", content: messageText(0), at }, interruptOf(undefined, at, plainest)];
}

/** Returns true when something comes of an event of these types that users may send. */
export function usersLeadOn<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  state: RunState<Context>,
  types: readonly string[],
): boolean {
  return byUsers(state.at).some(
    (event) => types.includes(event.type) && leadsOn(reasoner, state, event),
  );
}

/** Returns true when an event is taken and something comes of it. */
function leadsOn<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  state: RunState<Context>,
  event: IncomingEvent,
): boolean {
  const { ignored, state: next } = reasoner.step(state, event);
  if (ignored !== undefined) return false;
  if (next.status !== "active") return true;
  const seen = ({ value, context, outstanding }: RunState<Context>) =>
    JSON.stringify([value, context, outstanding]);
  return seen(next) !== seen(state);
}

/** Returns true when a run may wait in a state, by the caller's own rule. */
export function mayWaitIn<Context>(
  state: RunState<Context>,
  { waits }: Pick<StandstillOptions<Context>, "waits">,
): boolean {
  if (waits === undefined) return false;
  const answer: unknown = callUserFunction("waits", () => waits(state));
  if (typeof answer === "boolean" || answer === undefined) return answer === true;
  throw wrongAnswer("waits", "true or false", answer);
}
