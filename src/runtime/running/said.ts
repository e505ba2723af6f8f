/** Events, decisions and stops on their way to a live run, and how its driver takes them. */
import type { Arrived, Incoming, Refused } from "../../core/driver/live.js";
import type { RoutedDecision } from "./answers.js";
import { NEVER_ASKED, type Stale } from "./refusals.js";

/** An interrupt or a drain on its way. */
type Winding =
  | { readonly interrupt: string | undefined; readonly graceMs: number }
  | { readonly drain: number };

/** Something that a run is told. An event may have any parts, so that it is wrapped. */
export type Said =
  | { readonly event: Incoming }
  | { readonly route: RoutedDecision }
  | { readonly winding: Winding };

/** Returns the approvals and children of a run on which something is decided. */
export function decidedIn(told: readonly Said[]): ReadonlySet<string> {
  const routes = told.flatMap((each) => ("route" in each ? [each.route] : []));
  return new Set(routes.map((route) => ("own" in route ? route.own : route.child)));
}

/** Returns an arrival for the driver; nothing if it is for a child. */
export function arrivedOf(said: Said): Arrived | undefined {
  if ("event" in said) return { type: "event", event: said.event };
  if ("route" in said) {
    const { route } = said;
    return "own" in route
      ? { type: "decided", id: route.own, decision: route.decision }
      : undefined;
  }
  const { winding } = said;
  if ("drain" in winding) return { type: "drain", ms: winding.drain };
  const { interrupt: reason, graceMs } = winding;
  return { type: "interrupt", graceMs, ...(reason === undefined ? {} : { reason }) };
}

/** Returns the reason why a decision was not taken. */
export function staleOf({ why, error }: Refused): Stale {
  if (error !== undefined) return { why: error.message, error };
  if (why === "ended") return { why: "its run has ended" };
  return why === "overdue" ? { why: "its deadline has passed" } : NEVER_ASKED;
}
