/**
 * Encodes columns as text that Postgres parses as arrays, and decodes the bytes that it returns,
 * for any client.
 */
import type { SqlColumn } from "../sql-decisions/index.js";

/** A column as the text of an array, `{1,"two",NULL}`: one parameter for any number of rows. */
export function arrayText(column: SqlColumn): string {
  const parts: string[] = [];
  for (const value of column) {
    if (value === null) parts.push("NULL");
    else if (typeof value === "number") parts.push(String(value));
    else parts.push(/["\\]/.test(value) ? `"${value.replace(/["\\]/g, "\\$&")}"` : `"${value}"`);
  }
  return `{${parts.join(",")}}`;
}

/** What a client gives for a bytea: bytes, or the text `\x…` where it leaves them as they came. */
export function bytesOf(value: unknown): DataView {
  if (value instanceof Uint8Array) {
    return new DataView(value.buffer, value.byteOffset, value.byteLength);
  }
  const text = String(value).replace(/^\\x/, "");
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  }
  return new DataView(bytes.buffer);
}
