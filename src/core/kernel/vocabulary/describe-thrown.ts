/**
 * Describes what a user's function threw, as the core may record it: independent of the engine's
 * wording.
 */
import { cutText } from "../values/size-limits.js";

/** The engines' own errors are named, not quoted: their messages differ from engine to engine. */
const engineErrors = [TypeError, RangeError, ReferenceError, SyntaxError, EvalError, URIError];

/**
 * Describes the error of a pure function of the user's: cut, and the same on every engine. It never
 * throws: a thrown value may be a proxy, or have getters that throw.
 */
export function describeThrown(thrown: unknown): string {
  try {
    if (typeof thrown === "string") return cutText(thrown);
    if (!(thrown instanceof Error)) return UNKNOWN;
    const { name, message } = thrown;
    const own = engineErrors.some((kind) => thrown instanceof kind) ? "" : message;
    return cutText(String(own === "" ? name : own));
  } catch {
    return UNKNOWN;
  }
}

const UNKNOWN = "an unknown error";
