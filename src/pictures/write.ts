/** Writes a picture in a format given by name. */

import * as shapes from "../core/kernel/shapes.js";
import { checkArguments } from "../core/kernel/vocabulary/index.js";
import type { Picture } from "./picture.js";
import { toJson } from "./to-json.js";
import { toMermaid } from "./to-mermaid.js";
import { toSvg } from "./to-svg.js";

/** The formats, the first where none is named. */
export const pictureFormats = ["mermaid", "svg", "json"] as const;

/** The name of a format. */
export type PictureFormat = (typeof pictureFormats)[number];

const writers: Readonly<Record<PictureFormat, (picture: Picture) => string>> = {
  mermaid: toMermaid,
  svg: toSvg,
  json: toJson,
};

const FORMAT: shapes.Shape = /* @__PURE__ */ shapes.oneOf(...pictureFormats);

/**
 * The picture's text.
 * @throws ReckonerError `option.invalid`
 */
export function writePicture(picture: Picture, format: PictureFormat): string {
  checkArguments("writePicture", { format }, { format: FORMAT });
  return writers[format](picture);
}
