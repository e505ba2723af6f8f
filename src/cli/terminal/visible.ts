/**
 * Makes untrusted text (of models, tools, files) safe for a terminal: control characters, escape
 * sequences and characters that change the direction of text or are invisible are written out. So
 * nothing printed can move the cursor, hide a question or rename the window.
 */

import { randomUUID } from "node:crypto";
import { escapedLetter, isPlain, UNSEEN } from "../../core/kernel/values/index.js";

/** A text of which nothing is hidden; lines and tabs stay. */
export function visible(text: string): string {
  if (isPlain(text)) return text;
  return text.replace(UNSEEN, (c) => (c === "\n" || c === "\t" ? c : escapedLetter(c)));
}

/** A name as it stands in a line of ours: what begins a line of its own could pass for one of ours. */
export function inLine(name: string): string {
  return name.replace(UNSEEN, escapedLetter);
}

/** Known to this process alone: what somebody else wrote cannot pass for a style of ours. */
const OPEN = `\ufdd0${randomUUID()}`;
const [MIDDLE, CLOSE] = ["\ufdd1", "\ufdd2"];
const STYLED = new RegExp(`${OPEN}(\\w+)${MIDDLE}([^${CLOSE}]*)${CLOSE}`, "g");

/** A text of ours that is to be shown in a style: it is made visible first. */
export function inStyle(style: string, text: string): string {
  return `${OPEN}${style}${MIDDLE}${visible(text)}${CLOSE}`;
}

/**
 * A text with its styles applied and all else made visible.
 * @param apply how a style is written on the stream at hand
 */
export function shown(text: string, apply: (style: string, text: string) => string): string {
  let made = "";
  let last = 0;
  for (const match of text.matchAll(STYLED)) {
    const [whole, style = "", inner = ""] = match;
    made += visible(text.slice(last, match.index)) + apply(style, inner);
    last = match.index + whole.length;
  }
  return made + visible(text.slice(last));
}
