/**
 * Lists what changed between two values, or between two states of a run, path by path, for `reckoner show`,
 * the studio and other views.
 */

import type { RunState } from "../kernel/machine/index.js";
import {
  childPath,
  isJsonObject,
  isList,
  type Json,
  type JsonObject,
  type List,
  refOf,
  sharesPrefix,
  sizeOf,
  TABLE_KEY,
  type Table,
  tableCells,
  toArray,
  VECTOR_KEY,
  type Vector,
  vectorItems,
} from "../kernel/values/index.js";

/** The change at a path. */
export interface StateChange {
  /** JSON path: `context.deps.limit`, `context.messages[3]`. */
  readonly path: string;
  /** Absent where there was nothing. */
  readonly before?: Json;
  /** Absent where there is nothing any more. */
  readonly after?: Json;
}

/** The changes of a step in its run's state. @param before absent at the start */
export function changesOf(before: RunState | undefined, after: RunState): readonly StateChange[] {
  const changes: StateChange[] = [];
  const parts = ["value", "status", "context", "outstanding", "fault", "output"] as const;
  for (const part of parts) {
    collect(before?.[part] as Json | undefined, after[part] as Json | undefined, part, changes);
  }
  return changes;
}

function collect(
  before: Json | undefined,
  after: Json | undefined,
  path: string,
  changes: StateChange[],
): void {
  if (before === after) return;
  if (before !== undefined && after !== undefined) {
    if (refOf(before) === refOf(after)) return;
    if (collectWithin(before, after, path, changes)) return;
  }
  changes.push({
    path,
    ...(before === undefined ? {} : { before: plainOf(before) }),
    ...(after === undefined ? {} : { after: plainOf(after) }),
  });
}

/** @returns whether both are collections of one kind, and were looked into */
function collectWithin(before: Json, after: Json, path: string, changes: StateChange[]): boolean {
  if (isList(before) && isList(after)) {
    const earlier = before as List<Json>;
    const now = after as List<Json>;
    const from = sharesPrefix(now, earlier) ? sizeOf(earlier) : 0;
    collectItems(toArray(earlier, from), toArray(now, from), from, path, changes);
    return true;
  }
  const [left, right] = [openedOf(before), openedOf(after)];
  if (Array.isArray(left) && Array.isArray(right)) {
    collectItems(left, right, 0, path, changes);
    return true;
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    collect(own(left, key), own(right, key), childPath(path, key), changes);
  }
  return true;
}

function collectItems(
  before: readonly Json[],
  after: readonly Json[],
  from: number,
  path: string,
  changes: StateChange[],
): void {
  for (let i = 0; i < Math.max(before.length, after.length); i++) {
    collect(before[i], after[i], `${path}[${from + i}]`, changes);
  }
}

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * A collection of the kernel's as what it holds, one level deep.
 * @internal
 */
export function openedOf<Value extends Json | undefined>(value: Value): Value | Json {
  if (!isJsonObject(value)) return value;
  if (isList(value)) return toArray(value as List<Json>);
  if (VECTOR_KEY in value) return vectorItems(value as unknown as Vector<Json>);
  if (!(TABLE_KEY in value)) return value;
  const cells = tableCells(value as unknown as Table<Json>);
  return Object.fromEntries(cells.filter((each) => each !== null));
}

/** A value with all its collections as what they hold. */
export function plainOf(value: Json): Json {
  const opened = openedOf(value);
  if (Array.isArray(opened)) return opened.map((item: Json) => plainOf(item));
  if (!isJsonObject(opened)) return opened;
  return Object.fromEntries(Object.entries(opened).map(([key, item]) => [key, plainOf(item)]));
}
