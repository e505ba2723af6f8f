/**
 * The deadline of a turn: a timer, which does not run while only people are waited for. Then it is
 * cancelled, and what was left of it begins anew, under another id, once something else is at work.
 */
import type { CancelDirective, TimerDirective } from "../kernel/index.js";
import type { Seen } from "./changes.js";
import type { AgentContext, TurnDeadline } from "./context.js";
import type { AgentSpec } from "./spec.js";

/** The timer of a turn's deadline, where the turn has none yet. */
export function deadlineTimer(
  spec: AgentSpec,
  { deadline, turn }: AgentContext,
  at: number,
): TimerDirective[] {
  const { deadlineMs } = spec.limits;
  if (deadlineMs === undefined || deadline !== null) return [];
  return [{ type: "timer", id: firstId(turn), until: at + deadlineMs }];
}

const firstId = (turn: number): string => `timer/deadline/${turn}`;

/** The context of a turn whose deadline has begun. */
export function markDeadline(
  spec: AgentSpec,
  context: AgentContext,
  event: Seen | undefined,
): AgentContext {
  const [timer] = deadlineTimer(spec, context, event?.at ?? context.startedAt);
  if (timer === undefined) return context;
  return { ...context, deadline: { timer: timer.id, until: timer.until } };
}

/** The directives that stop or begin the deadline's timer after an event. */
export function movedDeadline(
  context: AgentContext,
  event: Seen,
): readonly (CancelDirective | TimerDirective)[] {
  const { deadline } = context;
  const next = paced(context, event);
  if (deadline === null || next === null || next === deadline) return [];
  if (deadline.timer !== null) return [{ type: "cancel", target: deadline.timer }];
  if (next.timer === null) return [];
  return [{ type: "timer", id: next.timer, until: next.until }];
}

/** The context with its deadline as {@link movedDeadline} leaves it. */
export function paceDeadline(context: AgentContext, event: Seen): AgentContext {
  const deadline = paced(context, event);
  return deadline === context.deadline ? context : { ...context, deadline };
}

function paced({ deadline, batch, turn }: AgentContext, event: Seen): TurnDeadline | null {
  if (deadline === null) return null;
  const forPeople = batch !== null && batch.open > 0 && batch.asking === batch.open;
  if (forPeople === (deadline.timer === null)) return deadline;
  if (deadline.timer !== null) return { timer: null, left: Math.max(0, deadline.until - event.at) };
  // A person's decision sets it going, and each call has one: so its id is a path of the run's own.
  const { id = "" } = event as { readonly id?: string };
  const call = id.slice(id.indexOf("/") + 1);
  return { timer: `${firstId(turn)}/${call}`, until: event.at + deadline.left };
}
