/**
 * `Arrived`: everything that a driver is told, as plain data: reports of attempts from whoever carries them
 * out, and all that people and hosts send. The driver itself adds times and numbers.
 */

import type { Json } from "../kernel/values/index.js";
import type {
  ApprovalDecision,
  Effect,
  EffectError,
  Origin,
  PartialAnswer,
  RunContext,
  Settlement,
  ToolContentPart,
  Usage,
} from "../kernel/vocabulary/index.js";

/** The way from the root to a run: the ids of `run` directives, escaped and joined by `:`. `""` is the root. */
export type Path = string;

/** Names one attempt of one directive of one run. */
export interface Call {
  readonly run: Path;
  /** Of the directive. */
  readonly id: string;
  /** Counted from 1. */
  readonly attempt: number;
}

/** One attempt: all that carrying it out needs beside the ports. */
export interface Attempt<Directive extends Effect = Effect> extends Call {
  readonly runId: string;
  /** The names under which the reasoners on the way know the run's, from the root on. */
  readonly through: readonly string[];
  readonly directive: Directive;
  /** The name of the model to ask, where the call may ask several. */
  readonly model?: string | undefined;
  /** Of the run and the directive: the same for each attempt, before and after a crash. */
  readonly idempotencyKey: string;
  /** The newest state of its run when the attempt begins, as far as tools see it. */
  readonly sees: Pick<RunContext, "at" | "deps" | "usage">;
  /** The handle that its port has kept before a crash, or before it was left: it goes on where it was. */
  readonly handle?: Json | undefined;
  /**
   * Carried out twice it would do something twice: a tool that is not `idempotent`, a store that does not remember
   * keys. A host whose processes may die marks its beginning first, and where it finds another one's mark,
   * and no handle, reports it as lost.
   */
  readonly once?: true | undefined;
  /** The driver gives the attempt up at this moment, on the host's clock. The host need not watch it. */
  readonly deadline?: number | undefined;
}

type WithoutAt<T> = T extends unknown ? Omit<T, "at"> : never;

/** A settlement without its time. */
export type Settling = WithoutAt<Settlement>;

/** An event without its time. */
export type Incoming = Settling | { readonly type: string };

/** An attempt that came to nothing. */
export interface FailedAttempt {
  readonly error: EffectError;
  /** The port refused it: asked again, it would say the same. */
  readonly refused?: true | undefined;
  /** Its cost, where there was one. */
  readonly usage?: Partial<Usage> | undefined;
  /** A tool's error was written for the model. */
  readonly forModel?: true | undefined;
  /** Parts for the model that a tool's error brought along. */
  readonly content?: readonly ToolContentPart[] | undefined;
}

/** The outcome of one attempt. Each attempt is reported once. */
export type Outcome =
  /** It settles its directive. The number of attempts and the cost of the others are not in it. */
  | { readonly type: "settled"; readonly settlement: Settling }
  | ({ readonly type: "failed" } & FailedAttempt)
  /**
   * It was told to stop; what a model had streamed until then. Where nobody told it to, it is as a crash leaves it:
   * unknown where it is `once`, and else it begins again.
   */
  | { readonly type: "stopped"; readonly partial?: Streamed | undefined };

/** The text that had streamed of an answer, and the number of characters behind it that were not kept. */
export interface Streamed extends PartialAnswer {
  readonly cut?: number | undefined;
}

/**
 * The part of a driver's knowledge that is in no line: plain JSON. A host that drops a driver between two takes
 * keeps it beside the lines, and opens the next driver with it. A driver that is opened without it takes every
 * attempt that had begun for one that a crash has cut off.
 */
export interface InFlight {
  /** The attempts that were handed out and have not reported, or have reported what they had streamed. */
  readonly attempts: readonly AttemptInFlight[];
  /** Milliseconds by which the host's clock is behind the times of events. Default 0. */
  readonly behind?: number | undefined;
  /** The moment at which a drain is over, as events have times; `null` where it has no end. */
  readonly drain?: number | null | undefined;
}

/** An attempt that was handed out. */
export interface AttemptInFlight extends Call {
  /** The moment at which it is given up, as events have times. */
  readonly until?: number | undefined;
  /** The moment at which it is given up, whatever progress it makes. */
  readonly latest?: number | undefined;
  /** It was stopped and has reported: the text that had streamed until then. */
  readonly stopped?: Streamed | undefined;
}

/** Something that a driver is told. */
export type Arrived =
  | (Outcome & Call)
  /** An attempt makes progress: its limit of silence begins anew. At most one a second is worth telling. */
  | ({ readonly type: "progress" } & Call)
  /**
   * The port of an attempt wants this back after a crash, JSON of at most 64 Ki characters; `due`: there is nothing to
   * look for before that moment, on the host's clock. It is durable when `Owed.kept` names it.
   */
  | ({
      readonly type: "handle";
      readonly handle: Json;
      readonly due?: number | undefined;
    } & Call)
  /** The host has not begun an attempt: its limits stand still until its first `progress`. */
  | ({ readonly type: "held" } & Call)
  /** An event from outside: a message, an event of the machine's own. */
  | { readonly type: "event"; readonly event: Incoming }
  /** A decision on an approval, by the id of its directive; `run` is the path of its run, absent for the root. */
  | {
      readonly type: "decided";
      readonly run?: Path | undefined;
      readonly id: string;
      readonly decision: ApprovalDecision;
    }
  /** A settlement by hand, of something outstanding that nobody here carries out. */
  | {
      readonly type: "settle";
      /** The path of its run; absent for the root. */
      readonly run?: Path | undefined;
      readonly settlement: Settling & { readonly origin: Origin };
    }
  | { readonly type: "cancel"; readonly reason?: string | undefined }
  /** Ends the turn. Model calls are stopped at once; all else that runs has `graceMs` to settle. */
  | { readonly type: "interrupt"; readonly reason?: string | undefined; readonly graceMs: number }
  /** Leaves the run to another process. Running attempts have `ms` to settle. */
  | { readonly type: "drain"; readonly ms: number };
