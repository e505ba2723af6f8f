/** Chooses the path that computes a machine's steps: its tables, or XState where it has none. */
import type { AnyStateMachine } from "xstate";
import type { Afters } from "./after.js";
import { compile } from "./compile.js";
import type { Path } from "./path.js";
import { tablesPath } from "./run-tables.js";
import { xstatePath } from "./xstate-path.js";

/** The path of a machine, and what a reasoner says of it. */
export interface PathOf {
  readonly path: Path;
  readonly compiled: boolean;
  readonly notCompiled?: string;
}

/** @param wanted a path for tests and measurements; tables are taken only where there are some */
export function pathOf(
  machine: AnyStateMachine,
  afters: Afters,
  wanted?: Path["name"] | undefined,
): PathOf {
  const tables =
    wanted === "transition" ? "XState's transition() is asked for" : compile(machine, afters);
  if (typeof tables !== "string") return { path: tablesPath(tables), compiled: true };
  return { path: xstatePath(machine, afters), compiled: false, notCompiled: tables };
}
