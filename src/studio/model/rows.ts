/**
 * Divides a conversation into the rows of a list, so that no row has more cards than a screen, whatever
 * number a model asked for; and finds the row of an event.
 */
import type { AnswerEntry, CallCard, Entry, OperationEntry } from "./entries.js";

/** Further cards of an answer, or answers of an operation. */
export interface MoreEntry {
  readonly kind: "more";
  /** Of the entry that it goes on with, and its number among its rows. */
  readonly id: string;
  /** The event with which that entry began. */
  readonly seq: number;
  /** The number of the first of them, from 1, and of all. */
  readonly from: number;
  readonly of: number;
  readonly calls: readonly CallCard[];
  readonly answers: readonly AnswerEntry[];
}

/** An operation with the first of its answers, and the number of all. */
export interface OperationRow extends OperationEntry {
  readonly of: number;
}

/** A row of a conversation. */
export type EntryRow = Exclude<Entry, OperationEntry> | OperationRow | MoreEntry;

/** Cards in one row. */
const MOST_CARDS = 24;

/** The rows of a conversation, with the place of each event that they show. */
export interface EntryRows {
  readonly rows: readonly EntryRow[];
  /** The ids of their events, in the order in which keys go through them. */
  readonly ids: readonly string[];
  /** The row of an event, and its place among the ids. */
  readonly places: ReadonlyMap<string, { readonly row: number; readonly id: number }>;
}

/** Divides the entries of a conversation into rows. */
export function rowsOf(entries: readonly Entry[]): EntryRows {
  const rows = entries.flatMap(divided);
  const ids: string[] = [];
  const places = new Map<string, { readonly row: number; readonly id: number }>();
  for (const [row, entry] of rows.entries()) {
    for (const id of idsIn(entry)) {
      if (!places.has(id)) places.set(id, { row, id: ids.length });
      ids.push(id);
    }
  }
  // A question about a call is shown on the call's card.
  for (const { id, approval } of rows.flatMap(callsIn)) {
    const place = places.get(id);
    if (approval !== undefined && place !== undefined && !places.has(approval.id)) {
      places.set(approval.id, place);
    }
  }
  return { rows, ids, places };
}

function callsIn(row: EntryRow): readonly CallCard[] {
  if (row.kind === "call") return [row];
  if (row.kind === "answer") return row.calls;
  if (row.kind === "operation") return row.answers.flatMap(callsIn);
  return row.kind === "more" ? [...row.calls, ...row.answers.flatMap(callsIn)] : [];
}

/** The ids of the events that a row shows. */
export function idsIn(row: EntryRow): readonly string[] {
  if (row.kind === "answer") return [row.id, ...row.calls.map(({ id }) => id)];
  if (row.kind === "operation") return row.answers.flatMap(idsIn);
  if (row.kind === "more") return [...row.calls, ...row.answers].flatMap(idsIn);
  return [row.id];
}

/** The number of cards that a row shows, with its own. */
export function cardsIn(row: EntryRow): number {
  return Math.max(1, idsIn(row).length);
}

function divided(entry: Entry): readonly EntryRow[] {
  if (entry.kind === "answer") {
    const [calls = [], ...more] = inPieces(entry.calls);
    return [{ ...entry, calls }, ...continued(entry, more, entry.calls.length, "calls")];
  }
  if (entry.kind === "operation") {
    const [answers = [], ...more] = inPieces(entry.answers);
    const of = entry.answers.length;
    return [{ ...entry, answers, of }, ...continued(entry, more, of, "answers")];
  }
  return [entry];
}

function continued(
  { id, seq }: Entry,
  pieces: readonly (readonly (CallCard | AnswerEntry)[])[],
  of: number,
  part: "calls" | "answers",
): readonly MoreEntry[] {
  return pieces.map(
    (piece, i): MoreEntry => ({
      kind: "more",
      id: `${id} ${i + 1}`,
      seq,
      from: (i + 1) * MOST_CARDS + 1,
      of,
      calls: [],
      answers: [],
      [part]: piece,
    }),
  );
}

function inPieces<Card>(cards: readonly Card[]): readonly (readonly Card[])[] {
  const pieces: Card[][] = [];
  for (let i = 0; i < cards.length; i += MOST_CARDS) pieces.push(cards.slice(i, i + MOST_CARDS));
  return pieces;
}
