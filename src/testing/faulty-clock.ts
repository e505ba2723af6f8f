/** A virtual clock that jumps, is set back, or stands still. */
import type { Clock, VirtualClock } from "../runtime/index.js";
import type { FaultPlan } from "./fault-plan.js";
import type { FaultyCalls } from "./faulty-calls.js";

/** A clock with its faults. */
export interface FaultyClock {
  readonly clock: Clock;
  /** An event of this number was taken. */
  after(seq: number): void;
}

/** A process's clock; its sleeps are calls that may go wrong. */
export function faultyClock(
  clock: VirtualClock,
  calls: FaultyCalls,
  { jumps = [], stands: [from, until] = [-1, -1] }: Pick<FaultPlan, "jumps" | "stands"> = {},
): FaultyClock {
  let ahead = 0;
  let standing: number | undefined;
  const now = () => standing ?? clock.now() + ahead;
  return {
    clock: {
      now,
      setTimer: (ms, wake) => clock.setTimer(ms, wake),
      sleep: (ms, signal) => calls.call({ ask: () => clock.sleep(ms, signal) }),
    },
    after(seq) {
      const jump = jumps.reduce((sum, each) => sum + (each.seq === seq ? each.ms : 0), 0);
      // A computer that slept wakes all that was due meanwhile; a clock that is set back wakes nobody.
      if (jump > 0) clock.advance(jump);
      else ahead += jump;
      if (seq === from) standing = now();
      if (seq >= until) standing = undefined;
    },
  };
}
