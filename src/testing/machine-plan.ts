/**
 * Plans of small machines: states nested and side by side, guards, eventless transitions, assigns,
 * issues on entry, exit and on the way, final states with tags. A plan is data that prints and
 * shrinks; `machineOf` makes the machine.
 */
import fc from "fast-check";

/** One transition of a plan. */
export interface TransitionPlan {
  readonly event: string;
  /** Number of the target state, counted through the plan; none where nothing is entered. */
  readonly target?: number;
  /** Taken where the context's `n` is this, modulo 3. */
  readonly guard?: number;
  readonly reenter?: true;
  /** What happens on the way. */
  readonly actions: readonly ActionPlan[];
}

/** What happens at a place of a plan. */
export type ActionPlan = "count" | "tool" | "timer" | "llm" | "approval" | "notify" | "cancel";

/** One state of a plan. */
export interface StatePlan {
  readonly kind: "atomic" | "compound" | "parallel" | "final";
  readonly entry: readonly ActionPlan[];
  readonly exit: readonly ActionPlan[];
  readonly on: readonly TransitionPlan[];
  readonly always: readonly TransitionPlan[];
  /** Where a compound or parallel state goes when it is done inside. */
  readonly onDone?: TransitionPlan;
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
  "*",
];

const action: fc.Arbitrary<ActionPlan> = fc.constantFrom(
  "count",
  "tool",
  "notify",
  "timer",
  "llm",
  "approval",
  "cancel",
);
const actions: fc.Arbitrary<readonly ActionPlan[]> = fc.array(action, { maxLength: 2 });

function transitionPlan(event: fc.Arbitrary<string>): fc.Arbitrary<TransitionPlan> {
  return fc.record(
    {
      event,
      actions,
      target: fc.nat({ max: 11 }),
      guard: fc.nat({ max: 2 }),
      reenter: fc.constant(true as const),
    },
    { requiredKeys: ["event", "actions"] },
  );
}

/** Plans of small machines, the root's among the compound and the parallel ones. */
export function machinePlan(): fc.Arbitrary<StatePlan> {
  const on = fc.array(transitionPlan(fc.constantFrom(...PLAN_EVENTS)), { maxLength: 3 });
  const always = fc.array(transitionPlan(fc.constant("")), { maxLength: 1 });
  const sometimes = <T>(arbitrary: fc.Arbitrary<T>) =>
    fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary });
  const common = { entry: actions, exit: actions, on, always: sometimes(always) };
  const onDone = transitionPlan(fc.constant(""));
  const final = fc.record(
    { tag: fc.constantFrom("failed" as const, "cancelled" as const), entry: actions },
    { requiredKeys: ["entry"] },
  );
  const { state } = fc.letrec<{ state: StatePlan }>((tie) => {
    const states = fc.array(tie("state"), { minLength: 1, maxLength: 3 });
    const whole = fc.record(
      {
        kind: fc.constantFrom("compound" as const, "parallel" as const),
        states,
        onDone,
        ...common,
      },
      { requiredKeys: ["kind", "states", "entry", "exit", "on", "always"] },
    );
    return {
      state: fc.oneof(
        { maxDepth: 2, depthSize: "small" },
        {
          weight: 4,
          arbitrary: fc.record({
            kind: fc.constant("atomic" as const),
            states: fc.constant([]),
            ...common,
          }),
        },
        { weight: 1, arbitrary: final.map(finalPlan) },
        { weight: 3, arbitrary: whole },
      ),
    };
  });
  return fc
    .record({ states: fc.array(state, { minLength: 1, maxLength: 4 }), ...common })
    .map((root): StatePlan => ({ kind: "compound", ...root, exit: [] }));
}

function finalPlan(plan: {
  entry: readonly ActionPlan[];
  tag?: "failed" | "cancelled";
}): StatePlan {
  // In the end only notify may be issued.
  const entry = plan.entry.map((each): ActionPlan => (each === "count" ? each : "notify"));
  return { kind: "final", exit: [], on: [], always: [], states: [], ...plan, entry };
}
