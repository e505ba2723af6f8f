/**
 * Checking: laws of one's own, random runs, and searches of all runs. It needs no fast-check, so that
 * the command line has it without.
 */
export type { Choose } from "./choose.js";
export { sampleSchema } from "./sample-schema.js";
export { type Answer, defaultSettlers, type Settler, type Settlers } from "./settlers.js";
export {
  defaultWeights,
  type OutsideEvent,
  type Weights,
  type WorldOptions,
} from "./what-may-happen.js";
export type { History, Moment, RunOrigin } from "./world.js";
