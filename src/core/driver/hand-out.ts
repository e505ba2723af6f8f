/**
 * Makes the `Attempt` that a host carries out (directive, model, idempotency key, what a tool sees of the
 * run), and the start marks that the line of a step records for attempts that begin with it.
 */

import type { RunState } from "../kernel/machine/index.js";
import {
  type Directive,
  inDollars,
  noUsage,
  pairKey,
  type RunContext,
} from "../kernel/vocabulary/index.js";
import type { Attempt, Call } from "./arrived.js";
import type { Live } from "./effects.js";
import { isOnce } from "./may-begin.js";
import { modelOfAttempt } from "./rounds.js";

type Writable<T> = { -readonly [name in keyof T]: T[name] };

/** The maximal number of start marks in one line. */
const MAX_STARTS = 1_000;

/** Names the present attempt of an effect. */
export function callOf({ owner, effect, attempt }: Live): Call {
  return { run: owner.path, id: effect.id, attempt };
}

/** Returns the part of a state that tools see: `deps` and `usage` of its context, where the machine has them. */
export function seenOf({ at, context }: RunState<unknown>): Attempt["sees"] {
  const { deps, usage } = (context ?? {}) as Partial<RunContext>;
  return { at, deps: deps ?? {}, usage: inDollars(usage ?? noUsage) };
}

/**
 * Returns an attempt with all that carrying it out needs.
 * @param run its run: its id, the way to its reasoner, and what tools see of its state
 * @param offset milliseconds by which the host's clock is behind the times of events
 */
export function attemptOf(
  live: Live,
  { runId, through, sees }: Pick<Attempt, "runId" | "through" | "sees">,
  offset: number,
): Attempt {
  const { effect: directive, until, owner, attempt, handle } = live;
  const model = modelOfAttempt(directive, attempt, owner.traits.options);
  // Field by field: spreads of what may be there cost ten times as much, twice a turn.
  const made: Writable<Attempt> = {
    run: owner.path,
    id: directive.id,
    attempt,
    runId,
    through,
    directive,
    idempotencyKey: pairKey(runId, directive.id),
    sees,
  };
  if (model !== undefined) made.model = model;
  if (isOnce(directive, owner.traits)) made.once = true;
  if (handle !== undefined) made.handle = handle.handle;
  if (until !== undefined) made.deadline = until - offset;
  return made;
}

/**
 * Returns the marks of attempts that begin with a step: the places of directives whose marks ride in the
 * step's line, and the effects that need marks of their own.
 * @param begun in order of issue
 * @param first the order of the first effect that the step issued
 */
export function startsOf(
  directives: readonly Directive[],
  begun: readonly Live[],
  first: number,
  isMarked: (live: Live) => boolean,
): { readonly places: readonly number[]; readonly others: readonly Live[] } {
  const places: number[] = [];
  const others: Live[] = [];
  // Both are in order of issue, so that one pass finds each directive's place.
  let place = 0;
  for (const live of begun) {
    if (!isMarked(live)) continue;
    if (live.order < first || places.length === MAX_STARTS) {
      others.push(live);
      continue;
    }
    while (directives[place] !== live.effect) place += 1;
    places.push(place);
  }
  return { places, others };
}
