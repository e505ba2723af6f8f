/** Faults that can be planted in the simulation of several processes, and what happens to these between two turns. */

/** The faults of §1 that can be put back, one at a time. */
export type Planted =
  | "rewind takes no lock"
  | "a lock is never lost"
  | "heads are not durable"
  | "lines are not synced"
  | "heads are read once"
  | "no note of the end";

/** Something that happens between two turns. */
export type Disturbance =
  | "die"
  | "stall"
  | "go on"
  | "jump"
  | "power fails"
  | "roll back"
  | "resume"
  | "upgrade"
  | "rewind"
  | "fork";

/** The kinds that each planted fault needs. */
export const NEEDED: { readonly [fault in Planted]: readonly Disturbance[] } = {
  "rewind takes no lock": ["rewind"],
  "a lock is never lost": ["stall", "resume"],
  "heads are not durable": ["rewind", "power fails"],
  "lines are not synced": ["power fails", "resume"],
  "heads are read once": ["die", "resume", "rewind"],
  "no note of the end": ["roll back"],
};
