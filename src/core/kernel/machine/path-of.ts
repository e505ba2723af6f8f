/**
 * Chooses the path that computes a machine's steps: its compiled tables, or XState's own `transition()` in
 * tests and measurements.
 */
import type { AnyStateMachine } from "xstate";
import type { Afters } from "./after.js";
import { compile } from "./compiled/compile.js";
import { tablesPath } from "./compiled/run-tables.js";
import type { Path } from "./path.js";
import { xstatePath } from "./xstate-path.js";

/** @param wanted a path for tests and measurements */
export function pathOf(
  machine: AnyStateMachine,
  afters: Afters,
  wanted: Path["name"] = "tables",
): Path {
  return wanted === "tables" ? tablesPath(compile(machine, afters)) : xstatePath(machine, afters);
}
