/**
 * Escapes characters that are invisible or change how text is displayed (controls, line separators,
 * direction marks, letters without a glyph, private-use and noncharacter code points). For output to
 * terminals and errors.
 */

/**
 * Every one of them in a text. The joiners stay, since emoji and Persian are written with them, and so
 * do the format characters that have a shape (the number signs of Arabic, say).
 */
export const UNSEEN: RegExp =
  /(?!\u200c|\u200d|[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u{e0000}-\u{e0fff}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/** Returns true for lines of ASCII and quotes, as most texts are: to search them for unseen characters takes ten times as long. */
export function isPlain(text: string): boolean {
  return !/[^\t\n -~\u2018-\u201d]/.test(text);
}

/** An unseen character as it is written where it shall be seen: `\x1b`, `\u{202e}`. */
export function escapedLetter(letter: string): string {
  const code = letter.codePointAt(0) as number;
  const hex = (width: number) => code.toString(16).padStart(width, "0");
  return code < 256 ? `\\x${hex(2)}` : `\\u{${hex(4)}}`;
}

/** A JSON text in which unseen characters are escapes of JSON's own: the same document. Its lines and tabs stay. */
export function visibleJson(text: string): string {
  if (isPlain(text)) return text;
  const unit = (code: number) => `\\u${code.toString(16).padStart(4, "0")}`;
  return text.replace(UNSEEN, (letter) =>
    /[\n\t]/.test(letter)
      ? letter
      : Array.from({ length: letter.length }, (_, i) => unit(letter.charCodeAt(i))).join(""),
  );
}

/** A text as one line of which nothing is hidden: its lines one behind the other; tabs stay. */
export function inOneLine(text: string): string {
  const lines = text.split(/\r?\n|[\u0085\u2028\u2029]/);
  const line =
    lines.length === 1
      ? text
      : lines
          .map((each) => each.trim())
          .filter((each) => each !== "")
          .join(" ");
  return line.replace(UNSEEN, (letter) => (letter === "\t" ? letter : escapedLetter(letter)));
}
