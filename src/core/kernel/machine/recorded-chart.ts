/**
 * A machine's chart as data, which a journal holds once: states and transitions with the names by which a
 * person reads them. A picture of it needs no code.
 */
import type { AnyStateMachine, AnyStateNode } from "xstate";
import { sealJson } from "../values/seal.js";
import { actionTexts, type ChartTransition, guardText, type Named } from "./chart-text.js";

/** A state of a recorded chart. */
export interface RecordedState {
  readonly id: string;
  readonly key: string;
  /** Absent for a state without states in it. */
  readonly type?: "compound" | "parallel" | "final" | "history";
  readonly history?: "shallow" | "deep";
  /** The ids of the states that it begins in, and what is done then. */
  readonly initial?: Pick<RecordedTransition, "to" | "do">;
  readonly entry?: readonly string[];
  readonly exit?: readonly string[];
  readonly tags?: readonly string[];
  /** The actors that it invokes: of no machine that has journals. */
  readonly does?: readonly string[];
  /** The last ones are taken without an event. */
  readonly on?: readonly RecordedTransition[];
  readonly states?: readonly RecordedState[];
}

/** A transition of a recorded chart. */
export interface RecordedTransition {
  /** Absent for one that needs none. */
  readonly event?: string;
  /** Milliseconds, or the name of a delay. */
  readonly delay?: number | string;
  /** "" where it has no name. */
  readonly guard?: string;
  readonly do?: readonly string[];
  /** The ids of the states that it leads to; absent where it leaves none. */
  readonly to?: readonly string[];
}

/**
 * The chart of a reasoner as its journals have it: that of a machine of one's own, or the name and the version of one
 * that comes with this package, such as `agent/7`.
 */
export type RunChart = string | RecordedState;

/** A longer chart is no part of a journal. */
const MAX_LENGTH = 256 * 1024;

/** Returns the chart of a machine as data, or nothing where it is too large for a journal. */
export function recordedChart(machine: AnyStateMachine): RecordedState | undefined {
  const chart = chartData(machine);
  return JSON.stringify(chart).length > MAX_LENGTH ? undefined : chart;
}

/** Returns the chart of any XState machine as data, however large. */
export function chartData({ root }: { readonly root: object }): RecordedState {
  return sealJson<RecordedState>(stateOf(root as AnyStateNode), "$.chart");
}

type TransitionWithTarget = ChartTransition & {
  readonly target?: readonly { readonly id: string }[] | undefined;
};

function stateOf(node: AnyStateNode): object {
  const { id, key, type, history, initial, always = [] } = node;
  const transitions = [
    ...node.transitions.values(),
    always,
  ].flat() as readonly TransitionWithTarget[];
  const states = Object.values(node.states) as AnyStateNode[];
  return {
    id,
    key,
    ...(type === "atomic" ? {} : { type }),
    ...(type === "history" ? { history } : {}),
    ...(type === "compound" ? { initial: leadsTo(initial as TransitionWithTarget) } : {}),
    ...listed("entry", textsOf(node.entry)),
    ...listed("exit", textsOf(node.exit)),
    ...listed("tags", node.tags),
    ...listed(
      "does",
      (node.invoke ?? []).map(({ src }) => (typeof src === "string" ? src : "an actor")),
    ),
    ...listed("on", transitions.map(transitionOf)),
    ...listed("states", states.map(stateOf)),
  };
}

function transitionOf({ guard, actions, ...transition }: TransitionWithTarget): RecordedTransition {
  const { eventType, delay } = transition;
  return {
    ...(eventType === "" ? {} : { event: eventType }),
    ...(delay === undefined ? {} : { delay }),
    ...(guard === undefined ? {} : { guard: guardText(guard) }),
    ...leadsTo({ ...transition, actions }),
  };
}

function leadsTo({
  target,
  actions,
}: Pick<TransitionWithTarget, "target" | "actions">): RecordedTransition {
  return {
    ...listed("do", textsOf(actions)),
    ...listed("to", target?.map(({ id }) => id) ?? []),
  };
}

function textsOf(actions: readonly unknown[]): readonly string[] {
  return actionTexts(actions as readonly Named[]);
}

function listed(name: string, list: readonly unknown[]): object {
  return list.length === 0 ? {} : { [name]: list };
}
