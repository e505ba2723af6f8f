/** Writes durations and counts for people: `2 d 3 h`, `12 ms`, `2 events`. */

const UNITS: readonly (readonly [ms: number, unit: string])[] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
];

/** A duration in at most two units: `2 d 3 h`, `1.4 s`, `12 ms`. @param ms milliseconds */
export function spanText(ms: number): string {
  if (!Number.isFinite(ms)) return "an unknown time";
  const time = Math.max(0, Math.round(ms));
  if (time < 1_000) return `${time} ms`;
  if (time < 10_000) return `${(time / 1_000).toFixed(1)} s`;
  const at = UNITS.findIndex(([size]) => time >= size);
  const [size, unit] = UNITS[at] as readonly [number, string];
  const [next, lesser] = UNITS[at + 1] ?? [0, ""];
  const whole = Math.floor(time / size);
  const rest = next === 0 ? 0 : Math.floor((time - whole * size) / next);
  return rest === 0 ? `${whole} ${unit}` : `${whole} ${unit} ${rest} ${lesser}`;
}

/** A count and its noun: `1 event`, `2 events`. */
export function countText(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}
