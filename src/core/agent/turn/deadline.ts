/**
 * Keeps the deadline of an agent's turn (`deadlineMs`) as a timer. While only people are waited for, the
 * timer is cancelled; it starts again under a new id with the time that was left. While a model is down, the
 * host holds the timer, and says afterwards for how long, so that the deadline is put off.
 */
import {
  type CancelDirective,
  isSettlement,
  type TimerDirective,
} from "../../kernel/vocabulary/index.js";
import type { AgentContext, TurnDeadline } from "../context/context.js";
import type { AgentSpec } from "../definition/spec.js";
import { requestId } from "../request/request.js";
import type { Seen } from "./turn-changes.js";

/** The timer of a turn's deadline, where the turn has none yet, or where it stands still. */
export function deadlineTimer(
  spec: AgentSpec,
  context: AgentContext,
  at: number,
): TimerDirective[] {
  const { deadline, turn } = context;
  const { deadlineMs } = spec.limits;
  if (deadlineMs === undefined) return [];
  if (deadline === null) return [timer(firstId(turn), at + deadlineMs)];
  if (deadline.timer !== null) return [];
  return [timer(`${firstId(turn)}/${requestId(context)}`, at + deadline.left)];
}

function timer(id: string, until: number): TimerDirective {
  return { type: "timer", id, until, deadline: true };
}

const firstId = (turn: number): string => `timer/deadline/${turn}`;

/** The context of a turn whose deadline has begun. */
export function markDeadline(
  spec: AgentSpec,
  context: AgentContext,
  event: Seen | undefined,
): AgentContext {
  const [begun] = deadlineTimer(spec, context, event?.at ?? context.startedAt);
  if (begun === undefined) return context;
  return { ...context, deadline: { timer: begun.id, until: begun.until } };
}

/** The directives that stop or begin the deadline's timer after an event. */
export function movedDeadline(
  context: AgentContext,
  event: Seen,
): readonly (CancelDirective | TimerDirective)[] {
  const { deadline } = context;
  const next = paced(context, event);
  if (deadline === null || next === null || next === deadline) return [];
  if (next.timer !== null) return [timer(next.timer, next.until)];
  return deadline.timer === null ? [] : [{ type: "cancel", target: deadline.timer }];
}

/** The context with its deadline as {@link movedDeadline} leaves it. */
export function paceDeadline(context: AgentContext, event: Seen): AgentContext {
  const deadline = paced(context, event);
  return deadline === context.deadline ? context : { ...context, deadline };
}

function paced({ deadline, batch, turn }: AgentContext, event: Seen): TurnDeadline | null {
  if (deadline === null) return null;
  const open = batch?.open ?? 0;
  const forPeople = open > 0 && batch?.asking === open;
  const waited = isSettlement(event) && "waitedMs" in event ? (event.waitedMs ?? 0) : 0;
  const id = `${firstId(turn)}/${callOf(event)}`;
  if (deadline.timer !== null) {
    if (!forPeople && waited === 0) return deadline;
    const left = Math.max(0, deadline.until + waited - event.at);
    const again = waited > 0 && deadline.timer === id;
    return { timer: null, left, ...(again ? { again } : {}) };
  }
  // It begins with the next effect: a run that ends in this step asks for none.
  if (forPeople || open === 0) return deadline;
  const timer = deadline.again === true ? `${id}/again` : id;
  return { timer, until: event.at + deadline.left };
}

/** The event that sets a deadline going settles one directive: so the timer's id is a path of the run's own. */
function callOf(event: Seen): string {
  const { id = "" } = event as { readonly id?: string };
  return id.slice(id.startsWith("llm/") ? 0 : id.indexOf("/") + 1);
}
