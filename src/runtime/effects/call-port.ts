/**
 * Calls a model, a tool or a store for one attempt of a directive, and stops waiting for it when the attempt's
 * signal aborts. Also defines what an attempt is given: ports, progress, and the keeping of handles.
 */
import type { Attempt, Outcome } from "../../core/driver/for-live-runs.js";
import { isThenable, type Json, ReckonerError, toJson } from "../../core/kernel/values/index.js";
import type {
  Effect,
  LlmDirective,
  ReadDirective,
  ToolContext,
  ToolDirective,
  ToolRegistry,
  WriteDirective,
} from "../../core/kernel/vocabulary/index.js";
import type { RunBlobs } from "../ports/blobs.js";
import type { LazyAbort } from "../ports/lazy-abort.js";
import type { NoticeCode } from "../ports/observation.js";
import type { HostOptions } from "../ports/options.js";
import type { Delta } from "../ports/ports.js";

/** A directive that a port carries out: a model, a tool, a store. */
export type PortDirective = LlmDirective | ToolDirective | ReadDirective | WriteDirective;

/** Returns true if a port carries an effect out. */
export function isForPort(effect: Effect): effect is PortDirective {
  const { type } = effect;
  return type === "llm" || type === "tool" || type === "read" || type === "write";
}

/** Whom an attempt may call. */
export interface AttemptPorts
  extends Pick<HostOptions, "model" | "stores" | "services" | "unseal"> {
  readonly tools: ToolRegistry;
  /** The files of the run; absent: what it names stays unfetched. */
  readonly blobs?: RunBlobs | undefined;
  /** Is shown a piece of an answer. */
  readonly onDelta?: ((delta: Delta) => void) | undefined;
  /** Keeps a handle of the attempt; ends when it is durable. Absent: nobody keeps any, and a port hears so. */
  readonly keep?: Keep | undefined;
  /** Is told how far a tool is. */
  readonly onProgress?: ((data: Json) => void) | undefined;
  /** Is told what observers should know of a request or a result. */
  readonly onNotice?: ((code: NoticeCode, message: string) => void) | undefined;
}

/**
 * Keeps what a port wants back of an attempt; ends when it is durable.
 * @param due there is nothing to look for before this moment, in milliseconds since 1970
 * @throws ReckonerError `handle.refused`
 */
export type Keep = (handle: Json, due?: number) => Promise<void>;

/** The handle of an attempt and how another is kept, as ports see both. */
export function handleOf(
  { handle }: Attempt,
  keep: Keep | undefined,
): { readonly handle?: Json; readonly keep: ToolContext["keep"] } {
  const part = handle === undefined ? {} : { handle };
  const kept = (own: Json, options?: { readonly due?: number | undefined }): Promise<void> => {
    const keeping =
      keep === undefined
        ? Promise.reject(new ReckonerError("handle.refused", UNKEPT))
        : keep(own, options?.due);
    // A port need not wait for it: what it does not look at must not end the process.
    keeping.catch(() => {});
    return keeping;
  };
  return { ...part, keep: kept };
}

/** Characters of a tool's progress. */
const MAX_PROGRESS = 65_536;

/** Lets a tool tell how far it is. */
export function progressOf(onProgress: AttemptPorts["onProgress"]): ToolContext["progress"] {
  return (data) => {
    const json = toJson(data, "progress");
    if (JSON.stringify(json).length > MAX_PROGRESS) {
      const message = `What a tool tells of its progress has at most ${MAX_PROGRESS} characters.`;
      throw new ReckonerError("event.tooLarge", message);
    }
    onProgress?.(json);
  };
}

const UNKEPT = "Nobody keeps handles of this attempt; its host has to give perform the port keep.";

/** The outcome of a call of a port. */
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
  arrived: (called: Called) => Outcome,
): Outcome | Promise<Outcome> {
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
