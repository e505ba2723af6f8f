/** The end of a run: status, reason, output or error, context, usage. */

import { errorOf, type Path } from "../../core/driver/for-live-runs.js";
import { type DownError, idFromRoot } from "../../core/journal/for-live-runs.js";
import {
  owedBy,
  printStateValue,
  type Reasoner,
  type RunState,
} from "../../core/kernel/machine/index.js";
import { isList, type Json, type List } from "../../core/kernel/values/index.js";
import {
  type ApprovalDirective,
  type EffectError,
  type FinishReason,
  inDollars,
  type Message,
  messagesOf,
  type TurnFailure,
  type Usage,
} from "../../core/kernel/vocabulary/index.js";
import { withLazyProperty } from "../ports/lazy-property.js";
import type { JournalPort } from "../ports/ports.js";

/** The messages of a context that has some. */
type MessagesIn<Context> = Context extends { readonly messages: List<Message> }
  ? readonly Message[]
  : undefined;

interface EndBase<Context> {
  readonly runId: string;
  /** The name of the state in which the run ended or waits, or the code of what ended it. */
  readonly reason: string;
  /** The number of events that the run has taken, its start included and its children's left out. */
  readonly events: number;
  /** The machine's context: for an agent its messages, usage and deps. */
  readonly context: Context;
  /** The transcript, where the context has one, as an array: it is made when it is read. */
  readonly messages: MessagesIn<Context>;
  readonly state: RunState<Context>;
  /**
   * Why the model stopped last, where it was asked: an answer that was cut off, filtered or empty is no
   * output, and the run has failed for it.
   */
  readonly finishReason?: FinishReason;
  /** The usage of the run and its children, those that were cancelled or failed included. */
  readonly usage: Usage;
  /** The journal, to resume from or to replay. */
  readonly journal: JournalPort;
}

/** The run is done. */
export interface Done<Output, Context> extends EndBase<Context> {
  readonly status: "done";
  readonly output: Output;
}
/** The run waits for a decision, a message or a timer. */
export interface Waiting<Output, Context> extends EndBase<Context> {
  readonly status: "waiting";
  /** Pending approvals, children's included; decide them with `resume({ approvals })`. */
  readonly approvals: readonly ApprovalDirective[];
  /** When the first timer fires, children's included, in milliseconds since 1970, by the run's clock. */
  readonly wakeAt?: number;
  /** The model is down, and the run waits for it: the next attempt is at `wakeAt`; `resume` asks at once. */
  readonly modelDown?: DownError;
  /** The run was drained: it could have continued, and `resume` does. */
  readonly drained?: true;
  /** The last turn failed: why, and for which model request. What is said next goes on. */
  readonly failure?: TurnFailure;
  /** The output so far: a conversation's last answer. */
  readonly output?: Output;
}
/** The run failed. */
export interface Failed<Context> extends EndBase<Context> {
  readonly status: "failed";
  readonly error: EffectError;
}
/** The run was cancelled. */
export interface Cancelled<Context> extends EndBase<Context> {
  readonly status: "cancelled";
}

/** How a run ended, or that it waits. */
export type End<Output = unknown, Context = unknown> =
  | Done<Output, Context>
  | Waiting<Output, Context>
  | Failed<Context>
  | Cancelled<Context>;

/** A tree of runs that has ended or waits. */
export interface Driven<Context> {
  /** The state of the root. */
  readonly state: RunState<Context>;
  /** The runs that are not over, the root first. */
  readonly runs: readonly { readonly path: Path; readonly state: RunState<unknown> }[];
  /** Its usage, that of its children included. */
  readonly usage: Usage;
  /** It is left to another process. */
  readonly drained: boolean;
  /** Milliseconds by which the clock is behind the times of events. */
  readonly behind: number;
  /** The error of a model that it waits for, and the next attempt, as events have times. */
  readonly down: { readonly error: DownError; readonly until: number | undefined } | undefined;
  /** The moment of the first timer that does not stand still, or of the first look of an attempt that was left, as events have times. */
  readonly dueAt: number | undefined;
}

/** The end of a run, from the last states of its tree. */
export function endOfRun<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  journal: JournalPort,
  driven: Driven<Context>,
): End<Output, Context> {
  const end = statusOf(reasoner, journal, driven);
  const context = end.context as { readonly messages?: unknown } | null;
  if (!isList(context?.messages)) return end as End<Output, Context>;
  return withLazyProperty(end, "messages", () => messagesOf(context as never)) as never;
}

type WithoutMessages<E> = E extends unknown ? Omit<E, "messages"> : never;

function statusOf<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  journal: JournalPort,
  driven: Driven<Context>,
): WithoutMessages<End<Output, Context>> {
  const { state, usage } = driven;
  const reason = state.fault?.code ?? (printStateValue(state.value) || "not started");
  const finishReason = reasoner.finishReason(state);
  const base = {
    runId: state.runId,
    reason,
    ...(finishReason === undefined ? {} : { finishReason }),
    events: state.seq + 1,
    context: state.context,
    state,
    usage: inDollars(usage),
    journal,
  };
  switch (state.status) {
    case "done":
      return { ...base, status: "done", output: reasoner.output(state) as Output };
    case "cancelled":
      return { ...base, status: "cancelled" };
    case "failed":
      return { ...base, status: "failed", error: errorOf(reasoner, state) };
    case "active": {
      const output = reasoner.output(state);
      const failure = reasoner.failure(state);
      const failed = failure === undefined ? {} : { failure };
      const waiting = { ...base, status: "waiting", ...failed, ...waitsOf(driven) } as const;
      return output === undefined ? waiting : { ...waiting, output };
    }
    default:
      throw new Error(`No end for ${JSON.stringify(state.status satisfies never as Json)}`);
  }
}

/** The things that a tree of runs waits for. */
function waitsOf({ runs, drained, behind, down, dueAt }: Driven<unknown>) {
  const approvals: ApprovalDirective[] = [];
  const times = [down?.until, dueAt].filter((at) => at !== undefined);
  for (const { path, state } of runs) {
    for (const each of owedBy(state)) {
      if (each.type === "approval") approvals.push({ ...each, id: idFromRoot(path, each.id) });
    }
  }
  return {
    ...(drained ? { reason: "drained", drained } : {}),
    approvals,
    ...(times.length === 0 ? {} : { wakeAt: times.reduce((a, b) => Math.min(a, b)) - behind }),
    ...(down === undefined ? {} : { modelDown: down.error }),
  };
}
