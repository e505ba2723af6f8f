/** Validates what the caller of `resume` passes (decisions, messages, events), before anything runs. */

import type { Incoming } from "../../core/driver/live.js";
import {
  type EffectError,
  type GivenEvent,
  type RunState,
  tableGet,
  tableHas,
} from "../../core/kernel/index.js";
import type { OpenRun } from "../children/open-run.js";
import {
  afterDueTimers,
  decided,
  openApprovals,
  type RoutedDecision,
  routed,
  stepAhead,
  whyGone,
  whyNoChild,
} from "./answers.js";
import { checkEvent, checkSettled, lookAt } from "./check-event.js";
import type { ResumeOptions } from "./options.js";
import { notSettled, refusedBy, runEnded, type Stale, staleApproval } from "./refusals.js";

const NOT_BEGUN: Stale = { why: "its run has not begun" };
const CHILD_TOO_LATE: Stale = { why: "a deadline that has passed has ended its run" };
const ENDED_WITH_IT: Stale = { why: "a decision given with it has ended its run" };

/**
 * Decisions, messages and events as they are to be posted, checked against what the run, and its
 * children, wait for.
 * @throws ReckonerError `approval.stale`, `run.ended`, `event.invalid`, `event.tooLarge`,
 * `json.refused`
 */
export function checkAnswers(
  opened: OpenRun,
  { approvals = {}, messages = [], events = [], settle = [] }: ResumeOptions,
  now: number,
): {
  readonly decisions: readonly RoutedDecision[];
  readonly settled: ReturnType<typeof checkSettled>[];
  readonly events: readonly Incoming[];
} {
  const given = lookAt("What approvals hold", () => Object.entries(approvals));
  const decisions = given.map(([id, decision]) => routed(id, decision));
  const decided = decideAll(opened, decisions, now);
  if (decided.stale !== undefined) {
    const [i, stale] = decided.stale;
    throw staleApproval((decisions[i] as RoutedDecision).id, stale, openApprovals(opened));
  }
  const said = lookAt("What resume is told", () => [
    ...messages.map((content) => ({ type: "message", content })),
    ...events,
  ]);
  const incoming = said.map(checkEvent);
  const settled = lookAt("What resume is told to settle", () => [...settle]).map(checkSettled);
  let { state } = decided;
  for (const { run, settlement } of settled) {
    const { id } = settlement;
    const effect = state === undefined ? undefined : tableGet(state.outstanding, id);
    const isOwed =
      effect !== undefined &&
      !["approval", "run"].includes(effect.type) &&
      settlement.type.startsWith(`${effect.type}.`);
    if (state === undefined || run !== "" || !isOwed) throw notSettled(id);
    state = stepAhead(opened.reasoner as never, state, settlement, now);
  }
  for (const each of state === undefined ? [] : incoming) {
    if (state?.status !== "active") throw runEnded();
    const refused = refusalOf(opened.reasoner, state, each, now);
    if (refused !== undefined) throw refusedBy(refused);
    state = stepAhead(opened.reasoner as never, state, each, now);
  }
  return { decisions, settled, events: incoming };
}

/**
 * The state of a run after several decisions, in order, so that none is accepted that another one
 * given with it makes void.
 * @returns that state, or which decision does not count, and why
 */
function decideAll(
  { reasoner, loaded, children }: OpenRun,
  routes: readonly RoutedDecision[],
  now: number,
): {
  readonly state: RunState<unknown> | undefined;
  readonly stale?: readonly [index: number, stale: Stale];
} {
  const before = loaded.state;
  const due = before && afterDueTimers(reasoner as never, before, now);
  let state: RunState<unknown> | undefined = due;
  const inner = new Map<string, (readonly [index: number, route: RoutedDecision])[]>();
  for (const [i, route] of routes.entries()) {
    if (!("own" in route)) {
      const given = inner.get(route.child) ?? [];
      given.push([i, routed(route.inner, route.decision)]);
      inner.set(route.child, given);
      continue;
    }
    if (before === undefined || due === undefined || state === undefined) {
      return { state, stale: [i, NOT_BEGUN] };
    }
    const stale = whyGone(before, due, state, route.own);
    if (stale !== undefined) return { state, stale: [i, stale] };
    const event = decided(route.own, route.decision);
    const error = refusalOf(reasoner, state, event, now);
    if (error !== undefined) return { state, stale: [i, { why: error.message, error }] };
    state = stepAhead(reasoner as never, state, event, now);
  }
  for (const [id, given] of inner) {
    const [first] = given[0] as readonly [number, RoutedDecision];
    const child = children.get(id);
    if (before === undefined || due === undefined || state === undefined) {
      return { state, stale: [first, NOT_BEGUN] };
    }
    if (child === undefined) return { state, stale: [first, whyNoChild(before, id)] };
    if (!tableHas(due.outstanding, id)) return { state, stale: [first, CHILD_TOO_LATE] };
    if (!tableHas(state.outstanding, id)) return { state, stale: [first, ENDED_WITH_IT] };
    const within = decideAll(
      child,
      given.map(([, route]) => route),
      now,
    );
    if (within.stale === undefined) continue;
    const [i, stale] = within.stale;
    return { state, stale: [(given[i] as readonly [number, RoutedDecision])[0], stale] };
  }
  return { state };
}

/** The reason why a machine refuses an event in a state. */
function refusalOf(
  { refusal }: Pick<OpenRun["reasoner"], "refusal">,
  state: RunState<unknown>,
  event: Incoming,
  now: number,
): EffectError | undefined {
  return refusal(state as never, { ...event, at: Math.max(now, state.at) } as GivenEvent);
}
