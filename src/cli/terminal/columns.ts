/**
 * Counts the columns that a text takes on a terminal (East Asian letters and emoji take two), and wraps texts to
 * a width.
 */

/** Letters of East Asia that take two columns. */
const WIDE =
  /^(?:\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation}|[\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6])/u;
/** A letter that asks to be shown as an emoji. */
const AS_EMOJI = /^\p{Extended_Pictographic}.*\uFE0F/u;
const NO_COLUMN = /^(?:\p{Mark}|\p{Control}|\p{Default_Ignorable_Code_Point})+$/u;
const PLAIN = /^[\x20-\x7e]*$/;

const segmenter = new Intl.Segmenter();
/** The segmenter takes the square of a text's length, so a long one is handed to it in pieces. */
const PIECE = 500;

/** The letters of a text as a reader counts them: with their marks, and emoji whole. */
function lettersOf(text: string): string[] {
  if (PLAIN.test(text)) return [...text];
  const letters: string[] = [];
  for (let at = 0; at < text.length; at += PIECE) {
    // The last letter of a piece may go on in the next one.
    const piece = `${letters.pop() ?? ""}${text.slice(at, at + PIECE)}`;
    for (const { segment } of segmenter.segment(piece)) letters.push(segment);
  }
  return letters;
}

function columnsOfLetter(letter: string): number {
  if (NO_COLUMN.test(letter)) return 0;
  return WIDE.test(letter) || AS_EMOJI.test(letter) ? 2 : 1;
}

/** The columns that a text of one line takes. */
export function columnsOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return lettersOf(text).reduce((sum, letter) => sum + columnsOfLetter(letter), 0);
}

/** A text, or as much of its end as fits behind a `…`. */
export function endWithin(text: string, width: number): string {
  // A letter has at most so many units that matter: the rest of a long text is not measured.
  const near = text.slice(-width * 8);
  if (near === text && columnsOf(text) <= width) return text;
  const letters = lettersOf(near);
  let from = letters.length;
  for (let left = width - 1; from > 0; from -= 1) {
    left -= columnsOfLetter(letters[from - 1] as string);
    if (left < 0) break;
  }
  return `…${letters.slice(from).join("")}`;
}

/**
 * Wraps a line between its words, and within a word that is wider than a line. One space goes where a
 * line is broken; all other characters stay.
 */
export function wrap(line: string, width: number): string[] {
  const lines: string[] = [];
  let [open, used] = ["", 0];
  const end = () => {
    lines.push(open);
    [open, used] = ["", 0];
  };
  for (const [word] of line.matchAll(/ +|[^ ]+/g)) {
    const columns = columnsOf(word);
    if (used + columns <= width) {
      open += word;
      used += columns;
      continue;
    }
    const isSpace = word.startsWith(" ");
    if (used > 0 && (isSpace || columns <= width)) end();
    for (const letter of lettersOf(isSpace && lines.length > 0 ? word.slice(1) : word)) {
      const more = columnsOfLetter(letter);
      if (used > 0 && used + more > width) end();
      open += letter;
      used += more;
    }
  }
  end();
  return lines;
}
