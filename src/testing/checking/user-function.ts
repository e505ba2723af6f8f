/**
 * Calls a function from the options of a check, such as `input` or `outside`, so that an error that it throws
 * names it; also makes the error for a wrong result.
 */
import { isReckonerError, messageOf, ReckonerError } from "../../core/kernel/values/index.js";

/** @throws ReckonerError `option.invalid` where it throws, its error as the cause */
export function callUserFunction<T>(name: string, give: () => T): T {
  try {
    return give();
  } catch (thrown) {
    const text = isReckonerError(thrown) ? thrown.message : `${messageOf(thrown)}.`;
    const message = `The check: ${name} threw: ${text}`;
    throw new ReckonerError("option.invalid", message, { cause: thrown });
  }
}

/** Makes the error of a function whose value is none of those that it may give. */
export function wrongAnswer(name: string, needed: string, value: unknown): ReckonerError {
  const kind = value === null || value === undefined ? String(value) : `a ${typeof value}`;
  const { type } = (value ?? {}) as { readonly type?: unknown };
  const named = typeof type === "string" ? JSON.stringify(type) : kind;
  const what = value instanceof Promise ? "a promise" : named;
  const message = `The check: ${name} gave ${what}; it must give ${needed}, at once.`;
  return new ReckonerError("option.invalid", message);
}
