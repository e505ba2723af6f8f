/** Writes a picture as JSON, for programs: nothing is folded or truncated. */

import { visibleJson } from "../core/kernel/values/index.js";
import { checkArguments } from "../core/kernel/vocabulary/index.js";
import { PICTURE } from "./check-arguments.js";
import type { Picture } from "./picture.js";

/** The picture's text, indented; data stays what it was, but what is unseen is written as an escape. */
export function toJson(picture: Picture): string {
  checkArguments("toJson", { picture }, { picture: PICTURE });
  return `${visibleJson(JSON.stringify(picture, null, 2))}\n`;
}
