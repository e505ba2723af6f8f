/**
 * Finds the events that a directive waited for, which the trace names as its causes. The event whose
 * transition issued it is the parent. If a batch had to be complete first, all of it is named: an agent's
 * tool calls, a plug-in's directives, the calls of an operation, or, for other machines, the directives that
 * were issued together. Causes that the journal cannot show are not named.
 */
import type { AnswerBatch, Slot } from "./answer-batch.js";
import { type Draft, type Effect, isOpen } from "./open-event.js";
import { groupOf, type RunKind } from "./run-kind.js";

/** The events that took place before a directive was issued. */
export interface PrecedingEvents {
  readonly kind: RunKind;
  /** The event that the transition took. */
  readonly trigger: Draft | undefined;
  /** The effect that it settled. */
  readonly settled: Effect | undefined;
  /** The calls of the last answer. */
  readonly batch: AnswerBatch | undefined;
  /** The call of the batch that was settled. */
  readonly slot: Slot | undefined;
  /** The effects of each group. */
  readonly groups: ReadonlyMap<string, readonly Effect[]>;
}

/** The ids of what a directive waited for, the parent first. @param slot the call that it is for */
export function waitedFor(
  before: PrecedingEvents,
  issued: { readonly type: string; readonly id: string },
  slot: Slot | undefined,
): readonly string[] {
  const { trigger } = before;
  if (trigger === undefined) return [];
  return [...new Set([trigger.id, ...batchOf(before, issued, slot)])];
}

function batchOf(
  before: PrecedingEvents,
  issued: { readonly type: string; readonly id: string },
  slot: Slot | undefined,
): readonly string[] {
  const { kind, settled } = before;
  const calls = slot === undefined ? callsBefore(before, issued) : waveBefore(before, slot);
  if (settled === undefined) return calls;
  const group = groupOf(kind, settled.id);
  if (group !== undefined) {
    const effects = before.groups.get(group) ?? [];
    const complete = groupOf(kind, issued.id) !== group && !effects.some(isOpen);
    return complete ? [...effects.map(({ draft }) => draft.id), ...calls] : calls;
  }
  // An agent's calls and requests are known by their ids; with it, nothing else is a batch.
  if (kind !== "other") return calls;
  const { siblings } = settled;
  if (siblings.some(isOpen)) return calls;
  const quiet = siblings.filter((each) => each.quiet && each.draft.status !== "cancelled");
  return [...quiet.map(({ draft }) => draft.id), ...calls];
}

/** The batch's calls, for what comes behind all of it. */
function callsBefore(
  { batch, kind, trigger }: PrecedingEvents,
  { type }: { readonly type: string },
): readonly string[] {
  if (batch === undefined || !batch.over) return [];
  // The timer of a deadline comes by itself; what is issued for it waited for no call.
  if (trigger?.type === "timer" || (type !== "llm" && kind === "other")) return [];
  return batch.slots.flatMap(({ event }) => (event === undefined ? [] : [event.id]));
}

/** The calls of the waves before a call's: those up to the last that was issued before it. */
function waveBefore({ batch, slot, trigger }: PrecedingEvents, next: Slot): readonly string[] {
  if (batch === undefined || slot === undefined || slot === next) return [];
  // An event that begins with this very line is of the same wave.
  const isBefore = (event: Draft) => event.seq !== trigger?.endSeq;
  return batch.slots
    .slice(0, next.index)
    .flatMap(({ event }) => (event !== undefined && isBefore(event) ? [event.id] : []));
}
