/** `Run`: a live run as its caller holds it. */
import type { ApprovalDecision, UserPart } from "../../core/kernel/vocabulary/index.js";
import type { SettledByHand } from "../ports/check-event.js";
import type { Observation } from "../ports/observation.js";
import type { End } from "./end.js";

/**
 * A live run: iterate it for its observations, await it for its end. Who begins in the middle of a
 * model's message is told at once what was written of it so far.
 *
 * Words to the run are taken at once, or as soon as it has begun. Their promises resolve when what was said is
 * durable in the journal, and reject with the reason where it is not taken, also before the run has begun. You need not look at
 * them: observers get the notice `late`, or `approval.stale`.
 */
export interface Run<Output = unknown, Context = unknown>
  extends AsyncIterable<Observation<Context>>,
    Pick<Promise<End<Output, Context>>, "then" | "catch" | "finally"> {
  /**
   * Sends an event from outside. Nobody may speak for a model, a tool or a person: settlements are refused.
   * @throws ReckonerError (the promise rejects) `run.ended` where the run has ended or waits, `event.invalid`,
   * `event.tooLarge`, and what the machine refuses; whatever keeps the run from beginning, or ends this process's
   * part in it
   */
  send(event: { readonly type: string; readonly [key: string]: unknown }): Promise<void>;
  /**
   * Sends a user message, at any moment.
   * @throws ReckonerError (the promise rejects) as {@link send}
   */
  message(content: string | readonly UserPart[]): Promise<void>;
  /**
   * Decides an approval, by the id that it has in `end.approvals`.
   * @throws ReckonerError (the promise rejects) `approval.stale` where it does not wait, and as {@link send}
   */
  decide(id: string, decision: ApprovalDecision): Promise<void>;
  /**
   * Settles by hand something that is outstanding and that nobody here carries out.
   * @param path the `run` directives that lead to its run, escaped and joined by `:`; `""` is the root
   * @param settlement without id and time; `by` says who gives it
   * @throws ReckonerError (the promise rejects) `settlement.refused`, and as {@link send}
   */
  settle(path: string, id: string, settlement: SettledByHand["settlement"]): Promise<void>;
  /** Ends the run. One that has ended, or waits, is left as it is. */
  cancel(reason?: string): Promise<void>;
  /**
   * Ends the present turn, not the run: model calls are aborted and their text so far is kept,
   * pending approvals are cancelled, tools and child runs have `graceMs` to settle and are then
   * unknown. A conversation waits, or continues with messages that arrived meanwhile. A run that has ended, or
   * waits, is left as it is.
   * @throws ReckonerError (the promise rejects) `run.notInterruptible` where the machine has no transition for it
   */
  interrupt(reason?: string, options?: InterruptOptions): Promise<void>;
  /**
   * Leaves the run to another process: no further effects begin, running ones may settle within a
   * time, and then the run is `waiting` with the reason `drained`. What has not settled is as after
   * a crash.
   * @param ms milliseconds; default 0
   * @returns the run's end
   */
  drain(ms?: number): Promise<End<Output, Context>>;
}

/** The way in which a turn is ended. */
export interface InterruptOptions {
  /** How long tools and child runs that run may take to settle, in milliseconds. Default 0. */
  readonly graceMs?: number | undefined;
}
