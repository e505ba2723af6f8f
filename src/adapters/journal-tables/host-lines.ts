/**
 * Makes the SQL statements by which a host writes the lines and the row of a run that it owns, within a
 * transaction of `table-host-store.ts`. It must not know what a line means.
 */
import type { Appended, Change, RunPlace } from "../../serve/for-stores.js";
import { COLUMNS, indexedRow } from "./indexed-row.js";
import type { SqlValue, Statement } from "./table-database.js";

/** Lines that are written with one part of a statement. */
const LINES_AT_ONCE = 100;
/** The beginning of the token that an owner's write leaves. */
const HOSTED = "hosted/";

/** Returns the token of a journal that an owner wrote last, as an expression. */
export function tokenAt(lines: string, bytes: string): string {
  return `'${HOSTED}' || ${lines} || '/' || ${bytes}`;
}

/** Returns the statements that write lines, at the place that is expected. @param number of their journal */
export function appendedLines(
  prefix: string,
  number: number,
  { lines, at }: Appended,
  row: Change["row"],
): readonly Statement[] {
  let { bytes } = at;
  const placed = lines.map((text, n): SqlValue[] => {
    const from = bytes;
    bytes += Buffer.byteLength(text) + 1;
    return [number, from, at.lines + n, text];
  });
  const end = at.lines + lines.length;
  const [lastAt, ...texts] = row === undefined ? [] : indexedRow(row);
  const columns =
    row === undefined ? "" : `, row_lines = $4, last_at = $5${setColumns(COLUMNS, 6)}`;
  const behind = row === undefined ? 4 : 6 + COLUMNS.length;
  const moved: Statement = [
    // Another writer that has it open finds another token.
    `UPDATE ${prefix}journals SET lines = $1, bytes = $2, token = $3${columns} WHERE id = $${behind} AND lines = $${behind + 1} AND bytes = $${behind + 2} RETURNING id`,
    ...[end, bytes, `${HOSTED}${end}/${bytes}`],
    ...(lastAt === undefined ? [] : [end, lastAt, ...texts]),
    ...[number, at.lines, at.bytes],
  ];
  const written: Statement[] = [];
  for (let n = 0; n < placed.length; n += LINES_AT_ONCE) {
    const some = placed.slice(n, n + LINES_AT_ONCE);
    const values = some.map(
      (_, i) => `($${4 * i + 1}, $${4 * i + 2}, $${4 * i + 3}, $${4 * i + 4})`,
    );
    written.push([
      `INSERT INTO ${prefix}lines (journal, at, line, text) VALUES ${values.join(", ")} RETURNING line`,
      ...some.flat(),
    ]);
  }
  return [moved, ...written];
}

/** Returns the statement that writes a row beside lines that are there. */
export function indexedAlone(
  prefix: string,
  { tenant, id }: RunPlace,
  row: NonNullable<Change["row"]>,
): Statement {
  const [lastAt, ...texts] = indexedRow(row);
  const behind = 2 + COLUMNS.length;
  const text = `UPDATE ${prefix}journals SET last_at = $1${setColumns(COLUMNS, 2)}, row_lines = lines WHERE tenant = $${behind} AND name = (SELECT head FROM ${prefix}hosted WHERE tenant = $${behind + 1} AND name = $${behind + 2}) RETURNING id`;
  return [text, lastAt, ...texts, tenant, tenant, id];
}

function setColumns(columns: readonly string[], from: number): string {
  return columns.map((column, n) => `, ${column} = $${from + n}`).join("");
}
