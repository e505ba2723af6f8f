/**
 * Names the objects and services that an engine binds to Restate, and types the messages that these send to each
 * other.
 */
import type { Arrived, Attempt } from "../../core/driver/index.js";
import type { Arrivals, Turned } from "../shared/index.js";

/** Default of `name`. */
export const NAME = "reckoner";

/** Returns the name of the service that carries out attempts. */
export function effectsOf(name: string): string {
  return `${name}.effects`;
}

/** An attempt on its way to whoever carries it out. */
export interface Handed {
  /** The id of its root run: the key of its object. */
  readonly run: string;
  /** The journal that it stands in. */
  readonly fork: string;
  /** The id of the reasoner of the root. */
  readonly reasoner: string;
  readonly attempt: Attempt;
}

/** An event of an object that is no verb. */
export interface Event extends Arrivals {
  /** The invocation that its reports are of. Those of any other than the one that was begun are not taken. */
  readonly from?: string | undefined;
  /** A wake, by the moment for which it was sent. */
  readonly wake?: number | undefined;
}

/** The answer to an event: of handles, those that are durable and those that were refused. */
export type Heard = Pick<Turned, "kept" | "refused">;

/** Words of an attempt that goes on. */
export type OnTheWay = Extract<Arrived, { readonly type: "handle" | "progress" }>;

/** Returns true for a word of an attempt that goes on. */
export function isOnTheWay(arrived: Arrived): arrived is OnTheWay {
  return arrived.type === "handle" || arrived.type === "progress";
}
