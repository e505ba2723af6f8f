/** Carries out one attempt of a `read` or a `write` directive: asks the store once. */
import {
  type Attempt,
  type Outcome,
  type Settling,
  storeNamed,
} from "../../core/driver/for-live-runs.js";
import { isReckonerError, ReckonerError, toJson } from "../../core/kernel/values/index.js";
import type { ReadDirective, WriteDirective } from "../../core/kernel/vocabulary/index.js";
import type { LazyAbort } from "../ports/lazy-abort.js";
import { type AttemptPorts, call } from "./call-port.js";
import { errorOf, thrownByPort } from "./error-of.js";
import { isTooLong, MAX_RESULT_LENGTH } from "./result-length.js";

type Directive = ReadDirective | WriteDirective;

/** Asks the store once. */
export function performStore(
  { directive, idempotencyKey }: Attempt<Directive>,
  { stores }: AttemptPorts,
  signal: LazyAbort,
): Outcome | Promise<Outcome> {
  const store = storeNamed(stores, directive.store);
  if (store === undefined) {
    const message = `The run was given no store ${directive.store}; pass it in the option stores.`;
    return { type: "failed", error: { code: "port.missing", message }, refused: true };
  }
  const work = () =>
    directive.type === "read"
      ? store.read(directive.query, { signal: signal.signal })
      : store.write(directive.operations, { signal: signal.signal, idempotencyKey });
  return call(signal, work, (called) => {
    if (called.type === "stopped") return called;
    if (called.type === "returned") return succeeded(directive, called.value);
    const error = thrownByPort(called.thrown, "port.failed");
    return { type: "failed", error, ...(isRefusal(called.thrown) ? { refused: true } : {}) };
  });
}

/** Whether a store speaks of the call itself. */
function isRefusal(thrown: unknown): boolean {
  return isReckonerError(thrown) && thrown.code !== "port.failed";
}

/** Field by field: whatever else a store may answer must not become part of an event. */
function succeeded({ type, id }: Directive, value: unknown): Outcome {
  try {
    if (type === "read" && value === undefined) {
      throw new ReckonerError("store.result", "The store answered with nothing.");
    }
    const settlement = toJson<Settling>(
      { type: `${type}.succeeded`, id, ...(value === undefined ? {} : { value }) },
      "answer",
    );
    if (!isTooLong(settlement)) return { type: "settled", settlement };
    throw new ReckonerError(
      "store.result",
      `The answer is longer than ${MAX_RESULT_LENGTH} characters of JSON; ask for less at once.`,
    );
  } catch (thrown) {
    // The write holds; that its answer is lost does not make it undone.
    const error = { code: "store.result", message: errorOf(thrown, "store.result").message };
    const failed: "read.failed" | "write.failed" = `${type}.failed`;
    return { type: "settled", settlement: { type: failed, id, error } };
  }
}
