/** Routes decisions to a run or its children, and says why one came too late. */

import type { Incoming } from "../../core/driver/live.js";
import {
  type ApprovalDecision,
  escapeId,
  owedBy,
  pairKey,
  type Reasoner,
  type RunEvent,
  type RunState,
  splitPair,
  type TimerDirective,
  tableGet,
  tableHas,
  toArray,
  unescapeId,
} from "../../core/kernel/index.js";
import type { OpenRun } from "../children/open-run.js";
import { checkDecision } from "./check-event.js";
import { NEVER_ASKED, type Stale } from "./refusals.js";

/** A decision and where it goes: to an approval of the run's own, or into a child. */
export type RoutedDecision = {
  /** Of the approval, as whoever decides it knows it. */
  readonly id: string;
  readonly decision: ApprovalDecision;
} & ({ readonly own: string } | { readonly child: string; readonly inner: string });

/**
 * Where a decision goes.
 * @param id as `end.approvals` has it
 * @throws ReckonerError `event.invalid`, `event.tooLarge`, `json.refused` where it is no decision
 */
export function routed(id: string, decision: ApprovalDecision): RoutedDecision {
  const checked = checkDecision(id, decision);
  const pair = splitPair(id);
  return pair === undefined
    ? { id, own: unescapeId(id), decision: checked }
    : { id, child: pair[0], inner: pair[1], decision: checked };
}

/** A decision as an event. */
export function decided(own: string, decision: ApprovalDecision): Incoming {
  return { ...decision, type: "approval.decided", id: own };
}

/**
 * Why an approval is no longer pending; a timer that is due and was not delivered yet counts as
 * well.
 * @param ahead the state after what has arrived and is not taken yet
 */
export function whyStale<Context>(
  reasoner: Pick<Reasoner<never, unknown, Context>, "step">,
  state: RunState<Context>,
  ahead: RunState<Context>,
  own: string,
  now: number,
): Stale | undefined {
  return whyGone(state, afterDueTimers(reasoner, state, now), ahead, own);
}

/** @param due the state after what is due @param ahead the state after what else comes before it */
export function whyGone(
  state: RunState<unknown>,
  due: RunState<unknown>,
  ahead: RunState<unknown>,
  own: string,
): Stale | undefined {
  if (state.status !== "active") return { why: "its run has ended" };
  if (tableGet(state.outstanding, own)?.type !== "approval") return NEVER_ASKED;
  if (!tableHas(due.outstanding, own)) return { why: "its deadline has passed" };
  if (tableHas(ahead.outstanding, own)) return undefined;
  return { why: "what came just before it has settled it" };
}

/** Why nothing waits in a child that does not go on. */
export function whyNoChild({ outstanding, issued }: RunState<unknown>, id: string): Stale {
  const isOwed = tableGet(outstanding, id)?.type === "run";
  if (isOwed) return { why: "its child run has not begun", astray: true };
  const isOver = toArray(issued).includes(id) && !tableHas(outstanding, id);
  return { why: isOver ? "its child run is over" : "there is no such child run", astray: true };
}

/** The own approvals of a run that wait, by the ids that an end has them by. */
export function ownApprovals(state: RunState<unknown>): readonly string[] {
  return owedBy(state).flatMap(({ type, id }) => (type === "approval" ? [escapeId(id)] : []));
}

/** The approvals of a run that wait, those of its children behind its own. */
export function openApprovals({ loaded, children }: OpenRun): readonly string[] {
  const { state } = loaded;
  if (state?.status !== "active") return [];
  const inner = owedBy(state).flatMap(({ id }) => {
    const child = children.get(id);
    return child === undefined ? [] : openApprovals(child).map((each) => pairKey(id, each));
  });
  return [...ownApprovals(state), ...inner];
}

/** When the first timer of a state is due: thousands of decisions may be asked about one state. */
const firstDue = new WeakMap<object, number>();

function firstDueOf(state: RunState<unknown>): number {
  const known = firstDue.get(state);
  if (known !== undefined) return known;
  const first = owedBy(state).reduce(
    (least, each) => (each.type === "timer" ? Math.min(least, each.until) : least),
    Number.POSITIVE_INFINITY,
  );
  firstDue.set(state, first);
  return first;
}

/** The timers whose time has passed, in the order in which they were due. */
export function dueTimers(state: RunState<unknown>, now: number): readonly TimerDirective[] {
  if (firstDueOf(state) > now) return [];
  const due = owedBy(state).filter(
    (each): each is TimerDirective => each.type === "timer" && each.until <= now,
  );
  return due.sort((a, b) => a.until - b.until);
}

/** The state after the timers whose time has passed. */
export function afterDueTimers<Context>(
  reasoner: Pick<Reasoner<never, unknown, Context>, "step">,
  state: RunState<Context>,
  now: number,
): RunState<Context> {
  let next = state;
  for (const { id } of dueTimers(state, now)) {
    if (next.status !== "active") break;
    const event = { type: "timer.fired", id, at: Math.max(now, next.at) } as RunEvent;
    next = reasoner.step(next, event).state;
  }
  return next;
}

/** The state to which an event will lead, as far as that can be known before it is processed. */
export function stepAhead<Context>(
  reasoner: Pick<Reasoner<never, unknown, Context>, "step">,
  state: RunState<Context>,
  event: Incoming,
  now: number,
): RunState<Context> {
  if (state.status !== "active") return state;
  return reasoner.step(state, { ...event, at: Math.max(now, state.at) } as RunEvent).state;
}
