/**
 * The Graph of Thoughts as a statechart. Its states name the work that is running. What is done
 * next is decided by the policy; how, by the engine.
 */
import {
  type CancelEvent,
  canonical,
  type Directive,
  emptyTable,
  emptyVector,
  type Json,
  type JsonObject,
  noUsage,
  type ReasonerMachine,
  type ReasonerTypes,
  type SeenEvent,
  type Start,
  sealJson,
  setupReasoner,
  toJson,
  wholeContext,
} from "../kernel/index.js";
import { least } from "./budget.js";
import type { Budgets, ThoughtsContext, ThoughtsInput } from "./context.js";
import { endWithFault, idle, stop } from "./end.js";
import { type Answered, begin, cutShort, receive } from "./engine.js";
import { addThought, emptyGraph, type Graph } from "./graph.js";
import { PolicyFault } from "./policy-fault.js";
import type { ThoughtsSpec } from "./spec.js";
import { contextOf, ROOT, type Work, workOn } from "./work.js";

/** Sealed once, and then the same value from step to step. */
const NONE: readonly never[] = /* @__PURE__ */ toJson([]);

/** The id of the one timer. */
export const DEADLINE = "timer/deadline";

type Context = ThoughtsContext;
type Seen = { readonly context: Context };

/** What is running decides; of several kinds of work the first. */
const guards = {
  isGenerating: ({ context }: Seen): boolean => context.running.generating > 0,
  isScoring: ({ context }: Seen): boolean => context.running.scoring > 0,
  isRefining: ({ context }: Seen): boolean => context.running.refining > 0,
  isValidating: ({ context }: Seen): boolean => context.running.validating > 0,
  isConnecting: ({ context }: Seen): boolean => context.running.connecting > 0,
  isAggregating: ({ context }: Seen): boolean => context.running.aggregating > 0,
  /** Nothing is running, and there is something to show. */
  hasResult: ({ context }: Seen): boolean => context.result !== null,
};

/**
 * Goes to the state of the operations that are running; if nothing runs and there is no result, to
 * the error.
 */
const whatNext = [
  { guard: "isGenerating", target: "generating" },
  { guard: "isScoring", target: "scoring" },
  { guard: "isRefining", target: "refining" },
  { guard: "isValidating", target: "validating" },
  { guard: "isConnecting", target: "connecting" },
  { guard: "isAggregating", target: "aggregating" },
  { guard: "hasResult", target: "completed" },
  { target: "error" },
] as const;

/** What the chart's changes are given. */
interface ChartArgs {
  readonly context: Context;
  readonly event: SeenEvent;
}

/** How the chart changes its context, by the names that a drawn chart shows. */
function changesOf(spec: ThoughtsSpec) {
  const step = <E extends SeenEvent>(change: (work: Work, event: E) => void) =>
    wholeContext(({ context, event }: ChartArgs): Context => {
      const work = workOn(context, spec, event.at);
      change(work, event as E);
      return contextOf(work);
    });
  return {
    takeAnswer: step<Answered>((work, event) => guarded(work, () => receive(work, event))),
    cutAtDeadline: step((work) => guarded(work, () => cutShort(work, "deadline"))),
    closeRun: step<CancelEvent & SeenEvent>((work, { reason }) => {
      stop(work);
      work.cancelReason = reason ?? null;
    }),
    clearCalls: wholeContext(({ context }: ChartArgs): Context => ({ ...context, outbox: NONE })),
  };
}

/** What the chart issues. */
const issues = {
  askFirst: ({ context }: Seen): readonly Directive[] => firstDirectives(context),
  askModel: ({ context }: Seen): readonly Directive[] => context.outbox,
};

/** The machine of one reasoner of thoughts. */
export function thoughtsMachine(spec: ThoughtsSpec): ReasonerMachine<Context, ThoughtsInput> {
  const types = {} as ReasonerTypes<Context, ThoughtsInput>;
  const { createMachine } = setupReasoner({ types, guards, changes: changesOf(spec), issues });
  const answered = {
    target: ".deciding",
    actions: ["takeAnswer" as const, "askModel" as const, "clearCalls" as const],
  };

  return createMachine({
    id: "thoughts",
    context: ({ input }) => initialContext(spec, input),
    initial: "idle",
    on: {
      "llm.succeeded": answered,
      "llm.failed": answered,
      "timer.fired": { target: ".deciding", actions: "cutAtDeadline" },
      cancel: { target: ".cancelled", actions: "closeRun" },
    },
    states: {
      /** Transient: a run starts with its input. */
      idle: { entry: ["askFirst", "clearCalls"], always: "deciding" },
      /** Transient: an answer was taken in. */
      deciding: { always: [...whatNext] },
      generating: {},
      scoring: {},
      refining: {},
      validating: {},
      connecting: {},
      aggregating: {},
      /** With the best there is; the reason is in the result. */
      completed: { type: "final" },
      /** Nothing was left, or the policy was at fault. */
      error: { type: "final", tags: ["failed"] },
      cancelled: { type: "final", tags: ["cancelled"] },
    },
  });
}

/** Does a step's work; a fault of the policy ends the run, and so does a time that is up. */
function guarded(work: Work, change: () => void): void {
  const { deadline } = work.budgets;
  try {
    change();
    const isLate = deadline !== null && work.at >= deadline;
    if (isLate && work.endedAt === null) cutShort(work, "deadline");
  } catch (thrown) {
    if (!(thrown instanceof PolicyFault)) throw thrown;
    endWithFault(work, thrown);
  }
}

/** A context in which nothing was begun. */
export function emptyContext(spec: ThoughtsSpec, graph: Graph, budgets: Budgets): Context {
  return {
    name: spec.name,
    policy: spec.policy.name,
    better: spec.better,
    graph,
    operations: emptyTable(),
    running: idle,
    begun: 0,
    made: 0,
    due: NONE,
    memory: null,
    reached: false,
    structured: true,
    budgets,
    reserved: { rooms: 0, tokens: 0, cost: 0 },
    inFlight: 0,
    held: emptyVector(),
    released: 0,
    repeats: emptyVector(),
    sizes: {},
    usage: noUsage,
    modelCalls: 0,
    failures: emptyVector(),
    seed: null,
    startedAt: 0,
    endedAt: null,
    cut: null,
    result: null,
    error: null,
    cancelReason: null,
    outbox: [],
  };
}

function initialContext(spec: ThoughtsSpec, start: Start<ThoughtsInput>): Context {
  const { input, at, seed, budget } = start;
  const state: JsonObject = typeof input === "string" ? {} : ((input as JsonObject | null) ?? {});
  const prompt =
    typeof input === "string" ? input : typeof state.prompt === "string" ? state.prompt : undefined;
  const { maxNodes, maxDepth, modelCalls, deadlineMs } = spec;
  // As a child it has what its parent gives it, where that is less.
  const tokens = least(spec.tokens, budget?.tokens);
  const cost = least(spec.costBudget, budget?.cost);
  const deadline = deadlineMs === null ? null : at + deadlineMs;
  const root = { id: ROOT, content: prompt ?? canonical(state as Json), state };
  const work = workOn(
    {
      ...emptyContext(spec, addThought(emptyGraph, root), {
        maxNodes,
        maxDepth,
        tokens,
        cost,
        modelCalls,
        deadline,
      }),
      memory: sealJson(spec.policy.memory ?? null, "$.memory"),
      seed: seed ?? null,
      startedAt: at,
    },
    spec,
    at,
  );
  guarded(work, () => begin(work));
  return contextOf(work);
}

/** What a run asks for first; one that is over at once asks for nothing. */
function firstDirectives({ outbox, budgets, endedAt }: Context): readonly Directive[] {
  if (endedAt !== null) return [];
  if (budgets.deadline === null) return outbox;
  return [{ type: "timer", id: DEADLINE, until: budgets.deadline }, ...outbox];
}
