/** The shape of a picture, for the arguments of writers. */
import * as shapes from "../core/kernel/shapes.js";

const LISTS = ["nodes", "edges", "groups", "rows", "legend", "notes"];

/** A picture. */
export const PICTURE: shapes.Shape = [
  (value) =>
    shapes.hasParts("kind", "title")(value) &&
    LISTS.every((name) => Array.isArray((value as { readonly [list: string]: unknown })[name])),
  "a picture, as chartPicture() and the other drawers give it",
];
