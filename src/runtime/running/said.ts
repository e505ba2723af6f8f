/** Events, decisions and stops on their way to a live run, and how its driver takes them. */
import type { Arrived, Refused } from "../../core/driver/live.js";
import type { RoutedDecision } from "./answers.js";
import { NEVER_ASKED, type Stale } from "./refusals.js";

/** Something that a run is told: an event, a stop, or a decision, which may be for a child. */
export type Said =
  | { readonly arrived: Extract<Arrived, { type: "event" | "settle" | "interrupt" | "drain" }> }
  | { readonly route: RoutedDecision };

/** Returns the approvals and children of a run on which something is decided. */
export function decidedIn(told: readonly Said[]): ReadonlySet<string> {
  const routes = told.flatMap((each) => ("route" in each ? [each.route] : []));
  return new Set(routes.map((route) => ("own" in route ? route.own : route.child)));
}

/** Returns an arrival for the driver; nothing if it is for a child. */
export function arrivedOf(said: Said): Arrived | undefined {
  if ("arrived" in said) return said.arrived;
  const { route } = said;
  return "own" in route ? { type: "decided", id: route.own, decision: route.decision } : undefined;
}

/** Returns the reason why a decision was not taken. */
export function staleOf({ why, error }: Refused): Stale {
  if (error !== undefined) return { why: error.message, error };
  if (why === "ended") return { why: "its run has ended" };
  return why === "overdue" ? { why: "its deadline has passed" } : NEVER_ASKED;
}
