/** A picture as JSON: all of it, nothing folded and nothing cut, for programs. */
import type { Picture } from "./picture.js";

// Data stays what it was, but what JSON.stringify leaves unseen is written as an escape.
const UNSEEN = /[\u007F-\u009F\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g;

/** The picture's text, indented. */
export function toJson(picture: Picture): string {
  const text = JSON.stringify(picture, null, 2);
  return `${text.replace(UNSEEN, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`)}\n`;
}
