/**
 * The agent loop as a statechart: decide whether to ask, prepare, ask the model, run its tool calls,
 * decide again. It can be drawn; each way to end is a state with its name.
 */
import {
  assign,
  type Directive,
  type LlmSucceeded,
  type ReasonerMachine,
  setupReasoner,
  type ToolSettlement,
} from "../kernel/index.js";
import { closeBatch, dueDirectives, openBatch, type SettledCall, settleCall } from "./batch.js";
import {
  callsIn,
  conclude,
  type EndConversation,
  initialContext,
  nextTurn,
  queueMessage,
  receive,
  recover,
  type Seen,
  takeQueue,
  waitingFor,
} from "./changes.js";
import type { AgentContext } from "./context.js";
import { addMessage } from "./context-functions.js";
import { deadlineId, deadlineTimer, limitError, reachedLimit } from "./limits.js";
import { takeAnswer } from "./output.js";
import {
  failedPlugins,
  markPlugins,
  pluginDirectives,
  prepareFrom,
  settlePlugin,
} from "./plugin.js";
import { buildRequest, offeredTools, requestDirective } from "./request.js";
import type { AgentInput, AgentSpec } from "./spec.js";
import * as texts from "./texts.js";

type Args = { readonly context: AgentContext };

/** The machine of one agent. */
export function agentMachine(spec: AgentSpec): ReasonerMachine<AgentContext, AgentInput> {
  const { createMachine } = setupReasoner<AgentContext, AgentInput, EndConversation>();
  const act = <Event extends Seen>(change: (context: AgentContext, event: Event) => AgentContext) =>
    assign<AgentContext, Event, undefined, Seen, never>(({ context, event }) =>
      change(context, event),
    );
  const issue = <Event extends Seen>(
    directives: (context: AgentContext, event: Event) => readonly Directive[],
  ) => ({
    type: "issue" as const,
    params: ({ context, event }: { context: AgentContext; event: Event }) =>
      directives(context, event),
  });
  // A turn's deadline comes with the first effect of the turn: one that asks for nothing needs none.
  const deadline = (due: (context: AgentContext) => boolean) =>
    spec.limits.deadlineMs === undefined
      ? []
      : [
          issue((context, event) =>
            due(context) ? deadlineTimer(spec, context, event?.at ?? context.startedAt) : [],
          ),
          act((context) => (due(context) ? { ...context, timed: true } : context)),
        ];
  const dueCalls = issue((context) => dueDirectives(context.batch));
  const settled = {
    actions: [act<SettledCall>((context, event) => settleCall(context, event, spec)), dueCalls],
  };
  const duePlugins = [
    ...deadline(({ preparing }) => preparing !== null),
    issue(pluginDirectives),
    act(markPlugins),
  ];
  const prepared = {
    actions: [
      act<Seen & ToolSettlement>((context, event) => settlePlugin(spec, context, event)),
      ...duePlugins,
    ],
  };
  // Without plug-ins and policies nobody has a say before the request: it is built where it is issued.
  const unasked = spec.plugins.length === 0 && spec.policy.beforeRequest === undefined;
  const ask = unasked ? "thinking" : "requesting";
  const sendAtOnce = [
    ...deadline(() => true),
    issue((context) => requestDirective(buildRequest(spec, context, true))),
  ];
  const send = [
    ...deadline(() => true),
    issue((context) => [...failedPlugins(context), ...requestDirective(context)]),
    act((context) => ({ ...markPlugins(context), request: null })),
  ];
  const failed = { type: "final" as const, tags: ["failed"] };

  return createMachine({
    id: "agent",
    context: ({ input }) => initialContext(spec, input),
    initial: "deciding",
    on: {
      message: { actions: act(queueMessage) },
      cancel: {
        target: ".cancelled",
        actions: act((context, event) => ({
          ...takeQueue(closeBatch(context, spec)),
          cancelReason: ("reason" in event ? event.reason : undefined) ?? null,
        })),
      },
      "timer.fired": {
        target: ".deciding",
        actions: [
          issue((context) => waitingFor(context).map((target) => ({ type: "cancel", target }))),
          act((context) => ({
            ...closeBatch(context, spec),
            preparing: null,
            limit: "deadline",
            // The request that was cancelled had this iteration's id; the next one needs another.
            retry: context.batch === null && context.preparing === null ? context.retry + 1 : 0,
          })),
        ],
      },
    },
    states: {
      deciding: {
        entry: act(takeQueue),
        always: [
          { guard: ({ context }) => context.final !== null, target: "finishing" },
          { guard: ({ context }) => context.error !== null, target: "invalidOutput" },
          { guard: ({ context }) => !context.needsResponse, target: "answering" },
          {
            guard: ({ context }) => reachedLimit(spec, context) !== null,
            target: "limited",
            actions: act((context) => ({ ...context, limit: reachedLimit(spec, context) })),
          },
          { target: spec.plugins.length > 0 ? "preparing" : ask },
        ],
      },
      /** The plug-ins take their steps, in order. */
      preparing: {
        entry: [act((context) => prepareFrom(spec, context, 0)), ...duePlugins],
        always: { guard: ({ context }) => context.preparing === null, target: "requesting" },
        on: { "read.*": prepared, "write.*": prepared, "run.*": prepared },
      },
      requesting: {
        entry: act((context) => buildRequest(spec, context, true)),
        always: [
          { guard: ({ context }) => context.request?.type === "denied", target: "denied" },
          { target: "thinking" },
        ],
      },
      thinking: {
        entry: unasked ? sendAtOnce : send,
        on: {
          "llm.succeeded": [
            {
              guard: ({ event }) => callsIn(event).length > 0,
              target: "acting",
              actions: act<LlmSucceeded & Seen>((context, event) => {
                const offered = new Set(offeredTools(spec, context).map(({ name }) => name));
                const next = receive(spec, context, event);
                return openBatch(next, context.iteration, callsIn(event), offered, spec);
              }),
            },
            {
              target: "deciding",
              actions: act<LlmSucceeded & Seen>((context, event) => receive(spec, context, event)),
            },
          ],
          "llm.failed": {
            target: "recovering",
            actions: assign(({ context, event }) => recover(spec, context, event.error)),
          },
        },
      },
      /** The behaviour has had its say on a failed model call. */
      recovering: {
        always: [
          { guard: ({ context }) => context.error !== null, target: "modelFailed" },
          { guard: ({ context }) => context.retry > 0, target: ask },
          { target: "deciding" },
        ],
      },
      acting: {
        entry: dueCalls,
        always: { guard: ({ context }) => context.batch === null, target: "deciding" },
        on: {
          "tool.*": settled,
          "approval.*": settled,
          "read.*": settled,
          "write.*": settled,
          "run.*": settled,
        },
      },
      answering: {
        entry: act((context) => takeAnswer(spec, context)),
        always: [
          { guard: ({ context }) => context.error !== null, target: "invalidOutput" },
          { guard: ({ context }) => context.needsResponse, target: "deciding" },
          { guard: () => spec.conversation, target: "ready" },
          { target: "answered" },
        ],
      },
      finishing: {
        entry: act((context) => ({
          ...context,
          answer: context.final,
          error: null,
          needsResponse: false,
        })),
        always: [{ guard: () => spec.conversation, target: "ready" }, { target: "finished" }],
      },
      limited: {
        always: [
          { guard: () => spec.limits.onLimit === "answer", target: "wrappingUp" },
          ...(["maxIterations", "tokenBudget", "deadline"] as const).map((limit) => ({
            guard: ({ context }: Args) => context.limit === limit,
            target: limit,
            actions: act((context) => ({ ...context, error: limitError(limit, context, spec) })),
          })),
        ],
      },
      /** A limit is reached: the model is asked once more, without tools. */
      wrappingUp: {
        entry: act((context) => {
          const asked = addMessage(context, { role: "user", content: texts.BEST_ANSWER });
          return buildRequest(spec, asked, false);
        }),
        always: [
          { guard: ({ context }) => context.request?.type === "denied", target: "denied" },
          { target: "concluding" },
        ],
      },
      concluding: {
        entry: send,
        on: {
          "timer.fired": {},
          "llm.succeeded": {
            target: "closing",
            actions: act<LlmSucceeded & Seen>((context, event) => receive(spec, context, event)),
          },
          "llm.failed": {
            target: "modelFailed",
            actions: assign(({ context, event }) => ({
              ...takeQueue(context),
              error: event.error,
            })),
          },
        },
      },
      closing: {
        entry: act((context) => conclude(spec, context)),
        always: [
          {
            guard: ({ context }) => context.error !== null,
            target: "invalidOutput",
            actions: act(takeQueue),
          },
          { guard: () => spec.conversation, target: "ready" },
          { target: "concluded", actions: act(takeQueue) },
        ],
      },
      /** The conversation rests until the user says something. */
      ready: {
        entry: [
          issue((context) =>
            context.timed ? [{ type: "cancel", target: deadlineId(context) }] : [],
          ),
          act(nextTurn),
        ],
        // What was said while the last answer was given begins the next turn.
        always: { guard: ({ context }) => context.queue.length > 0, target: "deciding" },
        on: {
          message: { target: "deciding", actions: act(queueMessage) },
          "conversation.end": "ended",
        },
      },
      /** The model answered without calling a tool. */
      answered: { type: "final" },
      /** A `final` tool succeeded. */
      finished: { type: "final" },
      /** A limit was reached, and the model gave its best answer. */
      concluded: { type: "final" },
      /** The conversation was ended. */
      ended: { type: "final" },
      maxIterations: failed,
      tokenBudget: failed,
      deadline: failed,
      modelFailed: failed,
      invalidOutput: failed,
      /** A policy denied a request. */
      denied: {
        ...failed,
        entry: act(({ request, ...context }) => ({
          // What was said while a plug-in was at work is kept.
          ...takeQueue({ ...context, request: null }),
          error: {
            code: "agent.denied",
            message: `A policy denied the request: ${request?.type === "denied" ? request.reason : ""}`,
          },
        })),
      },
      cancelled: { type: "final", tags: ["cancelled"] },
    },
  });
}
