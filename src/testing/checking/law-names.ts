/** The names of the built-in laws, which `without` turns off. */

/** No guard, change, issue or factory throws, and what is issued are directives. */
export const NO_FAULT = "no machine throws, loops, or issues something that is not a directive";
/** Each answer is handled in every state in which it may come. */
export const NOTHING_LOST = "no answer is lost";
/** The law's name for a run that is active, owes nothing and takes nothing. */
export const NEVER_STILL = "no run stands still without having ended";
/** A step that is taken again comes to the same (K1). */
export const SAME_AGAIN = "a step depends on its arguments alone";
/** The law of a search that finds runs which go on for ever. */
export const CAN_END = "an end can be reached from every state";
/** The law that a search holds a machine to with `confluent: true`. */
export const ORDER_IS_NOTHING = "the order of answers changes nothing";
/** The law of upgrades, by name. */
export const CARRIED_OVER = "an upgrade is refused nowhere";

/** Those that may be left out. */
export const lawNames: readonly string[] = [
  NO_FAULT,
  NOTHING_LOST,
  NEVER_STILL,
  SAME_AGAIN,
  CAN_END,
  CARRIED_OVER,
];
