/** Parses times in ISO 8601, independent of the machine's time zone. */

const ISO =
  /^(\d{4}|[+-]\d{6})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * A time in milliseconds since 1970; a time without a zone is UTC, a day is its beginning. `Date.parse`
 * takes more than that: `1` is the year 2001, 30 February is 2 March, and what has no zone is meant in
 * the machine's own.
 * @returns nothing where the text is no such time
 */
export function parseIsoTime(text: string): number | undefined {
  const [
    ,
    year = "",
    month,
    day,
    hour = "0",
    minute = "0",
    second = "0",
    fraction = "",
    zone = "Z",
  ] = ISO.exec(text) ?? [];
  if (year === "" || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // 30 February is none.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day))
    return undefined;
  date.setUTCHours(
    Number(hour),
    Number(minute),
    Number(second),
    Number(fraction.padEnd(3, "0").slice(0, 3)),
  );
  const offset = offsetOf(zone);
  const ms = date.getTime() - (offset ?? Number.NaN);
  return Math.abs(ms) <= 8.64e15 ? ms : undefined;
}

/** Returns the milliseconds that a zone is ahead of UTC. */
function offsetOf(zone: string): number | undefined {
  if (zone.toUpperCase() === "Z") return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(-2))];
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
