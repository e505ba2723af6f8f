/** Compiles a guard: a function, a name from the machine's setup, or a combination of both. */
import { and, not, or } from "xstate";
import type { Known } from "./compile-action.js";
import { NotCompiled } from "./not-compiled.js";
import type { Args, MachineFunction, Test } from "./tables.js";

/** XState's combined guards, known by the function that evaluates them. */
interface Combined {
  readonly check: unknown;
  readonly guards?: readonly unknown[];
}
const checkOf = (guard: unknown) => (guard as Combined).check;
const AND = /* @__PURE__ */ checkOf(/* @__PURE__ */ and([]));
const OR = /* @__PURE__ */ checkOf(/* @__PURE__ */ or([]));
const NOT = /* @__PURE__ */ checkOf(/* @__PURE__ */ not(() => true));

/** @throws NotCompiled where only XState itself can evaluate it */
export function compileGuard(guard: unknown, known: Known, place: string): Test | undefined {
  return guard === undefined ? undefined : testOf(guard, known, place);
}

function testOf(guard: unknown, known: Known, place: string): Test {
  if (typeof guard === "function") return functionTest(guard, place, known);
  const { type, params } =
    typeof guard === "string" ? { type: guard, params: undefined } : (guard as Named);
  const named = known.guards[type] as unknown;
  if (typeof named !== "function") return testOf(named, known, place);
  if ("check" in named) return functionTest(named, place, known);
  const test = named as MachineFunction;
  if (typeof params !== "function") return (args) => test(args, params);
  return (args) => test(args, (params as (args: Args) => unknown)({ ...args }));
}

interface Named {
  readonly type: string;
  readonly params?: unknown;
}

function functionTest(guard: object, place: string, known: Known): Test {
  if (!("check" in guard)) return (args) => (guard as MachineFunction)(args, undefined);
  const { check, guards = [] } = guard as Combined;
  if (check !== AND && check !== OR && check !== NOT) {
    throw new NotCompiled(place, "has a guard that looks at the state (stateIn)");
  }
  const tests = guards.map((each) => testOf(each, known, place));
  if (check === AND) return (args) => tests.every((test) => test(args));
  if (check === OR) return (args) => tests.some((test) => test(args));
  const [inner] = tests as [Test];
  return (args) => !inner(args);
}
