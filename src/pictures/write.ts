/** A picture in any of the formats, by name. */
import type { Picture } from "./picture.js";
import { toDot } from "./to-dot.js";
import { toJson } from "./to-json.js";
import { toMermaid } from "./to-mermaid.js";
import { toSvg } from "./to-svg.js";

/** The formats, the first where none is named. */
export const pictureFormats = ["mermaid", "dot", "svg", "json"] as const;

/** The name of a format. */
export type PictureFormat = (typeof pictureFormats)[number];

const writers: Readonly<Record<PictureFormat, (picture: Picture) => string>> = {
  mermaid: toMermaid,
  dot: toDot,
  svg: toSvg,
  json: toJson,
};

/** The picture's text. */
export function writePicture(picture: Picture, format: PictureFormat): string {
  return writers[format](picture);
}
