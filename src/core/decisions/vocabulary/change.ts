/**
 * Changes: the append-only history of a graph, one record per committed transaction. It is the
 * source of `asOf`, `history`, idempotency and the version. Stores keep these records as rows.
 */
import type { CheckedOperation } from "./operation.js";

/** A name of a node in an operation that was a prefix, and the id that it stood for. */
export interface Resolved {
  /** The operation's place in the transaction, counted from 0. */
  readonly operation: number;
  readonly field: "id" | "oldId" | "newId" | "fromId" | "toId";
  readonly given: string;
  readonly id: string;
}

/** What a write came to. */
export interface WriteResult {
  /** The graph's version after it: how many transactions have held so far, this one included. */
  readonly seq: number;
  /** The time of the change: see {@link GraphChange.at}. */
  readonly at: number;
  /** How many operations it had. */
  readonly operations: number;
  /** The prefixes among the names, in order. */
  readonly resolved: readonly Resolved[];
}

/** One transaction that held. */
export interface GraphChange {
  /** Counted from 1 within the scope. */
  readonly seq: number;
  /** The latest time of its operations, and never before that of the change before it. */
  readonly at: number;
  /** The idempotency key of the write; null where it had none. */
  readonly key: string | null;
  /** With full ids in place of prefixes. */
  readonly operations: readonly CheckedOperation[];
  readonly result: WriteResult;
}
