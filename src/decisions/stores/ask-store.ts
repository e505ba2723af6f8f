/** Calls a decision store from outside a run: errors get a code, and the result is validated. */
import {
  isReckonerError,
  type Json,
  messageOf,
  ReckonerError,
} from "../../core/kernel/values/index.js";
import { maskCredentials } from "../../core/kernel/vocabulary/index.js";
import type { StorePort } from "../../runtime/for-adapters.js";

/**
 * Gives the answer of a store. It is never taken for nothing: a store that fails, or that answers with
 * nothing, is an error.
 * @throws ReckonerError as the store does; `port.failed` for whatever else it throws
 */
export async function askStore(
  store: StorePort,
  signal: AbortSignal,
  ask: (store: StorePort) => Promise<Json>,
): Promise<Json> {
  let answer: Json;
  try {
    answer = await ask(store);
  } catch (thrown) {
    if (isReckonerError(thrown) || signal.aborted) throw thrown;
    throw failed(store, maskCredentials(messageOf(thrown)), thrown);
  }
  if (typeof answer === "object" && answer !== null) return answer;
  throw failed(store, "it answered with nothing");
}

function failed({ name }: StorePort, why: string, cause?: unknown): ReckonerError {
  return new ReckonerError(
    "port.failed",
    `The store ${name} failed: ${why}. Mend it and try again.`,
    {
      place: name,
      cause,
    },
  );
}
