/** Compiles a guard: a function, a name from the machine's setup, or a combination of both. */
import { type AnyStateNode, and, matchesState, not, or, stateIn } from "xstate";
import type { Known } from "./compile-action.js";
import { NotCompiled } from "./not-compiled.js";
import type { Args, MachineFunction, Test } from "./tables.js";

/** XState's combined guards, known by the function that evaluates them. */
interface Combined {
  readonly check: unknown;
  readonly guards?: readonly unknown[];
  readonly stateValue?: unknown;
}
const checkOf = (guard: unknown) => (guard as Combined).check;
const AND = /* @__PURE__ */ checkOf(/* @__PURE__ */ and([]));
const OR = /* @__PURE__ */ checkOf(/* @__PURE__ */ or([]));
const NOT = /* @__PURE__ */ checkOf(/* @__PURE__ */ not(() => true));
const STATE_IN = /* @__PURE__ */ checkOf(/* @__PURE__ */ stateIn(""));

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
  const { check, guards = [], stateValue } = guard as Combined;
  if (check === STATE_IN) return stateTest(stateValue, known);
  if (check !== AND && check !== OR && check !== NOT) {
    throw new NotCompiled(place, "has a guard that XState alone knows");
  }
  const tests = guards.map((each) => testOf(each, known, place));
  if (check === AND) return (args, at) => tests.every((test) => test(args, at));
  if (check === OR) return (args, at) => tests.some((test) => test(args, at));
  const [inner] = tests as [Test];
  return (args, at) => !inner(args, at);
}

/** A guard that looks at the active states: a state by its id, or a part of a value. */
function stateTest(wanted: unknown, { root }: Known): Test {
  if (typeof wanted === "string" && wanted.startsWith("#")) {
    const node = root.machine.getStateNodeById(wanted) as AnyStateNode;
    return (_args, at) => at.has(node);
  }
  return (_args, at) => matchesState(wanted as never, at.value as never);
}
