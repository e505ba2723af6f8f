/**
 * Arbitraries of reasoners, made of generated machines: for the laws of the kernel and of the fast
 * paths.
 */
import fc from "fast-check";
import {
  and,
  assign,
  change,
  defineReasoner,
  enqueueActions,
  not,
  or,
  type Path,
  type Reasoner,
  type ReasonerTypes,
  raise,
  setupReasoner,
  stateIn,
} from "../src/core/kernel/machine/index.js";
import type { Directive } from "../src/core/kernel/vocabulary/index.js";
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
  /** How many eventless transitions may still be taken: a generated machine comes to a stable state. */
  readonly budget: number;
  /** The places that were passed, in order. */
  readonly log: readonly string[];
}

/** A reasoner with a generated machine. Its runs may wait anywhere. */
export type PlannedReasoner = Reasoner<number, readonly string[], PlanContext>;

type Names = { readonly [name: string]: (scope: Scope, params: never) => unknown };
const isThird = ({ context }: Scope, params: { readonly n: number } | undefined) =>
  context.n % 3 === (params?.n ?? 0);
/** What the names of generated machines mean. */
const guards: Names = {
  isZero: ({ context }) => context.n % 3 === 0,
  isOne: ({ context }) => context.n % 3 === 1,
  isTwo: ({ context }) => context.n % 3 === 2,
  isThird: isThird as Names[string],
};
const issues: Names = {
  tell: ({ context }, place: string) => ({ type: "notify", topic: place, data: context.issued }),
};
const note = (draft: PlanContext, place: string) => {
  Object.assign(draft, { issued: draft.issued + 1 });
  (draft.log as string[]).push(place);
};
const changes = {
  noteOnDraft: change((draft, _event, place: string) => note(draft as PlanContext, place)),
};
const { createMachine } = setupReasoner({
  types: {} as ReasonerTypes<PlanContext & { readonly [key: string]: unknown }, number>,
  guards: guards as never,
  changes: changes as never,
  issues: issues as never,
});

/** Reasoners made of generated machines. */
export function plannedReasoner(): fc.Arbitrary<PlannedReasoner> {
  return machinePlan().map((plan) => reasonerOf(plan));
}

/** Whether a plan's machine puts something out itself. */
function hasOutput(plan: StatePlan): boolean {
  return plan.states.some(({ output }) => output !== undefined);
}

/**
 * The reasoner of a plan.
 * @param path the path that computes its steps, in place of the best
 */
export function reasonerOf(plan: StatePlan, path?: Path["name"]): PlannedReasoner {
  const machine = createMachine({
    ...(machineOf(plan) as object),
    options: { maxIterations: 60 },
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
    ...(hasOutput(plan) ? {} : { output: (context) => context.log }),
    ...(path === undefined ? {} : { path }),
    configuration: plan,
  });
  return { ...reasoner, [fc.toStringMethod]: () => fc.stringify(plan) } as PlannedReasoner;
}

/** The configuration of a plan's machine. States are numbered through the plan, the root's left out. */
export function machineOf(plan: StatePlan): object {
  let count = -1;
  const total = size(plan) - 1;
  const withHistory = new Set(numbered(plan).flatMap(({ history }, i) => (history ? [i - 1] : [])));
  const nodeOf = (state: StatePlan): object => {
    const number = count++;
    const place = number < 0 ? "root" : `s${number}`;
    const ofOwn = (given: TransitionPlan, at: string) =>
      transition(given, `${place}.${at}`, total, withHistory);
    const children: [string, object][] = [];
    const config: Record<string, unknown> = number < 0 ? {} : { id: `state${number}` };
    for (const child of state.states) children.push([`s${count}`, nodeOf(child)]);
    if (state.kind === "final") {
      config.type = "final";
      if (state.output !== undefined) config.output = outputOf(state.output);
    } else {
      config.exit = actions(state.exit, `${place}.exit`);
      config.on = byEvent(state.on, ofOwn);
      config.always = state.always.map((each, i) => eventless(ofOwn(each, `always${i}`)));
    }
    config.entry = actions(
      endsRun(state, number) ? inTheEnd(state.entry) : state.entry,
      `${place}.in`,
    );
    if (state.kind === "parallel") config.type = "parallel";
    if (state.kind === "compound") {
      const way = actions(state.initial ?? [], `${place}.initial`);
      config.initial = { target: children[0]?.[0], actions: way };
    }
    if (children.length > 0) config.states = Object.fromEntries(children);
    if (state.onDone !== undefined) config.onDone = ofOwn(state.onDone, "done");
    if (state.after !== undefined) {
      config.after = { [state.after.delay]: ofOwn(state.after, "after") };
    }
    if (state.history !== undefined) {
      const past = { type: "history", id: `history${number}`, history: state.history };
      config.states = { ...(config.states as object), past };
    }
    if (state.tag !== undefined) config.tags = [state.tag];
    return config;
  };
  return nodeOf(plan);
}

/** An output of everything that it may be made of. */
const outputOf =
  (n: number) =>
  ({ context, event }: Scope & { readonly event: { readonly type: string } }) => ({
    n,
    log: context.log.length,
    event: event.type,
  });
const numbered = (plan: StatePlan): StatePlan[] => [plan, ...plan.states.flatMap(numbered)];
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

function transition(
  plan: TransitionPlan,
  place: string,
  total: number,
  withHistory: ReadonlySet<number>,
): object {
  const { guard, target, also, reenter } = plan;
  const number = target === -1 ? total - 1 : (target ?? 0) % Math.max(total, 1);
  const name = plan.toHistory === true && withHistory.has(number) ? "history" : "state";
  return {
    ...(target === undefined || total === 0
      ? {}
      : {
          target: [`#${name}${number}`, ...(also === undefined ? [] : [`#state${also % total}`])],
        }),
    ...(reenter === true ? { reenter } : {}),
    ...(guard === undefined ? {} : { guard: guardOf(guard, plan.guardAs, number, total) }),
    actions: actions(plan.actions, place),
  };
}

/** A guard that holds for a third of the values of `n`, written in one way or another. */
function guardOf(
  third: number,
  as: TransitionPlan["guardAs"],
  number: number,
  total: number,
): unknown {
  const name = ["isZero", "isOne", "isTwo"][third] as string;
  const inline = ({ context }: Scope) => context.n % 3 === third;
  switch (as) {
    case "name":
      return name;
    case "params":
      return {
        type: "isThird",
        params: ({ context }: Scope) => ({ n: context.n >= 0 ? third : 0 }),
      };
    case "and":
      return and([name as never, inline as never]);
    case "or":
      return or([name as never, not(name as never) as never, inline as never]);
    case "not":
      return not({ type: "isThird", params: { n: third } } as never);
    case "stateIn":
      return total === 0 ? inline : stateIn(`#state${(number + third) % total}`);
    default:
      return inline;
  }
}

/** An eventless transition is taken a bounded number of times, so that every machine comes to a stable state. */
function eventless(taken: object): object {
  const { guard, actions: rest } = taken as { guard?: unknown; actions: object[] };
  const spend = assign<PlanContext, never, undefined, never, never>(({ context }) => ({
    budget: context.budget - 1,
  }));
  return {
    ...taken,
    guard: guard === undefined ? mayStill : and([mayStill as never, guard as never]),
    actions: [spend, ...rest],
  };
}

const mayStill = ({ context }: Scope) => context.budget > 0;

interface Scope {
  readonly context: PlanContext;
  readonly event: { readonly at?: number };
}

function actions(plans: readonly ActionPlan[], place: string): object[] {
  return plans.flatMap((plan, i) => actionsOf(plan, `${place}${i}`, place));
}

function actionsOf(plan: ActionPlan, note: string, place: string): readonly object[] {
  const noted = assign<PlanContext, never, undefined, never, never>(({ context }) => ({
    n: plan === "count" ? context.n + 1 : context.n,
    issued: context.issued + 1,
    log: [...context.log, note],
  }));
  switch (plan) {
    case "count":
      return [noted];
    case "raise":
      return [noted, raise({ type: "raised" })];
    case "named":
      return [noted, { type: "tell", params: place }];
    case "draft":
      return [{ type: "noteOnDraft", params: () => note }];
    case "enqueue":
      return [
        enqueueActions(({ context, enqueue }) => {
          enqueue(noted as never);
          if ((context as PlanContext).n % 2 === 0) enqueue.raise({ type: "raised" });
          enqueue({ type: "tell", params: place } as never);
        }),
      ];
    default: {
      const params = ({ context }: Scope) => directive(plan, place, context.issued);
      return [noted, { type: "issue", params }];
    }
  }
}

function directive(
  plan: Exclude<ActionPlan, "count" | "raise" | "named" | "draft" | "enqueue">,
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
