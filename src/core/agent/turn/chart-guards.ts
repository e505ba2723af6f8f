/** The guards of the agent's chart, by the names in a drawn chart. */

import { sizeOf } from "../../kernel/values/index.js";
import type { AnswerFlaw } from "../../kernel/vocabulary/index.js";
import { unpriced } from "../budget/cost-budget.js";
import { reachedLimit } from "../budget/limits.js";
import { pendingCall } from "../calls/pending.js";
import type { AgentContext, Limit } from "../context/context.js";
import type { AgentSpec } from "../definition/spec.js";
import { basicBehaviour } from "../extend/basic-behaviour.js";
import { isStopped } from "../extend/stop.js";
import { callsOurs } from "../transcript/transcript.js";
import type { Seen } from "./turn-changes.js";

/** The argument of a named function of the chart. */
export interface ChartArgs {
  readonly context: AgentContext;
  readonly event: Seen;
}

/** A guard's name. */
export type AgentGuard =
  | "hasFinalResult"
  | "hasError"
  | "isDisbelieved"
  | "needsAnswer"
  | "isLimitReached"
  | "lacksPrice"
  | "isPrepared"
  | "isDenied"
  | "isUnaffordable"
  | "callsTools"
  | "mayRetry"
  | "isBatchSettled"
  | "staysOpen"
  | "isPending"
  | "isStopped"
  | "answersAtLimit"
  | "isModelDown"
  | "isLimit"
  | "hasMessages"
  | "goesOn";

/** The guards of one agent. */
export function agentGuards(spec: AgentSpec): {
  readonly [Name in AgentGuard]: (args: ChartArgs, params: never) => boolean;
} {
  return {
    hasFinalResult: ({ context }) => context.final !== null,
    hasError: ({ context }) => context.error !== null,
    isDisbelieved: ({ context }, { flaw }: { readonly flaw: AnswerFlaw }) =>
      context.error !== null && context.flaw === flaw,
    needsAnswer: ({ context }) => context.needsResponse,
    isLimitReached: ({ context }) => reachedLimit(context) !== null,
    lacksPrice: ({ context }) => unpriced(spec, context) !== null,
    isPrepared: ({ context }) => context.preparing === null,
    isDenied: ({ context }) => context.request?.type === "denied",
    isUnaffordable: ({ context }) => context.request?.type === "unaffordable",
    // Of an answer that a behaviour takes in, nobody knows before what it calls.
    callsTools: ({ event }) =>
      event.type === "llm.succeeded" &&
      (spec.behaviour.processResponse !== basicBehaviour.processResponse ||
        callsOurs(event.content)),
    mayRetry: ({ context }) => context.retry > 0,
    isBatchSettled: ({ context }) => context.batch === null,
    // A run that is no conversation waits for what people have not decided.
    staysOpen: ({ context }) => spec.conversation || context.pending !== null,
    isPending: ({ context, event }) =>
      context.pending !== null &&
      "id" in event &&
      pendingCall(context, String(event.id)) !== undefined,
    isStopped: ({ context }) => isStopped(context),
    answersAtLimit: () => spec.limits.onLimit === "answer",
    // If the model failed to the last iteration, that is why there is no answer.
    isModelDown: ({ context }) => context.limit === "maxIterations" && context.modelError !== null,
    isLimit: ({ context }, { limit }: { readonly limit: Limit }) => context.limit === limit,
    hasMessages: ({ context }) => sizeOf(context.queue) > 0,
    goesOn: ({ context }) =>
      spec.conversation || context.pending !== null || sizeOf(context.queue) > 0,
  };
}
