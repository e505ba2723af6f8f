/** Reasoners made of generated machines: for the laws of the kernel, and of the fast path. */
import fc from "fast-check";
import {
  assign,
  type Directive,
  defineReasoner,
  type Reasoner,
  setupReasoner,
} from "../core/kernel/index.js";
import {
  type ActionPlan,
  machinePlan,
  type StatePlan,
  type TransitionPlan,
} from "./machine-plan.js";

/** The context of a generated machine. */
export interface PlanContext {
  /** How many directives were issued; ids are made of it, since it is the machine's own count. */
  readonly issued: number;
  /** What guards look at. */
  readonly n: number;
  /** How many eventless transitions may still be taken: a generated machine comes to rest. */
  readonly budget: number;
  /** The places that were passed, in order. */
  readonly log: readonly string[];
}

/** A reasoner with a generated machine. Its runs may rest anywhere. */
export type PlannedReasoner = Reasoner<number, readonly string[], PlanContext>;

const { createMachine } = setupReasoner<
  { issued: number; n: number; budget: number; log: readonly string[] },
  number
>();

/** Reasoners made of generated machines. */
export function plannedReasoner(): fc.Arbitrary<PlannedReasoner> {
  return machinePlan().map(reasonerOf);
}

/** The reasoner of a plan. */
export function reasonerOf(plan: StatePlan): PlannedReasoner {
  const machine = createMachine({
    ...(machineOf(plan) as object),
    context: ({ input }: { input: { input: number } }) => ({
      issued: 0,
      n: input.input,
      budget: 20,
      log: [],
    }),
  } as never);
  const reasoner = defineReasoner<number, readonly string[], PlanContext>({
    id: "planned",
    machine: machine as never,
    output: (context) => context.log,
    configuration: plan,
  });
  return { ...reasoner, [fc.toStringMethod]: () => fc.stringify(plan) } as PlannedReasoner;
}

/** The configuration of a plan's machine. States are numbered through the plan, the root's left out. */
export function machineOf(plan: StatePlan): object {
  let count = -1;
  const total = size(plan) - 1;
  const nodeOf = (state: StatePlan): object => {
    const number = count++;
    const place = number < 0 ? "root" : `s${number}`;
    const ofOwn = (given: TransitionPlan, at: string) => transition(given, `${place}.${at}`, total);
    const children: [string, object][] = [];
    const config: Record<string, unknown> = number < 0 ? {} : { id: `state${number}` };
    for (const child of state.states) children.push([`s${count}`, nodeOf(child)]);
    if (state.kind === "final") config.type = "final";
    else {
      config.exit = actions(state.exit, `${place}.exit`);
      config.on = byEvent(state.on, ofOwn);
      config.always = state.always.map((each, i) => eventless(ofOwn(each, `always${i}`)));
    }
    config.entry = actions(
      endsRun(state, number) ? inTheEnd(state.entry) : state.entry,
      `${place}.in`,
    );
    if (state.kind === "parallel") config.type = "parallel";
    if (state.kind === "compound") config.initial = children[0]?.[0];
    if (children.length > 0) config.states = Object.fromEntries(children);
    if (state.onDone !== undefined) config.onDone = ofOwn(state.onDone, "done");
    if (state.tag !== undefined) config.tags = [state.tag];
    return config;
  };
  return nodeOf(plan);
}

const endsRun = (state: StatePlan, number: number) => state.kind === "final" && number >= 0;
const inTheEnd = (entry: readonly ActionPlan[]) => entry.map(() => "notify" as const);
const size = (plan: StatePlan): number => plan.states.reduce((sum, each) => sum + size(each), 1);

function byEvent(
  plans: readonly TransitionPlan[],
  make: (plan: TransitionPlan, at: string) => object,
): object {
  const on: Record<string, object[]> = {};
  for (const [i, plan] of plans.entries()) {
    on[plan.event] = [...(on[plan.event] ?? []), make(plan, `${plan.event}${i}`)];
  }
  return on;
}

function transition(plan: TransitionPlan, place: string, total: number): object {
  const { guard, target, reenter } = plan;
  return {
    ...(target === undefined || total === 0 ? {} : { target: `#state${target % total}` }),
    ...(reenter === true ? { reenter } : {}),
    ...(guard === undefined ? {} : { guard: ({ context }: Scope) => context.n % 3 === guard }),
    actions: actions(plan.actions, place),
  };
}

/** An eventless transition is taken a bounded number of times, so that every machine comes to rest. */
function eventless(taken: object): object {
  const { guard, actions: rest } = taken as {
    guard?: (scope: Scope) => boolean;
    actions: object[];
  };
  const spend = assign<PlanContext, never, undefined, never, never>(({ context }) => ({
    budget: context.budget - 1,
  }));
  return {
    ...taken,
    guard: (scope: Scope) => scope.context.budget > 0 && guard?.(scope) !== false,
    actions: [spend, ...rest],
  };
}

interface Scope {
  readonly context: PlanContext;
  readonly event: { readonly at?: number };
}

function actions(plans: readonly ActionPlan[], place: string): object[] {
  return plans.flatMap((plan, i) => [
    assign<PlanContext, never, undefined, never, never>(({ context }) => ({
      n: plan === "count" ? context.n + 1 : context.n,
      issued: context.issued + 1,
      log: [...context.log, `${place}${i}`],
    })),
    ...(plan === "count"
      ? []
      : [
          { type: "issue", params: ({ context }: Scope) => directive(plan, place, context.issued) },
        ]),
  ]);
}

function directive(
  plan: Exclude<ActionPlan, "count">,
  place: string,
  issued: number,
): Directive | readonly Directive[] {
  const id = `${place}/${issued}`;
  switch (plan) {
    case "tool":
      return [
        { type: "tool", id, name: "t", input: { place } },
        { type: "notify", topic: place },
      ];
    case "timer":
      return { type: "timer", id, until: 1_000 + issued * 10 };
    case "llm":
      return { type: "llm", id, messages: [{ role: "user", content: place }] };
    case "approval":
      return { type: "approval", id, title: place, subject: { input: issued } };
    case "notify":
      return { type: "notify", topic: place, data: { issued } };
    case "cancel":
      return { type: "cancel", target: `${place}/${issued - 1}` };
  }
}
