/**
 * The outstanding directives of a run: issued and not yet settled, in the order of issue. The rest
 * of the kernel uses these functions and need not know the representation.
 */
import {
  emptyTable,
  type Table,
  tableDelete,
  tableGet,
  tableHas,
  tableSet,
  tableValues,
} from "../values/table.js";
import type { CancelDirective, Effect } from "../vocabulary/directive.js";

/** Directives that are outstanding, by id. */
export type Owed = Table<Effect>;

/** Nothing is owed. */
export const nothingOwed: Owed = /* @__PURE__ */ emptyTable<Effect>();

/** Lists the directives that a run has issued and that are not settled, in the order of their issue. */
export function owedBy({ outstanding }: { readonly outstanding: Owed }): readonly Effect[] {
  return tableValues(outstanding);
}

/** Returns true when a directive with this id is outstanding. */
export function isOwed(owed: Owed, id: string): boolean {
  return tableHas(owed, id);
}

/** The outstanding directive with this id and type. */
export function findOwed(owed: Owed, id: string, type: string): Effect | undefined {
  const directive = tableGet(owed, id);
  return directive?.type === type ? directive : undefined;
}

/** One more directive is owed. */
export function addOwed(owed: Owed, directive: Effect): Owed {
  return tableSet(owed, directive.id, directive);
}

/** The directive with this id is owed no more. */
export function dropOwed(owed: Owed, id: string): Owed {
  return tableDelete(owed, id);
}

/** The kernel's own `cancel` for everything outstanding. */
export function cancelAll(owed: Owed): CancelDirective[] {
  return tableValues(owed).map(({ id }) => Object.freeze({ type: "cancel" as const, target: id }));
}
