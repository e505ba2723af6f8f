/** Checks the arguments of drawers and writers. */
import { checkArguments } from "../core/kernel/index.js";
import * as shapes from "../core/kernel/shapes.js";
import type { Picture } from "./picture.js";

type Lists = "nodes" | "edges" | "groups" | "rows" | "legend" | "notes";
const lists: { readonly [Name in Lists]: true } = {
  nodes: true,
  edges: true,
  groups: true,
  rows: true,
  legend: true,
  notes: true,
};

const PICTURE: shapes.Shape = [
  (value) => {
    if (!shapes.hasParts("kind", "title")(value)) return false;
    return Object.keys(lists).every((name) => Array.isArray((value as Picture)[name as Lists]));
  },
  "a picture, as chartPicture() and the other drawers give it",
];

/** Things to draw, each with an id of its own. */
export const WITH_IDS: shapes.Shape = [
  (value) =>
    Array.isArray(value) &&
    value.every(
      (each: { readonly id?: unknown } | null | undefined) => typeof each?.id === "string",
    ),
  "a list, each an object with an id that is a string",
];

/**
 * Checks what a drawer was given.
 * @throws ReckonerError `option.invalid`
 */
export function checkDrawn<Options>(
  drawer: string,
  drawn: { readonly [name: string]: readonly [value: unknown, shape: shapes.Shape] },
  options: Options,
  known: shapes.Shapes<Options>,
): void {
  const all = { ...drawn, options: [options, shapes.optionsOf(known)] as const };
  const entries = Object.entries(all);
  checkArguments(
    drawer,
    Object.fromEntries(entries.map(([name, [value]]) => [name, value])),
    Object.fromEntries(entries.map(([name, [, shape]]) => [name, shape])),
  );
}

/**
 * Checks what a writer was given.
 * @throws ReckonerError `option.invalid`
 */
export function checkWritten<Options>(
  writer: string,
  picture: Picture,
  options: Options,
  known: shapes.Shapes<Options>,
): void {
  checkDrawn(writer, { picture: [picture, PICTURE] }, options, known);
}
