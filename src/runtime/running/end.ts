/** The end of a run: status, reason, output or error, context, usage. */

import { errorOf } from "../../core/driver/live.js";
import type { DownError } from "../../core/journal/index.js";
import type {
  ApprovalDirective,
  EffectError,
  FinishReason,
  Json,
  Reasoner,
  RunState,
  Usage,
} from "../../core/kernel/index.js";
import { escapeId, owedBy, printStateValue } from "../../core/kernel/index.js";
import type { JournalPort } from "../ports.js";

interface EndBase<Context> {
  readonly runId: string;
  /** The name of the state in which the run ended or rests, or the code of what ended it. */
  readonly reason: string;
  /** How many events the run has taken, its start included. */
  readonly events: number;
  /** The machine's context: for an agent its messages, usage and deps. */
  readonly context: Context;
  readonly state: RunState<Context>;
  /**
   * Why the model stopped last, where it was asked: an answer that was cut off, filtered or empty is no
   * output, and the run has failed for it.
   */
  readonly finishReason?: FinishReason;
  /**
   * What was spent by the run and its children, those that were cancelled or failed included: the sum
   * over their journals.
   */
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

/** How a run ended, or that it rests. */
export type End<Output = unknown, Context = unknown> =
  | Done<Output, Context>
  | Waiting<Output, Context>
  | Failed<Context>
  | Cancelled<Context>;

/** The way in which a run rests. */
export interface Rest {
  /** It is left to another process. */
  readonly drained: boolean;
  /** Milliseconds by which the clock is behind the times of events. */
  readonly behind: number;
  /** The error of a model that it waits for, and the next attempt, as events have times. */
  readonly down: { readonly error: DownError; readonly until: number | undefined } | undefined;
}

/** The end of a run, from its last state. */
export function endOfRun<Input, Output, Context>(
  reasoner: Reasoner<Input, Output, Context>,
  state: RunState<Context>,
  journal: JournalPort,
  spent: Usage,
  inChildren: Pick<Waiting<unknown, unknown>, "approvals" | "wakeAt">,
  { drained, behind, down }: Rest,
): End<Output, Context> {
  const reason = state.fault?.code ?? (printStateValue(state.value) || "not started");
  const finishReason = reasoner.finishReason(state);
  const base = {
    runId: state.runId,
    reason,
    ...(finishReason === undefined ? {} : { finishReason }),
    events: state.seq + 1,
    context: state.context,
    state,
    usage: spent,
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
      const owed = owedBy(state);
      const approvals = owed.flatMap((each) =>
        each.type === "approval" ? [{ ...each, id: escapeId(each.id) }] : [],
      );
      const times = owed.flatMap((each) => (each.type === "timer" ? [each.until - behind] : []));
      if (down?.until !== undefined) times.push(down.until - behind);
      if (inChildren.wakeAt !== undefined) times.push(inChildren.wakeAt);
      const wake = times.length === 0 ? {} : { wakeAt: times.reduce((a, b) => Math.min(a, b)) };
      const output = reasoner.output(state);
      return {
        ...base,
        ...(drained ? { reason: "drained", drained } : {}),
        status: "waiting",
        approvals: [...approvals, ...inChildren.approvals],
        ...wake,
        ...(down === undefined ? {} : { modelDown: down.error }),
        ...(output === undefined ? {} : { output }),
      };
    }
    default:
      throw new Error(`No end for ${JSON.stringify(state.status satisfies never as Json)}`);
  }
}
