// Numbers and tables, as all benches print them.

export const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};
export const mean = (numbers) => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;
export const round = (n) => Math.round(n * 100) / 100;

/** Three digits that matter, and no more. */
export const short = (n) =>
  Math.abs(n) >= 100
    ? Math.round(n).toLocaleString("en").replace(/,/g, " ")
    : `${Number(n.toPrecision(3))}`;

/** Progress where a terminal is there. */
export const progress = (text) => {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
};

/** Rows as a table; the first columns are texts, the rest numbers. */
export function printTable(columns, rows, texts = 2) {
  const table = [columns, ...rows.map((row) => columns.map((name) => String(row[name])))];
  const widths = columns.map((_, i) => Math.max(...table.map((row) => row[i].length)));
  for (const row of table) {
    console.log(
      row
        .map((cell, i) => (i < texts ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
        .join("  "),
    );
  }
}
