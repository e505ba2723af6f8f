/**
 * The Graph of Thoughts as a statechart. Answers are taken in the order in which they were asked for; an
 * early one waits. The working state (`generating`, `scoring` …) is named by the kind of the oldest open
 * question.
 */

import {
  type ReasonerMachine,
  type ReasonerTypes,
  type Start,
  setupReasoner,
  wholeContext,
} from "../kernel/machine/index.js";
import {
  canonical,
  emptyTable,
  emptyVector,
  type Json,
  type JsonObject,
  sealJson,
  toJson,
  withParts,
} from "../kernel/values/index.js";
import {
  type CancelEvent,
  type Directive,
  noUsage,
  type SeenEvent,
} from "../kernel/vocabulary/index.js";
import { least, NOTHING, verdict } from "./budget.js";
import type { Budgets, ThoughtsContext, ThoughtsInput } from "./context.js";
import { end, endWithFault, stop } from "./end.js";
import { queueFront, queueOf, queueSize } from "./fifo.js";
import { addThought, emptyGraph, type Graph } from "./graph/graph.js";
import * as engine from "./hear-answers.js";
import type { OperationKind } from "./operations/operation.js";
import { PolicyFault } from "./policies/policy-fault.js";
import type { ThoughtsSpec } from "./spec.js";
import {
  askOf,
  contextOf,
  operationOf,
  placeOf,
  ROOT,
  type Work,
  workOn,
} from "./work-on-context.js";

/** Sealed once, and then the same value from step to step. */
const NONE: readonly never[] = /* @__PURE__ */ toJson([]);

/** The most microsteps of a step: each answer that waits takes a few. */
const MAX_MICROSTEPS = 10_000_000;

type Context = ThoughtsContext;

/** The argument of the chart's guards, changes and issues. */
interface ChartArgs {
  readonly context: Context;
  readonly event: SeenEvent;
}

/** The chart's guards, by the names that a drawn chart shows. */
function guardsOf(spec: ThoughtsSpec) {
  const look = <T>(context: Context, read: (work: Work) => T): T =>
    read(workOn(context, spec, context.startedAt));
  const oldestIs =
    (...kinds: readonly OperationKind[]) =>
    ({ context }: ChartArgs): boolean => {
      const id = queueFront(context.asked);
      if (id === undefined) return false;
      return look(context, (work) => kinds.includes(operationOf(work, placeOf(id).operation).kind));
    };
  return {
    hasResult: ({ context }: ChartArgs): boolean => context.result !== null,
    hasFault: ({ context }: ChartArgs): boolean => context.error !== null,
    operationIsHeard: ({ context }: ChartArgs): boolean => queueSize(context.heard) > 0,
    budgetAllows: ({ context }: ChartArgs): boolean =>
      queueSize(context.held) > 0 && look(context, verdict) === "now",
    budgetIsMet: ({ context }: ChartArgs): boolean =>
      queueSize(context.held) > 0 && engine.isLeftOut(look(context, verdict)),
    oldestGenerates: oldestIs("generate"),
    oldestScores: oldestIs("score"),
    oldestConnects: oldestIs("connect"),
    oldestRefines: oldestIs("improve"),
    oldestValidates: oldestIs("validate"),
    oldestAggregates: oldestIs("aggregate"),
    oldestIsAnswered: ({ context }: ChartArgs): boolean => {
      const id = queueFront(context.asked);
      return id !== undefined && look(context, (work) => askOf(work, id).status === "answered");
    },
  };
}

/** The chart's changes, by the names that a drawn chart shows. */
function changesOf(spec: ThoughtsSpec) {
  const step = <E extends SeenEvent>(change: (work: Work, event: E) => void) =>
    wholeContext(({ context, event }: ChartArgs): Context => {
      const work = workOn(context, spec, event.at ?? context.startedAt);
      try {
        change(work, event as E);
      } catch (thrown) {
        if (!(thrown instanceof PolicyFault)) throw thrown;
        endWithFault(work, thrown);
      }
      return contextOf(work);
    });
  return {
    begin: step(engine.begin),
    concludeAndDecide: step(engine.concludeAndDecide),
    askWhatFits: step(engine.askWhatFits),
    leaveOut: step(engine.leaveOut),
    keepAnswer: step((work, event) => {
      if (event.type === "llm.succeeded" || event.type === "llm.failed") {
        engine.keepAnswer(work, event);
      }
    }),
    takeThoughts: step(engine.hearOldest),
    takeScores: step(engine.hearOldest),
    takeConnections: step(engine.hearOldest),
    takeVersions: step(engine.hearOldest),
    takeVerdicts: step(engine.hearOldest),
    takeMerged: step(engine.hearOldest),
    cutAtDeadline: step((work) => engine.cutShort(work, "deadline")),
    chooseResult: step((work) => end(work)),
    noteCancel: step<CancelEvent & SeenEvent>((work, { reason }) => {
      stop(work);
      work.cancelReason = reason ?? null;
    }),
    clearCalls: wholeContext(
      ({ context }: ChartArgs): Context => withParts(context, { outbox: NONE }),
    ),
  };
}

/** The chart's directives. */
const issues = {
  askModel: ({ context }: ChartArgs): readonly Directive[] => context.outbox,
};

/** A state that waits for the oldest answer, and what it makes of it. */
function waitFor<const Take extends keyof ReturnType<typeof changesOf>>(take: Take) {
  const answered = { actions: ["keepAnswer" as const] };
  return {
    entry: ["askModel" as const, "clearCalls" as const],
    on: { "llm.succeeded": answered, "llm.failed": answered },
    always: { guard: "oldestIsAnswered" as const, target: "deciding" as const, actions: [take] },
  };
}

/** The machine of one reasoner of thoughts. */
export function thoughtsMachine(spec: ThoughtsSpec): ReasonerMachine<Context, ThoughtsInput> {
  const types = {} as ReasonerTypes<Context, ThoughtsInput>;
  const { createMachine } = setupReasoner({
    types,
    guards: guardsOf(spec),
    changes: changesOf(spec),
    issues,
  });
  const config = {
    id: "thoughts",
    options: { maxIterations: MAX_MICROSTEPS },
    context: ({ input }: { readonly input: Start<ThoughtsInput> }) => initialContext(spec, input),
    initial: "idle",
    on: {
      "timer.fired": { target: ".deciding", actions: ["cutAtDeadline"] },
      cancel: { target: ".cancelled", actions: ["noteCancel"] },
    },
    states: {
      /** Transient: the policy says what begins. */
      idle: { always: { target: "deciding", actions: ["begin"] } },
      /** Transient: concludes, decides and asks, and goes to the kind of the oldest question, or to an end. */
      deciding: {
        always: [
          { guard: "hasResult", target: "completed" },
          { guard: "hasFault", target: "error" },
          { guard: "operationIsHeard", actions: ["concludeAndDecide"] },
          { guard: "budgetAllows", actions: ["askWhatFits"] },
          { guard: "budgetIsMet", actions: ["leaveOut"] },
          { guard: "oldestGenerates", target: "generating" },
          { guard: "oldestScores", target: "scoring" },
          { guard: "oldestConnects", target: "connecting" },
          { guard: "oldestRefines", target: "refining" },
          { guard: "oldestValidates", target: "validating" },
          { guard: "oldestAggregates", target: "aggregating" },
          { actions: ["chooseResult"] },
        ],
      },
      generating: waitFor("takeThoughts"),
      scoring: waitFor("takeScores"),
      connecting: waitFor("takeConnections"),
      refining: waitFor("takeVersions"),
      validating: waitFor("takeVerdicts"),
      aggregating: waitFor("takeMerged"),
      /** With the best there is; the reason is in the result. */
      completed: { type: "final" },
      /** Nothing was left, or the policy was at fault. */
      error: { type: "final", tags: ["failed"] },
      cancelled: { type: "final", tags: ["cancelled"] },
    },
  } as const;
  return createMachine(config);
}

/** A context in which nothing was begun. */
export function emptyContext(spec: ThoughtsSpec, graph: Graph, budgets: Budgets): Context {
  return {
    policy: spec.policy.name,
    better: spec.better,
    graph,
    operations: emptyTable(),
    running: 0,
    heard: queueOf(),
    memory: null,
    reached: false,
    structured: true,
    budgets,
    rooms: 0,
    reserved: NOTHING,
    held: queueOf(),
    asked: queueOf(),
    sizes: {},
    usage: noUsage,
    spent: NOTHING,
    modelCalls: 0,
    failures: emptyVector(),
    seed: null,
    startedAt: 0,
    endedAt: null,
    cut: null,
    result: null,
    error: null,
    cancelReason: null,
    outbox: NONE,
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
  const graph = addThought(emptyGraph, root);
  return {
    ...emptyContext(spec, graph, { maxNodes, maxDepth, tokens, cost, modelCalls, deadline }),
    memory: sealJson(spec.policy.memory ?? null, "$.memory"),
    seed: seed ?? null,
    startedAt: at,
  };
}
