/** The order of all results: by creation, then by id (by bytes). */

/** What has a place in that order. */
export interface Ordered {
  readonly createdAt: number;
  readonly id: string;
}

/** Compares two nodes, or two edges, by creation and then by id. Ids are ASCII: `<` goes by bytes. */
export function byCreation(a: Ordered, b: Ordered): number {
  if (a.createdAt !== b.createdAt) return a.createdAt - b.createdAt;
  return compareIds(a.id, b.id);
}

/** Compares ids by their bytes. */
export function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
