/**
 * Parses a number as a model writes it, with its scale: `7`, `7,5`, `seven`, `8/10`, `eight out of
 * ten`, `85 %`, `4 stars`. Ranges, conditions and the like are recognised and refused.
 */

/** The scale that scores are on: 0 to 10. */
export const MAX_SCORE = 10;

const words = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
];

/** Digits, bounded so that a flood of them costs nothing; separators are judged by {@link numberOf}. */
export const DIGITS: string = String.raw`(?<![\w.,/])[+-]?\d{1,9}(?:[.,]\d{1,9}){0,3}(?![\w]|[.,]\d)`;
/** Digits or a word from zero to ten. */
export const NUMBER: string = String.raw`(?:${DIGITS}|\b(?:${words.join("|")})\b)`;
const WHOLE = String.raw`(?:\d{1,9}(?![\w]|[.,/]\d)|\b(?:${words.join("|")})\b)`;
const after = new RegExp(
  String.raw`^ ?(?:(?:\/|out of|of(?= (?:5|10|100|five|ten)\b)) ?(${WHOLE})(?! ?\/ ?\d)|(%|percent\b))`,
  "i",
);
/** A range, a list, a sum, a part of something: more than one number. */
const several = new RegExp(
  String.raw`^(?:,? ?| ?(?:[-–—+*×/^]|[-=]>|→|to|of|or|and|minus|plus|\.\.+) ?(?:an? )?(?:perhaps |maybe )?)${NUMBER}|^ ?/|^[^\n]{0,30}= ?\d`,
  "i",
);
const condition = /^[^.\n;]{0,20}?\b(?:if|unless|provided|were it)\b/i;

/** The quantity at a place: a number on the scale, and its end. */
export interface Quantity {
  /** On the scale from 0 to 10; `undefined` where it is none, or a range, or under a condition. */
  readonly score: number | undefined;
  /** True when it names its own whole: `7/10`, `70 %`. */
  readonly whole: boolean;
  readonly end: number;
}

/** A plain number; `undefined` for `1.2.3`, `1,000` and their like. */
export function numberOf(text: string): number | undefined {
  const word = words.indexOf(text.toLowerCase());
  if (word >= 0) return word;
  // A comma with three digits behind it parts thousands; with one or two it is a decimal comma.
  if (!/^[+-]?\d+(?:\.\d+|,\d{1,2})?$/.test(text)) return undefined;
  return Number(text.replace(",", "."));
}

/**
 * The quantity of which the number has been found already.
 * @param scale what a bare number is out of
 */
export function quantityAt(text: string, number: string, end: number, scale: number): Quantity {
  const value = numberOf(number);
  const rest = text.slice(end, end + 60);
  const found = after.exec(rest);
  const [all = "", whole, percent] = found ?? [];
  const stop = end + all.length;
  const out = percent !== undefined ? 100 : whole !== undefined ? numberOf(whole) : scale;
  const more = text.slice(stop, stop + 60);
  // Nobody says of how many stars.
  const stars = found === null && /^ ?stars?\b/i.test(rest);
  const vague = stars || several.test(more) || condition.test(more);
  const fits = value !== undefined && out !== undefined && out > 0 && value >= 0 && value <= out;
  return {
    score: vague || !fits ? undefined : rounded((value / out) * MAX_SCORE),
    whole: found !== null,
    end: stop,
  };
}

/** 8.5 and not 8.500000000000002. */
function rounded(score: number): number {
  return Math.round(score * 1e9) / 1e9;
}
