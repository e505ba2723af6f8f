/**
 * The Graph of Thoughts as a statechart. Its states say what is being done; what is done next is the
 * policy's affair, and how it is done the engine's.
 */
import {
  addUsage,
  assign,
  canonical,
  type Directive,
  emptyTable,
  emptyVector,
  type Json,
  type JsonObject,
  noUsage,
  type ReasonerMachine,
  type SeenEvent,
  type Start,
  setupReasoner,
  type Usage,
} from "../kernel/index.js";
import type { Phase, ThoughtsContext, ThoughtsInput } from "./context.js";
import { end } from "./end.js";
import { type Answered, begin, receive } from "./engine.js";
import { emptyGraph } from "./graph.js";
import type { ThoughtsSpec } from "./spec.js";
import { contextOf, rootGraph, type Work, workOn } from "./work.js";

/** The id of the one timer. */
export const DEADLINE = "timer/deadline";

const working: readonly Phase[] = [
  "generating",
  "scoring",
  "connecting",
  "refining",
  "validating",
  "aggregating",
];

/** The machine of one reasoner of thoughts. */
export function thoughtsMachine(
  spec: ThoughtsSpec,
): ReasonerMachine<ThoughtsContext, ThoughtsInput> {
  type Context = ThoughtsContext;
  const { createMachine } = setupReasoner<Context, ThoughtsInput>();
  const step = <E extends SeenEvent>(change: (work: Work, event: E) => void) =>
    assign<Context, E, undefined, SeenEvent, never>(({ context, event }) => {
      const work = workOn(context, spec, event.at);
      change(work, event);
      if (isLate(work)) end(work, "deadline");
      return contextOf(work);
    });
  const issue = {
    type: "issue" as const,
    params: ({ context }: { context: Context }) => context.outbox,
  };
  const clear = assign<Context, SeenEvent, undefined, SeenEvent, never>({ outbox: [] });
  const answered = {
    actions: [
      step<Answered>((work, event) => {
        if (event.type === "llm.succeeded")
          work.usage = addUsage(work.usage, withTotal(event.usage));
        receive(work, event);
      }),
      issue,
      clear,
    ],
  };
  /** To the state that the context is in. */
  const follow = (from: Phase) =>
    [...working, "completed" as const, "error" as const]
      .filter((phase) => phase !== from)
      .map((phase) => ({
        guard: ({ context }: { context: Context }) => context.phase === phase,
        target: phase,
      }));

  return createMachine({
    id: "thoughts",
    context: ({ input }) => initialContext(spec, input),
    initial: "idle",
    on: {
      "llm.succeeded": answered,
      "llm.failed": answered,
      "timer.fired": { actions: step((work) => end(work, "deadline")) },
      cancel: {
        target: ".cancelled",
        actions: assign(({ event }) => ({
          phase: "cancelled" as const,
          endedAt: event.at,
          running: [],
          reserved: 0,
          cancelReason: event.reason ?? null,
        })),
      },
    },
    states: {
      /** Transient: a run starts with its input. */
      idle: {
        entry: [{ type: "issue", params: ({ context }) => firstDirectives(context) }, clear],
        always: follow("idle"),
      },
      ...Object.fromEntries(working.map((phase) => [phase, { always: follow(phase) }])),
      /** With the best there is; the reason is in the result. */
      completed: { type: "final" },
      /** Nothing was left. */
      error: { type: "final", tags: ["failed"] },
      cancelled: { type: "final", tags: ["cancelled"] },
    },
  });
}

/** Not every provider adds up; the budget of tokens needs the sum. */
function withTotal(usage: Partial<Usage>): Partial<Usage> {
  const { inputTokens = 0, outputTokens = 0, totalTokens = inputTokens + outputTokens } = usage;
  return { ...usage, totalTokens };
}

function isLate({ budgets, at, endedAt }: Work): boolean {
  return endedAt === null && budgets.deadline !== null && at >= budgets.deadline;
}

function initialContext(spec: ThoughtsSpec, start: Start<ThoughtsInput>): ThoughtsContext {
  const { input, at, seed } = start;
  const state: JsonObject = typeof input === "string" ? {} : (input ?? {});
  const prompt =
    typeof input === "string" ? input : typeof state.prompt === "string" ? state.prompt : undefined;
  const { maxNodes, maxDepth, tokens, modelCalls, deadlineMs } = spec;
  const deadline = deadlineMs === null ? null : at + deadlineMs;
  const work = workOn(
    {
      name: spec.name,
      policy: spec.policy.name,
      better: spec.better,
      phase: "idle",
      graph: rootGraph(emptyGraph, prompt ?? canonical(state as Json), state),
      operations: emptyTable(),
      running: [],
      reserved: 0,
      budgets: { maxNodes, maxDepth, tokens, modelCalls, deadline },
      usage: noUsage,
      modelCalls: 0,
      failures: emptyVector(),
      seed: seed ?? null,
      startedAt: at,
      endedAt: null,
      cut: null,
      result: null,
      error: null,
      cancelReason: null,
      outbox: [],
    },
    spec,
    at,
  );
  begin(work);
  if (isLate(work)) end(work, "deadline");
  return contextOf(work);
}

/** What a run asks for first; one that is over at once asks for nothing. */
function firstDirectives({ outbox, budgets, endedAt }: ThoughtsContext): readonly Directive[] {
  if (endedAt !== null) return [];
  if (budgets.deadline === null) return outbox;
  return [{ type: "timer", id: DEADLINE, until: budgets.deadline }, ...outbox];
}
