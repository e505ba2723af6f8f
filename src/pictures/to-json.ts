/** Writes a picture as JSON, for programs: nothing is folded or truncated. */
import { checkWritten } from "./check-arguments.js";
import type { Picture } from "./picture.js";

import { escapeUnseen } from "./visible-text.js";

/** The picture's text, indented; data stays what it was, but what is unseen is written as an escape. */
export function toJson(picture: Picture): string {
  checkWritten("toJson", picture, {}, {});
  return `${escapeUnseen(JSON.stringify(picture, null, 2))}\n`;
}
