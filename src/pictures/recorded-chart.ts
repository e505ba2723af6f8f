/** The states that are drawn of a chart, and those of a chart that a journal has recorded. */
import type {
  ChartTransition,
  Named,
  RecordedState,
  RecordedTransition,
} from "../core/kernel/index.js";

/** A resolved state of an XState machine, as far as it is drawn. */
export interface ChartState {
  readonly id: string;
  readonly key: string;
  readonly type: "atomic" | "compound" | "parallel" | "final" | "history";
  readonly history?: false | "shallow" | "deep";
  readonly states: { readonly [key: string]: ChartState };
  readonly initial?: {
    readonly target?: readonly ChartState[] | undefined;
    readonly actions?: readonly Named[];
  };
  readonly entry: readonly Named[];
  readonly exit: readonly Named[];
  readonly tags: readonly string[];
  readonly invoke?: readonly { readonly src: unknown }[];
  readonly always?: readonly (ChartTransition & ChartTargets)[] | undefined;
  readonly transitions: ReadonlyMap<string, readonly (ChartTransition & ChartTargets)[]>;
}

interface ChartTargets {
  readonly target?: readonly ChartState[] | undefined;
}

type Targeted = ChartTransition & ChartTargets;

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
