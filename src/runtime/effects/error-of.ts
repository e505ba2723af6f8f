/**
 * Converts anything that a tool or a port throws to plain data (code, message, status, detail), which fits into
 * the event that records the failure.
 */
import {
  cutText,
  exceeds,
  isReckonerError,
  type Json,
  toJson,
} from "../../core/kernel/values/index.js";
import {
  type EffectError,
  reasonOf,
  type ThrownFacts,
  thrownFacts,
  withLanguageName,
} from "../../core/kernel/vocabulary/index.js";
import { ModelError } from "../ports/ports.js";

/** Characters of JSON in what the other side said beside an error's text; more is left out. */
const MAX_DETAIL_LENGTH = 256 * 1024;
const MAX_CODE_LENGTH = 160;

/** Converts anything thrown to data, field by field, as far as it can be read. */
export function errorOf(thrown: unknown, code: string): EffectError {
  const fields = fieldsOf(thrown);
  const field = (name: keyof EffectError): Json | undefined => {
    try {
      return toJson(fields?.[name]);
    } catch {
      return undefined;
    }
  };
  const [ownCode, message, detail] = [field("code"), field("message"), field("detail")];
  const numbers = (["status", "retryAfterMs"] as const).flatMap((name) => {
    const value = field(name);
    // A time in the past is ignored; the run's own delay applies.
    const isKept = typeof value === "number" && (name === "status" || value >= 0);
    return isKept ? [[name, value]] : [];
  });
  const transient = field("transient");
  return {
    code: typeof ownCode === "string" && ownCode !== "" ? cutText(ownCode, MAX_CODE_LENGTH) : code,
    message: cutText(typeof message === "string" && message !== "" ? message : reasonOf(thrown)),
    ...Object.fromEntries(numbers),
    ...(typeof transient === "boolean" ? { transient } : {}),
    ...(detail === undefined || exceeds(detail, MAX_DETAIL_LENGTH) ? {} : { detail }),
  };
}

/**
 * What a tool threw, as data: for observers and the record also its name, stack, causes and fields.
 */
export function thrownByTool(thrown: unknown): EffectError {
  const error = errorOf(thrown, "tool.threw");
  const facts: ThrownFacts = thrownFacts(thrown);
  return { ...facts, ...error };
}

/** Converts a thrown value of a port to data; an error of the language is told by its name too. */
export function thrownByPort(thrown: unknown, code: string): EffectError {
  const error = errorOf(thrown, code);
  return { ...error, message: cutText(withLanguageName(thrown, error.message)) };
}

/** What a thrown value says of itself; it may be a proxy that throws in turn. */
function fieldsOf(thrown: unknown): Partial<EffectError> | undefined {
  try {
    if (thrown instanceof ModelError) return thrown.error;
    return isReckonerError(thrown) ? (thrown as EffectError) : undefined;
  } catch {
    return undefined;
  }
}
