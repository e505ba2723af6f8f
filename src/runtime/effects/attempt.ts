/**
 * One attempt of a directive: what it is made of, whom it may call, and what comes of it; and the race
 * of a call with the attempt's signal.
 */
import {
  type Effect,
  type EffectError,
  isThenable,
  type LlmDirective,
  type PartialAnswer,
  type ReadDirective,
  type RunContext,
  type Settlement,
  type ToolContentPart,
  type ToolDirective,
  type ToolRegistry,
  type Usage,
  type WriteDirective,
} from "../../core/kernel/index.js";
import type { Delta } from "../ports.js";
import type { LazyAbort } from "../running/lazy-abort.js";
import type { NoticeCode } from "../running/observation.js";
import type { HostOptions } from "../running/options.js";
import type { StreamedAnswer } from "./streamed-answer.js";

type WithoutAt<T> = T extends unknown ? Omit<T, "at"> : never;
/** A settlement before it is stamped with the time. */
export type Settling = WithoutAt<Settlement>;

/** A directive that a port carries out: a model, a tool, a store. */
export type PortDirective = LlmDirective | ToolDirective | ReadDirective | WriteDirective;

/** Whether a port carries an effect out. */
export function isForPort(effect: Effect): effect is PortDirective {
  const { type } = effect;
  return type === "llm" || type === "tool" || type === "read" || type === "write";
}

/** One attempt: all that carrying it out needs beside the ports. */
export interface Attempt<Directive extends PortDirective = PortDirective> {
  readonly runId: string;
  readonly directive: Directive;
  /** Counted from 1. */
  readonly attempt: number;
  /** Of the run and the directive: the same for each attempt, before and after a crash. */
  readonly idempotencyKey: string;
  /** What a tool sees of its run. */
  readonly sees: Pick<RunContext, "at" | "deps" | "usage">;
}

/** Whom an attempt may call. */
export interface AttemptPorts extends Pick<HostOptions, "model" | "stores" | "services"> {
  readonly tools: ToolRegistry;
  /** Is shown a piece of an answer, and all that has streamed of it until then. */
  onDelta?(attempt: Attempt, delta: Delta, streamed: StreamedAnswer): void;
  /** Is told what observers should know of a request or a result. */
  onNotice?(code: NoticeCode, message: string): void;
}

/** What came of an attempt. */
export type Arrived =
  /** It settles its directive; how many attempts there were, and what the others cost, is not in it. */
  | { readonly type: "settled"; readonly settlement: Settling }
  | ({ readonly type: "failed" } & FailedAttempt)
  /** It was told to stop, and what a model had streamed until then. */
  | { readonly type: "stopped"; readonly partial?: PartialAnswer };

/** An attempt that came to nothing. */
export interface FailedAttempt {
  readonly error: EffectError;
  /** It was refused: asked again, the port would say the same. */
  readonly refused?: true;
  /** What it cost all the same. */
  readonly usage?: Partial<Usage>;
  /** A tool's error was written for the model. */
  readonly forModel?: true;
  /** Parts for the model, which a tool's error brought along. */
  readonly content?: readonly ToolContentPart[];
}

/** A failed attempt, or one that took too long. */
export interface Failure extends FailedAttempt {
  /** Nobody knows what it did: its time was up. */
  readonly lost?: true;
}

/** What came of a call of a port. */
export type Called =
  | { readonly type: "returned"; readonly value: unknown }
  | { readonly type: "threw"; readonly thrown: unknown }
  | { readonly type: "stopped" };

/**
 * Calls a port, and races it with the attempt's signal.
 * @param arrived makes of the call what is reported; must not throw
 */
export function call(
  signal: LazyAbort,
  work: () => unknown,
  arrived: (called: Called) => Arrived,
): Arrived | Promise<Arrived> {
  if (signal.aborted) return arrived({ type: "stopped" });
  let working: unknown;
  try {
    working = work();
  } catch (thrown) {
    return arrived(signal.aborted ? { type: "stopped" } : { type: "threw", thrown });
  }
  if (!isThenable(working)) {
    return arrived(signal.aborted ? { type: "stopped" } : { type: "returned", value: working });
  }
  return new Promise((resolve) => {
    let unlisten = () => {};
    const end = (called: Called) => {
      unlisten();
      resolve(arrived(called));
    };
    unlisten = signal.onAbort(() => end({ type: "stopped" }));
    // Anybody's `then` may throw, or settle twice; a promise of the platform's does neither.
    Promise.resolve(working).then(
      (value) => {
        if (!signal.aborted) end({ type: "returned", value });
      },
      (thrown) => {
        if (!signal.aborted) end({ type: "threw", thrown });
      },
    );
  });
}
