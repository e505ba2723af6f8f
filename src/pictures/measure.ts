/**
 * Text widths and line breaks. Widths are those of DejaVu Sans, the widest of the usual fonts, so
 * that a text fits wherever it is shown, and pictures do not depend on the machine.
 */

// Hundredths of the font's size, by characters of the same width.
const WIDTHS = new Map(
  (
    [
      ["ijl'", 28],
      ["I |.,:;/\\", 34],
      ['ftr()[]!-`"', 43],
      ["scz*_^JT?", 56],
      ["mMW@%Q", 98],
      ["w+=<>~#O&NDHGU", 84],
    ] as const
  ).flatMap(([letters, width]) => [...letters].map((letter): [string, number] => [letter, width])),
);
const OTHER = 64;
const CAPITAL = 70;
const WIDE = 105;
// Marks over and under letters, the joiner of emoji, choosers of variants: ranges rather than \p{M},
// which grows with each version of Unicode.
const MARKS: readonly (readonly [from: number, to: number])[] = [
  [0x300, 0x36f],
  [0x483, 0x489],
  [0x591, 0x5bd],
  [0x610, 0x61a],
  [0x64b, 0x65f],
  [0xe34, 0xe3a],
  [0xe47, 0xe4e],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x200d, 0x200d],
  [0x20d0, 0x20ff],
  [0xfe00, 0xfe0f],
  [0xfe20, 0xfe2f],
];
// Scripts that are written in squares, and emoji.
const SQUARE = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60]/;

/** The width of a line in pixels, at a size of the font in pixels. */
export function widthOf(text: string, size: number): number {
  let sum = 0;
  for (const letter of text) sum += widthOfLetter(letter);
  return (sum * size) / 100;
}

function widthOfLetter(letter: string): number {
  const found = WIDTHS.get(letter);
  if (found !== undefined) return found;
  if (letter >= "A" && letter <= "Z") return CAPITAL;
  if (letter < "\u0300") return OTHER;
  if (letter.length > 1 || SQUARE.test(letter)) return WIDE;
  const code = letter.charCodeAt(0);
  return MARKS.some(([from, to]) => code >= from && code <= to) ? 0 : 80;
}

/**
 * A line broken into at most so many lines, each within a width; what is left over is cut with `…`.
 * It breaks at spaces, or within a word that is too long for a line.
 */
export function wrap(text: string, width: number, size: number, most: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest !== "" && lines.length < most - 1) {
    const fitting = fittingPart(rest, width, size);
    if (fitting.length === rest.length) break;
    const space = fitting.lastIndexOf(" ");
    const end = rest[fitting.length] === " " ? fitting.length : space > 0 ? space : fitting.length;
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  if (rest !== "") lines.push(shortened(rest, width, size));
  return lines.length === 0 ? [""] : lines;
}

/** The line, or as much of it as fits with a `…`. */
export function shortened(text: string, width: number, size: number): string {
  const fitting = fittingPart(text, width, size);
  if (fitting.length === text.length) return text;
  return `${fittingPart(text, width - widthOf("…", size), size).trimEnd()}…`;
}

/** As many letters as fit, one at least, marks kept with their letters. */
function fittingPart(text: string, width: number, size: number): string {
  const hundredths = (width * 100) / size;
  let sum = 0;
  let end = 0;
  let letters = 0;
  for (const letter of text) {
    const next = widthOfLetter(letter);
    if (letters > 0 && sum + next > hundredths) break;
    // However many marks: a letter under a tower of them is no line of text.
    if (letters > hundredths / 10) break;
    sum += next;
    end += letter.length;
    letters += 1;
  }
  return text.slice(0, end);
}
