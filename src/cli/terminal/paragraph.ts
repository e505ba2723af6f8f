/** Formats texts for a terminal: wrapped to its width, indented, and truncated if they are long. */
import { isList, type Json, sizeOf } from "../../core/kernel/values/index.js";
import { wrap } from "./columns.js";
import { slice } from "./truncate.js";
import { visible } from "./visible.js";

/** Lines of one value that are shown; the rest is counted. */
const MOST_LINES = 12;
/** Narrower than this nothing can be read. */
const LEAST_COLUMNS = 20;

/** Letters that are wrapped where not all is shown. */
const MOST_LETTERS = 8_000;

/** The options of setting texts. */
export interface Setting {
  /** Of the terminal. */
  readonly columns: number;
  /** Nothing is cut. */
  readonly full: boolean;
}

/** A value as a text: a string as it stands, anything else as JSON. */
export function textOfValue(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return value;
  return JSON.stringify(value, (_name, part: unknown) =>
    isList(part) ? `(${sizeOf(part)} items)` : part,
  );
}

/** A text's lines, none wider than the terminal, the first behind a label. */
export function paragraph(label: string, text: string, indent: string, setting: Setting): string[] {
  const width = Math.max(setting.columns - indent.length, LEAST_COLUMNS);
  const whole = visible(label === "" ? text : `${label} ${text}`);
  const most = setting.full ? whole.length : MOST_LETTERS;
  const lines = slice(whole, 0, most)
    .split("\n")
    .flatMap((line) => wrap(line, width))
    .map((line) => `${indent}${line}`.trimEnd());
  if (setting.full || (lines.length <= MOST_LINES && whole.length <= most)) return lines;
  const shown = lines.slice(0, MOST_LINES - 1);
  const rest = lines.length - shown.length;
  // Counting the remaining lines is as much work as showing them.
  const left = whole.length > most ? `${whole.length} letters in all` : `${rest} more lines`;
  return [...shown, `${indent}… (${left}; --full shows them)`];
}

const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
];

/** A time span in two units at most: `12ms`, `1.25s`, `3m 07s`, `2d 4h`. */
export function printSpan(ms: number): string {
  if (ms < 1_000) return `${ms}ms`;
  if (ms < 60_000) return `${Number((ms / 1_000).toFixed(2))}s`;
  const at = UNITS.findIndex(([, unit]) => ms >= unit);
  const [name, unit] = UNITS[at] as (typeof UNITS)[number];
  const [less, lesser] = UNITS[at + 1] ?? ["s", 1_000];
  const rest = Math.floor((ms % unit) / lesser);
  return `${Math.floor(ms / unit)}${name}${rest === 0 ? "" : ` ${rest}${less}`}`;
}
