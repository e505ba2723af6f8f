/**
 * `HostRow`: the row of a run as hosts list it, with the messages that wait for a turn and its cost. `withQueue`
 * takes these messages from the context of an agent, shortened for the list.
 */
import { isList, type Json, type List, toArray } from "../core/kernel/values/index.js";
import type { UserPart } from "../core/kernel/vocabulary/index.js";
import type { RunRow } from "../runtime/for-hosts.js";

/** A message that waits for its turn. */
export interface QueuedMessage {
  /** By which `queued` changes it; absent where its sender gave none. */
  readonly id?: string;
  /** Its text, at most 200 characters. */
  readonly text: string;
}

/** The row of a run at a host. */
export interface HostRow extends RunRow {
  /** The messages that wait for their turn, the next first, at most 100; absent where none does. */
  readonly queue?: readonly QueuedMessage[];
  /** The money that it and its children have cost so far, in US dollars; absent where none is known. */
  readonly cost?: number;
}

const MAX_TEXT = 200;
const MAX_QUEUE = 100;

/** Returns a row with the messages that wait in the context of its run. */
export function withQueue(row: RunRow, context: unknown): HostRow {
  const { queue } = (context ?? {}) as { readonly queue?: unknown };
  if (!isList(queue)) return row;
  const waiting = toArray(queue as List<Json>).flatMap(shortOf);
  return waiting.length === 0 ? row : { ...row, queue: waiting.slice(0, MAX_QUEUE) };
}

/** Tells messages from values that another machine keeps under that name. */
function shortOf(each: Json): readonly QueuedMessage[] {
  const { id, content } = (each ?? {}) as { readonly id?: unknown; readonly content?: unknown };
  if (typeof content !== "string" && !Array.isArray(content)) return [];
  const text = typeof content === "string" ? content : content.map(textOf).join("");
  return [{ ...(typeof id === "string" ? { id } : {}), text: text.slice(0, MAX_TEXT) }];
}

function textOf(part: UserPart): string {
  return part?.type === "text" ? part.text : "";
}
