/**
 * Holds the rows that a write to a decision graph names while its operations change them one after the other.
 * `planWrite` reads from it which rows to put and which to delete. It must not know the rules of operations.
 */
import type { EdgeRow, NodeRow } from "../queries/rows.js";

/** Rows by their ids, with what was there before. */
export class Draft<Row> {
  /** The rows as they are now; null for those that were deleted or never there. */
  readonly #rows = new Map<string, Row | null>();
  readonly #before = new Set<string>();
  readonly #touched = new Set<string>();

  /** Takes in a row that the backend has. */
  load(id: string, row: Row): void {
    this.#rows.set(id, row);
    this.#before.add(id);
  }

  get(id: string): Row | undefined {
    return this.#rows.get(id) ?? undefined;
  }

  /** Puts or, with null, deletes a row. */
  put(id: string, row: Row | null): void {
    this.#rows.set(id, row);
    this.#touched.add(id);
  }

  /** All rows that are there now, as far as they are known. */
  *rows(): Iterable<Row> {
    for (const row of this.#rows.values()) if (row !== null) yield row;
  }

  /** Ids of the rows that were there before and were touched. */
  deleted(): string[] {
    return [...this.#touched].filter((id) => this.#before.has(id));
  }

  /** The rows that were touched and are there now, in the order in which they were touched. */
  written(): Row[] {
    return [...this.#touched].flatMap((id) => this.#rows.get(id) ?? []);
  }
}

/** The rows of a write. */
export interface Drafts {
  readonly nodes: Draft<NodeRow>;
  readonly edges: Draft<EdgeRow>;
}
