/** Validators for the arguments of the functions that draw pictures and that write them. */
import * as shapes from "../core/kernel/shapes.js";

const LISTS = ["nodes", "edges", "groups", "rows", "legend", "notes"];

/** The options of a drawer that has no others. */
export const TITLED: shapes.Shape = /* @__PURE__ */ shapes.optionsOf({ title: shapes.TEXT });

/** A picture. */
export const PICTURE: shapes.Shape = [
  (value) =>
    shapes.hasParts("kind", "title")(value) &&
    LISTS.every((name) => Array.isArray((value as { readonly [list: string]: unknown })[name])),
  "a picture, as chartPicture() and the other drawers give it",
];
