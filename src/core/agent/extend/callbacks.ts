/**
 * Calls a user's callbacks (`onToolCall`, `onAgentComplete` …) with what is observed of an agent's run; they
 * are named and ordered as in the Nous agent, and change nothing in the run or its journal. The core cannot
 * import the runtime's type of observations, so {@link AgentObservation} declares the part that is read.
 */

import { faultMessage, type Ignored, type RunState } from "../../kernel/machine/index.js";
import * as shapes from "../../kernel/shapes.js";
import {
  isUnawaited,
  itemAt,
  type Json,
  messageOf,
  sizeOf,
  vectorItem,
} from "../../kernel/values/index.js";
import {
  type AssistantMessage,
  checkDefinition,
  type EffectError,
  type RunEvent,
  type Usage,
} from "../../kernel/vocabulary/index.js";
import type { AgentContext, Call, ToolCallRecord } from "../context/context.js";

/** A tool call that begins. */
export type CalledTool = Pick<ToolCallRecord, "id" | "callId" | "name" | "input">;

/** Callbacks of an agent's observer. All are optional; return values are ignored. */
export interface AgentCallbacks {
  /** A run begins. Not called where a run is resumed. */
  onAgentStart?(context: AgentContext): void;
  /** A model wrote a piece of its answer's text, in one attempt of a model call. */
  onLlmNewDelta?(text: string, from: { readonly id: string; readonly attempt: number }): void;
  /** A model answered. */
  onLlmNewMessage?(message: AssistantMessage, usage: Partial<Usage>): void;
  /** A tool call begins: called before it is validated, approved and run. */
  onToolCall?(call: CalledTool): void;
  /** A tool call has its result, whatever it is. In call order. */
  onToolResponse?(record: ToolCallRecord): void;
  /** The agent answered: the run is done, or a conversation waits for a message. */
  onAgentComplete?(output: Json, context: AgentContext): void;
  /**
   * The run, or the turn of a conversation, failed; or the run was cancelled (code `cancelled`). Of one that failed while it began the context
   * is empty.
   */
  onError?(error: EffectError, context: AgentContext): void;
}

const parts: shapes.Shapes<AgentCallbacks> = {
  onAgentStart: shapes.FUNCTION,
  onLlmNewDelta: shapes.FUNCTION,
  onLlmNewMessage: shapes.FUNCTION,
  onToolCall: shapes.FUNCTION,
  onToolResponse: shapes.FUNCTION,
  onAgentComplete: shapes.FUNCTION,
  onError: shapes.FUNCTION,
};

/** As much of an interpreter's observation as the callbacks read. */
export interface AgentObservation {
  readonly type: string;
  readonly id?: string;
  readonly attempt?: number;
  readonly event?: RunEvent;
  readonly state?: RunState<unknown>;
  readonly ignored?: Ignored;
  readonly delta?: { readonly type: string; readonly text: string };
}

/** The extent to which a run's calls have been shown. */
interface Shown {
  /** The number of earlier records. */
  records: number;
  /** Ids of calls that were, and have no result yet. */
  readonly called: Set<string>;
  /** The first call of the wave that was shown last: its calls all began in one step. */
  wave: string | undefined;
}

/**
 * An observer that calls these: `run(agent, prompt, { observers: [agentCallbacks({ … })] })`. It may be
 * given to several runs. An error of a callback is reported as a notice and changes nothing.
 * @throws ReckonerError `agent.invalid` where one is misspelt, or no function
 */
export function agentCallbacks(
  callbacks: shapes.Options<AgentCallbacks>,
): (observation: AgentObservation) => void {
  checkDefinition("agent.invalid", "agentCallbacks", callbacks, parts);
  const runs = new Map<string, Shown>();
  const failed: unknown[] = [];
  const later: unknown[] = [];
  const handlers = gathering(callbacks, failed, later);
  const take = ({ type, id = "", attempt = 1, event, state, ignored, delta }: AgentObservation) => {
    if (type === "delta" && delta?.type === "text") {
      handlers.onLlmNewDelta?.(delta.text, { id, attempt });
    }
    if (type !== "step" || event === undefined || state === undefined) return;
    if (ignored !== undefined) return;
    const step = { event, state: state as RunState<AgentContext> };
    const shown = runs.get(state.runId) ?? {
      records: shownBefore(step),
      called: new Set(),
      wave: undefined,
    };
    if (state.status === "active") runs.set(state.runId, shown);
    else runs.delete(state.runId);
    show(step, shown, handlers);
  };
  return (observation) => {
    take(observation);
    const now = failed.splice(0);
    // The host that shows the observation hears of later failures, too.
    if (later.length > 0) return allOf(now, later.splice(0)) as unknown as undefined;
    if (now.length > 0) throw together(now);
  };
}

async function allOf(failed: readonly unknown[], later: readonly unknown[]): Promise<void> {
  const results = await Promise.allSettled(later);
  const all = [...failed, ...results.flatMap((each) => ("reason" in each ? [each.reason] : []))];
  if (all.length > 0) throw together(all);
}

/** Combines the errors of several callbacks on one observation. */
function together(thrown: readonly unknown[]): unknown {
  return thrown.length === 1 ? thrown[0] : new Error(thrown.map(messageOf).join("; "));
}

/** The callbacks, with what they throw and the promises that they return put aside: none keeps another from being called. */
function gathering(
  handlers: shapes.Options<AgentCallbacks>,
  failed: unknown[],
  later: unknown[],
): AgentCallbacks {
  return new Proxy<AgentCallbacks>(handlers as AgentCallbacks, {
    get(target, name) {
      const handler: unknown = Reflect.get(target, name);
      if (typeof handler !== "function") return undefined;
      return (...args: unknown[]) => {
        try {
          const answer: unknown = handler.apply(target, args);
          if (isUnawaited(answer)) later.push(answer);
        } catch (thrown) {
          failed.push(thrown);
        }
      };
    },
  });
}

interface SeenStep {
  readonly event: RunEvent;
  readonly state: RunState<AgentContext>;
}

function show({ event, state }: SeenStep, shown: Shown, handlers: AgentCallbacks): void {
  const { context, status, value, fault } = state;
  // Of a run that failed while it began there is no context, and nothing but its error.
  const begun = context.toolCalls !== undefined;
  if (begun && event.type === "start") handlers.onAgentStart?.(context);
  if (event.type === "llm.succeeded") {
    const { content, usage } = event;
    handlers.onLlmNewMessage?.({ role: "assistant", content }, usage);
  }
  if (begun) showCalls(context, shown, handlers);
  const answered = (status === "done" && value !== "ended") || value === "ready";
  const failure = (value === "ready" ? context.failure : null) ?? null;
  if (failure !== null) handlers.onError?.(failure, context);
  else if (answered) handlers.onAgentComplete?.(context.answer?.output ?? null, context);
  if (status === "cancelled") {
    const message = context.cancelReason ?? "The run was cancelled.";
    handlers.onError?.({ code: "cancelled", message }, context);
  }
  if (status === "failed") {
    const broken =
      fault === undefined
        ? { code: "agent.failed", message: `The run failed at ${String(value)}.` }
        : { code: fault.code, message: faultMessage(fault) };
    handlers.onError?.((fault === undefined ? context.error : null) ?? broken, context);
  }
}

function showCalls(context: AgentContext, shown: Shown, handlers: AgentCallbacks): void {
  const call = ({ id, callId, name, input }: CalledTool) => {
    if (shown.called.has(id)) return;
    shown.called.add(id);
    handlers.onToolCall?.({ id, callId, name, input });
  };
  for (; shown.records < sizeOf(context.toolCalls); shown.records++) {
    const record = itemAt(context.toolCalls, shown.records) as ToolCallRecord;
    // One that ran inline was never seen waiting.
    call(record);
    // Of one whose approval does not block another record follows.
    if (record.status !== "asked") shown.called.delete(record.id);
    handlers.onToolResponse?.(record);
  }
  const { batch } = context;
  if (batch === null) return;
  const { calls, from, until } = batch;
  const first = vectorItem(calls, from)?.id;
  if (first === shown.wave) return;
  shown.wave = first;
  for (let at = from; at < until; at++) call(vectorItem(calls, at) as Call);
}

/**
 * Counts the records before the first step that is seen. Of a resumed run only the calls that this step
 * belongs to are new.
 */
function shownBefore({ event, state }: SeenStep): number {
  const { toolCalls } = state.context;
  const id = "id" in event && typeof event.id === "string" ? event.id : "";
  const iteration = /^(?:llm|tool|approval)\/(\d+)/.exec(id)?.[1];
  let count = event.type === "start" ? 0 : sizeOf(toolCalls);
  while (count > 0 && itemAt(toolCalls, count - 1)?.id.startsWith(`tool/${iteration}/`)) count--;
  return count;
}
