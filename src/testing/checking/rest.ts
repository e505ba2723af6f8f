/** Whether a run is over: ended, at rest, or standing still for ever. */
import { type GivenEvent, owedBy, type Reasoner, type RunState } from "../../core/kernel/index.js";
import { asked } from "./asked.js";
import { everyChoice } from "./choose.js";
import { Happenings, interruptOf, messageText, type WorldOptions } from "./what-may-happen.js";

/** Own events that are tried from one state, at most. */
const MOST = 64;

/** Nothing more comes of itself: the run has ended, or owes nothing. */
export function isOver(state: RunState<unknown>): boolean {
  return state.status !== "active" || owedBy(state).length === 0;
}

/** A run that is active, owes nothing, and takes nothing that could come but a cancel: it stays so. */
export function standsStill<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  state: RunState<Context>,
  options: WorldOptions<Context>,
  values: readonly (string | object)[] = [{}],
): boolean {
  if (state.status !== "active" || owedBy(state).length > 0) return false;
  const { at } = state;
  const happenings = new Happenings<Context>(reasoner, options);
  const own = everyChoice((choose) => happenings.outside(choose, state), values as never, MOST);
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
