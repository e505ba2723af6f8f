/**
 * Makes untrusted text safe for a picture: one line, truncated, with invisible and
 * direction-changing characters, and those that could break the file, escaped.
 */
import { UNSEEN } from "../core/kernel/values/index.js";

/** More marks on one letter than any script has. */
const TOWER = /(\p{M}{3})\p{M}+/gu;

/** The text with unseen characters written as `⟨U+202E⟩`; line breaks and tabs stay. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (letter) =>
    letter === "\n" || letter === "\t" ? letter : `⟨U+${hex(letter)}⟩`,
  );
}

/** The text in one line, spaces run together, towers of marks cut down, unseen characters visible. */
export function oneLine(text: string): string {
  return visible(text.replace(/[\s\u2028\u2029]+/g, " ").replace(TOWER, "$1")).trim();
}

/** The first `most` letters, with `…` where some are left out. */
export function truncate(text: string, most: number): string {
  // No letter takes more than two units, so that a text of megabytes is not taken apart.
  const letters = [...text.slice(0, 2 * most + 2)];
  return letters.length <= most ? text : `${letters.slice(0, Math.max(0, most - 1)).join("")}…`;
}

/** A text as it stands between the tags of XML and in its attributes. */
export function xml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.codePointAt(0)};`);
}

/** A text as an attribute: XML has no place for control characters, and reads a line break as a space. */
export function attribute(text: string): string {
  return xml(visible(text)).replace(/[\n\t]/g, (letter) => `&#${letter.codePointAt(0)};`);
}

function hex(letter: string): string {
  return (letter.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0");
}
