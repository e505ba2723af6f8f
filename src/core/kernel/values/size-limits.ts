/**
 * Limits on the size of events, values and texts, so that no step makes a line of the journal that cannot
 * be written. Larger values are refused or truncated, and the reader is told.
 */

/**
 * Characters of JSON in all that one step makes by itself: results of pure tools, what they ask for,
 * texts about failures. In UTF-8 a character is up to three bytes, and a line has 16 MiB.
 */
export const MAX_STEP_LENGTH: number = 2 * 1024 * 1024;
/** Characters of JSON in one thing that enters a run: an input, a message, a decision, a settlement. */
export const MAX_EVENT_LENGTH: number = 8 * 1024 * 1024;
/**
 * Characters of JSON in one text that a machine issues or ends with, and in one object or array with
 * what is long in it as references: a larger one does not fit into a line.
 */
export const MAX_VALUE_LENGTH: number = 8 * 1024 * 1024;
/** Characters in one text about a failure. */
export const MAX_TEXT_LENGTH: number = 16 * 1024;

/** The end of a text that was cut. */
const CUT = / \[cut: (\d{1,12}) more characters\]$/;

/**
 * A text of at most so many characters, and a few that say how many were cut. One that is cut again says how many
 * are missing of the first.
 */
export function cutText(text: string, most: number = MAX_TEXT_LENGTH): string {
  if (text.length <= most) return text;
  const mark = CUT.exec(text);
  const whole = mark === null ? text : text.slice(0, mark.index);
  if (mark !== null && whole.length <= most) return text;
  const beginning = beginningOf(whole, most);
  const missing = whole.length - beginning.length + Number(mark?.[1] ?? 0);
  return `${beginning} [cut: ${missing} more characters]`;
}

/** The beginning of a longer text, of so many characters or one less: half of a surrogate pair is not a string. */
export function beginningOf(text: string, most: number): string {
  return text.slice(0, /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most);
}

/** So much is shown of what stands in the place of a name. */
const MAX_SHOWN = 60;

/** A value within a sentence that says what is wrong with it. @param value as JSON has it */
export function shownBriefly(value: unknown): string {
  const isJson = typeof value === "string" || typeof value === "object";
  return cutText(isJson ? JSON.stringify(value) : String(value), MAX_SHOWN);
}
