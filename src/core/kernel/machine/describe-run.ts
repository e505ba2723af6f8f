/**
 * Makes the short description of a run (title, last words, data, failure of its turn) from its output and
 * its definition's `describe`. Lists of runs show it; the journal records it.
 */
import { isJsonObject } from "../values/json.js";
import { sealJson } from "../values/seal.js";
import { beginningOf } from "../values/size-limits.js";
import { atOnce } from "../values/thenable.js";
import type { Description, TurnFailure } from "../vocabulary/event.js";

/** Characters of a title, and of what was said last. */
const MAX_WORDS = 200;
const NOTHING: Description = Object.freeze({});

/**
 * Returns what the row of a run says.
 * @param output of the run so far
 * @param description what its definition says of it
 */
export function describeRun(
  output: unknown,
  failure: TurnFailure | undefined,
  description: unknown,
): Description {
  const words =
    typeof output === "string" && output !== "" ? { words: shortened(output) } : NOTHING;
  if (description === undefined) {
    if (failure === undefined) return words;
    return { ...words, failure };
  }
  const own = sealJson<Description>(atOnce("It", description), "$.describe");
  const { title, words: last, data } = own;
  const isWhole =
    isOptionalText(title) && isOptionalText(last) && (data === undefined || isJsonObject(data));
  if (!isWhole) throw new Error("it did not return { title?, words?, data? }");
  return {
    ...(title === undefined ? {} : { title: shortened(title) }),
    ...(last === undefined ? words : { words: shortened(last) }),
    ...(data === undefined ? {} : { data }),
    ...(failure === undefined ? {} : { failure }),
  };
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === "string";
}

function shortened(text: string): string {
  return text.length <= MAX_WORDS ? text : `${beginningOf(text, MAX_WORDS - 1)}…`;
}
