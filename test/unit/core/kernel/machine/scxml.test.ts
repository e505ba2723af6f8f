// The SCXML machines that XState tests itself with, on both paths. They are
// those of @scion-scxml/test-framework (Apache-2.0, Jacob Beard and the SCION contributors), written as
// machines of XState. Left out are those with scripts, loops, data of events and sends, with expressions
// that are none, and one of `*`, which in XState gives way to any event that is named.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { assign, not, raise, stateIn } from "../../../../../src/core/kernel/machine/index.js";
import type { Json } from "../../../../../src/core/kernel/values/index.js";
import { smallReasoner } from "../../../../support/small-machine.js";

interface Action {
  readonly raise?: string;
  readonly assign?: string;
  readonly expr?: string;
}

interface Transition {
  readonly target?: readonly string[];
  readonly reenter?: boolean;
  /** A condition in JavaScript over the data, or `In('state')`. */
  readonly guard?: string;
  readonly actions?: readonly Action[];
}

interface StateConfig {
  readonly id: string;
  readonly type?: string;
  readonly initial?: string;
  readonly states?: { readonly [key: string]: StateConfig };
  readonly on?: { readonly [event: string]: readonly Transition[] };
  readonly always?: readonly Transition[];
  readonly entry?: readonly Action[];
  readonly exit?: readonly Action[];
}

/** A machine, in which atomic states it begins, and in which it is after each event. */
interface Case {
  readonly name: string;
  readonly data?: { readonly [name: string]: string };
  readonly machine: StateConfig;
  readonly initial: readonly string[];
  readonly steps: readonly (readonly [event: string, states: readonly string[]])[];
}

const file = new URL("../../../../fixtures/scxml/cases.json", import.meta.url);
const cases = JSON.parse(readFileSync(file, "utf8")) as readonly Case[];

type Data = { readonly [name: string]: Json };

/** What an expression comes to over the data. */
function evaluated(expression: string, data: Data): Json {
  return new Function(...Object.keys(data), `return (${expression});`)(...Object.values(data));
}

function actionOf({ raise: event, assign: name, expr = "" }: Action): object {
  if (event !== undefined) return raise({ type: event });
  return assign(({ context }) => ({
    [name as string]: evaluated(expr, context as Data),
  }));
}

function guardOf(condition: string): unknown {
  const [, negated, inside] = /^(!?)In\('(.*)'\)$/.exec(condition) ?? [];
  if (inside !== undefined) return negated ? not(stateIn(`#${inside}`)) : stateIn(`#${inside}`);
  return ({ context }: { context: Data }) => evaluated(condition, context);
}

const transitionOf = ({ guard, actions = [], ...rest }: Transition) => ({
  ...rest,
  ...(guard === undefined ? {} : { guard: guardOf(guard) }),
  actions: actions.map(actionOf),
});

function machineOf({ states, on = {}, always = [], entry = [], exit = [], ...rest }: StateConfig) {
  const mapped = <T, R>(of: { readonly [key: string]: T }, change: (each: T) => R) =>
    Object.fromEntries(Object.entries(of).map(([key, each]) => [key, change(each)]));
  if (rest.type === "history") return rest;
  return {
    ...rest,
    on: mapped(on, (each) => each.map(transitionOf)),
    always: always.map(transitionOf),
    entry: entry.map(actionOf),
    exit: exit.map(actionOf),
    ...(states === undefined ? {} : { states: mapped<StateConfig, object>(states, machineOf) }),
  };
}

/** The ids of the atomic states of a value. */
function atomic(of: StateConfig, value: Json): readonly string[] {
  const child = (key: string) =>
    (of.states as NonNullable<StateConfig["states"]>)[key] as StateConfig;
  if (typeof value === "string") {
    const state = child(value);
    return state.states === undefined ? [state.id] : atomic(state, {});
  }
  const keys = Object.entries(value as object);
  return keys.length === 0
    ? [of.id]
    : keys.flatMap(([key, each]) => atomic(child(key), each as Json));
}

describe.each(["tables", "transition"] as const)("by the path %s", (path) => {
  let compiled = 0;
  it.each(cases)("$name", ({ machine, data = {}, initial, steps }) => {
    const context = Object.fromEntries(
      Object.entries(data).map(([name, text]) => [name, evaluated(text, {}) ?? null]),
    );
    const reasoner = smallReasoner({ ...machineOf(machine), context }, { path });
    if (reasoner.compiled) compiled += 1;
    let { state } = reasoner.start(null, { at: 0, runId: "r" });
    const reached = () => [...atomic(machine, state.value as Json)].sort();
    expect(reached()).toEqual(initial);
    for (const [at, [type, states]] of steps.entries()) {
      ({ state } = reasoner.step(state, { type, at: at + 1 } as never));
      expect([type, ...reached()]).toEqual([type, ...states]);
    }
  });
  it("compiled, all of them, where they can be", () => {
    expect([cases.length, compiled]).toEqual([107, path === "tables" ? 107 : 0]);
  });
});
