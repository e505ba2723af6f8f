/** The context changes of the agent's chart, by the names in a drawn chart. */
import {
  type InterruptEvent,
  isSettlement,
  type LlmFailed,
  type LlmSucceeded,
  type MessageEvent,
  type QueueEvent,
  type ToolSettlement,
} from "../../kernel/vocabulary/index.js";
import { unpriced } from "../budget/cost-budget.js";
import { limitError, reachedLimit } from "../budget/limits.js";
import { closeBatch, NO_NOTICES, noCallDue, openBatch, settleCall } from "../calls/batch.js";
import { takeAnswer } from "../calls/output.js";
import { closePending, isAtWork, noneDue, settlePending } from "../calls/pending.js";
import { newStep } from "../calls/pipeline-step.js";
import { countFlaw } from "../calls/send-back.js";
import type { SettledCall } from "../calls/settle-call.js";
import type { AgentContext, Limit } from "../context/context.js";
import { changeOf } from "../context/copy-context.js";
import type { AgentSpec } from "../definition/spec.js";
import { keepTranscript } from "../extend/check-transcript.js";
import { addMessage } from "../extend/context-functions.js";
import { markPlugins, prepareFrom, settlePlugin } from "../request/plugin.js";
import { buildRequest } from "../request/request.js";
import * as texts from "../transcript/texts.js";
import { openCalls } from "../transcript/transcript.js";
import type { ChartArgs } from "./chart-guards.js";
import { markDeadline, paceDeadline } from "./deadline.js";
import { stopAnswer, stopTurn } from "./interrupt.js";
import { changeQueue, queueMessage, takeAtEnd, takeForTurn, takeQueue } from "./queue.js";
import {
  conclude,
  countCancelled,
  countFailed,
  failTurn,
  nextTurn,
  receive,
  recover,
  type Seen,
} from "./turn-changes.js";

/** A change's name. */
export type AgentChange = TurnChange | RequestChange | EndChange;

type TurnChange =
  | "clearNotices"
  | "hearMessage"
  | "changeQueue"
  | "takeMessages"
  | "takeAllMessages"
  | "nextTurn"
  | "closeRun"
  | "closeCutOffRun"
  | "closePending"
  | "markPending"
  | "markPendingAtWork"
  | "stopTurn"
  | "stopAnswer"
  | "endAtDeadline"
  | "markDeadline"
  | "markDeadlineOfPlugins"
  | "paceDeadline";

type RequestChange =
  | "preparePlugins"
  | "markPlugins"
  | "settlePlugin"
  | "buildRequest"
  | "sendRequest"
  | "receiveAnswer"
  | "openCalls"
  | "settleCall"
  | "settlePending"
  | "recover"
  | "giveUp"
  | "askForBestAnswer";

type EndChange =
  | "noteLimit"
  | "noteCostLimit"
  | "takeAnswer"
  | "takeFinalResult"
  | "conclude"
  | "failByModel"
  | "failByLimit"
  | "failByCost"
  | "failByPrice"
  | "failByDenial"
  | "failTurn";

type Answered = Extract<Seen, { readonly type: "llm.succeeded" }>;
type AgentAssigner = (args: ChartArgs, params: never) => AgentContext;

/** The changes of one agent. Each is given the event that its transition is for. */
export function agentChanges(spec: AgentSpec): { readonly [Name in AgentChange]: AgentAssigner } {
  const on = <Event extends Seen>(
    change: (context: AgentContext, event: Event) => AgentContext,
  ): AgentAssigner => changeOf(change as (context: AgentContext, event: Seen) => AgentContext);
  return { ...turnChanges(spec, on), ...requestChanges(spec, on), ...endChanges(spec, on) };
}

type On = <Event extends Seen>(
  change: (context: AgentContext, event: Event) => AgentContext,
) => AgentAssigner;
type Some<Name extends AgentChange> = { readonly [N in Name]: AgentAssigner };

/** Makes the changes that a turn meets from outside: messages, deadlines, interrupts, the end. */
function turnChanges(spec: AgentSpec, on: On): Some<TurnChange> {
  const closed = (context: AgentContext, event: Seen): AgentContext => ({
    ...takeQueue(closeBatch(context, newStep(spec, event.at))),
    cancelReason: ("reason" in event ? event.reason : undefined) ?? null,
  });
  return {
    clearNotices: on((context) => ({ ...context, notices: [] })),
    hearMessage: on<MessageEvent>(queueMessage),
    changeQueue: on<QueueEvent>(changeQueue),
    takeMessages: on((context) => takeForTurn(spec, context)),
    takeAllMessages: on((context) => takeAtEnd(spec, context)),
    nextTurn: on((context) => nextTurn(spec, context)),
    closeRun: on(closed),
    // A model call that is cut off was made, and counts.
    closeCutOffRun: on((context, event) => closed(countCancelled(context), event)),
    closePending: on((context, event) =>
      takeQueue(closePending(spec, context, event?.at ?? context.startedAt)),
    ),
    markPending: on(noneDue),
    markPendingAtWork: on((context) => (isAtWork(context) ? noneDue(context) : context)),
    stopTurn: on<InterruptEvent & Seen>((context, event) => stopTurn(spec, context, event)),
    stopAnswer: on<InterruptEvent & Seen>((context, event) => stopAnswer(spec, context, event)),
    endAtDeadline: on((context, event) => {
      const asked = context.batch === null && context.preparing === null;
      return {
        ...closeBatch(
          asked ? countCancelled(context) : context,
          newStep(spec, event.at),
          spec.conversation && spec.limits.onLimit === "error" ? texts.TURN_FAILED : undefined,
        ),
        preparing: null,
        limit: "deadline",
        // The request that was cancelled had this iteration's id; the next one needs another.
        retry: asked ? context.retry + 1 : 0,
      };
    }),
    markDeadline: on((context, event) => markDeadline(spec, context, event)),
    markDeadlineOfPlugins: on((context, event) =>
      context.preparing === null ? context : markDeadline(spec, context, event),
    ),
    paceDeadline: on(paceDeadline),
  };
}

/** Makes the changes of a request, its answer and its calls. */
function requestChanges(spec: AgentSpec, on: On): Some<RequestChange> {
  return {
    preparePlugins: on((context, event) =>
      prepareFrom(spec, context, 0, event?.at ?? context.startedAt),
    ),
    markPlugins: on(markPlugins),
    settlePlugin: on<Seen & ToolSettlement>((context, event) =>
      isSettlement(event) ? settlePlugin(spec, context, event) : context,
    ),
    buildRequest: on((context) => buildRequest(spec, context, true)),
    sendRequest: on((context) => ({ ...markPlugins(context), request: null })),
    receiveAnswer: on<LlmSucceeded & Seen>((context, event) => receive(spec, context, event)),
    openCalls: on<Answered>((context, event) => {
      const { tools = [] } = event.directive;
      const offered = new Set(tools.map(({ name }) => name));
      const received = receive(spec, { ...context, notices: NO_NOTICES }, event);
      const kept = keepTranscript(spec, received, true);
      const calls = openCalls(kept.messages);
      const next = calls.length > 0 && kept.needsResponse ? countFlaw(spec, kept) : kept;
      const step = newStep(spec, event.at);
      return openBatch(next, context.iteration, calls, offered, step);
    }),
    // The chart hears events by the first part of their names: `run.tagged` settles nothing.
    settleCall: on<SettledCall>((context, event) =>
      isSettlement(event) ? settleCall(context, event, spec) : noCallDue(context),
    ),
    settlePending: on<SettledCall>((context, event) =>
      isSettlement(event)
        ? settlePending({ ...context, notices: NO_NOTICES }, event, spec)
        : noCallDue(context),
    ),
    recover: on<LlmFailed & Seen>((context, event) =>
      recover(spec, countFailed(spec, context, event), event.error),
    ),
    giveUp: on<LlmFailed & Seen>((context, event) => ({
      ...takeAtEnd(spec, countFailed(spec, context, event)),
      error: event.error,
      modelError: event.error,
    })),
    askForBestAnswer: on((context) => {
      const asked = addMessage(context, { role: "user", content: texts.BEST_ANSWER });
      return buildRequest(spec, asked, false);
    }),
  };
}

/** Makes the changes that end a turn or a run. */
function endChanges(spec: AgentSpec, on: On): Some<EndChange> {
  return {
    noteLimit: on((context) => ({ ...context, limit: reachedLimit(context) })),
    noteCostLimit: on((context) => ({ ...context, limit: "costBudget" })),
    takeAnswer: on((context) => takeAnswer(spec, context)),
    takeFinalResult: on((context) => ({
      ...context,
      answer: context.final,
      error: null,
      needsResponse: false,
    })),
    conclude: on((context) => conclude(spec, context)),
    failByModel: on((context) => ({ ...context, error: context.modelError })),
    failByLimit: ({ context }, { limit }: { readonly limit: Limit }) => ({
      ...context,
      error: limitError(limit, context),
    }),
    failByCost: on((context) => ({
      ...context,
      limit: "costBudget",
      error: limitError("costBudget", context),
    })),
    failByPrice: on((context) => ({ ...context, error: unpriced(spec, context) })),
    failTurn: on(failTurn),
    failByDenial: on(({ request, ...context }) => ({
      // Messages that came while a plug-in was at work are kept.
      ...takeAtEnd(spec, { ...context, request: null }),
      error: {
        code: "agent.denied",
        message: `A plug-in denied the request: ${request?.type === "denied" ? request.reason : ""}`,
      },
    })),
  };
}
