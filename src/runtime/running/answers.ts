/** What the caller of `resume` says to the run, and where a decision goes: checked before anything runs. */
import {
  type ApprovalDecision,
  owedBy,
  type Reasoner,
  type RunEvent,
  type RunState,
  splitPair,
  tableGet,
  unescapeId,
} from "../../core/kernel/index.js";
import type { OpenRun } from "../children/open-run.js";
import { checkDecision, checkEvent } from "./check-event.js";
import type { Incoming } from "./interpreter.js";
import type { ResumeOptions } from "./options.js";
import { runEnded, staleApproval } from "./refusals.js";

/** A decision and where it goes: to an approval of the run's own, or into a child. */
export type RoutedDecision = {
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
    ? { own: unescapeId(id), decision: checked }
    : { child: pair[0], inner: pair[1], decision: checked };
}

/** A decision as an event. */
export function decided(own: string, decision: ApprovalDecision): Incoming {
  return { ...decision, type: "approval.decided", id: own };
}

/**
 * Why an approval does not wait any more, in words; a time that has passed, and that nobody has told
 * the run of yet, counts as well.
 */
export function whyStale<Context>(
  reasoner: Pick<Reasoner<never, unknown, Context>, "step">,
  state: RunState<Context>,
  own: string,
  now: number,
): string | undefined {
  if (state.status !== "active") return "the run has ended";
  if (tableGet(state.outstanding, own)?.type !== "approval") {
    return "it was decided before, or never asked for";
  }
  const then = afterDueTimers(reasoner, state, now);
  return tableGet(then.outstanding, own) === undefined ? "its deadline has passed" : undefined;
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

/** The state after the timers whose time has passed. */
function afterDueTimers<Context>(
  reasoner: Pick<Reasoner<never, unknown, Context>, "step">,
  state: RunState<Context>,
  now: number,
): RunState<Context> {
  if (firstDueOf(state) > now) return state;
  let next = state;
  const due = owedBy(state).flatMap((each) =>
    each.type === "timer" && each.until <= now ? [each] : [],
  );
  for (const { id } of due.sort((a, b) => a.until - b.until)) {
    if (next.status !== "active") break;
    const event = { type: "timer.fired", id, at: Math.max(now, next.at) } as RunEvent;
    next = reasoner.step(next, event).state;
  }
  return next;
}

/**
 * Decisions, messages and events as they are to be posted, checked against what the run, and its
 * children, wait for.
 * @throws ReckonerError `approval.stale`, `run.ended`, `event.invalid`, `event.tooLarge`,
 * `json.refused`
 */
export function checkAnswers(
  opened: OpenRun,
  { approvals = {}, messages = [], events = [] }: ResumeOptions,
  now: number,
): { readonly decisions: readonly RoutedDecision[]; readonly events: readonly Incoming[] } {
  const { state } = opened.loaded;
  const decisions = Object.entries(approvals).map(([id, decision]) => {
    const route = routed(id, decision);
    const why = whyNot(opened, route, now);
    if (why !== undefined) throw staleApproval(id, why);
    return route;
  });
  const said = [...messages.map((content) => ({ type: "message", content })), ...events];
  if (said.length > 0 && state !== undefined && state.status !== "active") throw runEnded();
  return { decisions, events: said.map(checkEvent) };
}

function whyNot(opened: OpenRun, route: RoutedDecision, now: number): string | undefined {
  const { reasoner, loaded, children } = opened;
  if ("own" in route) {
    if (loaded.state === undefined) return "the run has not begun";
    return whyStale(reasoner as never, loaded.state, route.own, now);
  }
  const child = children.get(route.child);
  if (child === undefined) return "there is no such child run";
  return whyNot(child, routed(route.inner, route.decision), now);
}
