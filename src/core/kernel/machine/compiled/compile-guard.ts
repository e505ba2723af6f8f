/**
 * Compiles a guard (a function, a name from the machine's setup, or `and`, `or`, `not`, `stateIn` of these)
 * to one function of context, event and place that returns a boolean.
 */
import { type AnyStateNode, and, matchesState, not, or, stateIn } from "xstate";
import type { Afters } from "../after.js";
import { answered, nameIn } from "../answered.js";
import type { MachineFunction, Test } from "./table-types.js";

/** The implementations of a machine's names, and all else that its actions and guards refer to. */
export interface Setup {
  readonly actions: { readonly [name: string]: unknown };
  readonly guards: { readonly [name: string]: unknown };
  readonly delays: { readonly [name: string]: unknown };
  readonly afters: Afters;
  readonly root: AnyStateNode;
}

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

/** Returns true for a function of the machine's own, and for `and`, `or`, `not` and `stateIn`. */
export function isSupportedGuard(guard: object): boolean {
  const check = checkOf(guard);
  return check === undefined || [AND, OR, NOT, STATE_IN].includes(check);
}

/** @returns `undefined` for no guard */
export function compileGuard(guard: unknown, setup: Setup): Test | undefined {
  return guard === undefined ? undefined : testOf(guard, setup);
}

function testOf(guard: unknown, setup: Setup): Test {
  if (typeof guard === "function") return functionTest(guard, nameIn(guard), setup);
  const { type, params } =
    typeof guard === "string" ? { type: guard, params: undefined } : (guard as Named);
  const named = setup.guards[type] as unknown;
  if (typeof named !== "function") return testOf(named, setup);
  if ("check" in named) return functionTest(named, "", setup);
  const test = named as MachineFunction;
  const part = `guard ${type}`;
  if (typeof params !== "function") return (args) => answered(test(args, params), part);
  const paramsOf = params as MachineFunction;
  return (args) => answered(test(args, answered(paramsOf({ ...args }), "guard")), part);
}

interface Named {
  readonly type: string;
  readonly params?: unknown;
}

function functionTest(guard: object, name: string, setup: Setup): Test {
  if (!("check" in guard)) {
    return (args) => answered((guard as MachineFunction)(args, undefined), `guard${name}`);
  }
  const { check, guards = [], stateValue } = guard as Combined;
  if (check === STATE_IN) return stateTest(stateValue, setup);
  const tests = guards.map((each) => testOf(each, setup));
  if (check === AND) return (args, at) => tests.every((test) => test(args, at));
  if (check === OR) return (args, at) => tests.some((test) => test(args, at));
  const [inner] = tests as [Test];
  return (args, at) => !inner(args, at);
}

/** A guard that looks at the active states: a state by its id, or a part of a value. */
function stateTest(wanted: unknown, { root }: Setup): Test {
  if (typeof wanted === "string" && wanted.startsWith("#")) {
    const node = root.machine.getStateNodeById(wanted) as AnyStateNode;
    return (_args, at) => at.has(node);
  }
  return (_args, at) => matchesState(wanted as never, at.value as never);
}
