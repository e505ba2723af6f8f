/**
 * Lets the event loop turn after some steps of the runs in this process. Runs whose answers are there at once go
 * on in microtasks alone: whoever waits for a timer or a socket would wait for all of them.
 */

import { systemClock } from "../ports/clock.js";
import type { Clock } from "../ports/ports.js";

/** So many steps are taken in one go: some milliseconds. */
const MOST = 64;

/** Steps since the event loop last turned. */
let taken = 0;
let isTurning = false;
const waiting: (() => void)[] = [];

/**
 * Counts a step of a run with this clock.
 * @returns what to wait for before it; nothing where there is time for it
 */
export function breath(clock: Clock): Promise<void> | undefined {
  // Whoever moves a clock of their own does so when nothing happens any more: a run that waits here is not seen.
  if (clock !== systemClock) return undefined;
  turn();
  if (taken < MOST && waiting.length === 0) {
    taken += 1;
    return undefined;
  }
  return new Promise((resolve) => waiting.push(resolve));
}

/** Has the event loop turn: then the next are let go, first come, first served. */
function turn(): void {
  if (isTurning) return;
  isTurning = true;
  afterAll(() => {
    isTurning = false;
    const next = waiting.splice(0, MOST);
    taken = next.length;
    if (waiting.length > 0) turn();
    for (const go of next) go();
  });
}

const { setImmediate: soon } = globalThis as {
  readonly setImmediate?: (work: () => void) => unknown;
};
/** Calls a function when the event loop has turned. */
const afterAll = soon ?? ((work: () => void) => setTimeout(work, 0));
