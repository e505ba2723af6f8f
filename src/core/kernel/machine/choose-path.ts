/**
 * Chooses how a machine's steps are computed: the fastest path that supports the machine and passed
 * the probe.
 */
import type { AnyStateMachine } from "xstate";
import type { Afters } from "./after.js";
import { compile } from "./compile.js";
import type { Path } from "./path.js";
import { type Trusted, trusted } from "./probe.js";
import { tablesPath } from "./run-tables.js";
import { xstatePath } from "./xstate-path.js";

/** The path, and what a reasoner says of it. */
export interface Chosen {
  readonly path: Path;
  readonly compiled: boolean;
  readonly notCompiled?: string;
  readonly notice?: string;
}

/**
 * @param wanted a path for tests and measurements; tables are taken only where there are some
 * @param check which paths do what XState does
 */
export function choosePath(
  machine: AnyStateMachine,
  afters: Afters,
  wanted: Path["name"] | undefined,
  check: Trusted = trusted(),
): Chosen {
  const { scope, tables, notice } = check;
  const told = notice === undefined ? {} : { notice };
  const useScope = wanted === undefined ? scope : wanted !== "transition";
  const xstate = xstatePath(machine, afters, useScope ? "scope" : "transition");
  const left = (notCompiled: string): Chosen => ({
    path: xstate,
    compiled: false,
    notCompiled,
    ...told,
  });
  if (wanted === undefined && !tables && notice !== undefined) return left(notice);
  if (wanted !== undefined && wanted !== "tables") return left(`the path ${wanted} is asked for`);
  const compiled = compile(machine, afters);
  if (typeof compiled === "string") return left(compiled);
  return { path: tablesPath(compiled, xstate), compiled: true, ...told };
}
