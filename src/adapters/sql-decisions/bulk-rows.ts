/**
 * Bulk inserts and updates: many rows as one statement with one parameter per column. A parameter
 * per value, or a statement per row, would cost more than the rows themselves.
 */
import type { SqlColumn, SqlSession, SqlValue } from "./session.js";
import {
  type ColumnType,
  columnsOf,
  nodeUpdates,
  type TableName,
  updateNodesText,
} from "./tables.js";

/** How a database takes a column of many values. */
export interface BulkDialect {
  /** What each type of column is called. */
  readonly columnTypes: Readonly<Record<ColumnType, string>>;
  /** A column as one text. Where its type is `id` its values are not empty and hold no comma. */
  listText(type: ColumnType, column: SqlColumn): string;
  /** The values of such a text, which is the given parameter, as rows. */
  rowsOf(type: ColumnType, placeholder: string): string;
  /** What the SELECT of such rows is from: the end of the statement. */
  readonly from: string;
}

/** How many rows one statement adds. The text of the next is made while the database works. */
const BATCH = 5000;

type Query = SqlSession["query"];

/**
 * Adds rows to a table.
 * @param table its name, and `quoted` as it stands in a statement
 * @param columns in the table's order
 */
export async function insertRows(
  query: Query,
  table: { readonly name: TableName; readonly quoted: string },
  columns: readonly SqlColumn[],
  dialect: BulkDialect,
): Promise<void> {
  const types = columnsOf(table.name);
  const names = types.map(([name]) => `"${name}"`).join(", ");
  const count = columns[0]?.length ?? 0;
  let before: Promise<unknown> = Promise.resolve();
  for (let start = 0; start < count; start += BATCH) {
    const batch = count <= BATCH ? columns : columns.map((all) => all.slice(start, start + BATCH));
    const { select, parameters } = selectRows(types, batch, 1, dialect);
    await before;
    before = query(`INSERT INTO ${table.quoted} (${names}) ${select}`, parameters);
  }
  await before;
}

/**
 * Changes nodes of a scope.
 * @param table the table of nodes, quoted
 * @param columns in the order of `nodeUpdates`
 */
export async function updateRows(
  query: Query,
  table: string,
  scope: string,
  columns: readonly SqlColumn[],
  dialect: BulkDialect,
): Promise<void> {
  const { select, parameters } = selectRows(Object.entries(nodeUpdates), columns, 2, dialect);
  await query(updateNodesText(table, select), [scope, ...parameters]);
}

/**
 * Rows as a SELECT, with one parameter for each column, counted from `first`: a list, or where all
 * rows have the same, that value. So a single row goes as it is.
 */
function selectRows(
  types: readonly (readonly [string, ColumnType])[],
  columns: readonly SqlColumn[],
  first: number,
  { columnTypes, listText, rowsOf, from }: BulkDialect,
): { readonly select: string; readonly parameters: readonly SqlValue[] } {
  const parameters: SqlValue[] = [];
  let isOneRow = true;
  const selected = types.map(([name, type], i) => {
    const column = columns[i] ?? [];
    const [value = null] = column;
    const placeholder = `$${first + i}`;
    if (column.every((other) => other === value)) {
      parameters.push(value);
      return `${placeholder}::${columnTypes[type]} AS "${name}"`;
    }
    isOneRow = false;
    parameters.push(listText(type, column));
    return `${rowsOf(type, placeholder)} AS "${name}"`;
  });
  return { select: `SELECT ${selected.join(", ")}${isOneRow ? "" : from}`, parameters };
}
