/**
 * Lists the values within a JSON value, or its leaves alone, with their JSON paths, for any caller: it
 * compares and chooses nothing.
 */
import type { Json, JsonObject } from "../../../core/kernel/values/index.js";

/** A value at its JSON path. */
export interface PlacedValue {
  readonly path: string;
  readonly value: Json;
}

/** Lists a value and all values in it, the whole before its parts; without recursion. */
export function* valuesIn(value: Json, path = "$"): Generator<PlacedValue> {
  const stack: PlacedValue[] = [{ path, value }];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    yield at;
    const { path: whole, value: each } = at;
    if (isLeaf(at)) continue;
    const parts = Array.isArray(each)
      ? each.map((part: Json, i) => ({ path: `${whole}[${i}]`, value: part }))
      : Object.entries(each as JsonObject).map(([name, part]) => ({
          path: `${whole}.${name}`,
          value: part,
        }));
    stack.push(...parts.reverse());
  }
}

/** Lists the values in a value that hold no others, with their paths. */
export function leavesOf(value: Json): readonly PlacedValue[] {
  return [...valuesIn(value)].filter(isLeaf);
}

function isLeaf({ value }: PlacedValue): boolean {
  return typeof value !== "object" || value === null;
}
