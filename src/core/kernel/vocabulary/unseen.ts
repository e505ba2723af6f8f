/**
 * Characters that nobody sees, or that change what is seen: controls, separators of lines, marks and
 * overrides of direction, letters that show nothing (fillers of Hangul, blank braille, tags), what is
 * private and what Unicode will never assign.
 */

/**
 * Every one of them in a text. The joiners stay, since emoji and Persian are written with them, and so
 * do the format characters that have a shape (the number signs of Arabic, say).
 */
export const UNSEEN: RegExp =
  /(?!\u200c|\u200d|[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}])[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u{e0000}-\u{e0fff}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;
