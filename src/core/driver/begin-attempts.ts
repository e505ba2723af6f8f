/**
 * Begins attempts of effects (model calls, tools, stores) while slots are free, in the order of issue over
 * the whole tree of runs, and sets their time limits. The only place that hands out slots.
 */

import type { Handle } from "../journal/for-live-runs.js";
import type { Call } from "./arrived.js";
import type { Live } from "./effects.js";
import { callOf } from "./hand-out.js";
import { isMarked } from "./may-begin.js";
import type { Shared } from "./shared-by-runs.js";
import { timeLimitOf, totalLimitOf } from "./time-limits.js";

type Beginning = Pick<Shared<never>, "winding" | "effects" | "now" | "slots" | "log"> & {
  readonly out: { readonly begun: Live[] };
};

/** Begins who is next, as long as there are slots. @returns those that begin, in order of their issue */
export function beginNext(shared: Beginning): readonly Live[] {
  const { winding, effects, out } = shared;
  if (winding.drains) return [];
  const held = winding.interrupts ? winding.turn : undefined;
  const begun: Live[] = [];
  for (let next = effects.nextReady(held); next !== undefined; next = effects.nextReady(held)) {
    begun.push(begin(shared, next));
  }
  while (shared.slots > effects.slots) {
    const next = effects.nextQueued(held);
    if (next === undefined) break;
    begun.push(begin(shared, next));
  }
  if (begun.length > 1) begun.sort((a, b) => a.order - b.order);
  out.begun.push(...begun);
  return begun;
}

/** Begins an attempt. */
export function begin(shared: Pick<Beginning, "effects" | "now">, live: Live): Live {
  if (live.handle === undefined) live.attempt += 1;
  live.latest = undefined;
  limit(shared, live);
  return live;
}

function limit({ effects, now }: Pick<Beginning, "effects" | "now">, live: Live): void {
  const { effect, owner } = live;
  const silent = timeLimitOf(effect, owner.traits);
  live.latest ??= effect.type === "llm" ? now + totalLimitOf(owner.traits) : undefined;
  // Until then nobody expects it to say anything.
  const from = Math.max(now, live.handle?.due ?? now);
  const until = silent === undefined ? undefined : from + silent;
  effects.move(
    live,
    "running",
    live.latest === undefined ? until : Math.min(until ?? live.latest, live.latest),
  );
}

/** Moves the limit of an attempt that makes progress, or that its host has not begun. */
export function moveLimit(
  shared: Pick<Beginning, "effects" | "now">,
  live: Live,
  why: "progress" | "held",
): void {
  if (live.phase !== "running") return;
  const isHeld = live.until === undefined;
  if (why === "held") {
    live.latest = undefined;
    shared.effects.move(live, "running");
  } else if (isHeld || live.effect.type === "llm") limit(shared, live);
}

/** Notes what the port of an attempt wants back after a crash. */
export function keepHandle(
  shared: Pick<Beginning, "effects" | "now" | "log"> & {
    readonly offset: number;
    readonly out: { readonly kept: Call[] };
  },
  live: Live,
  { handle, due: then }: Handle,
): void {
  const { owner, effect, attempt } = live;
  const due = then === undefined ? undefined : then + shared.offset;
  live.handle = due === undefined ? { handle } : { handle, due };
  shared.log.mark({ id: effect.id, attempt, ...live.handle }, owner.path);
  shared.out.kept.push(callOf(live));
  if (live.phase !== "running") return;
  if (due !== undefined) live.latest = undefined;
  limit(shared, live);
}

/** Returns true if a mark says that an attempt has begun; one that goes on with its handle has one. */
export function isBegunMarked({ effect, owner, handle }: Live): boolean {
  return handle === undefined && isMarked(effect, owner.traits);
}

/** Marks an attempt that begins without a step. */
export function markBegun({ log }: Pick<Beginning, "log">, live: Live): void {
  const { owner, effect, attempt } = live;
  log.mark({ id: effect.id, attempt }, owner.path);
}
