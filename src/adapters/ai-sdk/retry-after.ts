/**
 * Reads from the headers of an answer how long the provider asks to wait: `retry-after-ms`,
 * `retry-after`.
 */

const IN_WORDS = /\btry again in (\d{1,6}(?:\.\d{1,6})?) ?(ms|s|m)\b/i;

/** Milliseconds that an error's text asks to wait, as OpenAI's does: "Please try again in 1.898s". */
export function waitIn(text: string): number | undefined {
  const [, count, unit] = IN_WORDS.exec(text) ?? [];
  if (count === undefined) return undefined;
  const ms = unit === "ms" ? 1 : unit === "s" ? 1_000 : 60_000;
  return Math.ceil(Number(count) * ms);
}

/**
 * Milliseconds from `retry-after-ms`, or from `retry-after` in seconds or as a date; `undefined`
 * where neither says anything, or one that never comes. A date is measured from the answer's own
 * `date`, so that a wrong clock here does not matter.
 */
export function retryAfter(headers: { readonly [name: string]: unknown }): number | undefined {
  const named = (wanted: string) => {
    const name = Object.keys(headers).find((each) => each.toLowerCase() === wanted);
    const value = name === undefined ? undefined : headers[name];
    return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
  };
  const ms = Number(named("retry-after-ms") ?? Number.NaN);
  if (ms >= 0 && Number.isFinite(ms)) return Math.ceil(ms);
  const after = named("retry-after");
  if (after === undefined) return undefined;
  const seconds = Number(after);
  const inMs = Math.ceil(seconds * 1000);
  if (seconds >= 0) return Number.isFinite(inMs) ? inMs : undefined;
  const until = Date.parse(after);
  if (!Number.isNaN(seconds) || Number.isNaN(until)) return undefined;
  const sent = Date.parse(named("date") ?? "");
  return Math.max(0, until - (Number.isNaN(sent) ? Date.now() : sent));
}
