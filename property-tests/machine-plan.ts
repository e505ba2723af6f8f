/**
 * Plans of small machines: nested and parallel states, guards, eventless and delayed transitions,
 * history, assigns, issues, raised events on entry, exit and transitions, final states with tags
 * and outputs. A plan is data that prints and shrinks; `machineOf` makes the machine.
 */
import fc from "fast-check";

/** One transition of a plan. */
export interface TransitionPlan {
  readonly event: string;
  /** Number of the target state, counted through the plan, -1 for the last; none where nothing is entered. */
  readonly target?: number;
  /** Number of a second target, which lies in another region where all is well. */
  readonly also?: number | undefined;
  /** The target is the history of that state, where it has one. */
  readonly toHistory?: true;
  /** Taken where the context's `n` is this, modulo 3. */
  readonly guard?: number;
  /** How the guard is written: as a function where absent, else by its name in the setup. */
  readonly guardAs?: "name" | "params" | "and" | "or" | "not" | "stateIn";
  readonly reenter?: true;
  /** What happens on the way. */
  readonly actions: readonly ActionPlan[];
}

/**
 * What happens at a place of a plan: `count` is an assign alone, `raise` an event of the machine's
 * own, `named` an issue by its name, `draft` a change on a draft, `enqueue` both of them in one go;
 * the rest issue a directive.
 */
export type ActionPlan =
  | "count"
  | "raise"
  | "named"
  | "draft"
  | "enqueue"
  | "tool"
  | "timer"
  | "llm"
  | "approval"
  | "notify"
  | "cancel";

/** One state of a plan. */
export interface StatePlan {
  readonly kind: "atomic" | "compound" | "parallel" | "final";
  readonly entry: readonly ActionPlan[];
  readonly exit: readonly ActionPlan[];
  readonly on: readonly TransitionPlan[];
  readonly always: readonly TransitionPlan[];
  /** What happens on the way to a compound state's first state. */
  readonly initial?: readonly ActionPlan[];
  /** Where a compound or parallel state goes when it is done inside. */
  readonly onDone?: TransitionPlan;
  /** Where the state goes after so many milliseconds. */
  readonly after?: TransitionPlan & { readonly delay: number };
  /** What a compound or parallel state remembers of itself. */
  readonly history?: "shallow" | "deep";
  /** What a final state puts out. */
  readonly output?: number;
  readonly tag?: "failed" | "cancelled";
  readonly states: readonly StatePlan[];
}

/** The events of generated machines: settlements, what comes from outside, and wildcards. */
export const PLAN_EVENTS: readonly string[] = [
  "A",
  "B",
  "tool.succeeded",
  "tool.*",
  "timer.fired",
  "llm.succeeded",
  "llm.failed",
  "approval.decided",
  "message",
  "cancel",
  "raised",
  "raised",
  "raised",
  "*",
];

const plainActions: readonly ActionPlan[] = [
  "count",
  "tool",
  "notify",
  "timer",
  "llm",
  "approval",
  "cancel",
  "raise",
  "named",
  "draft",
];
const plainGuards = ["name", "params", "and", "or", "not"] as const;

/** What plans may use. */
interface Parts {
  readonly actions: fc.Arbitrary<readonly ActionPlan[]>;
  readonly guardAs: fc.Arbitrary<NonNullable<TransitionPlan["guardAs"]>>;
  readonly kinds: readonly ("compound" | "parallel")[];
  readonly history: fc.Arbitrary<"shallow" | "deep" | undefined>;
  readonly also: fc.Arbitrary<number | undefined>;
}
/** One active state at a time. */
const flat: Parts = {
  actions: fc.array(fc.constantFrom(...plainActions), { maxLength: 2 }),
  guardAs: fc.constantFrom(...plainGuards),
  kinds: ["compound"],
  history: fc.constant(undefined),
  also: fc.constant(undefined),
};
/** Regions, history, guards that look at the active states, actions that are known only in a step. */
const everything: Parts = {
  actions: fc.array(fc.constantFrom(...plainActions, "enqueue" as const), { maxLength: 2 }),
  guardAs: fc.constantFrom(...plainGuards, "stateIn" as const),
  kinds: ["compound", "parallel"],
  history: fc.constantFrom(undefined, "shallow" as const, "deep" as const),
  also: fc.oneof(
    { weight: 9, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.nat({ max: 11 }) },
  ),
};

function transitionPlan(event: fc.Arbitrary<string>, parts: Parts): fc.Arbitrary<TransitionPlan> {
  return fc.record(
    {
      event,
      actions: parts.actions,
      target: fc.nat({ max: 11 }),
      also: parts.also,
      toHistory: fc.constant(true as const),
      guard: fc.nat({ max: 2 }),
      guardAs: parts.guardAs,
      reenter: fc.constant(true as const),
    },
    { requiredKeys: ["event", "actions"] },
  );
}

/** Plans of small machines: a third of them has one active state at a time. */
export function machinePlan(): fc.Arbitrary<StatePlan> {
  return fc.oneof(
    { weight: 1, arbitrary: planOf(flat) },
    { weight: 2, arbitrary: planOf(everything) },
  );
}

function planOf(parts: Parts): fc.Arbitrary<StatePlan> {
  const { actions } = parts;
  const transition = (event: fc.Arbitrary<string>) => transitionPlan(event, parts);
  const on = fc.array(transition(fc.constantFrom(...PLAN_EVENTS)), { maxLength: 3 });
  const always = fc.array(transition(fc.constant("")), { maxLength: 1 });
  const sometimes = <T>(arbitrary: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary });
  const common = { entry: actions, exit: actions, on, always: sometimes(always) };
  const onDone = transition(fc.constant(""));
  const delay = fc.constantFrom(0, 5, 20);
  const after = fc.tuple(onDone, delay).map(([plan, ms]) => ({ ...plan, delay: ms }));
  const final = fc.record(
    {
      tag: fc.constantFrom("failed" as const, "cancelled" as const),
      output: fc.nat({ max: 9 }),
      entry: actions,
    },
    { requiredKeys: ["entry"] },
  );
  const required = ["kind", "states", "entry", "exit", "on", "always"] as const;
  const { state } = fc.letrec<{ state: StatePlan }>((tie) => {
    const states = fc.array(tie("state"), { minLength: 1, maxLength: 3 });
    const kind = fc.constantFrom(...parts.kinds);
    const whole = fc
      .record(
        { kind, states, onDone, after, initial: actions, history: parts.history, ...common },
        { requiredKeys: [...required] },
      )
      .map(({ history, ...plan }) => (history === undefined ? plan : { ...plan, history }));
    const atomic = fc.record(
      { kind: fc.constant("atomic" as const), states: fc.constant([]), after, ...common },
      { requiredKeys: [...required] },
    );
    return {
      state: fc.oneof(
        { maxDepth: 2, depthSize: "small" },
        { weight: 4, arbitrary: atomic },
        { weight: 3, arbitrary: final.map(finalPlan) },
        { weight: 3, arbitrary: whole },
      ),
    };
  });
  const rootKind = fc.constantFrom("compound" as const, ...parts.kinds);
  // A machine that comes to its end is rare enough: an event leads most of them there.
  const end = fc.option(fc.tuple(final.map(finalPlan), fc.constantFrom("A", "B", "message")), {
    nil: undefined,
  });
  return fc
    .record(
      {
        kind: rootKind,
        states: fc.array(state, { minLength: 1, maxLength: 4 }),
        end,
        after,
        ...common,
      },
      { requiredKeys: [...required, "end"] },
    )
    .map(
      ({ end, ...root }): StatePlan =>
        end === undefined ? { ...root, exit: [] } : endingIn(end, { ...root, exit: [] }),
    );
}

/** A plan with one more state at the top, to which an event leads. */
function endingIn([end, event]: [StatePlan, string], root: StatePlan): StatePlan {
  const leads: TransitionPlan = { event, target: -1, actions: [] };
  return { ...root, states: [...root.states, end], on: [...root.on, leads] };
}

function finalPlan(plan: {
  entry: readonly ActionPlan[];
  tag?: "failed" | "cancelled";
  output?: number;
}): StatePlan {
  // In the end only notify may be issued.
  const entry = plan.entry.map((each): ActionPlan => (each === "count" ? each : "notify"));
  return { kind: "final", exit: [], on: [], always: [], states: [], ...plan, entry };
}
