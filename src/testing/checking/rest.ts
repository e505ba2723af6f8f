/** Whether a run is over: ended, at rest, or standing still for ever. */
import {
  type GivenEvent,
  type Json,
  owedBy,
  type Reasoner,
  type RunState,
} from "../../core/kernel/index.js";
import { asked } from "./asked.js";
import { everyChoice } from "./choose.js";
import { NEVER_STILL } from "./law-names.js";
import type { Breach } from "./monitor.js";
import { Happenings, interruptOf, messageText, type WorldOptions } from "./what-may-happen.js";

/** What is told of where a run may be over. */
interface Resting<Context> extends WorldOptions<Context> {
  readonly without?: readonly string[];
  readonly values?: readonly Json[];
  rests?(state: RunState<Context>): boolean;
}

/** Own events that are tried from one state, at most. */
const MOST = 64;

/** Nothing more comes of itself: the run has ended, or owes nothing. */
export function isOver(state: RunState<unknown>): boolean {
  return state.status !== "active" || owedBy(state).length === 0;
}

/** A state in which a run that may not rest there owes nothing and takes nothing that could come. */
export function standstill<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  state: RunState<Context>,
  options: Resting<Context>,
): Breach | undefined {
  if (options.without?.includes(NEVER_STILL) === true || restsIn(state, options)) return undefined;
  if (!standsStill(reasoner, state, options)) return undefined;
  const what = `it is in ${JSON.stringify(state.value)}, owes nothing, and takes nothing that could come`;
  return { law: NEVER_STILL, what };
}

/** A run that is active, owes nothing, and takes nothing that could come but a cancel: it stays so. */
function standsStill<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  state: RunState<Context>,
  options: Resting<Context>,
): boolean {
  if (state.status !== "active" || owedBy(state).length > 0) return false;
  const { at } = state;
  const { values = [{}] } = options;
  const happenings = new Happenings<Context>(reasoner, options);
  const own = everyChoice((choose) => happenings.outside(choose, state), values, MOST);
  const could: GivenEvent[] = [
    { type: "message", content: messageText(0), at },
    ...own.map((event) => ({ ...event, at })),
    everyChoice((choose) => interruptOf(undefined, at, choose), [], 1)[0] as GivenEvent,
  ];
  return could.every((event) => {
    const { ignored, state: next } = reasoner.step(state, event);
    if (ignored !== undefined) return true;
    if (next.status !== "active") return false;
    // It is taken, and nothing comes of it.
    return (
      JSON.stringify([next.value, next.context]) === JSON.stringify([state.value, state.context]) &&
      owedBy(next).length === 0
    );
  });
}

/** Whether a run may rest in a state, as the caller says. */
export function restsIn<Context>(
  state: RunState<Context>,
  { rests }: { rests?(state: RunState<Context>): boolean },
): boolean {
  return rests !== undefined && asked("rests", () => rests(state)) === true;
}
