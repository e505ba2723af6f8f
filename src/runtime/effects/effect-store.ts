/**
 * Carries out `read` and `write` directives: calls the store, retries, and settles. A write is
 * repeated with its idempotency key, the same before and after a crash; one to a store that does
 * not remember keys begins only once (P2).
 */
import {
  type EffectError,
  isReckonerError,
  type Json,
  pairKey,
  type ReadDirective,
  type ReadFailed,
  type ReadSucceeded,
  ReckonerError,
  toJson,
  type WriteDirective,
  type WriteFailed,
  type WriteSucceeded,
} from "../../core/kernel/index.js";
import type { StorePort } from "../ports.js";
import type { LazyAbort } from "../running/lazy-abort.js";
import { type Attempted, attempt, errorOf } from "./attempt.js";
import { backOff } from "./back-off.js";
import type { EffectHost } from "./effect-host.js";
import { isMarked, mayAskAgain, storeNamed } from "./may-begin.js";
import { isTooLong, MAX_RESULT_LENGTH } from "./result-length.js";

type Directive = ReadDirective | WriteDirective;
type Succeeded = Omit<ReadSucceeded, "at"> | Omit<WriteSucceeded, "at">;
type Failed = Omit<ReadFailed, "at"> | Omit<WriteFailed, "at">;

/** Milliseconds a call to a store may take, where the store does not say. */
const DEFAULT_STORE_TIMEOUT = 30_000;

/**
 * @param begun how many attempts of a write that may not be repeated have begun already; the mark of
 * the next one is durable if `marked`
 * @returns the settlement, or `undefined` where the call was cancelled
 */
export async function runStore(
  directive: Directive,
  host: EffectHost,
  stop: LazyAbort,
  begun: number,
  marked: boolean,
): Promise<Succeeded | Failed | undefined> {
  const { id } = directive;
  const store = storeNamed(host.options.stores, directive.store);
  if (store === undefined) {
    // Whether it is one that may be written to again, nobody here can say.
    if (begun > 0 && directive.type === "write") return interruptedWrite(directive, begun);
    const message = `The run was given no store ${directive.store}; pass it in the option stores.`;
    return failed(directive, { code: "port.missing", message }, 1);
  }
  const timeoutMs = store.timeoutMs ?? DEFAULT_STORE_TIMEOUT;
  for (let count = begun + 1; ; count++) {
    if (!host.isOwed(id)) return undefined;
    const needsMark = isMarked(directive, host.options.stores);
    if (needsMark && !(marked && count === begun + 1)) await host.mark({ id, attempt: count });
    // It may have been cancelled while its mark was written.
    if (stop.aborted || !host.isOwed(id)) return undefined;
    host.observe({ type: "started", id, attempt: count });
    const outcome = await attempt(host.clock, timeoutMs, stop, (signal) =>
      ask(store, directive, host.runId, signal()),
    );
    if (outcome.type === "aborted") return undefined;
    if (outcome.type === "returned") return succeeded(directive, outcome.value, count);
    const error = errorFrom(outcome, directive, store, timeoutMs);
    const lost = outcome.type === "timeout";
    if (isRefusal(outcome) || !mayAskAgain(directive, store, count, lost)) {
      return failed(directive, error, count);
    }
    const next = await backOff(id, count, error, host, stop);
    if (next === "stopped") return undefined;
    if (next !== "again") return failed(directive, next, count);
  }
}

/** The settlement of a write that had begun before a crash and may not begin again. */
export function interruptedWrite(directive: WriteDirective, begun: number): Failed {
  const message = `The process ended while the store ${directive.store} was writing (attempt ${begun}); look whether it has, before it is written again.`;
  return failed(directive, { code: "store.unknown", message }, begun);
}

function ask(
  store: StorePort,
  directive: Directive,
  runId: string,
  signal: AbortSignal,
): Promise<Json> {
  return directive.type === "read"
    ? store.read(directive.query, { signal })
    : store.write(directive.operations, {
        signal,
        idempotencyKey: pairKey(runId, directive.id),
      });
}

/** What the store says of the call itself: asked again it would say the same. */
function isRefusal(outcome: Attempted<Json>): boolean {
  return (
    outcome.type === "threw" &&
    isReckonerError(outcome.thrown) &&
    outcome.thrown.code !== "port.failed"
  );
}

function errorFrom(
  outcome: Exclude<Attempted<Json>, { type: "returned" | "aborted" }>,
  { type }: Directive,
  { name }: StorePort,
  timeoutMs: number,
): EffectError {
  if (outcome.type === "threw") return errorOf(outcome.thrown, "port.failed");
  const message = `The store ${name} did not answer within ${timeoutMs} ms`;
  return type === "read"
    ? { code: "store.timeout", message: `${message}.` }
    : { code: "store.unknown", message: `${message}; whether it has written is not known.` };
}

/** Field by field: whatever else a store may answer must not become part of an event. */
function succeeded(directive: Directive, value: Json, count: number): Succeeded | Failed {
  const { type, id } = directive;
  try {
    if (type === "read" && value === undefined) {
      throw new ReckonerError("store.result", "The store answered with nothing.");
    }
    const known = { id, ...(value === undefined ? {} : { value }), ...attempts(count) };
    const settlement = toJson<Succeeded>(
      type === "read"
        ? { type: "read.succeeded", ...known }
        : { type: "write.succeeded", ...known },
      "answer",
    );
    if (!isTooLong(settlement)) return settlement;
    throw new ReckonerError(
      "store.result",
      `The answer is longer than ${MAX_RESULT_LENGTH} characters of JSON; ask for less at once.`,
    );
  } catch (thrown) {
    // The write holds; that its answer is lost does not make it undone.
    const { message } = errorOf(thrown, "store.result");
    return failed(directive, { code: "store.result", message }, count);
  }
}

function failed({ type, id }: Directive, error: EffectError, count: number): Failed {
  return { type: type === "read" ? "read.failed" : "write.failed", id, error, ...attempts(count) };
}

const attempts = (count: number) => (count > 1 ? { attempts: count } : {});
