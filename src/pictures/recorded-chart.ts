/** A chart that a journal has recorded, as the states that are drawn. */
import type { ChartTransition, RecordedState, RecordedTransition } from "../core/kernel/index.js";
import type { ChartState } from "./chart.js";

type Targeted = ChartTransition & { readonly target?: readonly ChartState[] };

/** Returns the root of a recorded chart, with the states that its transitions lead to. */
export function chartStateOf(recorded: RecordedState): ChartState {
  const known = new Map<string, ChartState>();
  const root = bare(recorded, known);
  connect(recorded, known);
  return root;
}

function bare(recorded: RecordedState, known: Map<string, ChartState>): ChartState {
  const { id, key, type = "atomic", history, entry = [], exit = [], tags = [] } = recorded;
  const states = (recorded.states ?? []).map((each) => [each.key, bare(each, known)] as const);
  const state: ChartState = {
    id,
    key,
    type,
    ...(history === undefined ? {} : { history }),
    states: Object.fromEntries(states),
    entry,
    exit,
    tags,
    transitions: new Map(),
  };
  known.set(id, state);
  return state;
}

function connect(recorded: RecordedState, known: ReadonlyMap<string, ChartState>): void {
  const { id, initial, on = [], states = [] } = recorded;
  const lists = new Map<string, Targeted[]>();
  for (const each of on) {
    const { event = "", delay } = each;
    const own = `${event} ${delay ?? ""}`;
    lists.set(own, [...(lists.get(own) ?? []), transitionOf(each, known)]);
  }
  const begins = initial && { target: targetsIn(initial, known), actions: initial.do ?? [] };
  Object.assign(known.get(id) as ChartState, {
    transitions: lists,
    ...(begins === undefined ? {} : { initial: begins }),
  });
  for (const each of states) connect(each, known);
}

function transitionOf(
  { event = "", delay, guard, to, do: actions = [] }: RecordedTransition,
  known: ReadonlyMap<string, ChartState>,
): Targeted {
  return {
    eventType: event,
    ...(delay === undefined ? {} : { delay }),
    ...(guard === undefined ? {} : { guard }),
    actions,
    ...(to === undefined ? {} : { target: targetsIn({ to }, known) }),
  };
}

function targetsIn(
  { to = [] }: Pick<RecordedTransition, "to">,
  known: ReadonlyMap<string, ChartState>,
): readonly ChartState[] {
  return to.flatMap((id) => known.get(id) ?? []);
}
